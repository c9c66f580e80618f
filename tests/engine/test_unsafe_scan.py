"""Code that breaks type safety, where answers are written with types that it declares: it may,
if these give the answers that the reference's do.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport

Check = Callable[..., CheckReport]

LIGHT = "type light = Red | Green | Yellow\n"
NEXT = "let next = function Red -> Green | Green -> Yellow | Yellow -> Red\n"
CAST = "let light (n : int) : light = Obj.magic n\n"
REFERENCE = LIGHT + NEXT + "let light = function 0 -> Red | 1 -> Green | _ -> Yellow\n"
TESTS = "let () = assert (next Red = Green); assert (next Yellow = Red); assert (light 2 = Yellow)"


def passes(report: CheckReport) -> list[bool]:
    return [result.outcome == "passed" for result in report.results]


def test_a_cast_is_graded_as_what_it_computes(check: Check) -> None:
    """Its types give the reference's answers, so that it can only send wrong values."""
    right = check(LIGHT + NEXT + CAST, TESTS, reference=REFERENCE)
    wrong = check(
        LIGHT + "let next (x : light) = x\n" + CAST, TESTS, reference=REFERENCE
    )

    assert ((), [True] * 3) == (right.forbidden, passes(right))
    assert ((), [False, False, True]) == (wrong.forbidden, passes(wrong))


@pytest.mark.parametrize(
    "types",
    [
        pytest.param("type a = Red type b = Green type c = Yellow\n", id="three types"),
        pytest.param("type light = Green | Yellow | Red\n", id="another order"),
    ],
)
def test_types_that_give_other_answers_set_nobody_free(
    check: Check, types: str
) -> None:
    """With a type for each constructor all answers are 0, and `Obj.magic 0` is any of them."""
    one = (
        "let next (_ : 'a) : 'b = Obj.magic 0\nlet light (_ : int) : 'a = Obj.magic 0\n"
    )
    report = check(types + one, TESTS, reference=REFERENCE)

    assert ("Obj (line 2)", "Obj (line 3)") == report.forbidden
    assert () == report.results


def test_without_a_reference_nobody_is_set_free(check: Check) -> None:
    """Nobody knows then which answers are the right ones."""
    report = check(LIGHT + NEXT + CAST, TESTS)

    assert ("Obj (line 3)",) == report.forbidden


def test_what_applies_a_predicate_is_not_set_free(check: Check) -> None:
    """The predicate matches on the code's own types."""
    tests = TESTS + "\nlet warm = function Red | Yellow -> true | Green -> false"
    tests += "\nlet () = assert (warm (light 0))"
    report = check(LIGHT + NEXT + CAST, tests, reference=REFERENCE)

    assert ("Obj (line 3)",) == report.forbidden
