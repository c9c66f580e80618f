open Parsetree

(* What nothing uses may have used something else, and so on. *)
let most_rounds = 8

(* Whatever something in a program is named by. *)
let mentioned program =
  let found = Hashtbl.create 64 in
  let say name = Hashtbl.replace found name () in
  let add path = List.iter say (Compat.components path) in
  let default = Ast_iterator.default_iterator in
  let expr self e =
    (match e.pexp_desc with
     | Pexp_ident { txt; _ } | Pexp_new { txt; _ } -> add txt
     | Pexp_letop { let_; ands; _ } -> List.iter (fun o -> say o.pbop_op.txt) (let_ :: ands)
     | _ -> ());
    default.Ast_iterator.expr self e
  in
  let module_expr self m =
    (match m.pmod_desc with Pmod_ident { txt; _ } -> add txt | _ -> ());
    default.module_expr self m
  in
  let class_expr self c =
    (match c.pcl_desc with Pcl_constr ({ txt; _ }, _) -> add txt | _ -> ());
    default.class_expr self c
  in
  let typ self t =
    (match t.ptyp_desc with Ptyp_constr ({ txt; _ }, _) -> add txt | _ -> ());
    default.typ self t
  in
  let iterator = { default with expr; module_expr; class_expr; typ } in
  iterator.structure iterator program;
  Hashtbl.mem found

(* How many arguments a function waits for; where a name is bound more than once, who knows. *)
let arities program =
  let times = Names.times_bound program and found = Hashtbl.create 16 in
  let default = Ast_iterator.default_iterator in
  let value_binding self b =
    let e = Origins.plain b.pvb_expr in
    (match b.pvb_pat.ppat_desc with
     | Ppat_var { txt; _ } when times txt = 1 && not (Origins.omits e) ->
       Hashtbl.replace found txt (Origins.arity e)
     | _ -> ());
    default.Ast_iterator.value_binding self b
  in
  let iterator = { default with value_binding } in
  iterator.structure iterator program;
  fun name -> Option.value ~default:0 (Hashtbl.find_opt found name)

let is_ignore = Syntax.is_named [ "ignore" ]

(* Does evaluating it do nothing but make a value? *)
let rec is_still arity e =
  let are_still = List.for_all (is_still arity) in
  match e.pexp_desc with
  | Pexp_ident _ | Pexp_constant _ | Pexp_lazy _ -> true
  | Pexp_construct (_, part) | Pexp_variant (_, part) -> are_still (Option.to_list part)
  | Pexp_constraint (e, _) | Pexp_coerce (e, _, _) | Pexp_newtype (_, e) -> is_still arity e
  | Pexp_array es -> are_still es
  | Pexp_record (fields, base) -> are_still (List.map snd fields @ Option.to_list base)
  | Pexp_object { pcstr_fields; _ } -> List.for_all (is_still_field arity) pcstr_fields
  | Pexp_apply (f, [ (Nolabel, e) ]) when is_ignore f -> is_still arity e
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident f; _ }; _ }, arguments) ->
    List.length arguments < arity f
    && List.for_all (fun (label, e) -> label = Asttypes.Nolabel && is_still arity e) arguments
  | _ -> (
    match Compat.tuple e with
    | [] -> Functions.is_function e
    | es -> are_still es)

and is_still_field arity field =
  match field.pcf_desc with
  | Pcf_val (_, _, Cfk_concrete (_, e)) -> is_still arity e
  | Pcf_inherit _ | Pcf_initializer _ | Pcf_extension _ -> false
  | _ -> true

let rec always_matches p =
  match p.ppat_desc with
  | Ppat_any | Ppat_var _ | Ppat_construct ({ txt = Longident.Lident "()"; _ }, None) -> true
  | Ppat_constraint (p, _) -> always_matches p
  | _ -> false

let once is_mentioned is_still program =
  let default = Ast_mapper.default_mapper and changed = ref false in
  let are_unused = Names.Set.for_all (fun name -> not (is_mentioned name)) in
  let is_dead b =
    always_matches b.pvb_pat && is_still b.pvb_expr
    && are_unused (Names.pattern_names b.pvb_pat)
  in
  let alive bindings =
    let left = List.filter (fun b -> not (is_dead b)) bindings in
    if List.compare_lengths left bindings <> 0 then changed := true;
    left
  in
  let expr self e =
    let e = default.Ast_mapper.expr self e in
    match e.pexp_desc with
    | Pexp_let (recursive, bindings, body) -> (
      match alive bindings with
      | [] -> body
      | bindings -> { e with pexp_desc = Pexp_let (recursive, bindings, body) })
    | Pexp_sequence (first, second) when is_still first ->
      changed := true;
      second
    | Pexp_apply (f, [ (Nolabel, thrown) ]) when is_ignore f && is_still thrown ->
      changed := true;
      Ast_helper.Exp.construct ~loc:e.pexp_loc (Syntax.lident "()") None
    | _ -> e
  in
  let item i =
    match i.pstr_desc with
    | Pstr_value (recursive, bindings) -> (
      match alive bindings with
      | [] -> None
      | bindings -> Some { i with pstr_desc = Pstr_value (recursive, bindings) })
    | Pstr_module
        { pmb_name = { txt = Some name; _ }; pmb_expr = { pmod_desc = Pmod_functor _; _ }; _ }
      when not (is_mentioned name) ->
      None
    | Pstr_class declared when List.for_all (fun d -> not (is_mentioned d.pci_name.txt)) declared
      ->
      None
    | _ -> Some i
  in
  let structure self items =
    let left = List.filter_map item (default.structure self items) in
    if List.compare_lengths left items <> 0 then changed := true;
    left
  in
  let mapper = { default with expr; structure } in
  let left = mapper.structure mapper program in
  if !changed then Some left else None

let pruned program =
  let arity = arities program in
  let rec rounds n program =
    match if n = 0 then None else once (mentioned program) (is_still arity) program with
    | Some left -> rounds (n - 1) left
    | None -> program
  in
  rounds most_rounds program
