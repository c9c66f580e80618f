"""Maps and sets."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import DENSE, condition, transform

_INTS = "module Ints = Map.Make (Int)\n\n"
_TEXTS = "module Texts = Map.Make (String)\n\n"
_SETS = "module Set_of_ints = Set.Make (Int)\n\n"

_COUNT_TESTS = {
    "all": ("true", "every value"),
    "repeated": ("n > 1", "the values that occur more than once"),
    "once": ("n = 1", "the values that occur exactly once"),
    "above": (
        "n > x",
        "the values that occur more often than their own size says (2 more"
        " than twice, 0 more than zero times)",
    ),
    "odd": ("n mod 2 = 1", "the values that occur an odd number of times"),
    "frequent": ("n >= 3", "the values that occur at least 3 times"),
}
_COUNT_ORDERS = {
    "by value": ("", "by rising value"),
    "falling": ("|> List.rev", "by falling value"),
    "by count": (
        "|> List.stable_sort (fun (_, m) (_, n) -> compare n m)",
        "those that occur more often first, and among those that occur equally often the"
        " smaller one first",
    ),
    "rare first": (
        "|> List.stable_sort (fun (_, m) (_, n) -> compare m n)",
        "those that occur less often first, and among those that occur equally often the"
        " smaller one first",
    ),
}
_COUNT_RESULTS = {
    "pairs": (
        "(int * int) list",
        "the list of pairs of value and how often it occurs",
        "",
    ),
    "values": ("int list", "the list of these values", "|> List.map fst"),
    "first": (
        "int option",
        "`Some` of the first of these values, `None` if there is none",
        "|> (function [] -> None | (x, _) :: _ -> Some x)",
    ),
    "total": (
        "int",
        "the sum over these of value times how often it occurs",
        "|> List.fold_left (fun sum (x, n) -> sum + (x * n)) 0",
    ),
}


def histogram(draw: Draw) -> Draft:
    """How often values of a list occur"""
    changed = transform(draw, "square", "double", "plus", "negated", "distance")
    test, which = draw.pick(_COUNT_TESTS)
    kind, of, tail = draw.pick(_COUNT_RESULTS)
    order, said = _COUNT_ORDERS["by value"] if kind == "int" else draw.pick(_COUNT_ORDERS)
    named = "(x, n)" if "x" in test else "(_, n)"
    keep = "" if test == "true" else f"|> List.filter (fun {named} -> {test})"
    stages = [each for each in (keep, order, tail) if each]
    listed = "" if kind == "int" else f" Take them in this order: {said}."
    return function(
        draw,
        "tally",
        [("xs", "int list", "small list")],
        kind,
        what=f"Replace each element of `xs` by {changed.its}, and look at {which} then."
        f"{listed} `tally xs` is {of}.",
        helpers=_INTS,
        body="let add counts x =\n"
        f"  let x = {changed.ml} in\n"
        "  Ints.update x (fun n -> Some (1 + Option.value n ~default:0)) counts\nin\n"
        "List.fold_left add Ints.empty xs\n|> Ints.bindings"
        + "".join(f"\n{stage}" for stage in stages),
        edges=[
            "[]",
            "[1; 1; 2; 5; 2; 5; 5; -3; 0; 7; 9; -3; 8; 8]",
            "[4]",
            "[3; 3; 3; 1]",
            DENSE,
            "[2; 2; 2; -1; -1; 4; 4; 4; 0; 12]",
        ],
    )


_SET_OPS = {
    "union": (
        "Set_of_ints.union {a} {b}",
        "the numbers that are in {a}, in {b} or in both",
    ),
    "common": ("Set_of_ints.inter {a} {b}", "the numbers that are in {a} and in {b}"),
    "left": ("Set_of_ints.diff {a} {b}", "the numbers that are in {a} and not in {b}"),
    "right": ("Set_of_ints.diff {b} {a}", "the numbers that are in {b} and not in {a}"),
    "one": (
        "Set_of_ints.union (Set_of_ints.diff {a} {b}) (Set_of_ints.diff {b} {a})",
        "the numbers that are in one of {a} and {b}, but not in the other",
    ),
}
_SET_RESULTS = {
    "list": (
        "int list",
        "the list of these numbers in rising order, each once",
        "Set_of_ints.elements found",
    ),
    "falling": (
        "int list",
        "the list of these numbers in falling order, each once",
        "List.rev (Set_of_ints.elements found)",
    ),
    "size": ("int", "how many different ones these are", "Set_of_ints.cardinal found"),
    "ends": (
        "(int * int) option",
        "`Some` of the pair of the smallest and the largest of these, `None` if there are none",
        "match Set_of_ints.min_elt_opt found with\n| None -> None\n"
        "| Some least -> Some (least, Set_of_ints.max_elt found)",
    ),
    "sum": (
        "int",
        "the sum of these numbers, each counted once (0 for none)",
        "Set_of_ints.fold ( + ) found 0",
    ),
}


def sets(draw: Draw) -> Draft:
    """Two lists as sets"""
    code, said = draw.pick(_SET_OPS)
    kept, changed = condition(draw), transform(draw)
    kind, of, tail = draw.pick(_SET_RESULTS)
    side = draw.pick({"first": ("xs", "`xs`"), "both": ("both", "`xs` and `ys`")})
    first = f"Set_of_ints.of_list (List.map (fun x -> {changed.ml}) xs)"
    second = (
        "Set_of_ints.of_list ys"
        if side[0] == "xs"
        else f"Set_of_ints.of_list (List.map (fun x -> {changed.ml}) ys)"
    )
    return function(
        draw,
        "combine",
        [("xs", "int list", "small list"), ("ys", "int list", "small list")],
        kind,
        what=f"Replace each element of {side[1]} by {changed.its}. Then consider"
        f" {said.format(a='`xs`', b='`ys`')}, as far as they {kept.many}."
        f" `combine xs ys` is {of}.",
        helpers=_SETS,
        body=f"let a = {first} in\nlet b = {second} in\n"
        f"let found = Set_of_ints.filter {kept.fun} ({code.format(a='a', b='b')}) in\n{tail}",
        edges=[
            "[] []",
            "[1; 2; 3] []",
            "[] [4; -3; 6; 5]",
            f"{DENSE} [3; 5; 20; -3; 8]",
            f"[3; 9; -3] {DENSE}",
            "[2; 4] [2; 3; 4]",
            f"{DENSE} []",
            f"[] {DENSE}",
        ],
    )


_AGGREGATES = {
    "sum": ("old + n", "the sum of its numbers"),
    "largest": ("max old n", "the largest of its numbers"),
    "smallest": ("min old n", "the smallest of its numbers"),
    "last": ("n", "the last of its numbers"),
    "first": ("old", "the first of its numbers"),
    "balance": (
        "n - old",
        "what comes out when one begins with its first number and then"
        " takes each further number minus what came out before",
    ),
}
_KEY_FORMS = {
    "as is": ("name", "Names are equal if they are the same text."),
    "case": (
        "String.lowercase_ascii name",
        "Upper and lower case do not matter in names: results have them in lowercase.",
    ),
    "initial": (
        "String.sub name 0 1",
        "Only the first character of a name counts, and results have only that.",
    ),
}
_GROUP_ORDERS = {
    "names": ("", "in rising order of the names"),
    "values": (
        "|> List.stable_sort (fun (_, m) (_, n) -> compare n m)",
        "the larger numbers first, and for equal numbers in rising order of the names",
    ),
    "reversed": ("|> List.rev", "in falling order of the names"),
}


def grouping(draw: Draw) -> Draft:
    """Entries grouped by name"""
    update, of = draw.pick(_AGGREGATES)
    key, keys = draw.pick(_KEY_FORMS)
    kept = condition(draw)
    order, said = draw.pick(_GROUP_ORDERS)
    tail = f"\n{order}" if order else ""
    old = "old" if "old" in update else "_"
    edges = [
        "[]",
        '[("Bo", 3); ("bo", -4); ("al", 7); ("Bo", 2); ("cy", 0); ("al", 5)]',
        '[("x", 1); ("y", 6); ("x", 4)]',
        '[("b", 8); ("a", 8); ("B", 12)]',
        '[("q", -3)]',
        '[("m", 3); ("m", 3)]',
        f"[{'; '.join(f'({chr(34)}{chr(97 + n % 26)}{chr(34)}, {n - 5})' for n in range(17))}]",
    ]
    return function(
        draw,
        "by_name",
        [("entries", "(string * int) list", "(name * small) list")],
        "(string * int) list",
        what=f"{keys} Give each name that occurs in `entries` {of}, in the order of"
        f" `entries`. `by_name entries` is the list of pairs of name and number, as far as"
        f" the numbers {kept.many}, {said}.",
        also=["No name is empty. Names are ordered as `compare` does."],
        helpers=_TEXTS,
        body="let add groups (name, n) =\n"
        f"  Texts.update ({key})\n"
        f"    (function None -> Some n | Some {old} -> Some ({update}))\n    groups\nin\n"
        "List.fold_left add Texts.empty entries\n|> Texts.bindings\n"
        f"|> List.filter (fun (_, x) -> {kept.ml}){tail}",
        edges=edges,
    )


FAMILIES = gather("maps and sets", histogram, sets, grouping)
