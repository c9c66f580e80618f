(* Alcotest and QCheck: the real libraries, with runners that report to our harness, case by case. *)

open Parsetree
open Ast_helper
open Syntax

(* ---- the modules ----------------------------------------------------------------------- *)

(* The modules of a findlib package.  Alcotest comes with Fmt, the printers of testables.
   (mirage/alcotest examples/floats.ml) *)
let of_package = function
  | "alcotest" -> [ "Alcotest"; "Fmt" ]
  | "cmdliner" -> [ "Cmdliner" ]
  | "qcheck-core" -> [ "QCheck"; "QCheck2"; "QCheck_base_runner"; "QCheck_ounit"; "QCheck_runner" ]
  | _ -> []

(* The modules of these packages. *)
let modules packages =
  List.concat_map of_package packages
  @ if List.mem "alcotest" packages && List.mem "qcheck-core" packages then [ "QCheck_alcotest" ] else []

(* Helpers in a module of their own, to keep them out of the tests' scope.  Alcotest prints each
   assertion; this is discarded. *)
let of_alcotest =
  {|let silence () =
  Format.set_formatter_output_functions (fun _ _ _ -> ()) (fun () -> ())

let run name argument tests =
  Suites.checks
    (List.concat_map
       (fun (suite, cases) ->
         List.map
           (fun (case, _, body as whole) ->
             let path = String.concat ": " [ name; suite; case ] in
             (path, Suites.place whole, fun () -> silence (); body (argument ())))
           cases)
       tests)
|}

(* The text of QCheck's helpers.  A fixed seed, so that inputs are the same for every code.  A
   property whose assumptions never hold fails.
   (anwarmamat/cmsc330 ocaml/qcheck/balanced_brackets_buggy/test/pbt.ml) *)
let of_qcheck ends_well =
  {|let checked ?long (QCheck2.Test.Test cell) () =
  let result = QCheck2.Test.check_cell ?long ~rand:(Random.State.make [| 42 |]) cell in
  let name = QCheck2.Test.get_name cell in
  |} ^ ends_well ^ {|;
  if QCheck2.TestResult.get_count result = 0 then
    raise (QCheck2.Test.Test_fail (name, [ "no input meets the test's assumptions" ]))

let name (QCheck2.Test.Test cell) = QCheck2.Test.get_name cell
let check ?long test = (name test, Suites.place test, checked ?long test)

let run_one ?long ?rand:_ test =
  if !Suites.inside then checked ?long test () else Suites.checks [ check ?long test ]
|}

(* The OCaml text that requires that a property passes. *)
let passes = "QCheck2.Test.check_result cell result"

(* The OCaml text that requires that a property passes, or fails if it is one that should, as newer
   versions of QCheck have. (c-cube/qcheck example/QCheck_runner_test.ml) *)
let passes_or_fails =
  "(if QCheck2.Test.get_positive cell then " ^ passes
  ^ {| else match QCheck2.TestResult.get_state result with
  | QCheck2.TestResult.Failed _ -> ()
  | QCheck2.TestResult.Success -> raise (QCheck2.Test.Test_fail (name, [ "no counter-example was found" ]))
  | _ -> |} ^ passes ^ ")"

(* Our [Alcotest].  The options of a runner only change its report or select tests; all tests run.
   *)
let alcotest =
  {|include Alcotest
let run ?argv:_ ?and_exit:_ ?verbose:_ ?compact:_ ?tail_errors:_ ?quick_only:_ ?show_errors:_
    ?json:_ ?filter:_ ?log_dir:_ ?bail:_ ?record_backtrace:_ ?ci:_ name tests =
  Own.run name (fun () -> ()) tests
|}

(* Our [run_with_args], which passes the value of a term without arguments.
   (mirage/alcotest README.md) *)
