(* What differs between compiler-libs versions in declared types: OCaml 4.08 to 5.1. *)

let is_abstract (d : Types.type_declaration) =
  match d.type_kind with Type_abstract -> true | _ -> false
