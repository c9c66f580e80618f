(* Turns tests of ppx_inline_test ([let%test], [let%test_unit], [let%test_module]) into
   assertions.  Plain OCaml does not compile them. *)

open Parsetree
open Ast_helper
open Syntax

(* An expression that is true if this one returns: its assertions hold. *)
let rec returns e =
  let both a b = Exp.apply ~loc:e.pexp_loc (value (lident "&&")) [ (Nolabel, a); (Nolabel, b) ] in
  match e.pexp_desc with
  | Pexp_assert condition when not (is_constructor "false" condition) -> condition
  | Pexp_sequence (({ pexp_desc = Pexp_assert _; _ } as a), b) -> both (returns a) (returns b)
  | Pexp_sequence (a, b) -> { e with pexp_desc = Pexp_sequence (a, returns b) }
  | Pexp_let (recursive, bindings, body) ->
    { e with pexp_desc = Pexp_let (recursive, bindings, returns body) }
  | _ -> (
    match Scope_compat.local e with
    | Some (_, body) -> Scope_compat.with_body e (returns body)
    | None -> Exp.sequence ~loc:e.pexp_loc e (Exp.construct (lident "true") None))

(* Raises Unsupported. (janestreet/ppx_inline_test test/failures.ml) *)
let refuse loc what = raise (Unsupported (line_of loc, what))

(* The expression of [let%...  "name" = e], with or without tags.
   (janestreet/core core/test/test_bigstring_unsafe_accessors.ml) *)
let tested loc payload =
  let rec names p =
    match p.ppat_desc with
    | Ppat_any | Ppat_constant _ -> true
    | Ppat_constraint (p, _) -> names p
    | _ -> false
  in
  match payload with
  | PStr [ { pstr_desc = Pstr_value (Nonrecursive, [ b ]); _ } ] when names b.pvb_pat -> b.pvb_expr
  | _ -> refuse loc "a test without a name: write let%test \"name\" = ... or let%test _ = ..."

(* The items of [(module struct ... end)]; None for other expressions. *)
let written_out e =
  let found = ref None in
  let module_expr _ m =
    match m.pmod_desc with Pmod_structure items -> found := Some items | _ -> ()
  in
  Visit.default.expr { Visit.default with module_expr } e;
  !found

(* An assertion of ppx_assert, [%test_eq: t] a b and the like, as [assert]; None for other
   expressions.  They compare structurally. (janestreet/core core/test/test_bigstring.ml) *)
let assertion e =
  match e.pexp_desc with
  | Pexp_apply ({ pexp_desc = Pexp_extension ({ txt; _ }, PTyp t); _ }, arguments) -> (
    let loc = e.pexp_loc in
    let labelled l = List.find_map (function Asttypes.Labelled m, a when m = l -> Some a | _ -> None) in
    let typed e = Exp.constraint_ ~loc e t in
    let equal a b = Some (Exp.assert_ ~loc (call ~loc (value (lident "=")) [ typed a; b ])) in
    match (txt, unlabelled arguments, labelled "expect" arguments) with
    | "test_eq", [ a; b ], _ -> equal a b
    | "test_result", [ a ], Some expected -> equal a expected
    | "test_pred", [ holds; a ], _ -> Some (Exp.assert_ ~loc (call ~loc holds [ typed a ]))
    | _ -> None)
  | _ -> None

(* The tests with those of ppx_inline_test as assertions.  Raises Unsupported for [let%expect_test].
   (janestreet/ppx_inline_test test/failures.ml) *)
let asserted tests =
  let rec item self i =
    let asserting { pstr_loc; _ } ?(such = Fun.id) e =
      (* The parser's own is a ghost, which has no text. *)
      let loc = { pstr_loc with loc_ghost = false } in
      let condition = such (self.Ast_mapper.expr self e) in
      Str.value ~loc Asttypes.Nonrecursive
        [ Vb.mk ~loc (unit_pattern ()) (Exp.assert_ ~loc condition) ]
    in
    match i.pstr_desc with
    (* [module%test T = struct ... end] *)
    | Pstr_extension
        (({ txt = "test"; _ }, PStr [ { pstr_desc = Pstr_module { pmb_expr = m; _ }; _ } ]), _) ->
      inside self i m
    | Pstr_extension (({ txt; loc }, payload), _) -> (
      match txt with
      | "test" -> [ asserting i (tested loc payload) ]
      | "test_unit" -> [ asserting i ~such:returns (tested loc payload) ]
      | "test_module" -> (
        match written_out (tested loc payload) with
        | Some items -> inside self i (Mod.structure ~loc items)
        | None -> refuse loc "let%test_module without (module struct ... end)")
      | "expect_test" -> refuse loc "let%expect_test, which compares what is printed"
      | _ -> [ Visit.mapper.structure_item self i ])
    | _ -> [ Visit.mapper.structure_item self i ]
  (* An anonymous module, as its names are local. *)
  and inside self i m =
    let m = self.Ast_mapper.module_expr self m in
    [ Str.module_ ~loc:i.pstr_loc (Mb.mk ~loc:i.pstr_loc (nowhere None) m) ]
  in
  let expr self e =
    let e = Visit.mapper.expr self e in
    Option.value ~default:e (assertion e)
  in
  let structure self items = List.concat_map (item self) items in
  Visit.map tests { Visit.mapper with expr; structure }
