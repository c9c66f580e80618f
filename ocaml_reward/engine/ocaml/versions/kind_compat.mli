(* What differs between versions of the compiler's library in declared types. *)

(** Is a type abstract by its declaration? *)
val is_abstract : Types.type_declaration -> bool
