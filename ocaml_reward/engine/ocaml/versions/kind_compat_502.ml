(* What differs between compiler-libs versions in declared types: OCaml 5.2 and later. *)

let is_abstract (d : Types.type_declaration) =
  match d.type_kind with Type_abstract Definition -> true | _ -> false
