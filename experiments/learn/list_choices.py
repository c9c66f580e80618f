"""What the functions over lists have to choose from, each with the word that asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, kw_only=True, slots=True)
class Test:
    """What the helper asks of an element: the word for it, its code, what it comes to."""

    word: str
    code: str
    holds: Callable[[int], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """What is done with an element and the result for those behind it."""

    word: str
    code: str
    does: Callable[[int, Any], Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """What a function of one result type may do: with an element that is kept, with another
    one, and at the list's end or a zero, which stops it.
    """

    type: str
    kept: tuple[Step, ...]
    other: tuple[Step, ...]
    ends: tuple[Any, ...]
    stops: tuple[Any, ...]


TESTS: Final = (
    Test(word="even", code="x mod 2 = 0", holds=lambda x: x % 2 == 0),
    Test(word="odd", code="x mod 2 <> 0", holds=lambda x: x % 2 != 0),
    Test(word="positive", code="x > 0", holds=lambda x: x > 0),
    Test(word="negative", code="x < 0", holds=lambda x: x < 0),
    Test(word="big", code="x > 5", holds=lambda x: x > 5),
    Test(word="small", code="x < 5", holds=lambda x: x < 5),
    Test(word="far", code="abs x > 5", holds=lambda x: abs(x) > 5),
    Test(word="near", code="abs x < 5", holds=lambda x: abs(x) < 5),
)

SKIP: Final = Step(word="skip", code="f rest", does=lambda _, r: r)

KINDS: Final = (
    Kind(
        type="int",
        kept=(
            Step(word="add", code="x + f rest", does=lambda x, r: x + r),
            Step(word="double", code="2 * x + f rest", does=lambda x, r: 2 * x + r),
            Step(word="square", code="x * x + f rest", does=lambda x, r: x * x + r),
            Step(word="count", code="1 + f rest", does=lambda _, r: 1 + r),
        ),
        other=(
            SKIP,
            Step(word="less", code="f rest - 1", does=lambda _, r: r - 1),
            Step(word="more", code="f rest + 10", does=lambda _, r: r + 10),
        ),
        ends=(0, 1, 2),
        stops=(5, 50, 100),
    ),
    Kind(
        type="string",
        kept=(
            Step(
                word="write",
                code="string_of_int x ^ f rest",
                does=lambda x, r: f"{x}{r}",
            ),
            Step(
                word="behind",
                code="f rest ^ string_of_int x",
                does=lambda x, r: f"{r}{x}",
            ),
            Step(word="star", code='"*" ^ f rest', does=lambda _, r: f"*{r}"),
            Step(word="cross", code='"+" ^ f rest', does=lambda _, r: f"+{r}"),
        ),
        other=(
            SKIP,
            Step(word="dot", code='"." ^ f rest', does=lambda _, r: f".{r}"),
            Step(word="dash", code='f rest ^ "-"', does=lambda _, r: f"{r}-"),
        ),
        ends=("", "e", "z"),
        stops=("s", "!", "?"),
    ),
    Kind(
        type="int list",
        kept=(
            Step(word="put", code="x :: f rest", does=lambda x, r: [x, *r]),
            Step(word="double", code="2 * x :: f rest", does=lambda x, r: [2 * x, *r]),
            Step(word="twice", code="x :: x :: f rest", does=lambda x, r: [x, x, *r]),
            Step(word="behind", code="f rest @ [x]", does=lambda x, r: [*r, x]),
        ),
        other=(
            SKIP,
            Step(word="zero", code="0 :: f rest", does=lambda _, r: [0, *r]),
            Step(word="one", code="f rest @ [1]", does=lambda _, r: [*r, 1]),
        ),
        ends=([], [1], [9]),
        stops=([5], [50], [100]),
    ),
)

INPUTS: Final[tuple[list[int], ...]] = (
    [],
    [0, 7],
    [7, 0],
    [4, 0],
    [-3, 0],
    [-8, 0],
    [7, -8],
    [4, -3],
)
"""What the checks give: the first comes to the end alone, the second to the stop alone; each
element that tests differ in comes once before a stop, and once before the end.
"""


def literal(value: Any) -> str:
    """Write a value as OCaml has it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{'; '.join(map(str, value))}]"
    return str(value)


def argument(value: Any) -> str:
    """Write a value where it may not begin with a sign."""
    written = literal(value)
    return f"({written})" if written.startswith("-") else written
