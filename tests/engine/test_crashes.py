"""An exception of the compiler is the verdict of the code that brings it about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.model import Outcome, Stage

Check = Callable[..., CheckReport]

TESTS = "let () = assert (f 1 = 2)"
GOOD = "let f x = x + 1\n"
FUNCTOR = "module F (X : sig module type T module M : T end) = X.M\n"
# Its error has no words in 4.13 and 4.14: looking for them, the compiler fails itself.  Of what
# makes later ones fail, nothing is known.
CRASH = "module E = F (struct type u = int end)\n"
fails = pytest.mark.skipif(
    locate().number >= (5, 0),
    reason="what made earlier compilers fail has an error's words",
)


@fails
def test_a_crash_while_compiling_is_a_compiler_limit(check: Check) -> None:
    """Code that makes the compiler fail is told from code that has errors."""
    report = check(FUNCTOR + CRASH + GOOD, TESTS)

    assert (Stage.COMPILER_LIMIT, None) == (report.stage, report.type_errors)


@fails
def test_a_crash_behind_a_warning_is_one_too(check: Check) -> None:
    """What the compiler prints before it fails does not hide that it does."""
    warned = "let g = function Some x -> x\n"
    report = check(warned + FUNCTOR + CRASH + GOOD, TESTS)

    assert Stage.COMPILER_LIMIT == report.stage


@fails
def test_a_crash_while_errors_are_counted_is_one_more_error(check: Check) -> None:
    """The errors before it and after it count, and the first is the compiler's own."""
    wrong = 'let n : int = "a"\n'
    report = check(FUNCTOR + wrong + CRASH + wrong.replace("n", "m") + GOOD, TESTS)

    assert (Stage.TYPE_ERROR, 3) == (report.stage, report.type_errors)
    assert [2, 4] == [d.span.line for d in report.diagnostics if d.span]


@fails
def test_a_crash_in_the_tests_is_the_codes(check: Check) -> None:
    """Tests make the compiler fail only with what the code gives them."""
    report = check(FUNCTOR + GOOD, CRASH + TESTS)

    assert Stage.COMPILER_LIMIT == report.stage


@fails
def test_a_crash_in_tests_that_are_only_counted_costs_no_more(check: Check) -> None:
    """Code with an error of its own is a type error, whatever its tests then do."""
    report = check(FUNCTOR + 'let n : int = "a"\n' + GOOD, CRASH + TESTS)

    assert (Stage.TYPE_ERROR, 1) == (report.stage, report.type_errors)


def test_a_crash_leaves_nothing_behind(check: Check) -> None:
    """What comes next is checked as if nothing had been before."""
    counted = FUNCTOR + 'let n : int = "a"\n' + CRASH
    before = check(GOOD + "let g = 1 + ()", TESTS)
    for code in (FUNCTOR + CRASH, counted, counted + GOOD, FUNCTOR + CRASH):
        check(code, TESTS)

    assert before == check(GOOD + "let g = 1 + ()", TESTS)
    assert [Outcome.PASSED] == [r.outcome for r in check(GOOD, TESTS).results]


@pytest.mark.parametrize("node", ["[%ocaml.error]", "[%error]"])
def test_an_error_without_words_is_an_error(check: Check, node: str) -> None:
    """The compiler ends for one and prints nothing: it has not failed."""
    report = check(f"type t = {node}\n{GOOD}let g = 1 + ()", TESTS)

    assert (Stage.TYPE_ERROR, 2) == (report.stage, report.type_errors)
