(* The levels of types, which say where a type variable belongs, in every version of the
   compiler's library. *)

(** The levels at some moment. *)
type t

(** Those of now. *)
val saved : unit -> t

(** After a typing that failed: the levels of before it. *)
val recover : t -> unit

(** Does the work, and leaves the levels as they were. *)
val kept : (unit -> 'a) -> 'a
