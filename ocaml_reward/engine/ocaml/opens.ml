(* What tests open may be a module of the code's, with an equality, a [not] or a [List] of
   its own in it.  Behind each such opening the names that the tests mention come back
   from the standard library, but for those that the module is asked to have. *)

open Parsetree
open Ast_helper
open Syntax
module Set = Names.Set

(* Every value, and every module, that a piece of source binds at any depth. *)
let bound structure =
  let values = ref Set.empty and modules = ref Set.empty in
  let default = Ast_iterator.default_iterator in
  let pat self p =
    values := Set.union (Names.pattern_names p) !values;
    default.pat self p
  in
  let module_binding self m =
    Option.iter (fun name -> modules := Set.add name !modules) m.pmb_name.txt;
    default.module_binding self m
  in
  let iterator = { default with pat; module_binding } in
  iterator.structure iterator structure;
  { Names.empty with values = !values; modules = !modules }

(* What the modules inside a reference define, and those inside a signature declare. *)
let inside_modules () =
  let found = ref Names.empty in
  let add names = found := Names.union names !found in
  let default = Ast_iterator.default_iterator in
  let module_expr self m =
    (match m.pmod_desc with Pmod_structure s -> add (Names.defined s) | _ -> ());
    default.module_expr self m
  in
  let module_type self m =
    (match m.pmty_desc with Pmty_signature s -> add (Names.declared s) | _ -> ());
    default.module_type self m
  in
  (found, { default with module_expr; module_type })

let of_reference structure =
  let found, iterator = inside_modules () in
  iterator.structure iterator structure;
  !found

let of_signature signature =
  let found, iterator = inside_modules () in
  iterator.signature iterator signature;
  !found

(* The values and modules that the tests mention by a bare name. *)
let mentioned structure =
  let values = ref Set.empty and modules = ref Set.empty in
  let root path =
    match Compat.components path with
    | name :: _ :: _ -> modules := Set.add name !modules
    | _ -> ()
  in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match e.pexp_desc with
     | Pexp_ident { txt = Longident.Lident name; _ } -> values := Set.add name !values
     | Pexp_ident { txt; _ } | Pexp_construct ({ txt; _ }, _) -> root txt
     | _ -> ());
    default.expr self e
  in
  let module_expr self m =
    (match m.pmod_desc with
     | Pmod_ident { txt = Longident.Lident name; _ } -> modules := Set.add name !modules
     | Pmod_ident { txt; _ } -> root txt
     | _ -> ());
    default.module_expr self m
  in
  let iterator = { default with expr; module_expr } in
  iterator.structure iterator structure;
  { Names.empty with values = !values; modules = !modules }

let lazy_operators = [ ("&&", "%sequand"); ("||", "%sequor") ]

let boolean = Typ.constr (lident "bool") []

let restored name =
  match List.assoc_opt name lazy_operators with
  | Some primitive ->
    (* A function would evaluate both sides. *)
    let arrow = Typ.arrow Asttypes.Nolabel boolean in
    Str.primitive (Val.mk ~prim:[ primitive ] (nowhere name) (arrow (arrow boolean)))
  | None ->
    let home = if name = "exit" then harness else pristine in
    Str.value Asttypes.Nonrecursive
      [ Vb.mk (Pat.var (nowhere name)) (value (within home name)) ]

let restored_module name =
  Str.module_ (Mb.mk (nowhere (Some name)) (Mod.ident (within pristine name)))

(* [trusted] are modules that the code cannot have written; [own] is what tests may mean
   by a name of the standard library's after they opened something; [more] comes back
   besides. *)
let guarded ?(more = []) ~trusted ~own tests =
  let standard = Lazy.force Names.standard in
  let used = mentioned tests and mine = bound tests in
  let wanted used standard mine own =
    Set.elements (Set.diff (Set.inter used standard) (Set.union mine own))
  in
  let names =
    List.map restored (wanted used.Names.values standard.values mine.values own.Names.values)
    @ List.map restored_module
        (wanted used.modules standard.modules mine.modules own.modules)
    @ more
  in
  let rec doubtful m =
    match m.pmod_desc with
    | Pmod_structure _ -> false
    | Pmod_constraint (m, _) -> doubtful m
    | Pmod_ident { txt; _ } -> (
      match Compat.components txt with name :: _ -> not (Set.mem name trusted) | [] -> true)
    | _ -> true
  in
  let opening = Opn.mk ~override:Asttypes.Override (Mod.structure names) in
  let default = Ast_mapper.default_mapper in
  let expr self e =
    let e = default.Ast_mapper.expr self e in
    match Scopes.local e with
    | Some (Open o, body) when doubtful o.popen_expr ->
      Scopes.with_body e (Scopes.opening opening body)
    | _ -> e
  in
  let structure_item self i =
    let i = default.Ast_mapper.structure_item self i in
    match i.pstr_desc with
    | Pstr_open { popen_expr = m; _ } | Pstr_include { pincl_mod = m; _ } when doubtful m ->
      [ i; Str.open_ opening ]
    | _ -> [ i ]
  in
  let structure self items = List.concat_map (structure_item self) items in
  let mapper = { default with expr; structure } in
  if names = [] then tests else mapper.structure mapper tests
