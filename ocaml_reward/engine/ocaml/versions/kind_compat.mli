(* What differs between versions of the compiler's library in declared types. *)

val is_abstract : Types.type_declaration -> bool
