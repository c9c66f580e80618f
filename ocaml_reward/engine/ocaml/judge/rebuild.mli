(* Rebuilds returned values in the oracle program, for predicates.  The forms are hostile: only
   values of the expected type are built. *)

(** The value returned for a slot of the current check, by the shapes of its type
    (value_shape.ml).  Raises if it does not fit or is missing. *)
val returned_value : string -> int -> 'a

(** The result of a predicate.  Raises Invalid_argument if a value was missing or did not fit,
    even if the predicate has caught that. *)
val checked : (unit -> 'a) -> 'a
