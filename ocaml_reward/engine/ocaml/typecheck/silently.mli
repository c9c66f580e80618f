(* Work whose warnings nobody should see: ocamlc prints them itself. *)

(** Does the work and returns what it does, or raises what it raises. *)
val during : (unit -> 'a) -> 'a
