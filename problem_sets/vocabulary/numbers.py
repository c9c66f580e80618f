"""Conditions, changes, reductions and orders of whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ..drawing import Draw
from ..types import signed
from .words import Order, Predicate, Reduction, Transform, Words


def _is(ml: str, said: str) -> Predicate:
    """Return the predicate with these words."""
    return Predicate(ml=ml, one=f"is {said}", many=f"are {said}")


def _greater(draw: Draw) -> Predicate:
    k = draw.between(1, 5)
    return _is(f"x > {k}", f"greater than {k}")


def _less(draw: Draw) -> Predicate:
    k = draw.between(2, 6)
    return _is(f"x < {k}", f"less than {k}")


def _multiple(draw: Draw) -> Predicate:
    k = draw.choice((3, 4, 5))
    return Predicate(ml=f"x mod {k} = 0", one=f"is a multiple of {k}", many=f"are multiples of {k}")


def _no_multiple(draw: Draw) -> Predicate:
    """Return the predicate of a number that is no multiple of one drawn."""
    k = draw.choice((3, 4))
    return Predicate(
        ml=f"x mod {k} <> 0",
        one=f"is not a multiple of {k}",
        many=f"are not multiples of {k}",
    )


def _between(draw: Draw) -> Predicate:
    """Return the predicate of a number in a drawn range."""
    low, high = draw.between(-4, 0), draw.between(4, 9)
    return _is(
        f"x >= {signed(low)} && x <= {high}",
        f"between {low} and {high}, both included",
    )


def _ends(draw: Draw) -> Predicate:
    """Return the predicate of a number whose last digit is below one drawn."""
    k = draw.between(1, 4)
    return Predicate(
        ml=f"abs x mod 10 < {k}",
        one=f"has a last decimal digit below {k}",
        many=f"have a last decimal digit below {k}",
    )


CONDITIONS: Final[Words] = {
    "even": lambda _: _is("x mod 2 = 0", "even"),
    "odd": lambda _: _is("x mod 2 <> 0", "odd"),
    "positive": lambda _: _is("x > 0", "positive"),
    "negative": lambda _: _is("x < 0", "negative"),
    "greater": _greater,
    "less": _less,
    "multiple": _multiple,
    "no multiple": _no_multiple,
    "between": _between,
    "last digit": _ends,
}
"""Conditions on a whole number; zero is even and neither positive nor negative."""


def condition(draw: Draw, *left_out: str) -> Predicate:
    """Pick a condition on a number.

    Args:
        draw: Where it comes from.
        left_out: Names of conditions that do not fit.

    Returns:
        The condition.
    """
    kept = {name: CONDITIONS[name] for name in CONDITIONS if name not in left_out}
    return draw.pick(kept)(draw)


def _remainder(draw: Draw) -> Transform:
    """Return the remainder by a drawn number."""
    k = draw.choice((3, 5, 7))
    return Transform(
        ml=f"((x mod {k}) + {k}) mod {k}",
        its=f"its remainder modulo {k} (from 0 to {k - 1}, for negative numbers too)",
    )


def _capped(draw: Draw) -> Transform:
    """Return the smaller of a number and one drawn."""
    k = draw.between(4, 9)
    return Transform(ml=f"min x {k}", its=f"the smaller of itself and {k}")


def _raised(draw: Draw) -> Transform:
    """Return the larger of a number and one drawn."""
    k = draw.between(-3, 2)
    return Transform(ml=f"max x {signed(k)}", its=f"the larger of itself and {k}")


def _distance(draw: Draw) -> Transform:
    """Return the distance from a number drawn."""
    k = draw.between(2, 9)
    return Transform(ml=f"abs (x - {k})", its=f"its distance from {k}")


def _plus(draw: Draw) -> Transform:
    """Return the sum with a number drawn."""
    k = draw.between(2, 9)
    return Transform(ml=f"x + {k}", its=f"itself plus {k}")


TRANSFORMS: Final[Mapping[str, Callable[[Draw], Transform]]] = {
    "square": lambda _: Transform(ml="x * x", its="its square"),
    "double": lambda _: Transform(ml="2 * x", its="its double"),
    "negated": lambda _: Transform(ml="-x", its="itself negated"),
    "absolute": lambda _: Transform(ml="abs x", its="its absolute value"),
    "half": lambda _: Transform(ml="x / 2", its="its half, rounded towards zero"),
    "last digit": lambda _: Transform(
        ml="abs x mod 10", its="its last decimal digit, without the sign"
    ),
    "remainder": _remainder,
    "capped": _capped,
    "raised": _raised,
    "distance": _distance,
    "plus": _plus,
    "next even": lambda _: Transform(
        ml="if x mod 2 = 0 then x else x + 1",
        its="itself if it is even, else the number one above it",
    ),
}
"""What becomes of a whole number."""


def transform(draw: Draw, *left_out: str) -> Transform:
    """Pick what becomes of a number.

    Args:
        draw: Where it comes from.
        left_out: Names of changes that do not fit.

    Returns:
        The change.
    """
    kept = {name: TRANSFORMS[name] for name in TRANSFORMS if name not in left_out}
    return draw.pick(kept)(draw)


def _best(name: str, of: str, word: str) -> Reduction:
    """Return the reduction of a list to the least or the greatest, by name."""
    return Reduction(
        ml=f"(function [] -> None | x :: rest -> Some (List.fold_left {name} x rest))",
        type="int option",
        of=f"`Some` of {of}",
        empty="`None`",
        word=word,
    )


REDUCTIONS: Final[Mapping[str, Reduction]] = {
    "sum": Reduction(ml="List.fold_left ( + ) 0", type="int", of="the sum", empty="0", word="sum"),
    "product": Reduction(
        ml="List.fold_left ( * ) 1",
        type="int",
        of="the product",
        empty="1",
        word="product",
    ),
    "largest": _best("max", "the largest", "largest"),
    "smallest": _best("min", "the smallest", "smallest"),
    "last": Reduction(
        ml="List.fold_left (fun _ x -> Some x) None",
        type="int option",
        of="`Some` of the last",
        empty="`None`",
        word="last",
    ),
    "list": Reduction(ml="Fun.id", type="int list", of="the list", empty="`[]`", word="list"),
    "distinct": Reduction(
        ml="(fun l -> List.length (List.sort_uniq compare l))",
        type="int",
        of="the number of different values",
        empty="0",
        word="distinct",
    ),
    "alternating": Reduction(
        ml="(fun l -> List.fold_right (fun x rest -> x - rest) l 0)",
        type="int",
        of="the alternating sum (first minus second plus third, and so on)",
        empty="0",
        word="alternating",
    ),
    "spread": Reduction(
        ml="(function [] -> 0 | x :: rest ->\n"
        "      List.fold_left max x rest - List.fold_left min x rest)",
        type="int",
        of="the difference between the largest and the smallest",
        empty="0",
        word="spread",
    ),
    "largest magnitude": Reduction(
        ml="List.fold_left (fun best x -> max best (abs x)) 0",
        type="int",
        of="the largest absolute value",
        empty="0",
        word="magnitude",
    ),
}
"""What a list of whole numbers comes to."""

ORDERS: Final[Mapping[str, Order]] = {
    "kept": Order(ml="", said="in their order"),
    "reversed": Order(ml="List.rev", said="from the last to the first"),
    "rising": Order(ml="List.sort compare", said="in rising order"),
    "falling": Order(ml="List.sort (fun a b -> compare b a)", said="in falling order"),
    "distinct": Order(ml="List.sort_uniq compare", said="in rising order, each value once"),
    "by magnitude": Order(
        ml="List.stable_sort (fun a b -> compare (abs a) (abs b))",
        said="by rising absolute value, those of the same absolute value in the order they had",
    ),
}
"""Orders of a list of whole numbers."""

DENSE: Final = "[-5; -4; -3; -2; -1; 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 11]"
"""A list in which each condition above has its bounds."""