let with_cmdliner =
  {|let run_with_args ?argv:_ ?and_exit:_ ?verbose:_ ?compact:_ ?tail_errors:_ ?quick_only:_
    ?show_errors:_ ?json:_ ?filter:_ ?log_dir:_ ?bail:_ ?record_backtrace:_ ?ci:_ name term tests =
  let value () =
    match Cmdliner.Cmd.eval_value ~argv:[| name |] (Cmdliner.Cmd.v (Cmdliner.Cmd.info name) term) with
    | Ok (`Ok value) -> value
    | _ -> failwith "the tests' arguments have no default"
  in
  Own.run name value tests
|}

(* Our [QCheck] or [QCheck2], which [home] names. (c-cube/qcheck README.adoc) *)
let qcheck home =
  "include " ^ home ^ "\nmodule Test = struct\n  include " ^ home
  ^ ".Test\n  let check_exn = Own.run_one\nend\n"

(* Our [QCheck_base_runner]. (anwarmamat/cmsc330 ocaml/qcheck/rev/rev.ml; set_seed, set_verbose:
   c-cube/qcheck test/core/QCheck_expect_test.ml; random_state: tezos/tezos-mirror
   src/lib_crypto_dal/test/test_dal_cryptobox.ml) *)
let runner =
  {|let run_tests ?handler:_ ?colors:_ ?verbose:_ ?long ?debug_shrink:_ ?debug_shrink_list:_ ?out:_
    ?rand:_ tests =
  Suites.checks (List.map (fun test -> Own.check ?long test) tests);
  0
let run_tests_main ?argv:_ tests =
  Suites.checks (List.map (fun test -> Own.check test) tests);
  Harness.exit 0
let set_seed (_ : int) = ()
let set_verbose (_ : bool) = ()
let random_state () = Random.State.make [| 42 |]
|}

(* Our [QCheck_ounit]: properties as OUnit tests.
   (anwarmamat/cmsc330 ocaml/qcheck/occur/occur.ml) *)
let to_ounit =
  {|let to_ounit2_test ?rand:_ test =
  let index, line = Suites.place test in
  Ounit.OUnitTest.(
    TestLabel (Own.name test, TestCase (Site (index, line), fun _ -> Own.checked test ())))
let to_ounit2_test_list ?rand:_ tests = List.map (fun test -> to_ounit2_test test) tests
|}

(* Our [QCheck_alcotest]: properties as Alcotest cases.
   (c-cube/qcheck example/alcotest/QCheck_alcotest_test.ml) *)
let to_alcotest =
  {|let to_alcotest ?colors:_ ?verbose:_ ?long ?debug_shrink:_ ?debug_shrink_list:_
    ?(speed_level = `Slow) ?rand:_ test =
  Suites.like test (Own.name test, speed_level, Own.checked ?long test)
|}

(* The OCaml text of our version of a module; None if we have none. *)
let text = function
  | "Alcotest" ->
    let has_terms = Names.Set.mem "Cmd" (Names.contents (Longident.Lident "Cmdliner")).modules in
    Some (if has_terms then alcotest ^ with_cmdliner else alcotest)
  | ("QCheck" | "QCheck2") as home -> Some (qcheck home)
  | "QCheck_base_runner" -> Some runner
  | "QCheck_runner" -> Some (runner ^ to_ounit)
  | "QCheck_ounit" -> Some to_ounit
  | "QCheck_alcotest" -> Some to_alcotest
  | _ -> None

let own_alcotest = "Alcotest***"
let own_qcheck = "QCheck***"

(* Parses one of these texts, with the real names of units and modules. *)
let parsed ?(own = own_qcheck) text =
  let names = [ ("Harness", harness); ("Suites", suites); ("Ounit", ounit); ("Own", own) ] in
  with_roots (fun name -> List.assoc_opt name names)
  |> Visit.map (parse_text Parse.implementation "frameworks.ml" text)

(* The modules that tests open or include. (anwarmamat/cmsc330 ocaml/qcheck/occur/occur.ml) *)
let opened structure =
  let add found m =
    match m.pmod_desc with
    | Pmod_ident { txt = Longident.Lident name; _ } -> Names.Set.add name found
    | _ -> found
  in
  List.fold_left add Names.Set.empty (Visit.opened structure)

(* Whether the module exists only here. *)
let is_ours name = text name <> None && Names.contents (Longident.Lident name) = Names.empty

