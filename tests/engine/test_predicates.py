"""Predicates of the tests' own: where they are applied, and that they mean what they say."""

from __future__ import annotations

from ocaml_reward.engine.formulas import ReturnedValue, read_formula
from ocaml_reward.engine.judge import decide
from ocaml_reward.model import Outcome

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED


def test_without_a_value_a_predicate_says_nothing() -> None:
    """The check ends as what was asked for has ended, whatever came of the predicate."""
    says = read_formula("(is (applied 0 0))")
    thrown = {0: ReturnedValue("n", Outcome.STACK_OVERFLOW, "")}
    refused = {0: ReturnedValue("n", Outcome.RAISED, "Invalid_argument")}

    assert (Outcome.STACK_OVERFLOW, "") == decide(says, thrown, refused)
    assert (Outcome.RAISED, "Invalid_argument") == decide(
        says, {0: ReturnedValue("i1")}, refused
    )
    assert (FAILED, "") == decide(says, {}, refused)
