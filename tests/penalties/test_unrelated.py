"""Whether code has to do with the names that are asked for."""

from __future__ import annotations

import pytest

from ocaml_reward.penalties.unrelated import is_related


@pytest.mark.parametrize(
    ("code", "wanted", "expected"),
    [
        ("let rotate k xs = xs", {"rotate_left"}, True),
        ("let rotateLeft k xs = xs", {"rotate_left"}, True),
        ("let rec sum xs = 0", {"rotate_left"}, False),
        ("module M = struct let left = 1 end", {"rotate_left"}, True),
        ("let x = rotate_left 1", {"rotate_left"}, False),
        ("let g x = x", {"f"}, True),
        ("let create n = n", {"Stack"}, True),
        ("let g x = x", set(), True),
        ("let total_value x = x", {"stock_value", "restock"}, True),
    ],
)
def test_an_attempt_is_called_something_like_it(
    code: str, wanted: set[str], *, expected: bool
) -> None:
    """Code that defines nothing with a word in common is about something else."""
    assert expected == is_related(code, frozenset(wanted))


def test_broken_code_may_mention_it_anywhere() -> None:
    """What does not parse hides its definitions."""
    assert is_related("fun rotate_left (k", frozenset({"rotate_left"}), broken=True)
    assert not is_related("The answer is", frozenset({"rotate_left"}), broken=True)
