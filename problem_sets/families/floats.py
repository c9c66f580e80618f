"""Floating point, on values that are exact in binary."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather

_EXACT = "All inputs are small multiples of 0.25, so that floats compute with them exactly."
_EDGES = ("[]", "[0.]", "[1.5; -2.25; 3.; 0.25]", "[2.; 2.; -1.; 4.]", "[-0.5; -3.]")

_TESTS = {
    "positive": ("x > 0.", "are positive"),
    "negative": ("x < 0.", "are negative"),
    "above one": ("x > 1.", "are greater than 1"),
    "inside": ("x >= -1. && x <= 4.", "lie between -1 and 4, both included"),
    "whole": ("Float.of_int (Float.to_int x) = x", "are whole numbers"),
    "broken": ("Float.of_int (Float.to_int x) <> x", "are no whole numbers"),
    "large": ("Float.abs x >= 2.", "have an absolute value of at least 2"),
}
_CHANGES = {
    "double": ("2. *. x", "its double"),
    "half": ("x /. 2.", "its half"),
    "square": ("x *. x", "its square"),
    "absolute": ("Float.abs x", "its absolute value"),
    "negated": ("-.x", "itself negated"),
    "clamped": (
        "Float.min 3. (Float.max 0. x)",
        "the number from 0 to 3 nearest to it",
    ),
    "from two": ("Float.abs (x -. 2.)", "its distance from 2"),
}
_SUMS = {
    "sum": ("List.fold_left ( +. ) 0.", "the sum", "float", "`0.`"),
    "largest": (
        "(function [] -> None | x :: rest -> Some (List.fold_left Float.max x rest))",
        "`Some` of the largest",
        "float option",
        "`None`",
    ),
    "smallest": (
        "(function [] -> None | x :: rest -> Some (List.fold_left Float.min x rest))",
        "`Some` of the smallest",
        "float option",
        "`None`",
    ),
    "list": ("Fun.id", "the list", "float list", "`[]`"),
    "running": (
        "(fun l -> List.rev (fst (List.fold_left\n"
        "      (fun (sums, sum) x -> ((sum +. x) :: sums, sum +. x)) ([], 0.) l)))",
        "the list of running sums (the first, the first two together, and so on)",
        "float list",
        "`[]`",
    ),
    "rounded": (
        "List.map (fun x -> Float.to_int (Float.floor x))",
        "the list of the whole parts (rounded down)",
        "int list",
        "`[]`",
    ),
}


def float_pipeline(draw: Draw) -> Draft:
    """filter, change and reduce a list of floats"""
    test, kept = draw.pick(_TESTS)
    change, its = draw.pick(_CHANGES)
    ml, of, kind, empty = draw.pick(_SUMS)
    ordered = ", in the order of `xs`" if "list" in kind else ""
    tail = "" if kind == "float list" and ml == "Fun.id" else f"\n|> {ml}"
    return function(
        draw,
        "measure",
        [("xs", "float list")],
        kind,
        what=f"Keep the elements of `xs` that {kept}, and replace each by {its}."
        f" `measure xs` is {of} of the results{ordered}.",
        also=[f"Where no element is kept it is {empty}.", _EXACT],
        body=f"xs\n|> List.filter (fun x -> {test})\n|> List.map (fun x -> {change}){tail}",
        edges=[
            *_EDGES,
            "[1.; 4.; -1.; 2.; -2.; 0.; 3.; 4.25; -1.25; 1.25; 1.75; -2.5]",
        ],
    )


_TOWARDS = {
    "down": ("Float.floor y", "down (towards minus infinity)"),
    "up": ("Float.ceil y", "up (towards plus infinity)"),
    "zero": ("Float.trunc y", "towards zero"),
    "away": (
        "if y < 0. then Float.floor y else Float.ceil y",
        "away from zero",
    ),
    "nearest": (
        "Float.floor (y +. 0.5)",
        "to the nearest one, and of two that are equally near to the larger one",
    ),
    "half down": (
        "Float.ceil (y -. 0.5)",
        "to the nearest one, and of two that are equally near to the smaller one",
    ),
}
_UNITS = {
    "half": ("2.", "halves (multiples of 0.5)"),
    "one": ("1.", "whole numbers"),
    "two": ("0.5", "even whole numbers"),
    "four": ("0.25", "multiples of 4"),
}
_OF_ROUNDED = {
    "list": ("float list", "the list of the rounded elements", "rounded"),
    "sum": (
        "float",
        "the sum of the rounded elements (0 for none)",
        "List.fold_left ( +. ) 0. rounded",
    ),
    "errors": (
        "float list",
        "the list of the differences, each element minus itself rounded",
        "List.map2 ( -. ) xs rounded",
    ),
    "unchanged": (
        "int",
        "the number of elements that rounding leaves as they are",
        "List.length (List.filter Fun.id (List.map2 ( = ) xs rounded))",
    ),
    "distinct": (
        "float list",
        "the list of the rounded elements in rising order, each value once",
        "List.sort_uniq compare rounded",
    ),
}


def float_rounding(draw: Draw) -> Draft:
    """Floats rounded in some way to some unit"""
    ml, way = draw.pick(_TOWARDS)
    factor, unit = draw.pick(_UNITS)
    kind, of, tail = draw.pick(_OF_ROUNDED)
    return function(
        draw,
        "rounded_off",
        [("xs", "float list")],
        kind,
        what=f"Round each element of `xs` to {unit}, {way}. `rounded_off xs` is {of}.",
        also=["What is such a number already stays as it is.", _EXACT],
        body=f"let round x =\n  let y = x *. {factor} in\n  ({ml}) /. {factor}\nin\n"
        f"let rounded = List.map (fun x -> round x +. 0.) xs in\n{tail}",
        edges=[
            *_EDGES,
            "[0.25; 0.5; 0.75; 1.; 1.5; -0.25; -0.75; -1.5; 2.; 6.; -6.; 5.]",
        ],
    )


_AREAS = {
    "left": ("a", "the value at its left end"),
    "right": ("b", "the value at its right end"),
    "mean": ("(a +. b) /. 2.", "the mean of the values at its ends"),
    "larger": ("Float.max a b", "the larger of the values at its ends"),
    "smaller": ("Float.min a b", "the smaller of the values at its ends"),
    "rise": ("b -. a", "the value at its right end minus that at its left end"),
}
_WHOLE = {
    "total": (
        "float",
        "the sum of the {} (0 for none)",
        "List.fold_left ( +. ) 0. all",
    ),
    "positive": (
        "float",
        "the sum of those of the {} that are positive (0 for none)",
        "List.fold_left (fun sum x -> if x > 0. then sum +. x else sum) 0. all",
    ),
    "largest": (
        "float option",
        "`Some` of the largest of the {}, `None` if there are none",
        "match all with [] -> None | x :: rest -> Some (List.fold_left Float.max x rest)",
    ),
    "list": ("float list", "the list of the {}", "all"),
    "above": (
        "int",
        "the number of those of the {} that are greater than 1",
        "List.length (List.filter (fun x -> x > 1.) all)",
    ),
}
_WIDTHS = {
    "one": ("", "", "of width 1"),
    "two": ("2. *. ", "", "of width 2"),
    "half": ("0.5 *. ", "", "of width 0.5"),
}


def samples(draw: Draw) -> Draft:
    """Areas and changes between samples of a function"""
    ml, value = draw.pick(_AREAS)
    factor, _, width = draw.pick(_WIDTHS)
    kind, of, tail = draw.pick(_WHOLE)
    return function(
        draw,
        "sampled",
        [("ys", "float list")],
        kind,
        what=f"`ys` are values of a function at equal distances; between every two"
        f" neighbours lies a strip {width}. The area of a strip is its width times"
        f" {value}. `sampled ys` is {of.format('areas of the strips, from left to right')}.",
        also=["Fewer than two values have no strip between them.", _EXACT],
        body="let rec strips = function\n  | a :: (b :: _ as rest) ->"
        f" ({factor}({ml})) :: strips rest\n  | [ _ ] | [] -> []\nin\n"
        f"let all = strips ys in\n{tail}",
        edges=[*_EDGES, "[0.; 1.; 3.; 2.; -1.; 0.5; 2.5; 2.; 4.; 4.5]"],
    )


FAMILIES = gather("floats", float_pipeline, float_rounding, samples)
