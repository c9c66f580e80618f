"""Tests written with Alcotest and QCheck, graded by the real libraries."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward import Problem, ProblemError
from ocaml_reward.engine import CheckReport, CheckRequest, Engine
from ocaml_reward.engine.build import toolchain

from .cases import FOLDER, Case, read_cases

Check = Callable[..., CheckReport]

RIGHT = "let f x = if x < 0 then raise Not_found else x"
# Wrong for 2 alone.
WRONG = "let f x = if x < 0 then raise Not_found else if x = 2 then 22 else x"
ONE, TWO = (
    f'Alcotest.test_case "{n}" `Quick (fun () -> Alcotest.(check int) "m" {n} (f {n}))'
    for n in (1, 2)
)
PROPERTY = "QCheck.Test.make ~name:{} QCheck.small_nat (fun x -> f x = x)".format
Q = PROPERTY('"q"')


def alcotest(cases: str, options: str = "") -> str:
    """Run some cases as one suite."""
    return f'let () = Alcotest.run {options} "t" [ "s", [ {cases} ] ]'


def outcomes(report: CheckReport) -> list[str]:
    """Tell how each check has ended."""
    return [result.outcome.value for result in report.results]


# Not where a case ends by `exit`: that is its own end here, and all of them in plain OCaml.
PLAIN = [
    case
    for case in read_cases(FOLDER / "frameworks.ml")
    if "Alcotest" in case.problem.tests
    and case.place.endswith((" right", " wrong"))
    and not {"QCheck", "exit 0"} & {*re.findall(r"QCheck|exit 0", str(case.problem.tests))}
]


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case.place)
def test_plain_ocaml_agrees(case: Case, tmp_path: Path) -> None:
    """All checks pass where the program, linked with the library itself, ends well."""
    (tmp_path / "p.ml").write_text(f"{case.code}\n;;\n{case.problem.tests}")
    link = "ocamlfind ocamlc -w -a -package alcotest -linkpkg p.ml -o p"
    subprocess.run(shlex.split(link), cwd=tmp_path, check=True, capture_output=True)
    done = subprocess.run(["./p"], cwd=tmp_path, check=False, capture_output=True)

    words = {*re.findall("[a-z]+", case.expected["checks"])}
    assert (words == {"passed"}) == (done.returncode == 0)


def test_a_check_says_its_line_and_what_was_found(engine: Engine) -> None:
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
    reports = [engine.check(CheckRequest(code=code, tests=prepared)) for code in (RIGHT, WRONG)]

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
