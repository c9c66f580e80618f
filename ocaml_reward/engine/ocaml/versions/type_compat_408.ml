(* What differs between compiler-libs versions in how types are read: OCaml 4.08 to 4.13. *)

let desc t = (Btype.repr t).Types.desc
let id t = (Btype.repr t).Types.id
let is_generic t = (Btype.repr t).Types.level = Btype.generic_level

type snapshot = Btype.snapshot

let snapshot = Btype.snapshot
let backtrack = Btype.backtrack

let result (c : Parsetree.extension_constructor) =
  match c.pext_kind with Pext_decl (_, result) -> result | Pext_rebind _ -> None

let has_argument (c : Parsetree.extension_constructor) =
  match c.pext_kind with Pext_decl (Pcstr_tuple [], _) -> false | _ -> true

let tags row =
  List.map
    (fun (name, field) ->
      ( name,
        match Btype.row_field_repr field with
        | Types.Rpresent ty -> Option.to_list ty
        | Reither (_, types, _, _) -> types
        | Rabsent -> [] ))
    (Btype.row_repr row).row_fields
