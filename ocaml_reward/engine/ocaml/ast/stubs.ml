(* Finds functions that ignore their parameters or only raise. *)

open Parsetree
open Syntax
module Set = Names.Set

(* Whether an expression only raises. *)
let rec only_raises e =
  match e.pexp_desc with
  | Pexp_assert e -> is_constructor "false" e
  | Pexp_apply (f, _) -> is_named raising f
  | Pexp_constraint (e, _) | Pexp_sequence (_, e) | Pexp_let (_, _, e) -> only_raises e
  | _ -> false

(* Whether a pattern is [()], with or without a type. *)
let rec is_unit p =
  match p.ppat_desc with
  | Ppat_construct ({ txt = Longident.Lident "()"; _ }, None) -> true
  | Ppat_constraint (p, _) -> is_unit p
  | _ -> false

(* The patterns of a function and its possible bodies; None for other expressions.  A function by
   cases inspects its argument, unless it has one case for everything. *)
let given_to e =
  let parameters, body = Function_compat.curried e in
  let patterns = List.map snd parameters in
  match Function_compat.opened body with
  | Some ([], Cases [ { pc_lhs; pc_guard = None; pc_rhs } ]) ->
    Some (patterns @ [ pc_lhs ], [ pc_rhs ])
  | Some ([], Cases cases) -> Some (patterns, List.map (fun c -> c.pc_rhs) cases)
  | Some _ -> None
  | None -> if patterns = [] then None else Some (patterns, [ body ])

(* Whether an expression is a function that ignores its parameters or only raises. *)
let rec is_stub e =
  let e = Function_compat.without_types e in
  match (e.pexp_desc, given_to e) with
  | Pexp_constraint (e, _), None -> is_stub e
  | _, None -> false
  | _, Some (patterns, bodies) ->
    let bound names = List.fold_left (fun all p -> Set.union all (names p)) Set.empty patterns in
    let values = bound Names.pattern_names and modules = bound Names.pattern_modules in
    let mentions_none e =
      let free = Free_names.names ~types:false [ Ast_helper.Str.eval e ] in
      Set.disjoint values free.values && Set.disjoint modules free.modules
    in
    List.for_all only_raises bodies
    || List.compare_length_with bodies 1 = 0
       && (not (List.for_all is_unit patterns))
       && List.for_all mentions_none bodies

(* The names of functions at the top level that ignore their parameters or only raise; if a name is
   defined twice, the last one counts. *)
let names structure =
  let binding found b =
    match variable b.pvb_pat with
    | Some name -> if is_stub b.pvb_expr then Set.add name found else Set.remove name found
    | None -> found
  in
  let item found i =
    match i.pstr_desc with
    | Pstr_value (_, bindings) -> List.fold_left binding found bindings
    | _ -> found
  in
  List.fold_left item Set.empty structure
