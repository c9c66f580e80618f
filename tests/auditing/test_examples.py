"""Examples in prompts and calls in tests, read without a parser."""

from __future__ import annotations

import pytest

from ocaml_reward.auditing.examples import checked_calls, examples


@pytest.mark.parametrize(
    ("prompt", "call", "value"),
    [
        ("f [1; 2] = [2; 1]", "f [1; 2]", "[2; 1]"),
        ("(* f 1 = 2 *)", "f 1", "2"),
        ("   f (g (a = b)) 2 = 3", "f (g (a = b)) 2", "3"),
        ('f "a = b" = "c is d"', 'f "a = b"', '"c is d"'),
        (">>> f [3]\n1", "f [3]", "1"),
        ("    >>> f [3]\n    Some 1", "f [3]", "Some 1"),
        # kirang89/ocamler-grpo eval/ocaml_tests_sample.csv medium_118
        (
            "(**Given n points\n * >>> f [[0; 0]; [1; 0]]\n * true\n*)\nlet f (points : int list",
            "f [[0; 0]; [1; 0]]",
            "true",
        ),
    ],
)
def test_an_example_is_read(prompt: str, call: str, value: str) -> None:
    """A call of the function and what it is said to be, in the ways that prompts have."""
    found = examples(prompt, ["f", "Stack"])

    assert [(call, value)] == [(each.call, each.value) for each in found]


@pytest.mark.parametrize(
    "prompt",
    [
        "let f x =",
        "g 1 = 2",
        "The function f 1 = 2",
        "f : int -> int",
        "",
    ],
)
def test_what_is_no_example_is_none(prompt: str) -> None:
    """Signatures, other functions and prose are none."""
    assert [] == examples(prompt, ["f"])
    assert [] == examples("f 1 = 2", [])


def test_the_line_is_that_of_the_prompt() -> None:
    assert [3] == [each.line for each in examples("a\n\nf 1 = 2\n", ["f"])]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f 1 = 2", ("1", "2")),
        ("assert (f 1 = 2)", ("1", "2")),
        ("f [1; 2] (-1) = [3]", ("[1; 2] (-1)", "[3]")),
        ('(f "a = b" = "c")', ('"a = b"', '"c"')),
        ("not (f 1 = 2)", None),
        ("List.length (f 1) = 2", None),
        ("f 1 > 2", None),
    ],
)
def test_a_checked_call_is_read(source: str, expected: tuple[str, str] | None) -> None:
    """The arguments and the result of a check that compares a call with a value."""
    found = list(checked_calls([source], "f"))

    assert ([expected] if expected else []) == found
