"""Folds, scans and unfolds."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..types import Variant
from ..vocabulary.numbers import DENSE, condition, transform

_RUNNING = {
    "sum": ("acc + x", "0", "0, and each element is added to it"),
    "largest": ("max acc x", "0", "0, and each element replaces it that is larger"),
    "difference": (
        "x - acc",
        "0",
        "0, and each time the element minus it takes its place",
    ),
    "bounded": (
        "max 0 (acc + x)",
        "0",
        "0, and each element is added to it, where 0 takes the place of a negative sum",
    ),
    "streak": (
        "if x > 0 then acc + 1 else 0",
        "0",
        "0, and grows by 1 with a positive element and falls to 0 with any other",
    ),
    "halving": (
        "(acc / 2) + x",
        "0",
        "0, and each time half of it, rounded towards zero, plus the element takes its place",
    ),
}
_EMIT = {
    "all": ("true", "all these values"),
    "changes": ("next <> acc", "those that differ from the value before"),
    "rises": ("next > acc", "those that are larger than the value before"),
    "even": ("next mod 2 = 0", "the even ones"),
    "falls": ("next < acc", "those that are smaller than the value before"),
}


def scanning(draw: Draw) -> Draft:
    """A running value along a list"""
    step, start, said = draw.pick(_RUNNING)
    test, which = draw.pick(_EMIT)
    changed = transform(draw)
    kind, of, tail = draw.pick(
        {
            "list": ("int list", "the list of", "List.rev kept"),
            "count": ("int", "the number of", "List.length kept"),
            "with last": (
                "int list * int",
                "the pair of the list of {} and the last value",
                "(List.rev kept, last)",
            ),
        }
    )
    emit = "next :: kept" if test == "true" else f"(if {test} then next :: kept else kept)"
    last = "last" if kind.endswith("* int") else "_"
    of = of.format(which) if "{}" in of else f"{of} {which}"
    return function(
        draw,
        "scan",
        [("xs", "int list", "small list")],
        kind,
        what=f"First replace each element of `xs` by {changed.its}. A running value begins"
        f" with {said}, from left to right; there is a new value after each element."
        f" `scan xs` is {of}.",
        also=[
            "The value at the beginning is none of these values, but comes before the"
            " first one. It counts as the last value if there are no elements."
        ],
        body=f"let kept, {last} =\n  List.fold_left\n    (fun (kept, acc) x ->\n"
        f"      let x = {changed.ml} in\n      let next = {step} in\n"
        f"      ({emit}, next))\n    ([], {start}) xs\nin\n{tail}",
        edges=["[]", "[0]", DENSE, "[3; -1; -1; 4; 4; -9; 2; 0; 5]", "[-2; -2; 6]"],
    )


_NEXT = {
    "plus digit sum": (
        "x + (x mod 10) + (x / 10 mod 10)",
        "it plus its last two decimal digits (0 stands for one that it does not have)",
    ),
    "half or triple": (
        "if x mod 2 = 0 then x / 2 else (3 * x) + 1",
        "its half if it is even, else its triple plus 1",
    ),
    "halved": ("x / 2", "its half, rounded towards zero"),
    "third off": (
        "x - (x / 3) - 1",
        "it minus a third of it, rounded towards zero, minus 1",
    ),
    "doubled": ("(2 * x) + 1", "its double plus 1"),
    "plus four": ("x + 4", "it plus 4"),
}
_STOP = {
    "small": ("x <= 1", "is at most 1"),
    "large": ("x > 60", "is greater than 60"),
    "multiple": ("x mod 7 = 0", "is a multiple of 7"),
    "ends": ("x mod 10 = 3", "has 3 as its last decimal digit"),
}


def unfolding(draw: Draw) -> Draft:
    """A list unfolded from a number"""
    following, said = draw.pick(_NEXT)
    stop, when = draw.pick(_STOP)
    included = draw.pick({"with": True, "without": False})
    changed = transform(draw, "capped", "raised", "absolute")
    ending = f"if {stop} then [{' emit x ' if included else ''}]"
    which = "that number is the last one" if included else "that number does not belong to it"
    return function(
        draw,
        "unfold",
        [("x", "int", "nat"), ("n", "int", "count")],
        "int list",
        what=f"A sequence begins with `x`; the number after a number is {said}. It ends"
        f" with the first number that {when} ({which}), and has at most `n` numbers in any"
        f" case. `unfold x n` is the list of what becomes of these numbers, each replaced"
        f" by {changed.its}.",
        also=["`x` and `n` are not negative."],
        rec=True,
        body=f"let emit x = {changed.ml} in\n"
        f"if n <= 0 then []\nelse {ending}\nelse emit x :: unfold ({following}) (n - 1)",
        edges=[
            "0 5",
            "1 5",
            "2 6",
            "7 4",
            "6 0",
            "10 9",
            "61 3",
            "60 3",
            "13 4",
            "5 1",
            "58 6",
            "9 12",
            "23 5",
            "14 3",
        ],
    )


_ALGEBRAS = {
    "Add": ("int * 'a", "| Add (n, r) -> {v}", "n + r", "n plus the rest's value"),
    "Times": ("int * 'a", "| Times (n, r) -> {v}", "n * r", "n times the rest's value"),
    "Less": ("int * 'a", "| Less (n, r) -> {v}", "r - n", "the rest's value minus n"),
    "Least": (
        "int * 'a",
        "| Least (n, r) -> {v}",
        "min n r",
        "the smaller one of n and the rest's value",
    ),
    "Twice": ("'a", "| Twice r -> {v}", "2 * r", "twice the rest's value"),
    "Flip": ("'a", "| Flip r -> {v}", "-r", "the rest's value negated"),
}


def layers(draw: Draw) -> Draft:
    """A fold over a type of steps, and two functions by it"""
    chosen = draw.pick_some({name: (name, *_ALGEBRAS[name]) for name in _ALGEBRAS}, 3)
    kept = condition(draw)
    kind, of, second = draw.pick(
        {
            "pair": (
                "int * int",
                "the pair of the value of `p` and of how many values of"
                " its parts, `p` among them, {many}",
                "(if {test} then n + 1 else n)",
            ),
            "list": (
                "int list",
                "the list of the values of all its parts, `p` first, that {many}",
                "",
            ),
            "largest": (
                "int",
                "the largest of the values of its parts, `p` among them,"
                " that {many}, or 0 if that is negative or there are none",
                "",
            ),
        }
    )
    arms = "".join(
        f"  | {name} ({'n, r' if 'int' in taken else 'r'}) -> let r = value r in {code}\n"
        for name, taken, _, code, _ in chosen
    )
    below = "".join(
        f"  | {name} ({'_, r' if 'int' in taken else 'r'}) as p -> p :: parts r\n"
        for name, taken, *_ in chosen
    )
    tail = {
        "int * int": f"(value p, List.length (List.filter {kept.fun} values))",
        "int list": f"List.filter {kept.fun} values",
        "int": f"List.fold_left max 0 (List.filter {kept.fun} values)",
    }[kind]
    del second
    said = "; ".join(
        f"of `{name} {'(n, rest)' if 'int' in taken else 'rest'}` {what}"
        for name, taken, _, _, what in chosen
    )

    def steps(size: int) -> str:
        if size == 0:
            return "Done"
        name, taken, *_ = draw.choice(chosen)
        rest = steps(size - 1)
        if "int" in taken:
            return f"{name} ({draw.between(-3, 6)}, {rest})"
        return f"{name} ({rest})" if " " in rest else f"{name} {rest}"

    sizes = (0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7) * 2
    drawn = [f"describe ({steps(n)})" if n else "describe Done" for n in sizes]
    variant = Variant(
        name="plan",
        constructors=(
            ("Done", ()),
            *((n, ("int", "plan") if "int" in t else ("plan",)) for n, t, *_ in chosen),
        ),
    )
    return function(
        draw,
        "describe",
        [("p", "plan")],
        kind,
        what=f"The value of `Done` is 1; {said}. The parts of a plan are the plan itself,"
        f" its rest, the rest of that, and so on down to `Done`. `describe p` is"
        f" {of.format(many=kept.many)}.",
        helpers=f"let rec value = function\n  | Done -> 1\n{arms}\n"
        f"let rec parts = function\n  | Done -> [ Done ]\n{below}\n",
        body=f"let values = List.map value (parts p) in\n{tail}",
        declared=[variant],
        drawn_calls=list(dict.fromkeys(drawn)),
    )


FAMILIES = gather("folds and recursion", scanning, unfolding, layers)
