"""`explain` with the compiler of this machine: what is wrong with tests, or between them and
the code.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from ocaml_reward.engine.build.toolchain import locate

from .conftest import Invoke
from .explained import FAILING, TESTS

Write = Callable[[str, Iterable[object]], Path]


def invoke_for_real(*arguments: str | Path) -> Result:
    """Call the command with the engine of this machine."""
    return CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)


def test_a_lone_program(invoke: Invoke, tmp_path: Path) -> None:
    """Tests in JSON are cases of what a program reads and prints."""
    code, tests = tmp_path / "echo.ml", tmp_path / "tests.json"
    code.write_text("let () = print_endline (read_line ())")
    tests.write_text(json.dumps([{"input": "a\n", "output": "a\n"}] * 3))

    result = invoke("explain", code, "--tests", tests)

    assert "checks: 3 of 3 passed" in result.stdout
    assert "  3  case 3    passed         input 'a\\n'\n" in result.stdout


def test_groups_of_cases(invoke: Invoke, tmp_path: Path) -> None:
    """Each is told with what it earns, and the credit with the share of all points."""
    code, tests = tmp_path / "echo.ml", tmp_path / "tests.json"
    code.write_text("let () = print_endline (read_line ())")
    case = {"input": "a\n", "output": "a\n"}
    more = {"group": "b", "points": 3, "needs": ["a"]}
    tests.write_text(json.dumps([case, case | {"group": "a"}, case | more, case | more]))

    result = invoke("explain", code, "--tests", tests)

    assert "  1 of 1 points: group a, case 2\n" in result.stdout
    assert "  3 of 3 points: group b, cases 3, 4, needs a\n" in result.stdout
    assert "4 of 4 checks passed: 1 of all points\n" in result.stdout


@pytest.mark.parametrize("text", ["assert (add 1 2 = 3", "assert (add 1 2 = 3\n\n"])
def test_bad_tests_are_named(write: Write, tmp_path: Path, text: str) -> None:
    code, tests = tmp_path / "add.ml", tmp_path / "tests.ml"
    code.write_text(FAILING)
    tests.write_text(text)
    lines = write("c.jsonl", [{"id": "add", "completion": FAILING, "tests": text}])

    lone = invoke_for_real("explain", code, "--tests", tests)
    line = invoke_for_real("explain", lines)

    assert lone.stderr.startswith(f"ocaml-reward: {tests}:1: Syntax error")
    assert line.stderr.startswith(f"ocaml-reward: {lines}:1: add: tests, line ")
    assert (2, 2) == (lone.exit_code, line.exit_code)


def test_code_that_the_tests_cannot_use(tmp_path: Path) -> None:
    """An error in the tests shows the line of the tests and what the code defines instead,
    once for each name.
    """
    code, tests = tmp_path / "add.ml", tmp_path / "tests.ml"
    code.write_text("let sub x y = x - y\nlet twice x = sub x x\n")
    tests.write_text(TESTS)

    result = invoke_for_real("explain", code, "--tests", tests)

    # From 5.2 on names are quoted.
    shown = result.stdout.replace('"', "")

    assert (
        "  tests.ml, line 1: error (typer): Unbound value add\n"
        "      assert (add 1 2 = 3);;\n"
        "  the code defines sub, twice\n"
    ) in shown
    assert 1 == shown.count("Unbound value add")


def test_a_library_that_is_not_linked(tmp_path: Path) -> None:
    """The linker's error stands at no line, and says which library the problem lacks."""
    code, tests = tmp_path / "add.ml", tmp_path / "tests.ml"
    code.write_text('let add x y = ignore (Str.regexp "a"); x + y')
    tests.write_text(TESTS)

    result = invoke_for_real("explain", code, "--tests", tests)

    assert "hint: Str is not among the problem's libraries\n" in result.stdout
    if not (locate().stdlib / "str.cmi").exists():
        # As OCaml 5 installs it, Str is not even in sight.
        assert "error (typer): Unbound module" in result.stdout
        return
    assert "link_error: types, but does not link" in result.stdout
    assert "tests.ml, line" not in result.stdout
    assert "\n  error (linker): " in result.stdout


def explained(
    tmp_path: Path, completion: str, tests: object = TESTS, reference: str | None = None
) -> str:
    """Return what is said of a completion, on one line."""
    row = {"id": "add", "completion": completion, "tests": tests, "reference": reference}
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(row))
    return " ".join(invoke_for_real("explain", path).stdout.split())


