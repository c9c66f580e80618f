(* Translates suites of OUnit 1 to OUnit2, whose cases have their own results. *)

open Parsetree
open Ast_helper
open Syntax

let second = "OUnit2"

(* The name in OUnit of a path that may be OUnit's. *)
let of_ounit path =
  match Path_compat.components path with
  | [ name ] | [ "OUnit"; name ] -> Some name
  | _ -> None

(* A value of OUnit2. *)
let in_second name = value (within second name)

(* The case without OUnit2's context, as a function that takes one. *)
let case e =
  match Function_compat.curried e with
  | [ (Asttypes.Nolabel, pattern) ], body when Names.Set.is_empty (Names.pattern_names pattern) ->
    { (thunk body) with pexp_loc = e.pexp_loc }
  | _ -> { (thunk (call ~loc:e.pexp_loc e [ unit ])) with pexp_loc = e.pexp_loc }

(* OUnit 1's [bracket]. (ocaml-batteries-team/batteries-included testsuite/test_num.ml) *)
let bracket =
  lazy
    (parse_text Parse.expression "bracket"
       "fun set_up test tear_down () -> let fixture = set_up () in \
        (try test fixture with e -> tear_down fixture; raise e); tear_down fixture")

(* Translates OUnit 1's functions and constructors to OUnit2's.
   (ocaml-batteries-team/batteries-included testsuite/test_map.ml) *)
let mapper =
  let moved = with_roots (function "OUnit" -> Some second | _ -> None) in
  let labelled loc label made =
    match made.pexp_desc with
    | Pexp_construct ({ txt; _ }, Some f) when of_ounit txt = Some "TestCase" ->
      call ~loc (in_second ">::") [ label; case f ]
    | _ -> call ~loc (in_second ">:") [ label; made ]
  in
  let expr self e =
    let loc = e.pexp_loc in
    let made =
      match e.pexp_desc with
      | Pexp_apply (({ pexp_desc = Pexp_ident { txt; _ }; _ } as f), arguments) -> (
        match (of_ounit txt, arguments) with
        | Some ">::", [ (_, label); (_, f) ] -> call ~loc (in_second ">::") [ label; case f ]
        | Some "@?", [ (_, why); (_, holds) ] -> call ~loc (in_second "assert_bool") [ why; holds ]
        | Some "was_successful", [ (_, results) ] ->
          (* Each case reports its own result. *)
          call ~loc (thunk (Exp.construct (lident "true") None)) [ results ]
        | Some ("run_test_tt" | "run_test_tt_main"), _ ->
          call ~loc (in_second "run_test_tt_main") (unlabelled arguments)
        | Some "bracket", _ -> Exp.apply ~loc (Lazy.force bracket) arguments
        | _ -> { e with pexp_desc = Pexp_apply (f, arguments) })
      | Pexp_construct ({ txt; _ }, Some a) -> (
        match (of_ounit txt, Path_compat.tuple a) with
        | Some "TestLabel", [ label; made ] -> labelled loc label made
        | Some "TestList", _ -> call ~loc (in_second "test_list") [ a ]
        | Some "TestCase", _ -> call ~loc (in_second "test_case") [ case a ]
        | _ -> e)
      | _ -> e
    in
    moved.expr self made
  in
  { moved with expr }

(* The tests with OUnit2; no change if they use it already.
   (mirage/ocaml-cohttp cohttp-lwt-unix/test/test_parser.ml) *)
let translated structure =
  let modules = (Free_names.names structure).Names.modules in
  if Names.Set.mem "OUnit" modules && not (Names.Set.mem second modules) then
    mapper.structure mapper structure
  else structure