(* The names in a module, ours and the library's. *)
let contents name =
  let own = match text name with Some text -> Names.defined (parsed text) | None -> Names.empty in
  Names.union own (Names.contents (Longident.Lident name))

(* The definitions of these modules under the names of [Syntax.aside], with their helpers. *)
let aside names =
  let is_of_qcheck name = List.mem name ("QCheck_alcotest" :: of_package "qcheck-core") in
  let helpers =
    (if not (List.mem "Alcotest" names) then []
     else [ bind_module own_alcotest (Mod.structure (parsed of_alcotest)) ])
    @
    if not (List.exists is_of_qcheck names) then []
    else
      let test = Path_compat.dot (Longident.Lident "QCheck2") "Test" in
      let has_negative = Names.Set.mem "get_positive" (Names.contents test).values in
      let ends_well = if has_negative then passes_or_fails else passes in
      [ bind_module own_qcheck (Mod.structure (parsed (of_qcheck ends_well))) ]
  in
  let bound name =
    match text name with
    | Some text ->
      let own = if is_of_qcheck name then own_qcheck else own_alcotest in
      bind_module (aside name) (Mod.structure (parsed ~own text))
    | None -> alias (aside name) (lident name)
  in
  helpers @ List.map bound names

(* ---- what tests do with them ------------------------------------------------------------ *)

(* Functions of these libraries that assert. *)
let asserting = [ "check"; "check'"; "check_raises"; "fail"; "failf"; "check_exn" ]

(* Whether an expression calls one of these, of these modules; [opened]: they are in scope.
   (mirage/alcotest test/e2e/alcotest/failing/outside_runner.ml) *)
let rec asserts ~opened modules e =
  let is_one name = List.mem name asserting in
  match e.pexp_desc with
  | Pexp_apply _ -> asserts ~opened modules (fst (applied e))
  | Pexp_ident { txt = Longident.Lident name; _ } -> opened && is_one name
  | Pexp_ident { txt; _ } ->
    is_one (last_name txt) && Option.fold ~none:false ~some:(fun m -> List.mem m modules) (Names.root txt)
  | _ -> (
    match Scope_compat.local e with
    | Some (Open { popen_expr = { pmod_desc = Pmod_ident { txt = Lident m; _ }; _ }; _ }, body) ->
      asserts ~opened:(opened || List.mem m modules) modules body
    | _ -> false)

(* Whether a function of this name runs a suite. *)
let runs name = List.mem name [ "run"; "run_tests"; "run_tests_main"; "check_exn" ]

(* Whether an expression is a path that ends with these names. *)
let is_path names e =
  match e.pexp_desc with
  | Pexp_ident { txt; _ } -> (
    match (List.rev (Path_compat.components txt), List.rev names) with
    | found, wanted when List.length found >= List.length wanted ->
      List.for_all2 ( = ) (List.filteri (fun i _ -> i < List.length wanted) found) wanted
    | _ -> false)
  | _ -> false

(* Whether an expression is the function that makes a test case of Alcotest. *)
let is_of_alcotest = is_path [ "test_case" ]

(* Whether an expression is a function that makes a test of QCheck. *)
let is_of_qcheck e = is_path [ "Test"; "make" ] e || is_path [ "Test"; "make_neg" ] e

(* Whether an expression is a case's [`Quick] or [`Slow]. *)
let is_speed e =
  match e.pexp_desc with Pexp_variant (("Quick" | "Slow"), None) -> true | _ -> false

(* Puts [by] in the place of [body] within [e]. *)
let with_body body e by =
  let expr self e = if e == body then by else Visit.mapper.expr self e in
  Visit.map_expression e { Visit.mapper with expr }

(* The body of a test case, and a function that puts another body into the case; None for other
   expressions. (inhabitedtype/angstrom lib_test/test_angstrom.ml) *)
let case e =
  let body =
    match (applied e, Path_compat.tuple e) with
    | _, [ _; speed; body ] when is_speed speed -> Some body
    | (f, arguments), _ -> (
      match unlabelled arguments with
      | [ _; _; body ] when is_of_alcotest f -> Some body
      | [ _; body ] when is_of_qcheck f -> Some body
      | _ -> None)
  in
  Option.map (fun body -> (body, with_body body e)) body

(* Whether an expression creates test cases. (just-max/less-power src/test-lib/oUnit_util.ml) *)
let makes_case e =
  is_of_alcotest e || is_of_qcheck e || is_speed e
  || List.exists (fun name -> is_path [ "Test"; name ] e) [ "make_cell"; "make_cell_from_QCheck1" ]
