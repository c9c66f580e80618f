"""Polymorphic and higher-order code."""

from __future__ import annotations

import re
from dataclasses import replace

from ..drafts import Ask, Draft, function
from ..drawing import Draw
from ..registry import gather
from ..types import literal

_REORDER = {
    "rotate": (
        "let k = if n = 0 then 0 else n / 3 in\n"
        "List.filteri (fun i _ -> i >= k) {} @ List.filteri (fun i _ -> i < k) {}",
        "move the first third of the elements (the length divided by 3, rounded down)"
        " behind the others",
    ),
    "halves": (
        "List.filteri (fun i _ -> 2 * i >= n) {} @ List.filteri (fun i _ -> 2 * i < n) {}",
        "make the two halves change places (of an odd number the element in the middle"
        " belongs to the first half)",
    ),
    "evens first": (
        "List.filteri (fun i _ -> i mod 2 = 0) {} @ List.filteri (fun i _ -> i mod 2 = 1) {}",
        "put the elements at even places (the first is place 0) before those at odd places",
    ),
    "reverse": ("List.rev {}", "reverse the list"),
    "swap pairs": (
        "let rec swap = function\n"
        "  | a :: b :: rest -> b :: a :: swap rest\n  | rest -> rest\nin\nswap {}",
        "make the first and the second element change places, the third and the"
        " fourth, and so on (a last one without partner stays)",
    ),
    "ends inside": (
        "match List.rev {} with\n| [] -> []\n| last :: before -> last :: List.rev before",
        "move the last element to the front",
    ),
    "double ends": (
        "match {} with [] -> [] | first :: _ as all -> all @ [ first ]",
        "add the first element once more at the end, if there is one",
    ),
    "drop middle": (
        "List.filteri (fun i _ -> i <> n / 2) {}",
        "leave out the element at the place that is half the length, rounded down"
        " (the first is place 0)",
    ),
    "mirror": ("{} @ List.rev {}", "put the reversed list behind the list"),
    "every third": (
        "List.filteri (fun i _ -> i mod 3 <> 2) {}",
        "leave out every third element (the third, the sixth and so on)",
    ),
}


def rearranging(draw: Draw) -> Draft:
    """Polymorphic lists put into another order"""
    steps = draw.pick_some({n: (n, *_REORDER[n]) for n in _REORDER}, 3)
    turned = draw.pick({"as listed": False, "backwards": True})
    steps = steps[::-1] if turned else steps
    body = "".join(
        "let xs =\n"
        + ("  let n = List.length xs in\n" if re.search(r"\bn\b", code) else "")
        + "\n".join(f"  {line}" for line in code.replace("{}", "xs").split("\n"))
        + "\nin\n"
        for _, code, _ in steps
    )
    said = "; then ".join(what for _, _, what in steps)
    kinds = ["int list", "string list", "bool list", "int list list"]
    drawn = {"string list": "name list", "int list list": "nat list list"}
    asks = []
    for size in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 6, 3, 4, 7):
        kind = draw.choice(kinds)
        xs = literal(draw, drawn.get(kind, kind), size)
        asks.append(Ask(call=f"rearrange {xs}", type=kind))
    made = function(
        draw,
        "rearrange",
        [("xs", "'a list")],
        "'a list",
        what=f"the list that comes out of `xs` when one does this: {said}",
        also=["Each step works on what the step before has made."],
        body=body + "xs",
        drawn_calls=["rearrange [1]"],
        total=False,
    )
    return replace(made, asks=tuple(asks))


_BEST = {
    "best first": (
        "if better x best then x else best",
        "the best element: no element is better than it, and of several such ones it is the first",
    ),
    "best last": (
        "if better best x then best else x",
        "the best element: no element is better than it, and of several such ones it is the last",
    ),
}


_BEST |= {
    "worst first": (
        "if better best x then x else best",
        "the worst element: it is better than no element, and of several such ones it is the first",
    ),
    "worst last": (
        "if better x best then best else x",
        "the worst element: it is better than no element, and of several such ones it is the last",
    ),
}


