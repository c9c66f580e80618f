"""How far code gets is told apart: parse, type, type with the tests, link, run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ocaml_reward.engine import BUDGET, CheckReport
from ocaml_reward.engine.toolchain import locate
from ocaml_reward.model import DiagnosticSource, Stage

Check = Callable[..., CheckReport]

TESTS = """let () =
  assert (double 2 = 4);
  assert (half 4 = 2)
"""
GOOD = "let double x = 2 * x\nlet half x = x / 2\n"
# The last unit of every program: the compiler sees its interface, and no unit before it
# can use it.
LINKS_NOWHERE = "include Std_exit"
# The compiler works out a literal that no file can hold.
UNWRITABLE = "let pair = Obj.with_tag 251 (Obj.repr (4, 4))"


@pytest.mark.parametrize(
    ("code", "stage"),
    [
        (GOOD, Stage.EXECUTABLE),
        ("let double x = 2 *\n", Stage.SYNTAX_ERROR),
        (GOOD + "(* never closed", Stage.SYNTAX_ERROR),
        (GOOD + 'let s = "never closed', Stage.SYNTAX_ERROR),
        (GOOD + "let s = {q|never closed", Stage.SYNTAX_ERROR),
        (GOOD + "end", Stage.SYNTAX_ERROR),
        (GOOD + 'let s = 1 + "x"', Stage.TYPE_ERROR),
        (GOOD + "let t = Unix.time ()", Stage.TYPE_ERROR),
        ("let double x = 2 * x\n", Stage.INTERFACE_ERROR),
        ("let double x = 2 * x\nlet half = string_of_int", Stage.INTERFACE_ERROR),
        ("module M = struct\n" + GOOD + "end", Stage.INTERFACE_ERROR),
        (GOOD + LINKS_NOWHERE, Stage.LINK_ERROR),
        (GOOD + UNWRITABLE, Stage.LINK_ERROR),
    ],
)
def test_each_stage_is_told_apart(check: Check, code: str, stage: Stage) -> None:
    """The stage is the first one that the code does not pass."""
    report = check(code, TESTS)

    assert stage == report.stage
    assert (stage is Stage.EXECUTABLE) == bool(report.results)


@pytest.mark.parametrize(
    ("code", "errors"),
    [
        (GOOD, 0),
        ('let double x = 2 * x ^ "a"\nlet half x = x / 2', 1),
        ('let double x = 2 * "a"\nlet half x = x / 2.0', 2),
        ('let a = 1 + "x"\nlet b = 2 + "x"\nlet c = 3 + "x"\n' + GOOD, 3),
        ('let f x = (1 + "x", 2 + "y", x ^ 3, undefined, [1; "a"])\n' + GOOD, 5),
        # One mistake, and what follows from it: the dropped definition is used thrice.
        ("type t = A of missing\nlet f = function A x -> A x\n" + GOOD, 1),
        # A name that is missing is one mistake, and so is a library with all it brings.
        ("let g x = foo x + foo 1 + foo 2\n" + GOOD, 1),
        ("open Base\nlet g x = Int.to_string x ^ foo ^ Bar.baz\n" + GOOD, 1),
        # A module of the wrong type hides no mistake inside it.
        (
            'module M : sig val z : int end = struct let a = 1 + "x" let b = "y" + 1 end\n'
            + GOOD,
            3,
        ),
        # Errors in the use the tests make of the code count once per entry point.
        ("let double x = 2 * x", 1),
        ("let other = 1", 2),
        ("let double = string_of_int\nlet half x = [x]", 2),
        # A mistake of the code's own hides none of them.
        ('let mine = 1 + "x"', 3),
        ('let mine = 1 + "x"\nlet double = string_of_int\nlet half x = [x]', 3),
        ("let mine = ref []\nlet double = string_of_int", 3),
        # What holds a mistake, or uses what does, may be of any type.
        ('let double x = string_of_int (x + "2")\nlet half x = [double x]', 1),
        ('let double x = string_of_int (x + "2")\nlet half x = [x]', 2),
        ("type t = T of missing\nlet double x = T x\nlet half (T x) = x", 1),
    ],
)
def test_type_errors_are_counted(check: Check, code: str, errors: int) -> None:
    """Every independent type error counts, and what follows from one counts with it."""
    assert errors == check(code, TESTS).type_errors


def test_each_counted_error_has_its_diagnostic(check: Check) -> None:
    """Every type error is reported where it stands, ocamlc's own first."""
    code = 'let a = 1 + "x"\nlet b = undefined\n' + GOOD
    lines = [d.span.line for d in check(code, TESTS).diagnostics if d.span]

    assert [1, 2] == lines


@pytest.mark.parametrize(
    "line", ['# 1 "tests.ml"\n', '# 1 "prog.cmo"\n', '# 1 "_none_"\n']
)
def test_line_directives_do_not_move_an_error(check: Check, line: str) -> None:
    """Code cannot make its own type error look like one of the tests or of the linker."""
    report = check(line + "let double x = x ^ 1\nlet half x = x", TESTS)

    assert Stage.TYPE_ERROR == report.stage


def test_a_warning_text_is_not_an_error(check: Check) -> None:
    """Text that code puts into a warning is not taken for an error of the compiler."""
    forged = '[@@@ocaml.ppwarning "File \\"solution.ml\\", line 1:\\nError: forged"]\n'
    report = check(forged + GOOD, TESTS)

    assert Stage.EXECUTABLE == report.stage
    assert 0 == report.type_errors


