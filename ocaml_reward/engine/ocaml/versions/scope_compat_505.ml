(* Scopes inside an expression, unpacked modules and types' constraints: OCaml 5.5 and later. *)

open Parsetree

type t =
  | Open of open_declaration
  | Module of string option Asttypes.loc * module_expr
  | Other

let local e =
  match e.pexp_desc with
  | Pexp_struct_item ({ pstr_desc = Pstr_open o; _ }, body) -> Some (Open o, body)
  | Pexp_struct_item ({ pstr_desc = Pstr_module m; _ }, body) ->
    Some (Module (m.pmb_name, m.pmb_expr), body)
  | Pexp_struct_item (_, body) -> Some (Other, body)
  | _ -> None

let with_body e body =
  match e.pexp_desc with
  | Pexp_struct_item (item, _) -> { e with pexp_desc = Pexp_struct_item (item, body) }
  | _ -> e

let opening o body = Ast_helper.(Exp.struct_item (Str.open_ o) body)

let in_module name m body =
  Ast_helper.(Exp.struct_item (Str.module_ (Mb.mk (Location.mknoloc (Some name)) m)) body)

let unpacked p = match p.ppat_desc with Ppat_unpack ({ txt; _ }, _) -> txt | _ -> None

let is_constrained d = d.ptype_constraints <> []
