open Parsetree
open Nodes

let with_expression place change program =
  let default = Ast_mapper.default_mapper in
  let expr self e = if e.pexp_loc = place then change e else default.expr self e in
  let mapper = { default with expr } in
  mapper.structure mapper program

let begins_item e =
  let { Lexing.pos_cnum; pos_bol; _ } = e.pexp_loc.loc_start in
  pos_cnum = pos_bol && match e.pexp_desc with Pexp_ident _ -> true | _ -> false

let with_items_behind place program =
  let open Ast_helper in
  let applied f = function
    | [] -> f
    | arguments ->
      let _, last = List.nth arguments (List.length arguments - 1) in
      let loc = { f.pexp_loc with loc_end = last.pexp_loc.loc_end } in
      Exp.apply ~loc f arguments
  in
  (* The call, and the expressions behind it: each with what it is applied to. *)
  let rec parted f own = function
    | (_, e) :: rest when begins_item e -> applied f (List.rev own) :: parted e [] rest
    | argument :: rest -> parted f (argument :: own) rest
    | [] -> [ applied f (List.rev own) ]
  in
  let behind = ref [] in
  let default = Ast_mapper.default_mapper in
  let expr self e =
    match e.pexp_desc with
    | Pexp_apply (f, arguments) when e.pexp_loc = place ->
      let parts = parted f [] arguments in
      behind := List.tl parts;
      List.hd parts
    | Pexp_sequence (a, b) when a.pexp_loc.loc_end = place.loc_end && inside place a.pexp_loc ->
      let a = self.Ast_mapper.expr self a in
      behind := !behind @ [ b ];
      a
    | _ -> default.expr self e
  in
  (* In the innermost structure that the call stands in. *)
  let structure self items =
    let with_behind item =
      let item = self.Ast_mapper.structure_item self item in
      let own = !behind in
      behind := [];
      item :: List.map (fun e -> Str.eval ~loc:e.pexp_loc e) own
    in
    List.concat_map with_behind items
  in
  let mapper = { default with expr; structure } in
  mapper.structure mapper program

let with_type place other program =
  let default = Ast_mapper.default_mapper in
  let typ self t = if t.ptyp_loc = place then other else default.typ self t in
  let mapper = { default with typ } in
  mapper.structure mapper program

let with_arguments place types program =
  let default = Ast_mapper.default_mapper in
  let constructor_declaration self c =
    if c.pcd_loc = place then { c with pcd_args = Pcstr_tuple types }
    else default.constructor_declaration self c
  in
  let mapper = { default with constructor_declaration } in
  mapper.structure mapper program

let with_cases_outside place kept program =
  let default = Ast_mapper.default_mapper in
  let moved = ref [] in
  let rec cut e =
    match e.pexp_desc with
    | Pexp_match (subject, cases) when e.pexp_loc = place ->
      moved := List.filteri (fun i _ -> i >= kept) cases;
      let cases = List.filteri (fun i _ -> i < kept) cases in
      { e with pexp_desc = Pexp_match (subject, cases) }
    | Pexp_let (recursive, own, body) ->
      { e with pexp_desc = Pexp_let (recursive, own, cut body) }
    | Pexp_sequence (a, b) -> { e with pexp_desc = Pexp_sequence (a, cut b) }
    | Pexp_open (o, body) -> { e with pexp_desc = Pexp_open (o, cut body) }
    | Pexp_ifthenelse (c, a, Some b) ->
      { e with pexp_desc = Pexp_ifthenelse (c, a, Some (cut b)) }
    | _ -> e
  in
  let cases self own =
    let own =
      match List.rev own with
      | last :: before when !moved = [] && inside place last.pc_rhs.pexp_loc ->
        let pc_rhs = cut last.pc_rhs in
        List.rev ({ last with pc_rhs } :: before) @ !moved
      | _ -> own
    in
    default.cases self own
  in
  let mapper = { default with cases } in
  mapper.structure mapper program

let with_cases_apart patterns names program =
  let default = Ast_mapper.default_mapper in
  let is_it own =
    List.compare_lengths own patterns = 0
    && List.for_all2 (fun c p -> c.pc_lhs.ppat_loc = p.ppat_loc) own patterns
  in
  let apart own =
    let open Ast_helper in
    let loc = (List.hd patterns).ppat_loc in
    let alone case rest =
      let loose body =
        if Names.Set.is_empty names then body
        else
          let bound = Names.pattern_names case.pc_lhs in
          match Names.Set.diff names bound with
          | names when Names.Set.is_empty names -> body
          | names ->
            let loc = { body.pexp_loc with loc_ghost = true } in
            Exp.let_ ~loc Asttypes.Nonrecursive (hole_bindings loc names) body
      in
      let case =
        { case with pc_guard = Option.map loose case.pc_guard; pc_rhs = loose case.pc_rhs }
      in
      Exp.let_ ~loc Asttypes.Nonrecursive
        [ Vb.mk ~loc (Pat.any ~loc ()) (Exp.match_ ~loc (hole_expression loc) [ case ]) ]
        rest
    in
    [ Exp.case (Pat.any ~loc ()) (List.fold_right alone own (hole_expression loc)) ]
  in
  let cases self own =
    default.cases self (if patterns <> [] && is_it own then apart own else own)
  in
  let mapper = { default with cases } in
  mapper.structure mapper program

