"""Lists of whole numbers: pairs, places and kinds of elements."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import DENSE, REDUCTIONS, condition
from .lists import KEYS

_LEFT_OVER = {
    "dropped": ("_ -> []", "What one list has more than the other is left out."),
    "kept": (
        "rest, [] | [], rest -> rest",
        "What one list has more than the other follows unchanged.",
    ),
    "zero": (
        "x :: rest, [] -> both x 0 :: walk rest []\n"
        "  | [], y :: rest -> both 0 y :: walk [] rest\n"
        "  | [], [] -> []",
        "Where one list is shorter, 0 stands for what it lacks.",
    ),
    "raises": (
        '[], [] -> []\n  | _ -> invalid_arg "lengths"',
        "Raises `Invalid_argument` if the lengths differ.",
    ),
}


_BOTH = {
    "sum": ("a + b", "their sum"),
    "product": ("a * b", "their product"),
    "larger": ("max a b", "the larger one"),
    "smaller": ("min a b", "the smaller one"),
    "gap": ("abs (a - b)", "the distance between them"),
    "closer": (
        "if abs a <= abs b then a else b",
        "the one of the smaller absolute value (the one of `xs` if these are equal)",
    ),
    "even": (
        "if a mod 2 = 0 then a else b",
        "the one of `xs` if that is even, else the one of `ys`",
    ),
}


def zipped(draw: Draw) -> Draft:
    """Two lists combined element by element"""
    both, said = draw.pick(_BOTH)
    case, left = draw.pick(_LEFT_OVER)
    kept = condition(draw)
    then = draw.pick({"list": REDUCTIONS["list"], "sum": REDUCTIONS["sum"]})
    name = f"{then.word}_of_both"
    tail = "List.filter " + kept.fun + " (walk xs ys)"
    if then.word != "list":
        tail = f"{then.ml} ({tail})"
    raises = "Invalid_argument" in left
    equal = ["[-3; 4; 0; 7; 2; 8] [5; -4; 6; 7; 1; -3]", "[1; 2; 9] [5; 3; 2]"]
    return function(
        draw,
        name,
        [("xs", "int list"), ("ys", "int list")],
        then.type,
        what="Combine the elements of `xs` and `ys` that stand at the same place: take"
        f" {said}. {left} `{name} xs ys` is {then.of} of those results that {kept.many}.",
        also=[f"Where there are none it is {then.empty}."],
        body=f"let both a b = {both} in\nlet rec walk xs ys =\n  match xs, ys with\n"
        "  | x :: xs, y :: ys -> both x y :: walk xs ys\n"
        f"  | {case}\nin\n{tail}",
        edges=[
            *equal,
            "[] []",
            f"{DENSE} [0; 3; 5; 1; 0; 2; -1; 4; 1; 1; 0; 3; -2; 0; 1; 0; 1]",
            "[1; 2; 3; 4; 6] [2; 5]",
            "[7] [1; 6; -4; 5]",
        ],
        raises=["Invalid_argument"] if raises else [],
    )


_PLACES = {
    "all": ("true", "every place"),
    "even": ("i mod 2 = 0", "the places 0, 2, 4 and so on"),
    "odd": ("i mod 2 = 1", "the places 1, 3, 5 and so on"),
    "third": ("i mod 3 = 2", "the places 2, 5, 8 and so on"),
    "not first": ("i > 0", "every place but the first"),
}


_FOUND = {
    "places": ("int list", "the list of these places", "List.map fst found"),
    "values": ("int list", "the list of the elements there", "List.map snd found"),
    "first": (
        "int option",
        "`Some` of the first of these places, `None` if there is none",
        "match found with [] -> None | (i, _) :: _ -> Some i",
    ),
    "last": (
        "int option",
        "`Some` of the last of these places, `None` if there is none",
        "List.fold_left (fun _ (i, _) -> Some i) None found",
    ),
    "weighted": (
        "int",
        "the sum of place times element over these places, 0 if there are none",
        "List.fold_left (fun sum (i, x) -> sum + (i * x)) 0 found",
    ),
    "pairs": ("(int * int) list", "the list of pairs of place and element", "found"),
}


def places(draw: Draw) -> Draft:
    """Places of a list whose elements meet a condition"""
    known = condition(draw)
    place, among = draw.pick(_PLACES)
    kind, what, tail = draw.pick(_FOUND)
    name = "found_places"
    test = known.ml if place == "true" else f"{place} && ({known.ml})"
    unused = "_" if place == "true" else "i"
    return function(
        draw,
        name,
        [("xs", "int list")],
        kind,
        what=f"Places count from 0. Among {among}, look for those whose element in `xs`"
        f" {known.one}. `{name} xs` is {what}.",
        body=f"let found =\n  List.filter (fun ({unused}, x) -> {test})\n"
        f"    (List.mapi (fun i x -> (i, x)) xs)\nin\n{tail}",
        edges=["[]", DENSE, f"[0; {DENSE[1:]}", f"[0; 0; {DENSE[1:]}", "[6]"],
    )


_WHICH = {
    "first": ("first", "List.rev (walk [] [] xs)"),
    "last": ("last", "walk [] [] (List.rev xs)"),
}


_COUNTED = {
    "each once": ("true", "of each kind"),
    "repeated": ("count x > 1", "of each kind that occurs more than once"),
    "unique": ("count x = 1", "of each kind that occurs exactly once"),
    "frequent": ("count x > 2", "of each kind that occurs more than twice"),
}


def kinds(draw: Draw) -> Draft:
    """Elements of a list told apart by a key"""
    key, alike = draw.pick(KEYS)
    which, close = draw.pick(_WHICH)
    test, of = draw.pick(_COUNTED)
    kind, what, value = draw.pick(
        {
            "value": ("int list", "the list of", "x"),
            "with count": (
                "(int * int) list",
                "the list of pairs of element and size of its kind, for",
                "(x, count x)",
            ),
        }
    )
    needs = "count" in test + value
    count = (
        "let count x =\n  List.length (List.filter (fun y -> key y = key x) xs)\nin\n"
        if needs
        else ""
    )
    name = "one_of_each"
    new = "not (List.mem (key x) seen)" + ("" if test == "true" else f" && {test}")
    return function(
        draw,
        name,
        [("xs", "int list", "small list")],
        kind,
        what=f"Elements are of one kind if they are {alike}. `{name} xs` is {what} the"
        f" {which} element of `xs` {of}, in the order in which these stand in `xs`.",
        helpers=f"let key x = {key}\n\n",
        body=f"{count}let rec walk seen kept = function\n  | [] -> kept\n"
        f"  | x :: rest when {new} ->\n"
        f"    walk (key x :: seen) ({value} :: kept) rest\n"
        f"  | x :: rest -> walk (key x :: seen) kept rest\nin\n{close}",
        edges=["[]", "[3]", "[1; -1; 2; 1; 0; 2; 2; 12; 5; 0; -3]", "[4; 4; 4]"],
        by_example=True,
    )


_FIELDS = {
    "name": ("fst", "name", "string"),
    "score": ("snd", "score", "int"),
    "name length": (
        "(fun (name, _) -> String.length name)",
        "length of the name",
        "int",
    ),
    "last digit": (
        "(fun (_, n) -> abs n mod 10)",
        "last decimal digit of the score",
        "int",
    ),
}


_WAYS = {
    "rising": ("a", "b", "rising"),
    "falling": ("b", "a", "falling"),
}


def ranking(draw: Draw) -> Draft:
    """Pairs sorted by two keys"""
    first, its, _ = draw.pick(_FIELDS)
    a, b, way = draw.pick(_WAYS)
    rest = {n: f for n, f in _FIELDS.items() if f[1] != its}
    second, other, _ = draw.pick(rest)
    c, d, second_way = draw.pick(_WAYS)
    kind, what, tail = draw.pick(
        {
            "all": ("(string * int) list", "all entries", "sorted"),
            "names": ("string list", "the names of all entries", "List.map fst sorted"),
            "top": (
                "(string * int) list",
                "the first two of the entries (fewer if there are fewer)",
                "List.filteri (fun i _ -> i < 2) sorted",
            ),
            "winner": (
                "string option",
                "`Some` of the name of the first entry, `None` if there is none",
                "match sorted with [] -> None | (name, _) :: _ -> Some name",
            ),
        }
    )
    name = "ranking"
    return function(
        draw,
        name,
        [("entries", "(string * int) list", "(word * small) list")],
        kind,
        what=f"Each entry is a name and a score. Sort them by {way} {its}; those that"
        f" agree in it by {second_way} {other}; those that agree in both keep the order"
        f" that they have. `{name} entries` is {what}, in that order.",
        also=["Texts are compared as `compare` does."],
        body=f"let first = {first} and second = {second} in\n"
        "let order a b =\n"
        f"  match compare (first {a}) (first {b}) with\n"
        f"  | 0 -> compare (second {c}) (second {d})\n"
        "  | decided -> decided\nin\n"
        f"let sorted = List.stable_sort order entries in\n{tail}",
        edges=[
            "[]",
            '[("bee", 3); ("ant", 3); ("ox", 13); ("ant", -3); ("eel", 4)]',
            '[("ox", 2); ("an", 2); ("ox", 1)]',
            '[("gnu", 5); ("elk", -5); ("a", 15); ("gnu", 5)]',
        ],
    )


FAMILIES = gather("lists", zipped, places, kinds, ranking)
