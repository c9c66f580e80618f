open Parsetree

let unnamed structure =
  let default = Ast_iterator.default_iterator in
  let found = ref false in
  let rec has_name m =
    match m.pmod_desc with
    | Pmod_ident _ -> true
    | Pmod_apply (f, argument) -> has_name f && has_name argument
    | _ -> false
  in
  let note m =
    match m.pmod_desc with
    | Pmod_structure _ -> ()
    | _ -> if not (has_name m) then found := true
  in
  let include_declaration self i = note i.pincl_mod; default.include_declaration self i in
  let open_declaration self o = note o.popen_expr; default.open_declaration self o in
  let iterator = { default with include_declaration; open_declaration } in
  iterator.structure iterator structure;
  !found

let forgets parameters kept =
  List.exists
    (fun (parameter, _) ->
      match parameter.ptyp_desc with
      | Ptyp_var name -> not (Names.Set.mem name kept)
      | _ -> true)
    parameters

let forgetful d =
  match (d.ptype_kind, d.ptype_manifest) with
  | Ptype_abstract, Some manifest -> forgets d.ptype_params (Gadts.variables manifest)
  | _ -> false

let forgetful_class_type c =
  let kept =
    Gadts.variables_in (fun iterator ->
        let class_type_field self f =
          match f.pctf_desc with
          | Pctf_val _ | Pctf_constraint _ | Pctf_method (_, Private, _, _) -> ()
          | _ -> Ast_iterator.default_iterator.class_type_field self f
        in
        let iterator = { iterator with class_type_field } in
        iterator.class_type iterator c.pci_expr)
  in
  forgets c.pci_params kept

let forgetful_class c =
  let kept =
    Gadts.variables_in (fun iterator ->
        let types_of_method e =
          let parameters, body = Functions.curried e in
          List.iter (fun (_, p) -> iterator.pat iterator p) parameters;
          match body.pexp_desc with
          | Pexp_constraint (_, t) -> iterator.typ iterator t
          | _ -> ()
        in
        let class_field self f =
          match f.pcf_desc with
          | Pcf_inherit _ -> Ast_iterator.default_iterator.class_field self f
          | Pcf_method (_, Public, Cfk_virtual t) -> iterator.typ iterator t
          | Pcf_method (_, Public, Cfk_concrete (_, { pexp_desc = Pexp_poly (e, t); _ })) ->
            Option.iter (iterator.typ iterator) t;
            types_of_method e
          | _ -> ()
        in
        let iterator = { iterator with class_field; expr = (fun _ _ -> ()) } in
        let rec of_class e =
          match e.pcl_desc with
          | Pcl_structure _ | Pcl_constr _ -> iterator.class_expr iterator e
          | Pcl_fun (_, _, _, e) | Pcl_let (_, _, e) | Pcl_open (_, e) | Pcl_constraint (e, _) ->
            of_class e
          | Pcl_apply (e, _) -> of_class e
          | Pcl_extension _ -> ()
        in
        of_class c.pci_expr)
  in
  forgets c.pci_params kept
