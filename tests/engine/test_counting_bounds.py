"""The count ends: in a bounded number of errors and of attempts, whatever the program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Budget, Stage, StdioCase

NO_TESTS = (StdioCase(stdin="", stdout=""),)
# What the count says at most; the ladder ends well before it.
MOST_ERRORS = 20
DEEP = 80_000
MISTAKE = '1 + "x"'


def items(line: str, number: int) -> str:
    return "".join(line.replace("#", str(n)) for n in range(number))


MANY = {
    "items": items(f"let v# = {MISTAKE}\n", 2000),
    "elements": "let f x = [" + items(f"{MISTAKE}; ", 1000) + "0]",
    "cases": "let f = function\n" + items(f"| # -> {MISTAKE}\n", 1000) + "| _ -> 0",
    "nested lets": "let f x =\n" + items(f"let y# = {MISTAKE} in\n", 1000) + "x",
    "missing values": "let f x = [" + items("foo# x; ", 1000) + "0]",
    "missing members": "let f x = [" + items("List.foo# x; ", 1000) + "0]",
    "missing types": items("type t# = A# of missing#\n", 1000),
    "one huge item": "let f x = [" + items(f"{MISTAKE}; ", 20_000) + "0]",
}
FEW = {
    "good items": (1, f"let a = {MISTAKE}\n" + items("let v# = # + 1\n", 2000)),
    "good types": (1, f"let a = {MISTAKE}\n" + items("type t# = A# of int\n", 2000)),
    "one name": (1, "let f x = [" + items("foo x; ", 2000) + "0]"),
    "one member": (1, "let f x = [" + items("List.foo x; ", 1000) + "0]"),
    "one module": (1, "let f x = [" + items("Lst.f# x; ", 100) + "0]"),
    "a long sequence": (1, "let f () = " + items("ignore #;\n", 2000) + MISTAKE),
}
BOTTOMLESS = {
    "beside nesting": f"let d = ({MISTAKE}, {'[' * DEEP}{']' * DEEP})",
    "a chain of mistakes": f'let d = "a"{" ^ 1" * DEEP}',
}


@pytest.mark.parametrize("name", MANY)
def test_a_thousand_mistakes(name: str, check: Callable[..., CheckReport]) -> None:
    """The count stops at its bound, with reports of what it has found."""
    # A huge item is typed again for each of them, which takes near two seconds.
    report = check(MANY[name], NO_TESTS, budget=Budget(compile_cpu_s=10.0))

    assert report.type_errors == MOST_ERRORS
    assert 1 <= len(report.diagnostics) <= MOST_ERRORS


@pytest.mark.parametrize("name", FEW)
def test_much_code_with_one_mistake(name: str, check: Callable[..., CheckReport]) -> None:
    """The rest is typed once, and one mistake stays one."""
    errors, code = FEW[name]
    report = check(code, NO_TESTS)

    assert (errors, errors) == (report.type_errors, len(report.diagnostics))


@pytest.mark.parametrize("name", BOTTOMLESS)
def test_a_program_too_deep_for_the_count(name: str, check: Callable[..., CheckReport]) -> None:
    """It has an outcome like any other, and never earns by it: as many errors as can be
    counted, or more than anyone knows.
    """
    report = check(BOTTOMLESS[name], NO_TESTS)

    assert report.stage in (Stage.TYPE_ERROR, Stage.COMPILER_LIMIT)
    assert report.type_errors in (None, MOST_ERRORS)
