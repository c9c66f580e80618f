"""Options and results."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import DENSE, condition, transform

_COLLECT = {
    "first error": (
        "(int list, string) result",
        "`Ok` of the list of all new values if every check succeeds, else `Error` of the"
        " first failure's text",
        "let rec all = function\n  | [] -> Ok []\n  | x :: rest ->\n"
        "    (match check x with\n"
        "     | Error said -> Error said\n"
        "     | Ok y -> Result.map (fun ys -> y :: ys) (all rest))\n"
        "in\nall xs",
    ),
    "all errors": (
        "(int list, string list) result",
        "`Ok` of the list of all new values if every check succeeds, else `Error` of the"
        " list of the texts of all failures",
        "let add x found =\n  match check x, found with\n"
        "  | Ok y, Ok ys -> Ok (y :: ys)\n"
        "  | Error said, Error more -> Error (said :: more)\n"
        "  | Error said, Ok _ -> Error [ said ]\n"
        "  | Ok _, Error more -> Error more\nin\nList.fold_right add xs (Ok [])",
    ),
    "both": (
        "int list * string list",
        "the pair of the list of the new values and the list of the texts of the failures",
        "List.partition_map\n"
        "  (fun x -> match check x with Ok y -> Either.Left y | Error said -> Either.Right said)\n  xs",
    ),
    "count": (
        "int * int",
        "the pair of how many checks succeed and how many fail",
        "List.fold_left\n  (fun (good, bad) x ->\n"
        "    match check x with Ok _ -> (good + 1, bad) | Error _ -> (good, bad + 1))\n"
        "  (0, 0) xs",
    ),
    "until": (
        "int list",
        "the list of the new values of all elements before the first failure",
        "let rec before = function\n  | [] -> []\n  | x :: rest ->\n"
        "    (match check x with Ok y -> y :: before rest | Error _ -> [])\n"
        "in\nbefore xs",
    ),
    "sum": (
        "int option",
        "`Some` of the sum of all new values (0 for an empty list) if every check"
        " succeeds, else `None`",
        "List.fold_left\n  (fun sum x ->\n"
        "    match sum, check x with\n"
        "    | Some sum, Ok y -> Some (sum + y)\n    | _ -> None)\n  (Some 0) xs",
    ),
}


def checked_list(draw: Draw) -> Draft:
    """A list checked element by element"""
    first, second = condition(draw), condition(draw)
    changed = transform(draw)
    kind, of, tail = draw.pick(_COLLECT)
    return function(
        draw,
        "check_all",
        [("xs", "int list")],
        kind,
        what=f"Check each element of `xs`: one that {first.one} fails with the text"
        f' "first"; of the others, one that {second.one} fails with the text "second";'
        f" any other succeeds, and its new value is {changed.its}. `check_all xs` is"
        f" {of}.",
        also=["Everything is in the order of `xs`."],
        body="let check x =\n"
        f'  if {first.ml} then Error "first"\n'
        f'  else if {second.ml} then Error "second"\n'
        f"  else Ok ({changed.ml})\nin\n{tail}",
        edges=[
            *("[]", DENSE, "[1]", "[2]", "[-3]", "[0]", "[7]", "[-7]", "[4]", "[3; 9]"),
            *("[9; 3; 7; 1]", "[2; 8; 4]", "[-1; -3; -7]", "[10; 20]", "[6; 12]"),
        ],
    )


_MISSING = {
    "none": ("None", "the result is `None`"),
    "itself": (
        "Some (String.length key)",
        "the result is `Some` of the length of `key`",
    ),
    "zero": ("Some 0", "the result is `Some 0`"),
}
_FAILED = {
    "none": ("None", "the result is `None`"),
    "minus": ("Some (-1)", "the result is `Some (-1)`"),
    "found": ("Some x", "the result is `Some` of that number itself"),
}


def lookups(draw: Draw) -> Draft:
    """A number looked up by way of two tables"""
    missing, said = draw.pick(_MISSING)
    failed, otherwise = draw.pick(_FAILED)
    known, changed = condition(draw), transform(draw)
    names = draw.pick(
        {
            "alias": (
                "match List.assoc_opt key aliases with Some other -> other | None -> key",
                "If `aliases` has an entry for `key`, go on with the name given there,"
                " else with `key`.",
            ),
            "twice": (
                "let next name =\n"
                "    match List.assoc_opt name aliases with"
                " Some other -> other | None -> name\n  in\n  next (next key)",
                "If `aliases` has an entry for `key`, go on with the name given there, else"
                " with `key`; do that once more with the name got so.",
            ),
            "both": (
                "match List.assoc_opt key aliases with\n"
                "  | Some other when List.mem_assoc other table -> other\n  | _ -> key",
                "If `aliases` has an entry for `key`, and `table` one for the name given"
                " there, go on with that name, else with `key`.",
            ),
        }
    )

    def drawn() -> str:
        letters = ("a", "b", "c", "d")
        aliases = "; ".join(
            f'("{draw.choice(letters)}", "{draw.choice(letters)}")'
            for _ in range(draw.between(0, 3))
        )
        table = "; ".join(
            f'("{draw.choice(letters)}", {draw.between(-6, 12)})' for _ in range(draw.between(1, 4))
        )
        return f'lookup [{aliases}] [{table}] "{draw.choice(letters)}"'

    edges = [
        'lookup [] [] "ab"',
        'lookup [] [("a", 4)] "a"',
        'lookup [] [("a", 3)] "a"',
    ]
    edges += [
        'lookup [("a", "b")] [("b", 7)] "a"',
        'lookup [("a", "b")] [("a", -2)] "a"',
    ]
    edges += ['lookup [("a", "b"); ("b", "c")] [("c", 6); ("b", 9)] "a"']
    edges += [f'lookup [] [("k", {n})] "k"' for n in (*range(-4, 12),)]
    return function(
        draw,
        "lookup",
        [
            ("aliases", "(string * string) list"),
            ("table", "(string * int) list"),
            ("key", "string"),
        ],
        "int option",
        what=f"{names[1]} Look that name up in `table`: if it has no entry, {said}; if"
        f" its number {known.one}, the result is `Some` of that number replaced by"
        f" {changed.its}; otherwise {otherwise}. `lookup aliases table key` is the"
        " result.",
        also=["Of several entries for a name the first counts."],
        body=f"let name =\n  {names[0]}\nin\n"
        "match List.assoc_opt name table with\n"
        f"| None -> {missing}\n"
        f"| Some x when {known.ml} -> Some ({changed.ml})\n"
        f"| Some {'x' if 'x' in failed else '_'} -> {failed}",
        drawn_calls=list(dict.fromkeys([*edges[:6], *(drawn() for _ in range(16)), *edges[6:]])),
    )


_JOIN = {
    "both": ("Some a, Some b -> Some ({})", "if both are there, `Some` of {}"),
    "either": (
        "Some a, Some b -> Some ({})\n  | (Some _ as one), None | None, (Some _ as one) -> one",
        "if both are there, `Some` of {}; if one is there, that one",
    ),
    "left": (
        "Some a, Some b -> Some ({})\n  | (Some _ as one), None -> one",
        "if both are there, `Some` of {}; if only the left one is there, that one",
    ),
    "only one": (
        "Some a, Some b when a = b -> Some ({})\n  | (Some _ as one), None"
        " | None, (Some _ as one) -> one",
        "if both are there and equal, `Some` of {}; if one is there, that one",
    ),
}
_OF_TWO = {
    "sum": ("a + b", "their sum"),
    "product": ("a * b", "their product"),
    "difference": ("a - b", "the left minus the right one"),
    "larger": ("max a b", "the larger one"),
    "smaller": ("min a b", "the smaller one"),
    "gap": ("abs (a - b)", "the distance between them"),
}


def optional_sums(draw: Draw) -> Draft:
    """Optional numbers joined"""
    case, said = draw.pick(_JOIN)
    ml, of = draw.pick(_OF_TWO)
    shape = draw.pick(
        {
            "fold": (
                "option",
                "Join what comes of the elements before with each element, from left to"
                " right; before the first comes `{start}`. `join xs` is what comes of all.",
                "List.fold_left both {start} xs",
            ),
            "running": (
                "option list",
                "Join every element but the first with its left neighbour, the left one"
                " on the left. `join xs` is the list of what comes of that.",
                "let rec walk = function\n  | a :: (b :: _ as rest) ->"
                " both a b :: walk rest\n  | [ _ ] | [] -> []\nin\nwalk xs",
            ),
            "mirror": (
                "option list",
                "Join every element with the one as far from the end as it is from the"
                " beginning, the element on the left. `join xs` is the list of what comes"
                " of that.",
                "List.map2 both xs (List.rev xs)",
            ),
        }
    )
    start = draw.choice(("None", "Some 1", "Some 2"))
    return function(
        draw,
        "join",
        [("xs", "int option list", "small option list")],
        f"int {shape[0]}",
        what="Two options are joined like this: "
        + said.format(of)
        + f"; else `None`. {shape[1].format(start=start)}",
        body="let both left right =\n  match left, right with\n"
        f"  | {case.format(ml)}\n  | _ -> None\nin\n" + shape[2].format(start=f"({start})"),
        edges=[
            "[]",
            "[Some 3]",
            "[None]",
            "[Some 2; None; Some 5; Some 5; None; None; Some (-1)]",
            "[Some 4; Some 4; Some 1]",
            "[None; Some 2]",
            "[Some 1; None]",
        ],
        by_example=shape[0] != "option",
    )


FAMILIES = gather("options and results", checked_list, lookups, optional_sums)
