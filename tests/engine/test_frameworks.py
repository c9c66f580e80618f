"""Tests written with Alcotest and QCheck, graded by the real libraries."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward import Problem, ProblemError
from ocaml_reward.engine import CheckReport, CheckRequest, Engine, toolchain

Check = Callable[..., CheckReport]

RIGHT = "let f x = if x < 0 then raise Not_found else x"
# Wrong for 2 alone.
WRONG = "let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x"
CASES = """
let test_one () = Alcotest.(check int) "same" 1 (f 1)
let test_two () = Alcotest.check Alcotest.int "same" 2 (f 2)
"""
ONE, TWO = (
    f'Alcotest.test_case "{n}" `Quick (fun () -> Alcotest.(check int) "m" {n} (f {n}))'
    for n in (1, 2)
)
PROPERTY = "QCheck.Test.make ~name:{} QCheck.small_nat (fun x -> f x = x)".format
Q = PROPERTY('"q"')


def alcotest(cases: str, options: str = "") -> str:
    """Run some cases as one suite."""
    return f'let () = Alcotest.run {options} "t" [ "s", [ {cases} ] ]'


ALCOTEST = {
    "open in an expression": (
        CASES + "let () =\n  let open Alcotest in\n"
        '  run "F" [ "a", [ test_case "1" `Quick test_one ]; "b", [ test_case "2" `Slow test_two ] ]',
        "passed failed",
    ),
    "open at the top": (
        CASES + 'open Alcotest\nlet suite = [ test_case "1" `Quick test_one;\n'
        '  test_case "2" `Quick @@ fun () -> check (list int) "l" [2] [f 2] ]\n'
        'let () = run ~and_exit:false "F" [ ("all", suite) ]',
        "passed failed",
    ),
    "tuples": (
        'let s = [ "a", `Quick, (fun () -> Alcotest.(check bool) "b" true (f 1 = 1)); '
        '"b", `Slow, fun () -> Alcotest.(check bool) "b" true (f 2 = 2) ]\n'
        'let () = Alcotest.run "t" [ "s", s ]',
        "passed failed",
    ),
    "an argument": (alcotest(f"{ONE}; {TWO}", '~argv:[| "x" |]'), "passed failed"),
    "partial application": (
        'let t n () = Alcotest.(check int) "m" n (f n)\n'
        + alcotest(
            'Alcotest.test_case "1" `Quick (t 1); Alcotest.test_case "2" `Quick (t 2)'
        ),
        "passed failed",
    ),
    "testables": (
        "type p = { a : int; b : string }\n"
        'let pp ppf p = Fmt.pf ppf "%d %s" p.a p.b\n'
        "let p = Alcotest.testable pp (fun x y -> x.a = y.a)\n"
        "let near = Alcotest.(pair (float 0.5) (option (array string)))\n"
        + alcotest(
            'Alcotest.test_case "p" `Quick (fun () -> Alcotest.check p "p" { a = 1; b = "" } '
            '{ a = f 1; b = "x" });\n'
            'Alcotest.test_case "n" `Quick (fun () -> Alcotest.check near "n" (2., None) '
            "(float (f 2) +. 0.1, None));\n"
            'Alcotest.test_case "o" `Quick (fun () -> Alcotest.(check (neg (of_pp Fmt.int))) "o" 3 '
            "(f 3 + 1))"
        ),
        "passed failed passed",
    ),
    "exceptions": (
        alcotest(
            'Alcotest.test_case "r" `Quick (fun () -> Alcotest.check_raises "r" Not_found '
            "(fun () -> ignore (f (-1))));\n"
            'Alcotest.test_case "n" `Quick (fun () -> Alcotest.check_raises "n" Not_found '
            "(fun () -> if f 2 = 2 then raise Not_found));\n"
            'Alcotest.test_case "e" `Quick (fun () -> if f 2 <> 2 then raise Exit)'
        ),
        "passed failed raised",
    ),
    "words": (
        alcotest(
            'Alcotest.test_case "f" `Quick (fun () -> if f 2 <> 2 then Alcotest.fail "no");\n'
            'Alcotest.test_case "g" `Quick (fun () -> if f 2 <> 2 then Alcotest.failf "%d" 3);\n'
            'Alcotest.test_case "h" `Quick (fun () -> Alcotest.(check\' int) ~msg:"m" '
            "~expected:2 ~actual:(f 2));\n"
            'Alcotest.test_case "i" `Quick (fun () -> assert (f 2 = 2));\n'
            'Alcotest.test_case "j" `Quick (fun () -> if f 2 <> 2 then exit 0)'
        ),
        "failed failed failed failed exited",
    ),
    "modules and two runs": (
        f'module T = struct let all = [ {ONE} ] end\nlet () = Alcotest.run ~and_exit:false "t" [ "s", T.all ]\n'
        + alcotest(TWO),
        "passed failed",
    ),
    "terms": (
        'let () = Alcotest.run_with_args "t" Cmdliner.Term.(const 2) [ "s", [ "c", `Quick, '
        'fun n -> Alcotest.(check int) "m" n (f n) ] ]',
        "failed",
    ),
    "operators": (
        f'let () = Alcotest.run ~and_exit:false "t" @@ [ "s", [ {ONE} ] ]\n'
        f'let () = [ "s", [ {TWO} ] ] |> Alcotest.run ~and_exit:false "t"',
        "passed failed",
    ),
    "modules of what is tested, and as testables": (
        "module To_test = struct let f = f end\n"
        "module M = struct type t = int let pp = Fmt.int let equal = Int.equal end\n"
        "let m : int Alcotest.testable = (module M)\n"
        + alcotest(
            'Alcotest.test_case "c" `Quick (fun () -> Alcotest.check m "m" 2 (To_test.f 2));\n'
            'Alcotest.test_case "d" `Quick (fun () -> Alcotest.check (module M) "m" 1 (To_test.f 1))'
        ),
        "failed passed",
    ),
    "no suite": (
        'let () = Alcotest.(check int) "m" 1 (f 1)\nlet () = Alcotest.(check int) "m" 2 (f 2)',
        "passed failed",
    ),
    "much that is printed": (
        alcotest(
            'Alcotest.test_case "c" `Quick (fun () -> for i = 3 to 20_000 do '
            'Alcotest.(check int) "some text for the log" i (f i) done)'
        ),
        "passed",
    ),
}
QCHECK = {
    "main": (
        "open QCheck\nlet a = Test.make ~count:10 small_int (fun x -> f (x + 3) = x + 3)\n"
        "let b = QCheck.Test.make QCheck.(list small_nat) @@ fun l -> List.map f l = l\n"
        "let () = QCheck_runner.run_tests_main [ a; b ]",
        "passed failed",
    ),
    "exit": (f"let () = exit (QCheck_runner.run_tests ~verbose:true [ {Q} ])", "failed"),
    "operators": (
        f"let () = QCheck_runner.run_tests ~long:true [ {Q} ] |> exit",
        "failed",
    ),
    "a helper that runs": (
        f"let run t = QCheck.Test.check_exn t\nlet () = List.iter run [ {Q} ]",
        "failed",
    ),
    "a helper that runs all": (
        f"let q = {Q}\nlet main () = exit (QCheck_runner.run_tests [ q ])\nlet () = main ()",
        "failed",
    ),
    "opened": (f"open QCheck_base_runner\nlet _ = run_tests ~colors:false [ {Q} ]", "failed"),
    "one by one": (
        f"let t = {Q}\nlet () = QCheck.Test.check_exn t\n"
        "let () = QCheck.Test.check_exn (QCheck.Test.make QCheck.bool (fun b -> f 1 = 1 || b))",
        "failed passed",
    ),
    "QCheck2": (
        "open QCheck2\nlet () = QCheck_base_runner.run_tests_main [\n"
        "  Test.make ~print:string_of_int Gen.small_nat (fun x -> f x = x);\n"
        "  Test.make_neg Gen.small_nat (fun x -> f x = x + 1) ]",
        "failed passed",
    ),
    "exceptions": (
        "let () = QCheck_runner.run_tests_main [ QCheck.Test.make QCheck.small_nat\n"
        '  (fun x -> if f x <> x then failwith "other" else true) ]',
        "raised",
    ),
    "preconditions": (
        "let () = QCheck_runner.run_tests_main QCheck.[\n"
        "  Test.make small_nat (fun x -> x > 3 ==> (f x = x));\n"
        "  Test.make small_nat (fun x -> assume (f 2 = 2); true) ]",
        "passed failed",
    ),
    "in Alcotest": (
        f'let () = Alcotest.run "t" [ "q", List.map QCheck_alcotest.to_alcotest [ {Q} ]; '
        f'"c", [ {ONE}; QCheck_alcotest.to_alcotest ({PROPERTY(chr(34) + "r" + chr(34))}) ] ]',
        "failed passed failed",
    ),
    "in OUnit2": (
        'open OUnit2\nlet s = "s" >::: [ QCheck_ounit.to_ounit2_test ('
        f'{Q}); "b" >:: (fun _ -> assert_equal 1 (f 1)) ]\n'
        f'let s = "t" >::: s :: QCheck_runner.to_ounit2_test_list [ {PROPERTY(chr(34) + "r" + chr(34))} ]\n'
        "let () = run_test_tt_main s",
        "failed passed failed",
    ),
}  # fmt: skip
BUILT = {
    "Alcotest": (
        'let case n = Alcotest.test_case "c" `Quick (fun () -> Alcotest.(check int) "m" n (f n))\n'
        'let () = Alcotest.run "t" [ "s", List.map case [ 1; 2; 3 ] ]'
    ),
    "tuples": (
        'let () = Alcotest.run "t" [ "s", List.map (fun n -> ("c", `Quick, fun () ->\n'
        '  Alcotest.(check int) "m" n (f n))) [ 1; 2; 3 ] ]'
    ),
    "QCheck": (
        "let t n = QCheck.Test.make QCheck.bool (fun _ -> f n = n)\n"
        "let () = QCheck_runner.run_tests_main (List.map t [ 1; 2; 3 ])"
    ),
}


def outcomes(report: CheckReport) -> list[str]:
    """Tell how each check has ended."""
    return [result.outcome.value for result in report.results]


@pytest.mark.parametrize("form", [*ALCOTEST, *QCHECK])
def test_each_case_is_a_check(check: Check, form: str) -> None:
    """A test that is written out is numbered, and ends as the library has it."""
    tests, expected = {**ALCOTEST, **QCHECK}[form]
    right, wrong = check(RIGHT, tests), check(WRONG, tests)

    assert expected.split() == outcomes(wrong)
    assert ["passed"] * len(expected.split()) == outcomes(right)


@pytest.mark.parametrize("form", BUILT)
def test_cases_made_by_code_are_counted_with_the_reference(
    check: Check, engine: Engine, form: str
) -> None:
    """As with OUnit2 only running such a suite tells how many checks it has."""
    report = check(WRONG, BUILT[form], reference=RIGHT)

    assert ["passed", "failed", "passed"] == outcomes(report)
    with pytest.raises(ProblemError, match="needs a reference"):
        engine.prepare(Problem(id="p", tests=BUILT[form]))


# Not where a case ends by `exit`: that is its own end here, and all of them in plain OCaml.
@pytest.mark.parametrize("form", [form for form in ALCOTEST if form != "words"])
def test_plain_ocaml_agrees(form: str, tmp_path: Path) -> None:
    """All checks pass where the program, linked with the library itself, ends well."""
    tests, expected = ALCOTEST[form]
    ends = []
    for code in (RIGHT, WRONG):
        (tmp_path / "p.ml").write_text(f"{code}\n;;\n{tests}")
        linked = [
            "ocamlfind",
            "ocamlc",
            "-w",
            "-a",
            "-package",
            "alcotest",
            "-linkpkg",
            "p.ml",
            "-o",
            "p",
        ]
        subprocess.run(linked, cwd=tmp_path, check=True, capture_output=True)
        done = subprocess.run(["./p"], cwd=tmp_path, check=False, capture_output=True)
        ends.append(done.returncode == 0)

    assert [True, set(expected.split()) == {"passed"}] == ends


def test_a_check_says_its_line_and_what_was_found(engine: Engine) -> None:
    """The library's words are the detail, in one line."""
    tests = engine.prepare(Problem(id="p", tests=f"(* 1 *)\n{alcotest(TWO)}"))
    report = engine.check(CheckRequest(code=WRONG, tests=tests))

    assert [2] == [check.line for check in tests.checks]
    assert ["f"] == [*tests.uses]
    assert "Expected: `2' Received: `22'" in report.results[0].detail


