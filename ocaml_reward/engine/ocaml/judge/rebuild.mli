(* Rebuilds values that the code handed out, where predicates of the tests are applied to them:
   in a process that has never held any code.  The text is hostile; no value is made of it that
   is not of the type that the tests take. *)

(** What the code has handed out under this number, for the check that runs, by the shapes of
    its type (see value_shape.ml).  Raises for what has none of them, or was not handed out. *)
val returned_value : string -> int -> 'a

(** What a predicate answers.  Raises Invalid_argument where a value was missing or misshapen,
    even if the predicate has caught that. *)
val checked : (unit -> 'a) -> 'a
