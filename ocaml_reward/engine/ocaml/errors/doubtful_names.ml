(* Finds definitions that contain a type error or use one that does; errors about them elsewhere
   may only follow. *)

open Parsetree

(* Every name that an item mentions, of whatever kind, with the modules it stands in. *)
let mentioned item =
  let found = ref Names.Set.empty in
  let note { Asttypes.txt; _ } =
    found := List.fold_right Names.Set.add (Path_compat.components txt) !found
  in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match e.pexp_desc with
     | Pexp_ident name | Pexp_construct (name, _) | Pexp_field (_, name)
     | Pexp_setfield (_, name, _) | Pexp_new name -> note name
     | Pexp_record (fields, _) -> List.iter (fun (name, _) -> note name) fields
     | _ -> ());
    default.expr self e
  in
  let pat self p =
    (match p.ppat_desc with
     | Ppat_construct (name, _) -> note name
     | Ppat_record (fields, _) -> List.iter (fun (name, _) -> note name) fields
     | _ -> ());
    default.pat self p
  in
  let typ self t =
    (match t.ptyp_desc with Ptyp_constr (name, _) -> note name | _ -> ());
    default.typ self t
  in
  let module_expr self m =
    (match m.pmod_desc with Pmod_ident name -> note name | _ -> ());
    default.module_expr self m
  in
  let module_type self m =
    (match m.pmty_desc with Pmty_ident name -> note name | _ -> ());
    default.module_type self m
  in
  let iterator = { default with expr; pat; typ; module_expr; module_type } in
  iterator.structure_item iterator item;
  !found

let defined item =
  Names.Set.union (Names.defined [ item ]).values
    (Names.Set.of_list (Followups.vanishing (Nodes.Item, item.pstr_loc) [ item ]))

(* The names of such definitions in [program]; "*" stands for any. *)
let names holes program =
  let is_wrong known item =
    Names.Set.mem "*" known
    || List.exists (fun hole -> Nodes.inside hole item.pstr_loc) holes
    || not (Names.Set.is_empty (Names.Set.inter known (mentioned item)))
  in
  List.fold_left
    (fun known item ->
      if is_wrong known item then Names.Set.union known (defined item) else known)
    Names.Set.empty program