@pytest.mark.parametrize(
    "tests",
    [
        alcotest(
            'Alcotest.test_case "i" `Quick (fun () -> (try ignore (f 1) with _ -> ()); '
            f'Alcotest.(check int) "m" 1 1); {TWO}'
        ),
        "let () = QCheck_runner.run_tests_main [ QCheck.Test.make QCheck.small_nat (fun x -> "
        f"(try f x = x with _ -> true) || true); {Q} ]",
    ],
)
def test_a_case_that_cannot_fail_is_no_check(engine: Engine, tests: str) -> None:
    """One that no wrong answer fails earns nothing, and the others are run."""
    prepared = engine.prepare(Problem(id="p", tests=tests, reference=RIGHT))
    reports = [
        engine.check(CheckRequest(code=code, tests=prepared)) for code in (RIGHT, WRONG)
    ]

    assert 1 == len(prepared.idle)
    assert [["passed"], ["failed"]] == [*map(outcomes, reports)]


def test_records_are_the_same_each_time(check: Check) -> None:
    """Inputs do not hang on a seed, be it asked for."""
    tests = (
        "let rand = Random.State.make_self_init ()\nlet () = Random.self_init ()\n"
        "let () = QCheck_runner.set_seed (Random.bits ())\n"
        "let () = ignore (QCheck_runner.run_tests ~rand [ QCheck.Test.make QCheck.int (fun x ->\n"
        "  f (abs x) < 1_000_000) ])"
    )
    found = [check(WRONG, tests).results for _ in range(3)]

    assert found[0] == found[1] == found[2]
    assert "after" in found[0][0].detail