_SELECT = {
    "option": (
        "'a option",
        "`Some` of {}; `None` for an empty list",
        "match xs with\n| [] -> None\n| x :: rest -> Some (List.fold_left pick x rest)",
    ),
    "place": (
        "(int * 'a) option",
        "`Some` of the pair of the place (the first is 0) of {} and that element; `None`"
        " for an empty list",
        "match List.mapi (fun i x -> (i, x)) xs with\n| [] -> None\n| first :: rest ->\n"
        "  let pick (i, best) (j, x) =\n"
        "    if {choose} then (j, x) else (i, best)\n  in\n"
        "  Some (List.fold_left pick first rest)",
    ),
    "chain": (
        "'a list",
        "the list that begins with {} if there is one, and holds behind it the elements"
        " of `xs` that are better than it or than which it is better, in the order of"
        " `xs`",
        "match xs with\n| [] -> []\n| x :: rest ->\n"
        "  let best = List.fold_left pick x rest in\n"
        "  best :: List.filter (fun y -> better best y || better y best) xs",
    ),
}


_BETTERS = {
    "larger": ("(fun a b -> a > b)", "small"),
    "shorter": ("(fun a b -> String.length a < String.length b)", "word"),
    "closer": ("(fun a b -> abs a < abs b)", "small"),
    "later": ("(fun (_, a) (_, b) -> a > b)", "(name * few)"),
}


def choosing(draw: Draw) -> Draft:
    """Elements chosen by a comparison that is given"""
    step, best = draw.pick(_BEST)
    kind, of, body = draw.pick(_SELECT)
    prepared = draw.pick(
        {
            "all": ("", ""),
            "distinct neighbours": (
                "let rec thin = function\n  | a :: b :: rest when a = b -> thin (b :: rest)\n"
                "  | x :: rest -> x :: thin rest\n  | [] -> []\nin\nlet xs = thin xs in\n",
                " First, of neighbours that are equal (by `=`) only one is kept; places count"
                " in what is left.",
            ),
            "accepted": (
                "let xs = List.filter ok xs in\n",
                " First, only elements that `ok` accepts are kept; places count in what is left.",
            ),
            "both": (
                "let xs = List.filter (fun x -> not (ok x)) xs in\n",
                " First, elements that `ok` accepts are left out; places count in what is left.",
            ),
            "turned": (
                "let xs = List.rev xs in\n",
                " First, the list is reversed; places and what comes first count in the"
                " reversed list, and `xs` is that list below.",
            ),
        }
    )
    with_ok = " ok " in prepared[0] or "(ok x)" in prepared[0]
    choose = step.removeprefix("if ").partition(" then ")[0]
    if step.endswith("else x"):
        choose = f"not ({choose})"
    body = body.replace("{choose}", choose)
    helper = "" if "let pick" in body else f"let pick best x = {step} in\n"
    asks = []
    oks = {
        "small": "(fun x -> x > 0)",
        "word": "(fun w -> String.length w > 2)",
        "(name * few)": "(fun (_, n) -> n < 3)",
    }
    chosen = draw.sample(tuple(_BETTERS), 2)
    for size in (0, 1, 2, 3, 4, 5, 6, 8, 3, 4):
        for name in chosen:
            better, drawn = _BETTERS[name]
            one = {"small": "int", "word": "string", "(name * few)": "(string * int)"}[drawn]
            xs = literal(draw, f"{drawn} list", size)
            ok = f" {oks[drawn]}" if with_ok else ""
            asks.append(Ask(call=f"choose {better}{ok} {xs}", type=kind.replace("'a", one)))
    given = [("better", "'a -> 'a -> bool")]
    given += [("ok", "'a -> bool")] if with_ok else []
    made = function(
        draw,
        "choose",
        [*given, ("xs", "'a list")],
        kind,
        what=f"`better a b` tells whether a is better than b; if neither is better than the"
        f" other they are equally good.{prepared[1]} `choose"
        f" {' '.join(name for name, _ in (*given, ('xs', '')))}` is {of.format(best)}.",
        also=[
            "Of three elements, if the first is better than the second and that is better than"
            " or as good as the third, the first is better than the third."
        ],
        body=prepared[0] + helper + body,
        drawn_calls=["choose"],
        total=False,
    )
    return replace(made, asks=tuple(dict.fromkeys(asks)))


FAMILIES = gather("polymorphic and higher order", rearranging, choosing)
