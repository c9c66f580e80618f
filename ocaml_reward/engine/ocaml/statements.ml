open Parsetree
open Ast_helper
open Syntax

type check = { loc : Location.t; source : string }

type state = {
  text : string;
  mutable checks : check list;
  mutable items : int;
  mutable asserting : string list;
  once : (string * (pattern * expression)) list;
  lists : (string * expression list) list;
  mentions : string -> int;
}

let excerpt st (loc : Location.t) =
  let from = loc.loc_start.pos_cnum and upto = loc.loc_end.pos_cnum in
  if loc.loc_ghost || from < 0 || upto > String.length st.text || upto <= from then ""
  else String.sub st.text from (upto - from)

let number ?source st (loc : Location.t) =
  let index = List.length st.checks in
  let source = match source with Some s -> s | None -> excerpt st loc in
  st.checks <- { loc; source } :: st.checks;
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

(* Local functions that assert, defined on the way to a statement. *)
let note_asserting st bindings =
  List.iter
    (fun b ->
      match b.pvb_pat.ppat_desc with
      | Ppat_var { txt; _ } when judges st.asserting b.pvb_expr ->
        st.asserting <- txt :: st.asserting
      | _ -> ())
    bindings

(* A statement with each assertion in statement position turned into a check. *)
let rec statement st e =
  match e.pexp_desc with
  | Pexp_assert condition -> boolean st e.pexp_loc condition
  | Pexp_apply
      ( { pexp_desc = Pexp_ident { txt = Longident.Lident name; _ }; _ },
        [ (Asttypes.Nolabel, argument) ] )
    when List.mem_assoc name st.once ->
    let pattern, body = List.assoc name st.once in
    Exp.let_ ~loc:e.pexp_loc Asttypes.Nonrecursive [ Vb.mk pattern argument ]
      (statement st body)
  | Pexp_let (recursive, bindings, body) ->
    note_asserting st bindings;
    if judges st.asserting body then
      { e with pexp_desc = Pexp_let (recursive, bindings, statement st body) }
    else if judges st.asserting e then statement_check st e
    else e
  | _ when not (judges st.asserting e) -> e
  | Pexp_sequence (a, b) ->
    let a = statement st a in
    { e with pexp_desc = Pexp_sequence (a, statement st b) }
  | Pexp_constraint (body, t) -> { e with pexp_desc = Pexp_constraint (statement st body, t) }
  | Pexp_apply (iter, [ (Asttypes.Nolabel, f); (Asttypes.Nolabel, over) ])
    when is_named [ "iter" ] iter ->
    over_elements st e f over
  | Pexp_apply
      ( pipe,
        [ (_, over);
          (_, { pexp_desc = Pexp_apply (iter, [ (Asttypes.Nolabel, f) ]); _ }) ] )
    when is_named [ "|>" ] pipe && is_named [ "iter" ] iter ->
    over_elements st e f over
  | _ -> (
    match Scopes.local e with
    | Some (_, body) -> Scopes.with_body e (statement st body)
    | None -> statement_check st e)

and over_elements st e f over =
  match elements st over with
  | Some elements ->
    sequence
      (List.map (fun (at, element) -> statement_check ~at st (call f [ element ])) elements)
  | None -> statement_check st e

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

(* A binding that only runs assertions, such as MultiPL-E's [let assertions = ...].  One
   whose value is used elsewhere is a definition, whatever it asserts on the way; so is
   one that only builds a value, such as a list of test functions. *)
let rec yields_unit e =
  match e.pexp_desc with
  | Pexp_assert _ -> true
  | Pexp_sequence (_, e) | Pexp_let (_, _, e) -> yields_unit e
  | _ -> (
    match Scopes.local e with
    | Some ((Open _ | Module _), body) -> yields_unit body
    | _ -> is_constructor "()" e)

let rec builds_value e =
  match e.pexp_desc with
  | Pexp_construct (_, Some _) | Pexp_tuple _ | Pexp_record _ | Pexp_array _ | Pexp_object _ ->
    true
  | Pexp_let (_, _, e) | Pexp_constraint (e, _) -> builds_value e
  | _ -> (
    match Scopes.local e with
    | Some (Open _, body) -> builds_value body
    | _ -> Functions.is_function e)

let only_asserts st b =
  judges st.asserting b.pvb_expr
  && (not (builds_value b.pvb_expr))
  && (yields_unit b.pvb_expr
      || match variable b.pvb_pat with Some name -> st.mentions name = 0 | None -> false)

let rec item st i =
  match i.pstr_desc with
  | Pstr_value (Asttypes.Nonrecursive, [ b ])
    when is_unit_pattern b.pvb_pat && not (Functions.is_function b.pvb_expr) ->
    let body =
      guard st b.pvb_loc (fun () ->
          if is_comparison b.pvb_expr then boolean st b.pvb_expr.pexp_loc b.pvb_expr
          else statement st b.pvb_expr)
    in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ Vb.mk (unit_pattern ()) body ] ]
  | Pstr_value (Asttypes.Nonrecursive, [ b ]) when only_asserts st b ->
    let body = guard st b.pvb_loc (fun () -> statement st b.pvb_expr) in
    [ Str.value ~loc:i.pstr_loc Asttypes.Nonrecursive [ { b with pvb_expr = body } ] ]
  | Pstr_value (recursive, bindings) ->
    note_asserting st bindings;
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

let demands structure =
  let default = Ast_mapper.default_mapper in
  let expr self e =
    match e.pexp_desc with
    | Pexp_assert condition when not (is_constructor "false" condition) ->
      call ~loc:e.pexp_loc
        (value (within harness "demand"))
        [ int (line_of e.pexp_loc); self.Ast_mapper.expr self condition ]
    | _ -> default.expr self e
  in
  let mapper = { default with expr } in
  mapper.structure mapper structure