CHEATS = (
    "module Alcotest = struct let check _ _ _ _ = () let run _ _ = () end",
    "module QCheck = struct end",
    "let check _ _ _ _ = ()  let run _ _ = ()  let test_case _ _ _ = ()  let int = 0",
    "let f _ = QCheck.assume_fail ()",
    "exception E = QCheck.No_example_found",
    "let f _ = try raise Exit with QCheck2.Test.Test_fail _ -> 1",
    "module type S = sig open Alcotest end",
    "module type S = module type of QCheck2.Test",
    "let () = QCheck_base_runner.set_seed 1",
    "let () = ignore (Unix.getpid ())",
    "let () = ignore (Fmt.stdout)",
    "module A = Alcotest_engine",
    "let () = at_exit (fun () -> exit 0)",
    "let () = exit 0",
    "let () = Format.set_formatter_output_functions (fun _ _ _ -> exit 0) (fun () -> exit 0)",
    "let f _ = exit 0",
    'let () = Printexc.register_printer (fun _ -> Some "")',
    "let () = Random.init 1  let f _ = raise Exit",
    "let ( = ) _ _ = true  let compare _ _ = 0",
    "module List = struct let map _ _ = [] let concat_map _ _ = [] let iter _ _ = () end",
    "module Random = struct module State = struct let make _ = exit 0 end end",
    "module Stdlib = struct end  module String = struct let concat _ _ = exit 0 end",
    "type 'a option = None | Some of int  type ('a, 'b) result = Ok | Error",
)  # fmt: skip


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_gains_nothing(check: Check, cheat: str) -> None:
    """What is wrong passes no check that it did not pass, whatever the code says or does."""
    tests = f"open Alcotest\nlet q = QCheck_alcotest.to_alcotest ({Q})\n" + alcotest(
        'test_case "2" `Quick (fun () -> check int "m" 2 (f 2)); q'
    )
    code = f"{cheat}\n{WRONG}" if "let f" not in cheat else f"{WRONG}\n{cheat}"
    report = check(code, tests)

    assert report.forbidden or "passed" not in outcomes(report)


