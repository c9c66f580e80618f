(* Turns each assertion in statement position into a numbered check. *)

open Parsetree
open Ast_helper
open Syntax

type check = { line : int; source : string }

type state = {
  text : string;
  mutable checks : check list;  (* newest first *)
  mutable items : int;
  mutable asserting : string list;
  once : (string * expression) list;  (* unit functions called exactly once: their bodies *)
  lists : (string * expression list) list;  (* top-level literal lists *)
}

let excerpt st (loc : Location.t) =
  let from = loc.loc_start.pos_cnum and upto = loc.loc_end.pos_cnum in
  if loc.loc_ghost || from < 0 || upto > String.length st.text || upto <= from then ""
  else String.sub st.text from (upto - from)

let number ?source st (loc : Location.t) =
  let index = List.length st.checks in
  let source = match source with Some s -> s | None -> excerpt st loc in
  st.checks <- { line = line_of loc; source } :: st.checks;
  index

let boolean st loc condition =
  let index = number st loc in
  call ~loc (value (within harness "check")) [ int index; thunk condition ]

let statement_check ?at st e =
  let loc = match at with Some loc -> loc | None -> e.pexp_loc in
  let index = number st loc in
  call ~loc:e.pexp_loc (value (within harness "run")) [ int index; thunk (ignored e) ]

let sequence = function
  | [] -> Exp.construct (lident "()") None
  | first :: rest -> List.fold_left (fun a b -> Exp.sequence a b) first rest

(* A statement with each assertion in statement position turned into a check. *)
let rec statement st e =
  match e.pexp_desc with
  | Pexp_assert condition -> boolean st e.pexp_loc condition
  | Pexp_apply ({ pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ }, [ _ ])
    when List.mem_assoc name st.once ->
    statement st (List.assoc name st.once)
  | _ when not (judges st.asserting e) -> e
  | Pexp_sequence (a, b) ->
    let a = statement st a in
    { e with pexp_desc = Pexp_sequence (a, statement st b) }
  | Pexp_let (recursive, bindings, body) when judges st.asserting body ->
    { e with pexp_desc = Pexp_let (recursive, bindings, statement st body) }
  | Pexp_open (o, body) -> { e with pexp_desc = Pexp_open (o, statement st body) }
  | Pexp_letmodule (name, m, body) ->
    { e with pexp_desc = Pexp_letmodule (name, m, statement st body) }
  | Pexp_letexception (c, body) ->
    { e with pexp_desc = Pexp_letexception (c, statement st body) }
  | Pexp_constraint (body, t) -> { e with pexp_desc = Pexp_constraint (statement st body, t) }
  | Pexp_apply (iter, [ (Asttypes.Nolabel, f); (Asttypes.Nolabel, over) ])
    when is_named [ "iter" ] iter -> (
    match elements st over with
    | Some elements ->
      sequence (List.map (fun (at, element) -> statement_check ~at st (call f [ element ])) elements)
    | None -> statement_check st e)
  | _ -> statement_check st e

(* The elements of a list written out in the tests, here or at the top level. *)
and elements st over =
  match (literal_list over, over.pexp_desc) with
  | Some elements, _ -> Some (List.map (fun e -> (e.pexp_loc, e)) elements)
  | None, Pexp_ident { txt = Longident.Lident name; _ } when List.mem_assoc name st.lists ->
    let nth i =
      call (value (nowhere (Compat.dot (Compat.dot (Longident.Lident pristine) "List") "nth")))
        [ over; int i ]
    in
    Some (List.mapi (fun i e -> (e.pexp_loc, nth i)) (List.assoc name st.lists))
  | _ -> None

let guard st loc make =
  let first = List.length st.checks in
  let body = make () in
  let last = List.length st.checks - 1 in
  let item = st.items in
  st.items <- item + 1;
  call ~loc
    (value (within harness "guard"))
    [ int item; int first; int last; thunk (ignored body) ]

(* A definition evaluated by the tests: reported if it raises.  Only an application is
   wrapped: everything else is a value already, and wrapping would lose its generality. *)
let definition binding =
  match binding.pvb_expr.pexp_desc with
  | Pexp_apply _ ->
    { binding with
      pvb_expr =
        call ~loc:binding.pvb_expr.pexp_loc (value (within harness "setup"))
          [ thunk binding.pvb_expr ] }
  | _ -> binding

let is_unit_pattern p =
  match p.ppat_desc with
  | Ppat_any | Ppat_construct ({ txt = Longident.Lident "()"; _ }, None) -> true
  | Ppat_constraint ({ ppat_desc = Ppat_any | Ppat_construct _; _ }, _) -> true
  | _ -> false

let variable p =
  match p.ppat_desc with
  | Ppat_var { txt; _ } | Ppat_constraint ({ ppat_desc = Ppat_var { txt; _ }; _ }, _) ->
    Some txt
  | _ -> None

let rec item st i =
  match i.pstr_desc with
  | Pstr_value (Asttypes.Nonrecursive, [ b ])
    when is_unit_pattern b.pvb_pat && not (Compat.is_function b.pvb_expr) ->
    let body = guard st b.pvb_loc (fun () -> statement st b.pvb_expr) in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ Vb.mk (unit_pattern ()) body ] ]
  | Pstr_value (Asttypes.Nonrecursive, [ b ])
    when (not (Compat.is_function b.pvb_expr)) && judges st.asserting b.pvb_expr ->
    let body = guard st b.pvb_loc (fun () -> statement st b.pvb_expr) in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ { b with pvb_expr = body } ] ]
  | Pstr_value (recursive, bindings) ->
    List.iter
      (fun b ->
        match variable b.pvb_pat with
        | Some name when judges st.asserting b.pvb_expr -> st.asserting <- name :: st.asserting
        | _ -> ())
      bindings;
    if recursive = Asttypes.Nonrecursive then
      [ Str.value ~loc:i.pstr_loc recursive (List.map definition bindings) ]
    else [ i ]
  | Pstr_eval (e, _) ->
    let body =
      guard st i.pstr_loc (fun () ->
          if is_comparison e then boolean st e.pexp_loc e else statement st e)
    in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ Vb.mk (unit_pattern ()) body ] ]
  | Pstr_extension (({ txt; loc }, _), _) ->
    raise (Unsupported (line_of loc, Printf.sprintf "the extension [%%%%%s]" txt))
  | Pstr_module { pmb_expr = { pmod_desc = Pmod_structure items; _ } as m; _ } -> (
    match i.pstr_desc with
    | Pstr_module binding ->
      let items = List.concat_map (item st) items in
      [ { i with
          pstr_desc =
            Pstr_module { binding with pmb_expr = { m with pmod_desc = Pmod_structure items } } } ]
    | _ -> [ i ])
  | _ -> [ i ]