let with_semicolons place ~within program =
  (* Of one type, as the elements of a list are. *)
  let rec alike loc = function
    | [] -> hole_expression loc
    | [ e ] -> e
    | e :: rest -> Ast_helper.Exp.ifthenelse ~loc (hole_expression loc) e (Some (alike loc rest))
  in
  (* [name = e], which is an equation where it stands. *)
  let field e =
    match e.pexp_desc with
    | Pexp_apply
        ( { pexp_desc = Pexp_ident { txt = Longident.Lident "="; _ }; _ },
          [ (_, { pexp_desc = Pexp_ident name; _ }); (_, value) ] ) -> Some (name, value)
    | _ -> None
  in
  let fields (name, value) =
    match Compat.tuple value with
    | first :: rest when value.pexp_loc = place -> (name, first) :: List.filter_map field rest
    | _ -> [ (name, value) ]
  in
  let default = Ast_mapper.default_mapper in
  let expr self e =
    match e.pexp_desc with
    | Pexp_record (own, base) when e.pexp_loc = within ->
      { e with pexp_desc = Pexp_record (List.concat_map fields own, base) }
    | Pexp_tuple _ when e.pexp_loc = place -> alike place (Compat.tuple e)
    | _ -> default.expr self e
  in
  let mapper = { default with expr } in
  mapper.structure mapper program

(* A value of one type that is not known yet: an array's element is not generalised. *)
let unknown loc name =
  let open Ast_helper in
  let pattern = Pat.array ~loc [ Pat.var ~loc (Location.mkloc name loc) ] in
  Vb.mk ~loc pattern (Exp.array ~loc [ hole_expression loc ])

let with_unknown name place program =
  let default = Ast_mapper.default_mapper in
  let is_it b = b.pvb_loc = place in
  let parted bindings =
    let rest = List.filter (fun b -> not (is_it b)) bindings in
    if List.compare_lengths rest bindings = 0 then None else Some rest
  in
  let expr self e =
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) -> (
      match parted bindings with
      | None -> default.expr self e
      | Some rest ->
        let body =
          if rest = [] then body
          else { e with pexp_desc = Pexp_let (recursive, rest, body) }
        in
        { e with pexp_desc = Pexp_let (Nonrecursive, [ unknown place name ], body) })
    | _ -> default.expr self e
  in
  let structure self items =
    let without item =
      match item.pstr_desc with
      | Pstr_value (recursive, bindings) -> (
        match parted bindings with
        | None -> [ default.structure_item self item ]
        | Some rest ->
          Ast_helper.Str.value ~loc:place Nonrecursive [ unknown place name ]
          ::
          (if rest = [] then []
           else [ { item with pstr_desc = Pstr_value (recursive, rest) } ]))
      | _ -> [ self.Ast_mapper.structure_item self item ]
    in
    List.concat_map without items
  in
  let mapper = { default with expr; structure } in
  mapper.structure mapper program

let with_free_calls name place program =
  let default = Ast_mapper.default_mapper in
  let free b =
    let loc = b.pvb_expr.pexp_loc in
    let itself = hole_bindings loc (Names.Set.singleton name) in
    { b with pvb_expr = Ast_helper.Exp.let_ ~loc Nonrecursive itself b.pvb_expr }
  in
  let freed bindings =
    if List.exists (fun b -> b.pvb_loc = place) bindings then List.map free bindings
    else bindings
  in
  (* From within: what is put there may stand at the very place. *)
  let expr self e =
    let e = default.Ast_mapper.expr self e in
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) ->
      { e with pexp_desc = Pexp_let (recursive, freed bindings, body) }
    | _ -> e
  in
  let structure_item self item =
    let item = default.Ast_mapper.structure_item self item in
    match item.pstr_desc with
    | Pstr_value (recursive, bindings) ->
      { item with pstr_desc = Pstr_value (recursive, freed bindings) }
    | _ -> item
  in
  let mapper = { default with expr; structure_item } in
  mapper.structure mapper program

let with_any_uses name place program =
  let default = Ast_mapper.default_mapper in
  let is_it = List.exists (fun b -> b.pvb_loc = place) in
  let names = Names.Set.singleton name in
  let expr self e =
    let e = default.Ast_mapper.expr self e in
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) when is_it bindings ->
      let loc = body.pexp_loc in
      let body = Ast_helper.Exp.let_ ~loc Asttypes.Nonrecursive (hole_bindings loc names) body in
      { e with pexp_desc = Pexp_let (recursive, bindings, body) }
    | _ -> e
  in
  let structure self items =
    let with_values item =
      match item.pstr_desc with
      | Pstr_value (_, bindings) when is_it bindings -> [ item; hole_values place names ]
      | _ -> [ item ]
    in
    List.concat_map with_values (default.structure self items)
  in
  let mapper = { default with expr; structure } in
  mapper.structure mapper program

let with_rec name (place : Location.t) item =
  let found = ref false in
  let is_it b =
    Functions.is_function b.pvb_expr
    && match b.pvb_pat.ppat_desc with Ppat_var { txt; _ } -> txt = name | _ -> false
  in
  let made recursive bindings =
    let uses b = inside place b.pvb_loc in
    if recursive = Asttypes.Nonrecursive && List.exists uses bindings
       && List.exists is_it bindings
       && List.for_all (fun b -> Functions.is_function b.pvb_expr) bindings
    then (found := true; Asttypes.Recursive)
    else recursive
  in
  let default = Ast_mapper.default_mapper in
  let expr self e =
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) ->
      default.expr self { e with pexp_desc = Pexp_let (made recursive bindings, bindings, body) }
    | _ -> default.expr self e
  in
  let structure_item self item =
    match item.pstr_desc with
    | Pstr_value (recursive, bindings) ->
      default.structure_item self
        { item with pstr_desc = Pstr_value (made recursive bindings, bindings) }
    | _ -> default.structure_item self item
  in
  let mapper = { default with expr; structure_item } in
  let item = mapper.structure_item mapper item in
  if !found then Some item else None