def test_parsed_share_tells_a_slip_from_prose(check: Check) -> None:
    """A missing parenthesis in the last function leaves the others parsed."""
    slip = check(GOOD + "let last x = (x + 1\n", TESTS)
    prose = check("Sure! Here is how to do it:\n", TESTS)

    assert slip.parsed_share == pytest.approx(2 / 3)
    assert 0.0 == prose.parsed_share


def test_a_semicolon_ends_no_definition(check: Check) -> None:
    """Before another one it is a mistake of its item; before an expression there is none."""
    ended = check("let f x = x;\nlet g x = x\n", TESTS)
    going_on = check("let f x =\n  ignore x;\nlet y = 1 in y\nlet g = (\n", TESTS)

    assert 0.5 == ended.parsed_share
    assert going_on.parsed_share == pytest.approx(2 / 3)


def test_code_too_heavy_for_the_compiler_is_a_stage_of_its_own(check: Check) -> None:
    """Code that exhausts ocamlc is the code's fault: a stage, never an exception."""
    heavy = "let l = [" + "1;" * 300_000 + "]\n" + GOOD

    assert Stage.COMPILER_LIMIT == check(heavy, TESTS).stage


def test_linker_diagnostics_come_from_the_linker(check: Check) -> None:
    """What does not link is reported as the linker's, with its message."""
    report = check(GOOD + LINKS_NOWHERE, TESTS)
    sources = {d.source for d in report.diagnostics if d.kind.value == "error"}

    assert {DiagnosticSource.LINKER} == sources


def test_the_errors_after_the_first_are_worded_like_it(check: Check) -> None:
    """The first error is ocamlc's, the rest are found by typing on; it does not show."""
    report = check('let a = 1 + "x"\nlet b = 1 + "x"\nlet c = 1 + "x"\n' + GOOD, TESTS)
    messages = [d.message for d in report.diagnostics]

    assert [messages[0]] * 3 == messages


def test_our_own_names_do_not_show(check: Check) -> None:
    """A module that the code should define is missing under its own name."""
    reference = "module Stack = struct let empty = 0 end"
    tests = "let () = assert (Stack.empty = 0)"
    signature = "module Stack : sig val empty : int end"
    report = check("let empty = 0", tests, reference=reference, signature=signature)
    message = report.diagnostics[0].message.replace('"', "")

    assert "Unbound module Stack" == message


def test_a_library_that_is_not_asked_for_fails_where_it_goes_missing(
    check: Check,
) -> None:
    """`Str` types wherever its interface lies beside the standard library's, as before
    OCaml 5, and is an unbound module elsewhere.
    """
    types = (locate().stdlib / "str.cmi").exists()
    stage = Stage.LINK_ERROR if types else Stage.TYPE_ERROR

    assert stage == check(GOOD + 'let r = Str.regexp "x"', TESTS).stage


@pytest.mark.parametrize(
    "code", ["\0", "let x = \0", "\ufeff" + GOOD, "let x = '\udcff'", "let é = 1"]
)
def test_odd_bytes_are_data(check: Check, code: str) -> None:
    """NUL, a byte order mark and lone surrogates get a stage like any other text."""
    assert check(code, TESTS).stage in tuple(Stage)


@pytest.mark.parametrize(
    "code",
    [
        "let double = (fun f x -> f x 2) ( * )\nlet half x = x / 2\nlet log = ref []",
        "let double x = 2 * x\nlet half x = x / 2\nlet seen = Hashtbl.create 8",
        "let count = List.fold_left (fun n _ -> n + 1) 0\n" + GOOD,
    ],
)
def test_a_type_left_open_is_closed_by_its_use(check: Check, code: str) -> None:
    """A top-level value of weakly polymorphic type is no error in a whole program."""
    report = check(code, TESTS)

    assert (Stage.EXECUTABLE, 0) == (report.stage, report.type_errors)
    assert ["passed", "passed"] == [result.outcome for result in report.results]


def test_errors_too_many_to_count_are_not_few(check: Check) -> None:
    """Exhausting the counter does not make many errors one."""
    # A name of its own for each: one that is wrong everywhere would be one mistake.
    ten = "(x, x, x, x, x, x, x, x, x, x)"
    code = GOOD + "".join(
        f"let p{n} x = {ten}\nlet e{n} = p{n} (p{n} (p{n} (p{n} (p{n} 1)))) + {n}\n"
        for n in range(15)
    )

    budget = replace(BUDGET, compile_cpu_s=1.0)

    assert check(code, TESTS, budget=budget).type_errors in (None, 15)


def test_hints_name_what_any_engine_knows(check: Check) -> None:
    """A misspelt module of the standard library or of the code's own has a hint; that it may be
    a library's depends on what the compiler has read before, and is in no record.
    """
    code = (
        "module Mine = List\nlet double = Lisp.map\nlet half = Mime.x\nlet s = Strg.x"
    )

    found = check(code, TESTS).diagnostics
    # OCaml 5.3 puts names in quotes.
    hints = {
        each.message.replace('"', ""): each.hint and each.hint.replace('"', "")
        for each in found
    }

    assert hints == {
        "Unbound module Lisp": "Did you mean List?",
        "Unbound module Mime": "Did you mean Mine?",
        "Unbound module Strg": None,
    }
