(* Short forms of Ast_iterator and Ast_mapper. *)

open Parsetree

let default = Ast_iterator.default_iterator
let mapper = Ast_mapper.default_mapper

(* [note] on a node before [visit] on its parts. *)
let before note visit self node =
  note node;
  visit self node

(* An iterator that calls these functions on each node, before the node's parts. *)
let each ?(expr = ignore) ?(pat = ignore) ?(typ = ignore) ?(module_expr = ignore)
    ?(module_type = ignore) ?(structure_item = ignore) ?(case = ignore) () =
  { default with
    expr = before expr default.expr;
    pat = before pat default.pat;
    typ = before typ default.typ;
    module_expr = before module_expr default.module_expr;
    module_type = before module_type default.module_type;
    structure_item = before structure_item default.structure_item;
    case = before case default.case }

let in_structure items (it : Ast_iterator.iterator) = it.structure it items
let in_signature items (it : Ast_iterator.iterator) = it.signature it items
let in_item i (it : Ast_iterator.iterator) = it.structure_item it i
let in_expression e (it : Ast_iterator.iterator) = it.expr it e
let in_module m (it : Ast_iterator.iterator) = it.module_expr it m
let map items (mapper : Ast_mapper.mapper) = mapper.structure mapper items
let map_item i (mapper : Ast_mapper.mapper) = mapper.structure_item mapper i
let map_expression e (mapper : Ast_mapper.mapper) = mapper.expr mapper e

(* An iterator that calls [note] on every path to a module or its type. *)
let each_module_path note =
  each ()
    ~module_expr:(fun m -> match m.pmod_desc with Pmod_ident path -> note path | _ -> ())
    ~module_type:(fun t -> match t.pmty_desc with Pmty_ident path -> note path | _ -> ())

(* An iterator that calls [note] on every path: of values, modules, constructors, labels, types. *)
let each_path note =
  let expr e =
    match e.pexp_desc with
    | Pexp_ident path | Pexp_construct (path, _) | Pexp_field (_, path)
    | Pexp_setfield (_, path, _) | Pexp_new path ->
      note path
    | Pexp_record (fields, _) -> List.iter (fun (path, _) -> note path) fields
    | _ -> ()
  in
  let pat p =
    match p.ppat_desc with
    | Ppat_construct (path, _) | Ppat_open (path, _) -> note path
    | Ppat_record (fields, _) -> List.iter (fun (path, _) -> note path) fields
    | _ -> ()
  in
  let typ t =
    match t.ptyp_desc with Ptyp_constr (path, _) | Ptyp_class (path, _) -> note path | _ -> ()
  in
  let { Ast_iterator.module_expr; module_type; _ } = each_module_path note in
  let extension c = match c.pext_kind with Pext_rebind path -> note path | _ -> () in
  let extension_constructor = before extension default.extension_constructor in
  { (each ~expr ~pat ~typ ()) with module_expr; module_type; extension_constructor }

(* The modules that are opened or included anywhere in a structure. *)
let opened items =
  let found = ref [] in
  let note m = found := m :: !found in
  in_structure items
    { default with
      open_declaration = before (fun o -> note o.popen_expr) default.open_declaration;
      include_declaration = before (fun i -> note i.pincl_mod) default.include_declaration };
  !found

(* Calls [note] with the name of each module definition and its module, at any depth. *)
let each_bound_module note items =
  let module_binding = before (fun b -> note b.pmb_name.txt b.pmb_expr) default.module_binding in
  let expr e =
    match Scope_compat.local e with
    | Some (Scope_compat.Module (name, m), _) -> note name.txt m
    | _ -> ()
  in
  in_structure items { (each ~expr ()) with module_binding }
