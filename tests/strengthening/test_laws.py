"""Functions of a call may have laws together, and floats may round: neither becomes a check."""

from __future__ import annotations

from random import Random

import pytest

from ocaml_reward.engine.prepare.interfaces import read_interfaces
from ocaml_reward.model.types import Constructed
from problem_sets.strengthening.calls import Call, calls_of, is_closed_function
from problem_sets.strengthening.examples import ProblemExamples
from problem_sets.strengthening.reference_results import _equation

FLOAT = Constructed("float")
NEWTON = "val newton : (float -> float) -> (float -> float) -> float -> float"
SHOWN = (
    "assert (newton (fun x -> x *. x -. 2.) (fun x -> 2. *. x) 1. > 1.4)",
    "assert (newton (fun x -> x -. 8.) (fun x -> 1.) 3. = 8.)",
)


def test_functions_that_are_not_shown_together_are_strange() -> None:
    """`f` and its derivative: only the pairs of the tests are tried with other numbers."""
    calls, _ = calls_of(
        read_interfaces([NEWTON])[0],
        ["newton"],
        ProblemExamples(checks=SHOWN, tests="\n".join(SHOWN)),
        Random(0),
        has_signature=True,
    )
    tame = [each.text for each in calls if not each.strange]

    assert tame
    assert [] == [
        text
        for text in tame
        if "(fun x -> x *. x -. 2.) (fun x -> 2. *. x)" not in text
        and "(fun x -> x -. 8.) (fun x -> 1.)" not in text
    ]


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("(fun x -> x mod 3)", True),
        ("(fun a b -> compare b a)", True),
        ("(fun x -> helper x)", False),
        ("compare", False),
        ("(fun x -> let y = x in y)", False),
    ],
)
def test_functions_that_name_only_their_parameters(text: str, closed: bool) -> None:
    assert closed == is_closed_function(text)


@pytest.mark.parametrize(
    ("call", "value", "check"),
    [
        ("mean [2.]", "2.02", "Float.abs (mean [2.] -. (2.02)) < 2e-06"),
        ("mean [1.]", "1.", "Float.abs (mean [1.] -. (1.)) < 1e-06"),
        ("mean [1e20]", "1e+20", "Float.abs (mean [1e20] -. (1e+20)) < 1e+14"),
    ],
)
def test_a_float_may_round(call: str, value: str, check: str) -> None:
    (found,) = _equation(Call(name="mean", text=call, type=FLOAT), value, "")

    assert check == found.check


def test_what_is_no_number_is_no_check() -> None:
    """Neither infinities nor what is not a number: others may say so otherwise."""
    call = Call(name="mean", text="mean [1.]", type=FLOAT)

    assert [] == [each for value in ("infinity", "nan") for each in _equation(call, value, "")]


@pytest.mark.parametrize(
    ("call", "value", "count"),
    [
        ("halves [3.]", "[1.5]", 1),
        ("tenths [3.]", "[0.3]", 0),
        ("sums [0.1]", "[1.]", 0),
    ],
)
def test_floats_inside_are_compared_where_nothing_rounds(call: str, value: str, count: int) -> None:
    found = _equation(Call(name="f", text=call, type=Constructed("list", (FLOAT,))), value, "")

    assert count == len(list(found))
