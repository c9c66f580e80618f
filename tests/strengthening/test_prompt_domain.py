"""What a prompt says of arguments, beyond what its examples show."""

from __future__ import annotations

import pytest

from problem_sets.strengthening.prompt_domain import prompt_domain


@pytest.mark.parametrize(
    ("prompt", "facts"),
    [
        ("Sum.", {"telling": False}),
        ("Return the greatest element of a list of integers.", {"negative": True, "short": True}),
        ("Return the sum of a list of positive integers here.", {"negative": False, "least": 1}),
        ("The number of digits of a non-negative integer n.", {"zero": True, "least": 0}),
        (
            "The countdown from n to zero. n is not\n * negative.",
            {"negative": False, "signed": False},
        ),
        ("The lcm of a and b, neither of which is negative here.", {"negative": False}),
        ("A fraction with a numerator and a non-zero denominator.", {"signed": True}),
        ("Rotate by k, which may be larger than the length.", {"larger": True}),
        ("Two integers a and b (a <= b <= 10000) on one line.", {"most": 10000}),
        ("The mean without extremes. It has at\n * least three elements.", {"shortest": 3}),
        ("The head of a list which is never empty: a non-empty list.", {"shortest": 1}),
    ],
)
def test_a_prompt_is_taken_at_its_word(prompt: str, facts: dict[str, object]) -> None:
    found = prompt_domain(prompt)

    assert facts == {name: getattr(found, name) for name in facts}


@pytest.mark.parametrize(
    ("prompt", "law", "holds"),
    [
        ("", "distinct", True),
        ("Return the elements that two lists have in common.", "distinct", False),
        ("Return the elements that lists of distinct numbers share.", "distinct", True),
        ("Find x by binary search in an array that is sorted.", "ordered", True),
        ("Return the second largest distinct value of a list.", "distinct", False),
    ],
)
def test_a_property_that_the_prompt_does_not_mention_is_chance(
    prompt: str, law: str, holds: bool
) -> None:
    """Unless there are many examples, or no prompt."""
    found = prompt_domain(prompt)

    assert holds == found.holds(law)
    assert found.holds(law, 10)
    assert found.holds("keyed")
