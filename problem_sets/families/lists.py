"""Lists of whole numbers."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import DENSE, ORDERS, REDUCTIONS, condition, transform

_EDGES = ("[]", DENSE, "[0]", "[2; -3; 6; 1; 5]", "[4; 4; -1; 4]")


def list_pipeline(draw: Draw) -> Draft:
    """filter, change and reduce a list"""
    kept, changed = condition(draw), transform(draw)
    reduction = draw.pick(REDUCTIONS)
    ordered = reduction.word in ("list", "last", "alternating")
    order = draw.pick(ORDERS) if ordered else ORDERS["kept"]
    stages = [f"List.filter {kept.fun}", f"List.map {changed.fun}", order.ml]
    stages += [] if reduction.word == "list" else [reduction.ml]
    name = f"{reduction.word}_of_kept"
    said = f", {order.said}" if ordered else ""
    return function(
        draw,
        name,
        [("xs", "int list")],
        reduction.type,
        what=f"Keep the elements of `xs` that {kept.many}, and replace each by"
        f" {changed.its}. `{name} xs` is {reduction.of} of the results{said}.",
        also=[f"Where no element is kept it is {reduction.empty}."],
        body="xs\n" + "\n".join(f"|> {stage}" for stage in stages if stage),
        edges=_EDGES,
    )


_RELATIONS = {
    "rise": ("a < b", "the first is smaller than the second"),
    "fall": ("a > b", "the first is larger than the second"),
    "equal": ("a = b", "both are equal"),
    "signs": ("a * b < 0", "one is positive and the other negative"),
    "parity": ("(a + b) mod 2 <> 0", "one is even and the other odd"),
    "near": ("abs (a - b) <= 2", "they are at most 2 apart"),
    "same parity": ("(a + b) mod 2 = 0", "both are even or both are odd"),
    "double": ("b > 2 * a", "the second is more than twice the first"),
}


_OF_PAIR = {
    "sum": ("a + b", "their sum"),
    "difference": ("b - a", "the second minus the first"),
    "larger": ("max a b", "the larger one"),
    "product": ("a * b", "their product"),
    "first": ("a", "the first one"),
    "gap": ("abs (a - b)", "the distance between them"),
}


def neighbours(draw: Draw) -> Draft:
    """Pairs of neighbours in a list that stand in a relation"""
    relation, said = draw.pick(_RELATIONS)
    value, its = draw.pick(_OF_PAIR)
    reduction = draw.pick(
        {name: REDUCTIONS[name] for name in ("list", "sum", "largest", "distinct")}
    )
    name = f"{reduction.word}_of_pairs"
    tail = "walk xs" if reduction.word == "list" else f"{reduction.ml} (walk xs)"
    return function(
        draw,
        name,
        [("xs", "int list", "small list")],
        reduction.type,
        what=f"Look at every two neighbours in `xs`, from left to right, and take {its}"
        f" wherever {said}. `{name} xs` is {reduction.of} of what was taken.",
        also=[f"Where nothing was taken it is {reduction.empty}."],
        body="let rec walk = function\n"
        "  | a :: (b :: _ as rest) ->\n"
        f"    if {relation} then ({value}) :: walk rest else walk rest\n"
        "  | [ _ ] | [] -> []\n"
        f"in\n{tail}",
        edges=["[]", "[3]", "[1; 3; 3; 5; -5; 4; 9; 18; 19; -1]", "[2; 4; 2; 0]"],
        by_example=True,
    )


def _manners(p: str) -> dict[str, tuple[str, str, str]]:
    """Return ways to cut a list by the predicate `p`: in words, and the code around the list."""
    return {
        "take while": (
            "the longest beginning of `xs` in which all elements {many}",
            f"let rec take = function\n  | x :: rest when {p} -> x :: take rest\n"
            "  | _ -> []\nin\ntake",
            "",
        ),
        "drop while": (
            "what is left of `xs` without the longest beginning in which all elements {many}",
            f"let rec drop = function\n  | x :: rest when {p} -> drop rest\n"
            "  | rest -> rest\nin\ndrop",
            "",
        ),
        "last run": (
            "the longest end of `xs` in which all elements {many}",
            "let rec take kept = function\n"
            f"  | x :: rest when {p} -> take (x :: kept) rest\n"
            "  | _ -> kept\nin\ntake [] (List.rev ",
            ")",
        ),
        "after": (
            "what follows the first element of `xs` that {one} (`[]` if none does)",
            f"let rec after = function\n  | x :: rest -> if {p} then rest else"
            " after rest\n  | [] -> []\nin\nafter",
            "",
        ),
        "until": (
            "`xs` up to its first element that {one}, that element included (all of `xs`"
            " if none does)",
            f"let rec until = function\n  | x :: rest -> if {p} then [ x ] else"
            " x :: until rest\n  | [] -> []\nin\nuntil",
            "",
        ),
    }


_TAILS = {
    "as it is": ("part", "int list", "", "{}"),
    "length": ("length", "int", "the length of ", "List.length ({})"),
    "sum": (
        "sum",
        "int",
        "the sum (0 for an empty list) of ",
        "List.fold_left ( + ) 0 ({})",
    ),
    "reversed": ("reversed", "int list", "in reverse order, ", "List.rev ({})"),
    "doubled": (
        "doubled",
        "int list",
        "with every element doubled, ",
        "List.map (fun x -> 2 * x) ({})",
    ),
}


def beginnings_and_ends(draw: Draw) -> Draft:
    """The part of a list before or after a condition changes"""
    known = condition(draw)
    manners = _manners(known.ml)
    name, manner = draw.pick({each: (each, manners[each]) for each in manners})
    tail_name, kind, before, wrap = draw.pick(_TAILS)
    what, helper, close = manner
    lines, _, last = helper.rpartition("\n")
    call = f"{last}xs{close}" if close else f"{last} xs"
    return function(
        draw,
        f"{tail_name}_{name}".replace(" ", "_"),
        [("xs", "int list")],
        kind,
        what=before + what.format(one=known.one, many=known.many),
        body=f"{lines}\n{wrap.format(call)}",
        edges=[*_EDGES, "[2; 4; 8; -6; 5; 3; 10]", "[5; 3; 9; 1; 4; -2; 3; 7]"],
        by_example=True,
    )


KEYS = {
    "parity": ("x mod 2 = 0", "all even or all odd"),
    "sign": ("compare x 0", "of one sign (zero is a sign of its own)"),
    "value": ("x", "equal"),
    "magnitude": ("abs x", "of one absolute value"),
    "last digit": ("abs x mod 10", "of one last decimal digit"),
    "tens": ("abs x / 5", "alike in a fifth of the absolute value, rounded down"),
}


_GROUPS = {
    "lists": ("int list list", "the list of these runs", "runs"),
    "lengths": ("int list", "the list of their lengths", "List.map List.length runs"),
    "sums": (
        "int list",
        "the list of their sums",
        "List.map (List.fold_left ( + ) 0) runs",
    ),
    "first and length": (
        "(int * int) list",
        "the list of pairs of the first element and the length of each",
        "List.map (fun run -> (List.hd run, List.length run)) runs",
    ),
    "longest": (
        "int list",
        "the longest of them, the first of several (`[]` for an empty list)",
        "List.fold_left\n  (fun best run ->\n"
        "    if List.length run > List.length best then run else best)\n  [] runs",
    ),
    "alone": (
        "int list",
        "the list of the elements that are a run of their own",
        "List.concat_map (function [ x ] -> [ x ] | _ -> []) runs",
    ),
    "last": (
        "int list",
        "the list of the last elements of these runs",
        "List.map (fun run -> List.nth run (List.length run - 1)) runs",
    ),
    "count": ("int", "the number of these runs", "List.length runs"),
}


_ROUND = {
    "left": ("`xs`", "xs"),
    "reversed": ("the reverse of `xs`", "(List.rev xs)"),
}


def runs(draw: Draw) -> Draft:
    """A list cut into runs of neighbours that are alike"""
    key, alike = draw.pick(KEYS)
    kind, what, tail = draw.pick(_GROUPS)
    way, given = draw.pick(_ROUND)
    name = "of_runs"
    return function(
        draw,
        name,
        [("xs", "int list", "small list")],
        kind,
        what=f"A run is as many neighbouring elements as possible that are {alike};"
        f" cut {way} into its runs. `{name} xs` is {what}.",
        helpers=f"let key x = {key}\n\n",
        body="let add x = function\n"
        "  | (y :: _ as run) :: rest when key x = key y -> (x :: run) :: rest\n"
        "  | runs -> [ x ] :: runs\n"
        f"in\nlet runs = List.fold_right add {given} [] in\n{tail}",
        edges=["[]", "[7]", "[2; 2; -2; 4; 1; 3; 0; 0; -1; -11; 6]", "[5; 5; 15; 1]"],
        by_example=True,
    )


FAMILIES = gather("lists", list_pipeline, neighbours, beginnings_and_ends, runs)