@pytest.mark.parametrize("module", ["Base", "Core", "Re", "Unix"])
def test_a_library_that_is_not_in_sight(tmp_path: Path, module: str) -> None:
    """Its module is unbound, which is the same mistake."""
    said = explained(tmp_path, f"open {module}\nlet add x y = x + y")

    assert f"hint: {module} is not among the problem's libraries" in said


def test_a_misspelt_module_is_no_library(tmp_path: Path) -> None:
    said = explained(tmp_path, "let add x y = Lits.hd [x + y]")

    assert "not among" not in said
    assert "Unbound module" in said


@pytest.mark.parametrize(
    "code",
    ['let add x y = x + y;;\n#load "str.cma";;\nlet z = 1', 'let add x y = x + y\n#load "str.cma"'],
)
def test_a_directive_within_code_is_named(tmp_path: Path, code: str) -> None:
    """The compiler takes it for a syntax error, or for a method."""
    assert "hint: #load: a directive of the toplevel" in explained(tmp_path, code)
    assert "hint" not in explained(tmp_path, f"(* {code} *)\nlet add x y = x +")


def test_what_was_read_is_said(tmp_path: Path) -> None:
    """Which blocks were graded, which directives were left out, and what was a module's file."""
    draft = "```ocaml\nlet add x y = x - y\n```\nNo:\n```ocaml\nlet add x y = x + y\n```"
    session = '#use "topfind";;\n#require "str";;\nlet add x y = x + y'
    module = "let () = assert (Calc.add 1 2 = 3)"

    assert "graded: block 2 of 2" in explained(tmp_path, draft)
    assert "graded" not in explained(tmp_path, draft.partition("No:")[0])
    assert "before the code are left out: #use, #require" in explained(tmp_path, session)
    whole = "the whole code counts as the file of module Calc, which the tests name"
    assert whole in explained(tmp_path, "let add x y = x + y", module)
    known = "module Calc = struct let add = ( + ) end"
    assert whole in explained(tmp_path, "let add x y = x + y", module, known)
    assert whole not in explained(tmp_path, "module Calc = struct let add x y = x + y end", module)


def test_a_function_where_a_program_is_asked_for(tmp_path: Path) -> None:
    """It prints nothing in any case; a program that prints too little is not meant."""
    cases = [{"input": "3\n", "output": "6\n"}]
    meant = "hint: it printed nothing: it defines double and runs nothing"

    assert meant in explained(tmp_path, "let double x = 2 * x", cases)
    assert meant not in explained(tmp_path, "let double x = 2 * x\nlet () = ()", cases)


def test_an_error_is_one_region(tmp_path: Path) -> None:
    """What is around it in a definition is one region more, not one on either side."""
    shown = explained(tmp_path, 'let add x y = x + "a" + y')

    assert 1 == shown.count("holds an error")
    assert 1 == shown.count("what an error is about")


def test_what_a_signal_means(tmp_path: Path) -> None:
    """A program that the jail ended is told by more than the name of a signal."""
    code, tests = tmp_path / "add.ml", tmp_path / "tests.ml"
    code.write_text('let add x y = x + y\nlet _ = Sys.command "true"\n')
    tests.write_text(TESTS)

    shown = invoke_for_real("explain", code, "--tests", tests)

    assert "SIGSYS: asked the system for what the jail refuses" in shown.stdout


def test_what_a_refusal_is_told(tmp_path: Path) -> None:
    """A refusal of one line is short, and is not said to fill its length."""
    code, tests = tmp_path / "add.ml", tmp_path / "tests.ml"
    code.write_text("I'm sorry, but I can't help you with that.\n")
    tests.write_text(TESTS)

    shown = invoke_for_real("explain", code, "--tests", tests)
    words = " ".join(shown.stdout.split())

    assert "prose in 1 of 1 lines of code" in words
    assert "prose, padding or repetition in place of an answer" in words


def test_several_checks_of_a_line_from_a_record(tmp_path: Path) -> None:
    """Each is shown with its own assertion, as where it is graded."""
    tests = 'let () = assert (add 1 2 = (3)); assert (add 0 (String.length ")") = 2)'
    path, output = tmp_path / "c.jsonl", tmp_path / "o.jsonl"
    path.write_text(json.dumps({"id": "add", "completion": "let add x y = x + y", "tests": tests}))
    (tmp_path / "problems.jsonl").write_text(json.dumps({"id": "add", "tests": tests}))
    invoke_for_real("score", path, "-o", output)

    live = invoke_for_real("explain", path).stdout.partition("\nchecks")[2]
    recorded = invoke_for_real("explain", output).stdout.partition("\nchecks")[2]

    assert "passed         assert (add 1 2 = (3))\n" in recorded
    assert 'failed         assert (add 0 (String.length ")") = 2)\n' in recorded
    assert live == recorded
