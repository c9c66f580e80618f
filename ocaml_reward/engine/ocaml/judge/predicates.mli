(* Predicates of the tests' own, applied where no code is to what the code returned. *)

open Parsetree

(** An expression of which only calls of the code are asked for; the rest is evaluated where
    it is told.  Raises Beside where that could be seen: where such a call may happen more
    than once or inside a handler, or where a copy is told from what it is a copy of. *)
val applied : Check_parts.context -> expression -> Check_parts.piece

(** The same of what says more than one thing of one value that has a name, so that all of it
    is said of one answer; None where there is more that the code is asked for. *)
val of_one_value : Check_parts.context -> expression -> Check_parts.piece option
