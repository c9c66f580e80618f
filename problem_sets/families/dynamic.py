"""Dynamic programming."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition

_FOLLOWS = {
    "rising": ("x < y", "each is larger than the one taken before"),
    "not falling": ("x <= y", "none is smaller than the one taken before"),
    "parity": ("(x + y) mod 2 <> 0", "even and odd ones take turns"),
    "near": ("abs (x - y) <= 2", "each is at most 2 apart from the one taken before"),
    "far": ("abs (x - y) >= 3", "each is at least 3 apart from the one taken before"),
    "signs": (
        "x * y <= 0",
        "no two taken one after the other are both positive or both negative",
    ),
    "double": ("y >= 2 * x", "each is at least twice the one taken before"),
}


_WORTH = {
    "length": ("1", "how many elements can be taken at the most"),
    "sum": ("y", "the largest sum that the elements taken can have"),
    "magnitude": (
        "abs y",
        "the largest sum that the absolute values of the elements taken can have",
    ),
    "steps": (
        "(if y mod 2 = 0 then 2 else 1)",
        "the largest sum that can be had where an even element taken counts 2 and an odd one 1",
    ),
}


def subsequence(draw: Draw) -> Draft:
    """The best elements of a list to take under a rule"""
    rule, said = draw.pick(_FOLLOWS)
    worth, best = draw.pick(_WORTH)
    kept = draw.pick({"any": None, "kept": True})
    allowed = condition(draw) if kept else None
    gap = draw.pick({"free": "", "not neighbours": "gap"})
    only = f" Only elements that {allowed.many} may be taken." if allowed else ""
    apart = " No two neighbours of `xs` may both be taken." if gap else ""
    cond = rule + (" && j > i + 1" if gap else "")
    guard = f"if {allowed.ml.replace('x', 'y')} then " if allowed else ""
    otherwise = " else min_int" if allowed else ""
    return function(
        draw,
        "best_choice",
        [("xs", "int list", "small list")],
        "int",
        what=f"Elements are taken from `xs`, in the order of `xs`, so that {said}.{only}"
        f"{apart} `best_choice xs` is {best}; to take none counts as 0.",
        body="let a = Array.of_list xs in\nlet n = Array.length a in\n"
        "let ends = Array.make n min_int in\n"
        "for j = 0 to n - 1 do\n  let y = a.(j) in\n"
        "  let before = ref 0 in\n  for i = 0 to j - 1 do\n    let x = a.(i) in\n"
        f"    if {cond} then before := max !before ends.(i)\n  done;\n"
        f"  ends.(j) <- ({guard}"
        f"!before + {worth}{otherwise})\ndone;\n"
        "Array.fold_left max 0 ends",
        edges=[
            "[]",
            "[5]",
            "[-3]",
            "[3; 1; 4; 1; 5; 9; 2; 6]",
            "[2; 2; 2; 4; 8; -1; 3]",
            "[-1; 2; -3; 4; -5; 5; 1; 0]",
            "[9; 7; 5; 6; 8; 10; 2; 4; 11]",
            "[1; 2; 3; 4; 5; 6; 7; 8]",
            "[8; 6; 3; 1; -2; -4]",
            "[0; 1; 3; 6; 2; 5; 8]",
        ],
    )


_MOVES = {
    "right and down": ("[ (0, 1); (1, 0) ]", "one place to the right or one down"),
    "with diagonal": (
        "[ (0, 1); (1, 0); (1, 1) ]",
        "one place to the right, one down, or one to the right and down",
    ),
    "right or two down": (
        "[ (0, 1); (1, 0); (2, 0) ]",
        "one place to the right, one down, or two down",
    ),
    "diagonals": (
        "[ (1, 0); (1, 1); (1, -1) ]",
        "one row down, into the same column or one beside it",
    ),
    "jumps": (
        "[ (0, 1); (0, 2); (1, 0) ]",
        "one or two places to the right, or one down",
    ),
}


_AIMS = {
    "cheapest": (
        "Some (List.fold_left min a rest + cost)",
        "the smallest sum of the numbers on a way",
    ),
    "dearest": (
        "Some (List.fold_left max a rest + cost)",
        "the largest sum of the numbers on a way",
    ),
    "lowest peak": (
        "Some (max cost (List.fold_left min a rest))",
        "the smallest number that the largest number on a way can be",
    ),
    "highest low": (
        "Some (min cost (List.fold_left max a rest))",
        "the largest number that the smallest number on a way can be",
    ),
}


def grid_ways(draw: Draw) -> Draft:
    """Ways through a grid of numbers"""
    moves, said = draw.pick(_MOVES)
    aim, best = draw.pick(_AIMS)
    blocked = condition(
        draw, "even", "odd", "between", "less", "positive", "greater", "no multiple"
    )
    free = draw.pick({"blocked": True, "free": False})

    def row(columns: int) -> str:
        return "[|" + "; ".join(str(draw.between(-3, 9)) for _ in range(columns)) + "|]"

    sizes = [
        (1, 1),
        (1, 3),
        (3, 1),
        (2, 2),
        (2, 3),
        (3, 3),
        (3, 3),
        (3, 4),
        (4, 3),
        (2, 2),
    ]
    grids = [f"[|{'; '.join(row(c) for _ in range(r))}|]" for r, c in sizes * 2]
    stop = f"if {blocked.ml.replace('x', 'cost')} then None\n    else " if free else ""
    barred = f" Places whose number {blocked.one} must not be on a way." if free else ""
    return function(
        draw,
        "cross",
        [("g", "int array array")],
        "int option",
        what="`g` is a grid, an array of at least one row; rows are equally long and not"
        " empty. A way goes from the upper left to the lower right corner; a step goes"
        f" {said}, and never leaves the grid.{barred} `cross g` is `Some` of {best}, with"
        " those in both corners; `None` if there is no way.",
        body="let rows = Array.length g and columns = Array.length g.(0) in\n"
        "let known = Hashtbl.create 16 in\n"
        "let rec from i j =\n"
        "  match Hashtbl.find_opt known (i, j) with\n  | Some found -> found\n"
        "  | None ->\n    let found = search i j in\n"
        "    Hashtbl.add known (i, j) found;\n    found\n"
        "and search i j =\n"
        "  if i >= rows || j < 0 || j >= columns then None\n  else\n"
        f"    let cost = g.(i).(j) in\n    {stop}"
        "if i = rows - 1 && j = columns - 1 then Some cost\n    else\n"
        f"      let next = List.filter_map (fun (di, dj) -> from (i + di) (j + dj)) in\n"
        f"      match next {moves} with\n"
        f"      | [] -> None\n      | a :: rest -> {aim}\nin\nfrom 0 0",
        drawn_calls=list(dict.fromkeys(f"cross {each}" for each in grids)),
    )


FAMILIES = gather("dynamic programming", subsequence, grid_ways)
