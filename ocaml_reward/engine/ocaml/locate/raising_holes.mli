(* Makes an ill-typed program type: errors become holes that have any type and report when they
   are reached, so that the rest can run.  A definition with a hole keeps its inferred type.  An
   ill-typed pattern makes a hole of its case; a value that contains a hole is gone, and each of
   its uses is a hole; so is a function that reaches a hole whatever its arguments. *)

open Parsetree

(** Holes in the code, or, with [uses], in tests that use these names of the code. *)
type t

(** Each use of a [missing] name will be a hole. *)
val start : ?missing:Names.Set.t -> uses:Names.Set.t -> unit -> t

(** The program without signatures on structures. *)
val without_signatures : structure -> structure

(** The program cannot be made to type within the limit of work. *)
exception Hopeless

(** The items with holes, and the environment after them.  Raises Hopeless. *)
val patched : t -> Env.t -> structure -> structure * Env.t

(** The names in [uses] that are not gone. *)
val left : t -> Names.Set.t

(** Puts the same holes into another program: by location, and for uses of what is gone. *)
val likewise : t -> structure -> structure

(** An item that reports a hole. *)
val taint : Location.t -> structure_item

(** Makes holes report and raise; statements of [code] end there, and the program goes on. *)
val raising : code:bool -> structure -> structure
