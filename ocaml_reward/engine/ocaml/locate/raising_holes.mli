(* Makes a program type that does not: what is wrong becomes a hole that has any type, so that
   the rest can run.  Where errors are counted a definition with a mistake may have any type to
   its users; here it keeps the one that it has, and what does not fit there is a hole, too.

   A hole stands where something would be evaluated: a pattern that is wrong makes a hole of
   its case, and a value that has a hole in it is gone, so that each of its uses is one.  So is
   a function that comes to a hole whatever it is given. *)

open Parsetree

(** Holes in a program of the code's or, where there are [uses], of tests that use these. *)
type t

(** None yet, but of what is [missing] of these each use will be one. *)
val start : ?missing:Names.Set.t -> uses:Names.Set.t -> unit -> t

(** The program with its structures as they are, whatever signatures say of them. *)
val without_signatures : structure -> structure

(** Raised where a program does not come to type with the work that is allowed. *)
exception Hopeless

(** The items with holes in what does not type in the environment, and the one that they then
    leave.  Raises Hopeless. *)
val patched : t -> Env.t -> structure -> structure * Env.t

(** Those of what they use that may still be there. *)
val left : t -> Names.Set.t

(** Another program with the same holes: for each expression in one of their places, and for
    each use of what is gone. *)
val likewise : t -> structure -> structure

(** An item that does nothing but to report a hole, which some item would have been. *)
val taint : Location.t -> structure_item

(** The program with its holes made ones that say so and raise; statements of [code] end there,
    and the program goes on. *)
val raising : code:bool -> structure -> structure