@pytest.mark.parametrize(
    "code",
    [
        "let check = 1  let run = 2  let int = 3  let test_case = 4",
        'let alcotest = "Alcotest" (* Alcotest, QCheck *)',
        "module T = struct let qCheck = 1 end",
        "let silence () = 1  let cases = 2  let name = 3",
    ],
)  # fmt: skip
def test_honest_code_is_free_to_use_other_names(check: Check, code: str) -> None:
    """What a framework calls its own, the code may, too."""
    tests = f"open Alcotest\n{alcotest(ONE)}"

    assert ["passed"] == outcomes(check(f"{code}\n{RIGHT}", tests))


@pytest.mark.parametrize("beside", [ONE, ""])
def test_a_suite_of_the_code_s_own_is_no_check(check: Check, beside: str) -> None:
    """What the code calls a case has no number, and stands for no check of the tests."""
    tests = (
        f'let () = Alcotest.run "t" [ "s", [ {beside} ]; "own", Own.tests ]\n'
        "let () = assert (f 2 = 2)"
    )
    code = 'module Own = struct let tests = ["c", `Quick, fun () -> ()] end'

    assert "passed" not in outcomes(check(f"{code}\n{WRONG}", tests))


def test_the_code_s_names_stay_its_own(check: Check) -> None:
    """A module that tests open has the names that the library's has, and no more."""
    tests = (
        'open Alcotest\nopen QCheck_alcotest\nlet () = run "t" [ "s", [ test_case "c" `Quick '
        '(fun () -> check int "m" 6 (cases + name + List.length (checked ()))); '
        "to_alcotest (QCheck.Test.make QCheck.bool (fun b -> b = b && silence = 4)) ] ]"
    )
    code = "let cases = 1  let name = 2  let checked () = [1; 2; 3]  let silence = 4"

    assert ["passed", "passed"] == outcomes(check(code, tests))


