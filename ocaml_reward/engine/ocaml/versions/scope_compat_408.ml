(* Scopes inside an expression, unpacked modules and types' constraints: OCaml 4.08 to 5.4. *)

open Parsetree

type t =
  | Open of open_declaration
  | Module of string option Asttypes.loc * module_expr
  | Other

let local e =
  match e.pexp_desc with
  | Pexp_open (o, body) -> Some (Open o, body)
  | Pexp_letmodule (name, m, body) -> Some (Module (name, m), body)
  | Pexp_letexception (_, body) -> Some (Other, body)
  | _ -> None

let with_body e body =
  let pexp_desc =
    match e.pexp_desc with
    | Pexp_open (o, _) -> Pexp_open (o, body)
    | Pexp_letmodule (name, m, _) -> Pexp_letmodule (name, m, body)
    | Pexp_letexception (c, _) -> Pexp_letexception (c, body)
    | other -> other
  in
  { e with pexp_desc }

let opening o body = Ast_helper.Exp.open_ o body

let in_module name m body = Ast_helper.Exp.letmodule (Location.mknoloc (Some name)) m body

let unpacked p = match p.ppat_desc with Ppat_unpack { txt; _ } -> txt | _ -> None

let is_constrained d = d.ptype_cstrs <> []
