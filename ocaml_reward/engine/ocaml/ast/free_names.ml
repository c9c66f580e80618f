(* Collects the free names of a structure. *)

open Parsetree
open Names

(* The names in a structure that is written out; None for other modules. *)
let rec contents m =
  match m.pmod_desc with
  | Pmod_structure items -> Some (defined items)
  | Pmod_constraint (m, _) -> contents m
  | _ -> None

(* The free names of a structure.  Without [types] the modules of constructor and type paths do
   not count.  With [members] a module of which one value is used is that value's path. *)
let names ?(types = true) ?(members = false) items =
  let found = ref empty in
  let scope = ref empty in
  let scoped f =
    let saved = !scope in
    f ();
    scope := saved
  in
  let inside = Hashtbl.create 4 in
  let bind pattern =
    let values = pattern_names pattern and modules = pattern_modules pattern in
    scope := union !scope { empty with values; modules }
  in
  let use_module ?(whole = true) path =
    match root path with
    | Some name when not (Set.mem name !scope.modules) ->
      let used = if whole then name else String.concat "." (Path_compat.components path) in
      found := with_module used !found
    | _ -> ()
  in
  let use add member path =
    match path with
    | Longident.Lident name -> if not (member name) then found := add name !found
    | _ -> use_module ~whole:(not members) path
  in
  let rec opened expr =
    match expr.pmod_desc with
    | Pmod_constraint (m, _) -> opened m
    | Pmod_structure items -> scope := union !scope (defined items)
    | Pmod_ident { txt = Longident.Lident name; _ } when Hashtbl.mem inside name ->
      scope := union !scope (Hashtbl.find inside name)
    | Pmod_ident { txt; _ } -> scope := union !scope (Names.contents txt)
    | _ -> ()
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_ident { txt; _ } -> use with_value (fun n -> Set.mem n !scope.values) txt
    | Pexp_construct ({ txt = Longident.Lident _; _ }, argument) ->
      Option.iter (self.Ast_iterator.expr self) argument
    | Pexp_construct ({ txt; _ }, argument) ->
      if types then use_module txt;
      Option.iter (self.Ast_iterator.expr self) argument
    | Pexp_new { txt = Longident.Ldot _ as path; _ } -> use_module path
    | (Pexp_field (_, { txt = Longident.Ldot _ as path; _ })
      | Pexp_setfield (_, { txt = Longident.Ldot _ as path; _ }, _))
      when types ->
      use_module path;
      Visit.default.expr self e
    | Pexp_let (recursive, bindings, body) ->
      scoped (fun () ->
          if recursive = Asttypes.Recursive then List.iter (fun b -> bind b.pvb_pat) bindings;
          List.iter (self.Ast_iterator.value_binding self) bindings;
          List.iter (fun b -> bind b.pvb_pat) bindings;
          self.Ast_iterator.expr self body)
    | Pexp_for (pattern, first, last, _, body) ->
      List.iter (self.Ast_iterator.expr self) [ first; last ];
      scoped (fun () ->
          bind pattern;
          self.Ast_iterator.expr self body)
    | Pexp_letop { let_; ands; body } ->
      let operators = let_ :: ands in
      let operator o = use with_value (fun n -> Set.mem n !scope.values) (Lident o.pbop_op.txt) in
      List.iter operator operators;
      List.iter (self.Ast_iterator.binding_op self) operators;
      scoped (fun () ->
          List.iter (fun o -> bind o.pbop_pat) operators;
          self.Ast_iterator.expr self body)
    | _ ->
      scoped (fun () ->
          match Scope_compat.local e with
          | Some (Open o, body) ->
            self.Ast_iterator.open_declaration self o;
            opened o.popen_expr;
            self.Ast_iterator.expr self body
          | Some (Module ({ txt = Some name; _ }, m), body) ->
            self.Ast_iterator.module_expr self m;
            scope := with_module name !scope;
            self.Ast_iterator.expr self body
          | _ ->
            List.iter bind (Function_compat.parameters e);
            Visit.default.expr self e)
  in
  let pat self p =
    (match p.ppat_desc with
     | Ppat_construct ({ txt = Longident.Ldot _ as path; _ }, _) when types -> use_module path
     | _ -> ());
    Visit.default.pat self p
  in
  let case self c =
    scoped (fun () ->
        bind c.pc_lhs;
        Visit.default.case self c)
  in
  let module_expr self m =
    match m.pmod_desc with
    | Pmod_ident { txt; _ } -> use_module txt
    | Pmod_functor (Named ({ txt = Some name; _ }, wanted), body) ->
      self.Ast_iterator.module_type self wanted;
      scoped (fun () ->
          scope := with_module name !scope;
          self.Ast_iterator.module_expr self body)
    | _ -> scoped (fun () -> Visit.default.module_expr self m)
  in
  let class_structure self c =
    let bind_field f =
      match f.pcf_desc with
      | Pcf_val ({ txt; _ }, _, _) | Pcf_inherit (_, _, Some { txt; _ }) ->
        scope := with_value txt !scope
      | _ -> ()
    in
    scoped (fun () ->
        bind c.pcstr_self;
        List.iter bind_field c.pcstr_fields;
        Visit.default.class_structure self c)
  in
  let class_expr self c =
    scoped (fun () ->
        (match c.pcl_desc with
         | Pcl_fun (_, _, pattern, _) -> bind pattern
         | Pcl_let (_, bindings, _) -> List.iter (fun b -> bind b.pvb_pat) bindings
         | _ -> ());
        Visit.default.class_expr self c)
  in
  let typ self t =
    (match t.ptyp_desc with
     | Ptyp_constr ({ txt; _ }, _) when types -> use with_type (fun n -> Set.mem n !scope.types) txt
     | _ -> ());
    Visit.default.typ self t
  in
  let structure_item self item =
    match item.pstr_desc with
    | Pstr_value (Asttypes.Recursive, bindings) ->
      List.iter (fun b -> bind b.pvb_pat) bindings;
      Visit.default.structure_item self item
    | Pstr_open o ->
      Visit.default.structure_item self item;
      opened o.popen_expr
    | Pstr_include i ->
      Visit.default.structure_item self item;
      opened i.pincl_mod
    | Pstr_recmodule _ ->
      scope := union !scope (defined [ item ]);
      Visit.default.structure_item self item
    | Pstr_module { pmb_name = { txt = Some name; _ }; pmb_expr; _ } ->
      Visit.default.structure_item self item;
      Hashtbl.remove inside name;
      Option.iter (Hashtbl.replace inside name) (contents pmb_expr);
      scope := with_module name !scope
    | Pstr_type (_, declarations) ->
      List.iter (fun d -> scope := with_type d.ptype_name.txt !scope) declarations;
      Visit.default.structure_item self item
    | _ ->
      Visit.default.structure_item self item;
      scope := union !scope (defined [ item ])
  in
  let structure self items = List.iter (self.Ast_iterator.structure_item self) items in
  let iterator =
    { Visit.default with
      expr; pat; case; module_expr; class_structure; class_expr; typ; structure_item; structure }
  in
  iterator.structure iterator items;
  !found