def test_what_is_not_installed_is_said(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    """A problem that needs a library says how to install it, in one line."""
    monkeypatch.setenv("OCAMLPATH", str(tmp_path))
    monkeypatch.setenv("OCAMLFIND_CONF", "/dev/null")
    toolchain.packages.cache_clear()
    toolchain._query.cache_clear()
    try:
        with pytest.raises(ProblemError) as caught:
            engine.prepare(Problem(id="p", tests=alcotest(ONE)))
    finally:
        toolchain.packages.cache_clear()
        toolchain._query.cache_clear()

    assert str(caught.value) == (
        "p: the tests use Alcotest, which is not installed: apt-get install"
        " libalcotest-ocaml-dev, or opam install alcotest"
    )


@pytest.mark.parametrize("listed", ["alcotest", "qcheck", "qcheck-alcotest", "fmt"])
def test_a_listed_framework_is_the_tests_alone(check: Check, listed: str) -> None:
    """As a project's build file lists it; printers that a problem lists are the code's, too."""
    code = f"{RIGHT}\nlet _ = {'Fmt.int' if listed == 'fmt' else 'Alcotest.int'}"
    report = check(code, alcotest(ONE), libraries=(listed,))

    assert bool(report.forbidden) is (listed != "fmt")
    assert ["passed"] == outcomes(check(RIGHT, alcotest(ONE), libraries=(listed,)))


@pytest.mark.parametrize(
    "tests",
    [
        "module Alcotest = struct let check a b = assert (a = b) end\nlet () = Alcotest.check 1 (f 1)",
        '(* Alcotest.check *) let s = "QCheck" let () = assert (f 1 = 1 && s <> "")',
    ],
)
def test_a_name_alone_needs_no_library(engine: Engine, tests: str) -> None:
    """A module of the tests' own, a comment or a string asks for none."""
    assert () == engine.prepare(Problem(id="p", tests=tests)).frameworks
