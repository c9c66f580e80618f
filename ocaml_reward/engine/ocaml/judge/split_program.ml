(* Splits prepared tests into a query program, which sends values that the code returns, and an
   oracle program, which sends expected values without the code.  Both keep the order and the
   scopes of the tests. *)

open Parsetree
open Ast_helper
open Syntax
open Binding_time
module Set = Names.Set

type verdict = Outside of Formula.t | In_process of string

type state = {
  verdicts : (int, verdict) Hashtbl.t;
  ounit : bool;
  applies : Check_parts.applies;
  in_process : int list;  (* checks that have to stay in the code's process *)
  mutable shared : Set.t;  (* names that the tests pass to the code outside of checks *)
}

(* Whether an expression is the harness's function of this name. *)
let is_harness name e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> txt = (within harness name).txt
  | _ -> false

(* Whether an expression is the function that numbers a suite's case. *)
let is_site e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> txt = (within ounit "site").txt
  | _ -> false

(* The number of a check, from its first argument; None if it is no number. *)
let number_of e =
  match e.pexp_desc with
  | Pexp_constant c -> int_of_string_opt (Constant_compat.integer c)
  | _ -> None

(* The body of a thunk. *)
let body e = match Function_compat.unary_function e with Some (_, body) -> body | None -> e

(* The body of a thunk, without the [ignore] around it. *)
let statement_body e =
  match (body e).pexp_desc with
  | Pexp_apply (_, [ (_, e) ]) -> e
  | _ -> body e

(* Whether an expression is a function around an item that is one check. *)
let is_mark e = is_harness "begins" e || is_harness "ends" e

(* Whether an expression is a function that makes a check. *)
let is_check e = is_harness "check" e || is_harness "run" e || is_mark e || is_site e

(* Whether a check is in an expression. *)
let has_check = exists is_check

(* Whether a check is in an item. *)
let item_has_check i = somewhere is_check (Visit.in_item i)

(* An item of both programs, without its checks. *)
let unchecked i =
  let expr self e =
    match e.pexp_desc with
    | Pexp_apply (f, _) when is_check f || is_harness "guard" f -> unit
    | _ -> Visit.mapper.expr self e
  in
  Visit.map_item i { Visit.mapper with expr }

(* The query and the oracle of a check; None if it stays in the code's process.  Notes the verdict.
   *)
let judged st g index judge e =
  match
    if List.mem index st.in_process then
      raise (Check_parts.In_process "it was asked for beside the code");
    Assertion_formula.check ~ounit:st.ounit ~applies:st.applies g judge e
  with
  | (piece : Check_parts.piece) ->
    Hashtbl.replace st.verdicts index (Outside piece.formula);
    Some (piece.query, piece.oracle)
  | exception Check_parts.In_process why ->
    Hashtbl.replace st.verdicts index (In_process why);
    None

(* The check with this number whose statement is [e]. *)
let run_ index e =
  call ~loc:e.pexp_loc (value (within harness "run")) [ int index; thunk (ignored e) ]

(* The query of an expression with checks, and its oracle as a unit expression. *)
let rec rewritten st g e =
  match e.pexp_desc with
  | _ when not (has_check e) -> (e, unit)
  | Pexp_apply (f, _) when is_mark f -> (e, unit)
  | Pexp_apply (f, [ (_, number); (_, assertion) ]) when is_harness "check" f ->
    one st g e number Boolean_formula.boolean (body assertion)
  | Pexp_apply (f, [ (_, number); (_, assertion) ]) when is_harness "run" f ->
    one st g e number Assertion_formula.statement (statement_body assertion)
  | Pexp_apply (f, [ (_, number); line; label; (_, case) ]) when is_site f -> (
    match (Option.get (number_of number), Function_compat.curried case) with
    | index, ([ (_, context) ], inside) when index >= 0 -> (
      let inner = define_pattern g context ~time:Dynamic ~codes:false in
      match judged st inner index Assertion_formula.statement inside with
      | Some (query, oracle) ->
        let case = Function_compat.lambda context query in
        ( { e with
            pexp_desc =
              Pexp_apply
                (f, [ (Asttypes.Nolabel, number); line; label; (Asttypes.Nolabel, case) ]) },
          run_ index oracle )
      | None -> (e, unit))
    | index, _ ->
      if index >= 0 then Hashtbl.replace st.verdicts index (In_process "a case made by code");
      (e, unit))
  | Pexp_apply (f, [ item; first; last; (_, inside) ]) when is_harness "guard" f ->
    let query, oracle = rewritten st g (statement_body inside) in
    let inside = thunk (ignored query) in
    ( { e with pexp_desc = Pexp_apply (f, [ item; first; last; (Asttypes.Nolabel, inside) ]) },
      oracle )
  | Pexp_apply (f, [ (_, definition) ]) when is_harness "setup" f ->
    let query, oracle = rewritten st g (body definition) in
    ({ e with pexp_desc = Pexp_apply (f, [ (Asttypes.Nolabel, thunk query) ]) }, oracle)
  | Pexp_let (recursive, bindings, inside) ->
    let bindings, oracles = List.split (List.map (binding st g) bindings) in
    let oracle_first = List.fold_left Check_parts.before unit oracles in
    note_shared st g bindings;
    let query, oracle = rewritten st (bind_all g recursive bindings) inside in
    let known b = (not (has_check b.pvb_expr)) && of_expression g b.pvb_expr <> Dynamic in
    let names b = Names.pattern_names b.pvb_pat in
    let let_ keep e =
      match List.filter keep bindings with
      | [] -> e
      | kept -> { (Exp.let_ recursive kept e) with pexp_loc = e.pexp_loc }
    in
    ( let_ (fun b -> (not (known b)) || mentions_any (names b) query) query,
      Check_parts.before oracle_first
        (let_ (fun b -> known b && mentions_any (names b) oracle) oracle) )
  | Pexp_sequence (a, b) ->
    note_statement st g a;
    let query_a, oracle_a = rewritten st g a in
    let query_b, oracle_b = rewritten st g b in
    let oracle_a =
      if has_check a then oracle_a
      else if of_expression g a = Dynamic then unit
      else ignored a
    in
    ({ e with pexp_desc = Pexp_sequence (query_a, query_b) }, Check_parts.before oracle_a oracle_b)
  | _ when controls e -> (e, unit)
  | _ -> (
    match Scope_compat.local e with
    | Some (_, inside) ->
      let inner = match Inlining.scope g e with Some g -> g | None -> g in
      let query, oracle = rewritten st inner inside in
      ( Scope_compat.with_body e query,
        if Check_parts.is_unit oracle then oracle else Scope_compat.with_body e oracle )
    | None ->
      let oracles = ref [] in
      let expr _ child =
        let query, oracle = rewritten st g child in
        oracles := oracle :: !oracles;
        query
      in
      let query = Visit.mapper.expr { Visit.mapper with expr } e in
      (query, List.fold_left Check_parts.before unit (List.rev !oracles)))

(* The query and the oracle of a single check, made with [judge]. *)
and one st g e number judge inside =
  match number_of number with
  | None -> (e, unit)
  | Some index -> (
    match judged st g index judge inside with
    | Some (query, oracle) -> (run_ index query, run_ index oracle)
    | None -> (e, unit))

(* The binding with its query, and its oracle. *)
and binding st g b =
  let query, oracle = rewritten st g b.pvb_expr in
  ({ b with pvb_expr = query }, oracle)

(* Whether it is only known at run time if and how often the parts of an expression run. *)
and controls e =
  Function_compat.is_function e
  ||
  match e.pexp_desc with
  | Pexp_match _ | Pexp_try _ | Pexp_ifthenelse _ | Pexp_while _ | Pexp_for _ | Pexp_lazy _ -> true
  | _ -> false

(* Notes the names that a statement without checks passes to the code. *)
and note_statement st g e =
  if (not (has_check e)) && of_expression g e = Dynamic then
    st.shared <- Set.union st.shared (needs e).Names.values

(* Notes the names that definitions pass to the code. *)
and note_shared st g bindings = List.iter (fun b -> note_statement st g b.pvb_expr) bindings

(* ---- items --------------------------------------------------------------------------- *)

(* An item of the query program, which may be dropped if none of [only] is used; and its items
   in the oracle program. *)
type split = { query : structure_item; only : Set.t option; oracle : structure_item list }

(* The oracle as items. *)
let oracle_items oracle =
  if Check_parts.is_unit oracle then []
  else [ do_ oracle ]

(* The time of items. *)
let of_structure g items = of_names g (Free_names.names ~types:false items)

(* Adds a split item; returns the state after it. *)
let rec item st (g, found) i =
  let both g =
    let oracle = if item_has_check i then unchecked i else i in
    (g, { query = i; only = None; oracle = [ oracle ] } :: found)
  in
  match i.pstr_desc with
  | Pstr_value (recursive, bindings) ->
    let rewritten_, oracles = List.split (List.map (binding st g) bindings) in
    note_shared st g bindings;
    let known b = (not (has_check b.pvb_expr)) && of_expression g b.pvb_expr <> Dynamic in
    let g' = bind_all g recursive bindings in
    let names = Names.bound_names bindings in
    let all_known =
      if recursive = Asttypes.Recursive then
        Set.for_all (fun name -> time_of g' name <> Dynamic) names
        && not (List.exists (fun b -> has_check b.pvb_expr) bindings)
      else List.for_all known bindings
    in
    let oracle =
      List.concat_map oracle_items oracles
      @
      if all_known then [ i ]
      else if recursive = Asttypes.Recursive then []
      else
        match List.filter known bindings with
        | [] -> []
        | kept -> [ { i with pstr_desc = Pstr_value (recursive, kept) } ]
    in
    let query = { i with pstr_desc = Pstr_value (recursive, rewritten_) } in
    let only = if all_known && not (Set.is_empty names) then Some names else None in
    (g', { query; only; oracle } :: found)
  | Pstr_eval (e, attributes) ->
    let query, oracle = rewritten st g e in
    note_statement st g e;
    let oracle =
      if has_check e then oracle_items oracle
      else if of_expression g e = Dynamic then []
      else [ i ]
    in
    let query = { i with pstr_desc = Pstr_eval (query, attributes) } in
    (g, { query; only = None; oracle } :: found)
  | Pstr_module ({ pmb_name = { txt = Some name; _ }; pmb_expr; _ } as b) -> (
    match pmb_expr.pmod_desc with
    | Pmod_structure inside ->
      let time = of_structure g inside in
      let g_inside, parts = items st g inside in
      let wrap inside =
        { i with
          pstr_desc =
            Pstr_module { b with pmb_expr = { pmb_expr with pmod_desc = Pmod_structure inside } } }
      in
      let fresh =
        Names.Map.exists
          (fun _ (time, number) -> number >= g.defined && time = Mutable)
          g_inside.times
      in
      let dynamic = time = Dynamic || fresh in
      let physical = structure_uses_identity g inside in
      let g = { g with defined = g_inside.defined } in
      ( with_module g name ~dynamic ~physical,
        { query = wrap (List.map (fun p -> p.query) parts); only = None;
          oracle = [ wrap (List.concat_map (fun p -> p.oracle) parts) ] }
        :: found )
    | _ ->
      let dynamic = of_structure g [ i ] <> Static in
      let oracle =
        match (Functor_tests.unsealed pmb_expr).pmod_desc with
        (* Of the code the types are kept. *)
        | Pmod_ident _ when dynamic ->
          let unsealed = { b with pmb_expr = Functor_tests.unsealed pmb_expr } in
          [ { i with pstr_desc = Pstr_module unsealed } ]
        | _ when dynamic -> []
        | _ -> [ (if item_has_check i then unchecked i else i) ]
      in
      let physical = structure_uses_identity g [ i ] in
      (with_module g name ~dynamic ~physical, { query = i; only = None; oracle } :: found))
  | Pstr_open _ -> both (with_opened g [ i ])
  | Pstr_include _ | Pstr_recmodule _ | Pstr_class _ ->
    let g = with_opened g [ i ] in
    if of_structure g [ i ] = Static then both g
    else (g, { query = i; only = None; oracle = [] } :: found)
  | _ -> both g

(* The state after these items, and the split items. *)
and items st g structure =
  let g, found = List.fold_left (item st) (g, []) structure in
  (g, List.rev found)

(* The query program's items without definitions that no later item uses. *)
let needed parts =
  let keep part (items, mentioned) =
    match part.only with
    | Some names when Set.disjoint names mentioned -> (items, mentioned)
    | _ ->
      let free = Free_names.names ~types:false [ part.query ] in
      (part.query :: items, Set.union free.Names.values mentioned)
  in
  fst (List.fold_right keep parts ([], Set.empty))

(* The checks with numbers in [in_process] stay in the code's process. *)
type programs = {
  query_program : structure;
  oracle_program : structure;
  verdicts : (int, verdict) Hashtbl.t;
}

(* The checks with numbers in [in_process] stay in the code's process. *)
let programs ~ounit ~applies ~in_process g structure =
  let attempt escaped =
    let st = { verdicts = Hashtbl.create 16; ounit; applies; in_process; shared = Set.empty } in
    let _, parts = items st { g with escaped } structure in
    (st, parts)
  in
  (* Twice: the names passed to the code are only known at the end. *)
  let st, _ = attempt Set.empty in
  let st, parts = attempt st.shared in
  {
    query_program = needed parts;
    oracle_program = List.concat_map (fun p -> p.oracle) parts;
    verdicts = st.verdicts;
  }
