(* What differs between compiler-libs versions in how types are read: OCaml 4.14 and later. *)

let desc = Types.get_desc
let id = Types.get_id
let is_generic t = Types.get_level t = Btype.generic_level

type snapshot = Types.snapshot

let snapshot = Types.snapshot
let backtrack = Btype.backtrack

let result (c : Parsetree.extension_constructor) =
  match c.pext_kind with Pext_decl (_, _, result) -> result | Pext_rebind _ -> None

let has_argument (c : Parsetree.extension_constructor) =
  match c.pext_kind with Pext_decl (_, Pcstr_tuple [], _) -> false | _ -> true

let tags row =
  List.map
    (fun (name, field) ->
      ( name,
        match Types.row_field_repr field with
        | Types.Rpresent ty -> Option.to_list ty
        | Reither (_, types, _) -> types
        | Rabsent -> [] ))
    (Types.row_fields row)
