open Parsetree
open Ast_helper
open Syntax

let comparisons = [ "="; "<>"; "compare"; "assert_equal" ]

(* Does an expression only name or build a value, and name one?  With [reads] it may also
   look into what can change, which is then read earlier than it stands. *)
let names_value ~reads e =
  let named = ref false in
  let rec still e =
    match e.pexp_desc with
    | Pexp_ident _ -> named := true; true
    | Pexp_constant _ -> true
    | Pexp_construct (_, argument) | Pexp_variant (_, argument) ->
      Option.fold ~none:true ~some:still argument
    | Pexp_tuple _ -> List.for_all still (Compat.tuple e)
    | Pexp_array parts -> List.for_all still parts
    | Pexp_constraint (e, _) -> still e
    | Pexp_field (e, _) -> reads && still e
    | Pexp_apply (f, [ (Asttypes.Nolabel, e) ]) -> reads && is_named [ "!" ] f && still e
    | _ -> false
  in
  still e && !named

let kept = "*kept"

(* The side that was there before, copied before the other runs.  Arguments are evaluated
   from the right, so that what stands there may be looked into as well. *)
let compared f labelled left right =
  let rebuilt left right =
    let sides = [ (Asttypes.Nolabel, left); (Asttypes.Nolabel, right) ] in
    { f with pexp_desc = Pexp_apply (f, labelled @ sides) }
  in
  let first e make =
    Some
      (Exp.let_ ~loc:e.pexp_loc Asttypes.Nonrecursive
         [ Vb.mk (Pat.var (nowhere kept)) (call (value (within harness "kept")) [ e ]) ]
         (make (value (lident kept))))
  in
  let is_still = names_value ~reads:true in
  if is_still right && not (is_still left) then first right (rebuilt left)
  else if names_value ~reads:false left && not (is_still right) then
    first left (fun left -> rebuilt left right)
  else None

let structure tests =
  let default = Ast_mapper.default_mapper in
  let expr self e =
    let e = default.Ast_mapper.expr self e in
    match e.pexp_desc with
    | Pexp_apply (f, arguments) when is_named comparisons f -> (
      let plain, labelled =
        List.partition (fun (label, _) -> label = Asttypes.Nolabel) arguments
      in
      match plain with
      | [ (_, left); (_, right) ] ->
        Option.fold ~none:e
          ~some:(fun made -> { made with pexp_loc = e.pexp_loc })
          (compared f labelled left right)
      | _ -> e)
    | _ -> e
  in
  let mapper = { default with expr } in
  mapper.structure mapper tests
