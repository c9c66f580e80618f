(* What differs between versions of the compiler's library in declared types. *)

(** Whether a declared type is abstract. *)
val is_abstract : Types.type_declaration -> bool
