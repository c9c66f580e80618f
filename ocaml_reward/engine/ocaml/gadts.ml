open Parsetree

let exists_type holds t =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let typ self t = if holds t.ptyp_desc then found := true else default.typ self t in
  let iterator = { default with typ } in
  iterator.typ iterator t;
  !found

(* A name for a part, as in [(_ as 'a)], makes a variable of it. *)
let has_alias = exists_type (function Ptyp_alias _ -> true | _ -> false)
let has_variable = exists_type (function Ptyp_var _ | Ptyp_alias _ -> true | _ -> false)

let weak_indices plain result =
  let default = Ast_iterator.default_iterator in
  let found = ref [] in
  let typ self t =
    (match t.ptyp_desc with
     | Ptyp_constr ({ txt; _ }, _) when plain txt -> ()
     | Ptyp_constr ({ txt; _ }, arguments) | Ptyp_class ({ txt; _ }, arguments)
       when List.exists has_variable arguments ->
       found := String.concat "." (Compat.components txt) :: !found
     | _ -> ());
    default.typ self t
  in
  let iterator = { default with typ } in
  (match result.ptyp_desc with
   | Ptyp_constr (_, arguments) -> List.iter (iterator.typ iterator) arguments
   | _ -> ());
  !found

(* An exception's has no index, so that it makes no types equal. *)
let has_index result =
  match result.ptyp_desc with Ptyp_constr (_, []) -> false | _ -> true

let present structure =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let note_result result = if Option.fold ~none:false ~some:has_index result then found := true in
  let constructor_declaration self c =
    note_result c.pcd_res;
    default.constructor_declaration self c
  in
  let extension_constructor self c =
    note_result (Views.result c);
    default.extension_constructor self c
  in
  let note path = if List.mem "Type" (Compat.components path) then found := true in
  let typ self t =
    (match t.ptyp_desc with Ptyp_constr ({ txt; _ }, _) -> note txt | _ -> ());
    default.typ self t
  in
  let module_expr self m =
    (match m.pmod_desc with Pmod_ident { txt; _ } -> note txt | _ -> ());
    default.module_expr self m
  in
  let pat self p =
    (match p.ppat_desc with
     | Ppat_construct ({ txt; _ }, _) ->
       if List.mem "Format" (Compat.components txt) then found := true
     | _ -> ());
    default.pat self p
  in
  let iterator =
    { default with constructor_declaration; extension_constructor; typ; module_expr; pat }
  in
  iterator.structure iterator structure;
  !found

let variables_in visit =
  let default = Ast_iterator.default_iterator in
  let found = ref Names.Set.empty in
  let typ self t =
    match t.ptyp_desc with
    | Ptyp_var name -> found := Names.Set.add name !found
    | Ptyp_poly (bound, _) ->
      let outside = !found in
      default.typ self t;
      let bound = Names.Set.of_list (List.map (fun b -> b.Location.txt) bound) in
      found := Names.Set.union outside (Names.Set.diff !found bound)
    | _ -> default.typ self t
  in
  visit { default with typ };
  !found

let variables t = variables_in (fun iterator -> iterator.Ast_iterator.typ iterator t)

let hiding structure =
  let default = Ast_iterator.default_iterator in
  let found = ref Names.Set.empty in
  let note name result visit =
    let shown = variables result in
    let named = has_alias result in
    if named || not (Names.Set.is_empty shown || Names.Set.subset (variables_in visit) shown)
    then found := Names.Set.add name !found
  in
  let constructor_declaration self c =
    Option.iter
      (fun result ->
        note c.pcd_name.txt result (fun i -> i.Ast_iterator.constructor_declaration i c))
      c.pcd_res;
    default.constructor_declaration self c
  in
  let extension_constructor self c =
    Option.iter
      (fun result ->
        note c.pext_name.txt result (fun i -> i.Ast_iterator.extension_constructor i c))
      (Views.result c);
    default.extension_constructor self c
  in
  let iterator = { default with constructor_declaration; extension_constructor } in
  iterator.structure iterator structure;
  !found

let general_labels structure =
  let default = Ast_iterator.default_iterator in
  let found = ref Names.Set.empty in
  let label_declaration self l =
    (match l.pld_type.ptyp_desc with
     | Ptyp_poly (_ :: _, _) -> found := Names.Set.add l.pld_name.txt !found
     | _ -> ());
    default.label_declaration self l
  in
  let iterator = { default with label_declaration } in
  iterator.structure iterator structure;
  !found

let of_labels labels p =
  match p.ppat_desc with
  | Ppat_record (fields, _) ->
    List.filter_map
      (fun ({ Location.txt; _ }, field) ->
        match List.rev (Compat.components txt) with
        | label :: _ when Names.Set.mem label labels -> Some field
        | _ -> None)
      fields
  | _ -> []

let named labels structure =
  let default = Ast_iterator.default_iterator in
  let found = ref Names.Set.empty in
  let note p = found := Names.Set.union (Names.pattern_names p) !found in
  let value_binding self b =
    (match b.pvb_expr.pexp_desc with Pexp_apply _ -> () | _ -> note b.pvb_pat);
    default.value_binding self b
  in
  let pat self p = List.iter note (of_labels labels p); default.pat self p in
  let iterator = { default with value_binding; pat } in
  iterator.structure iterator structure;
  !found

let taken_out = "a hidden type, taken out of a value of any type"
