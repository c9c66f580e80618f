"""Functions made of functions."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..types import literal

_COMBINE = {
    "twice": ("f (f x)", "`f` applied twice to it"),
    "fg": ("g (f x)", "`f` applied to it, and `g` to the result of that"),
    "gf": ("f (g x)", "`g` applied to it, and `f` to the result of that"),
    "larger": ("max (f x) (g x)", "the larger one of what `f` and `g` make of it"),
    "sum": ("f x + g x", "the sum of what `f` and `g` make of it"),
    "gap": ("f x - g x", "what `f` makes of it minus what `g` makes of it"),
    "fixed": (
        "if f x = x then g x else f x",
        "what `g` makes of it if `f` leaves it as it is, else what `f` makes of it",
    ),
}


_DRIVERS = {
    "map": (
        "int list",
        "the list of what comes of each element of `xs`, where an element becomes {}",
        "List.map step xs",
    ),
    "while": (
        "int list",
        "the list of what comes of those elements of `xs` that `p` accepts, where an element"
        " becomes {}; an element that `p` does not accept stays as it is",
        "List.map (fun x -> if p x then step x else x) xs",
    ),
    "after": (
        "int list",
        "the list of what comes of the elements of `xs`, where an element becomes {}, as far"
        " as `p` accepts the results",
        "List.filter p (List.map step xs)",
    ),
    "fold": (
        "int",
        "what comes of all elements of `xs`: 0 at first, and with each element y,"
        " from left to right, the number x that has come out before becomes x + y, and then"
        " {}",
        "List.fold_left (fun x y -> step (x + y)) 0 xs",
    ),
    "until": (
        "int list",
        "the list of what comes of the elements of `xs` before the first that `p` accepts,"
        " where an element becomes {}",
        "let rec before = function\n  | x :: rest when not (p x) -> step x :: before rest\n"
        "  | _ -> []\nin\nbefore xs",
    ),
}


def combining(draw: Draw) -> Draft:
    """Functions made of functions that are given"""
    code, said = draw.pick(_COMBINE)
    kind, of, body = draw.pick(_DRIVERS)
    repeat = draw.pick(
        {
            "once": ("let step x = {} in\n", "{}"),
            "again": (
                "let once x = {} in\nlet step x = once (once x) in\n",
                "what comes out when one does this twice, the second time with the result of"
                " the first: take {}",
            ),
            "guarded": (
                "let step x = if x < 0 then x else {} in\n",
                "itself if it is negative, else {}",
            ),
        }
    )
    uses_p, uses_g = (
        "p" in body.split() or "(p x)" in body or " p x" in body,
        "g" in code,
    )
    given = [("p", "int -> bool")] if uses_p else []
    given += [("f", "int -> int")] + ([("g", "int -> int")] if uses_g else [])
    pool = (
        "(fun x -> x + 3)",
        "(fun x -> 2 * x)",
        "(fun x -> -x)",
        "(fun x -> x / 2)",
        "(fun x -> x mod 5)",
        "abs",
        "(fun x -> max x 4)",
        "(fun x -> x - 1)",
    )
    tests = ("(fun x -> x > 2)", "(fun x -> x mod 2 = 0)", "(fun x -> x < 0)")

    def call(size: int) -> str:
        words = [draw.choice(tests if name == "p" else pool) for name, _ in given]
        return f"combine {' '.join(words)} {literal(draw, 'small list', size)}"

    sizes = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 4, 5, 6, 3, 8, 5)
    head = " ".join(name for name, _ in given)
    return function(
        draw,
        "combine",
        [*given, ("xs", "int list")],
        kind,
        what=f"`combine {head} xs` is {of.format(repeat[1].format(said))}.",
        body=repeat[0].format(code) + body,
        drawn_calls=list(dict.fromkeys(map(call, sizes))),
    )


FAMILIES = gather("polymorphic and higher order", combining)
