"""Arrays: windows, changes in place, and tables of numbers."""

from __future__ import annotations

from ..drafts import Draft, Parameter, calls, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import condition, transform

_OF_WINDOW = {
    "sum": ("Array.fold_left ( + ) 0 w", "the sum of its elements"),
    "largest": ("Array.fold_left max w.(0) w", "its largest element"),
    "smallest": ("Array.fold_left min w.(0) w", "its smallest element"),
    "spread": (
        "Array.fold_left max w.(0) w - Array.fold_left min w.(0) w",
        "its largest minus its smallest element",
    ),
    "ends": (
        "w.(Array.length w - 1) - w.(0)",
        "its last minus its first element",
    ),
    "even": (
        "Array.fold_left (fun n x -> if x mod 2 = 0 then n + 1 else n) 0 w",
        "the number of its even elements",
    ),
    "distinct": (
        "List.length (List.sort_uniq compare (Array.to_list w))",
        "the number of different values in it",
    ),
}
_OF_WINDOWS = {
    "array": ("int array", "the array of these values, from left to right", "values"),
    "best": (
        "int option",
        "`Some` of the largest of these values, `None` if there is no window",
        "Array.fold_left\n"
        "  (fun best v -> match best with Some b when b >= v -> best | _ -> Some v)\n"
        "  None values",
    ),
    "where": (
        "int option",
        "`Some` of the place where the first window with the smallest value begins"
        " (places count from 0), `None` if there is no window",
        "let best = ref None in\n"
        "Array.iteri\n"
        "  (fun i v ->\n"
        "    match !best with\n"
        "    | Some j when values.(j) <= v -> ()\n"
        "    | _ -> best := Some i)\n"
        "  values;\n!best",
    ),
    "falls": (
        "int",
        "how often one of these values is smaller than that of the window before",
        "let falls = ref 0 in\n"
        "for i = 1 to Array.length values - 1 do\n"
        "  if values.(i) < values.(i - 1) then incr falls\ndone;\n!falls",
    ),
    "total": ("int", "the sum of these values", "Array.fold_left ( + ) 0 values"),
}
_STEPS = {
    "every": ("i", "Array.length a - k + 1", "at every place"),
    "apart": ("(i * k)", "Array.length a / k", "at the places 0, `k`, 2 `k` and so on"),
}


def windows(draw: Draw) -> Draft:
    """Windows of an array"""
    ml, its = draw.pick(_OF_WINDOW)
    start, count, where = draw.pick(_STEPS)
    kind, of, tail = draw.pick(_OF_WINDOWS)
    return function(
        draw,
        "windows",
        [("k", "int", "count"), ("a", "int array", "small array")],
        kind,
        what=f"A window of `a` is `k` neighbouring elements of it. Windows begin"
        f" {where}, as far as they fit into `a`; take of each window {its}."
        f" `windows k a` is {of}.",
        also=["`k` is at least 1; where it is larger than `a`, there is no window."],
        body=f"let count = max 0 ({count}) in\n"
        f"let value i =\n  let w = Array.sub a {start} k in\n  {ml}\nin\n"
        f"let values = Array.init count value in\n{tail}",
        edges=[
            *("1 [||]", "2 [|5|]", "2 [|4; -1; 4; 4; 0; 7|]", "3 [|1; 2; 3; 4; 5; 9|]"),
            *("1 [|3; -3; 3|]", "4 [|1; 5; 2; 2|]", "2 [|8; 8; 1; 0; 2; 2; 5; -4|]"),
            *("3 [|2; 2; 5; 1; 1; 0; 4; 6; 6; -2|]", "2 [|0; 2; 4; 6; 1; 1|]"),
        ],
        total=False,
    )


_WHICH = {
    "all": ("true", "each element"),
    "even": ("i mod 2 = 0", "each element at an even place (places count from 0)"),
    "odd": ("i mod 2 = 1", "each element at an odd place (places count from 0)"),
    "first half": (
        "i < Array.length a / 2",
        "each element of the first half (half the length is rounded down)",
    ),
    "not ends": (
        "i > 0 && i < Array.length a - 1",
        "each element but the first and the last",
    ),
}


def updates(draw: Draw) -> Draft:
    """An array changed in place"""
    where, said = draw.pick(_WHICH)
    test, changed = condition(draw), transform(draw)
    then = draw.pick(
        {
            "nothing": ("", "`update a` returns unit."),
            "reversed": (
                ";\nlet n = Array.length a in\n"
                "for i = 0 to (n / 2) - 1 do\n  let x = a.(i) in\n"
                "  a.(i) <- a.(n - 1 - i);\n  a.(n - 1 - i) <- x\ndone",
                "Then it turns the order of the elements in `a` round. It returns unit.",
            ),
            "sums": (
                ";\nfor i = 1 to Array.length a - 1 do\n  a.(i) <- a.(i) + a.(i - 1)\ndone",
                "Then, from left to right, it adds to each element but the first what its"
                " left neighbour has become. It returns unit.",
            ),
            "sorted": (
                ";\nArray.sort compare a",
                "Then it sorts `a` in rising order. It returns unit.",
            ),
        }
    )
    both = test.ml if where == "true" else f"{where} && ({test.ml})"
    dense = "[|-5; 6; -4; 0; 1; -3; 2; 5; 3; -2; 4; 8; -1; 7; 10; 9; 11; 12|]"
    edges = ["[||]", "[|7|]", dense, f"[|1; {dense[2:]}", "[|2; 4; 6; 8|]"]
    drawn = calls(draw, "", [Parameter(name="a", type="int array")], edges)
    return function(
        draw,
        "update",
        [("a", "int array")],
        "unit",
        what=f"`update a` changes `a` itself: {said} that {test.one} is replaced by"
        f" {changed.its}. {then[1]}",
        body=f"Array.iteri\n  (fun i x -> if {both} then a.(i) <- {changed.ml})\n  a{then[0]}",
        drawn_calls=[f"(let a = {each.strip()} in update a; a)" for each in drawn],
        result_of_calls="int array",
        total=False,
    )


_LINES = {
    "rows": ("Array.to_list m", "rows"),
    "columns": (
        "if Array.length m = 0 then []\n"
        "  else List.init (Array.length m.(0))\n"
        "      (fun j -> Array.map (fun row -> row.(j)) m)",
        "columns, from left to right",
    ),
    "diagonals": (
        "if Array.length m = 0 || Array.length m.(0) = 0 then []\n"
        "  else\n"
        "    let rows = Array.length m and cols = Array.length m.(0) in\n"
        "    List.init (rows + cols - 1) (fun d ->\n"
        "        List.init rows Fun.id\n"
        "        |> List.filter (fun i -> d - i >= 0 && d - i < cols)\n"
        "        |> List.map (fun i -> m.(i).(d - i))\n"
        "        |> Array.of_list)",
        "diagonals (the elements whose row and column have the same sum form one; the"
        " one of sum 0 comes first; within one, the upper row comes first)",
    ),
}
_OF_LINE = {
    "sum": ("Array.fold_left ( + ) 0 line", "its sum"),
    "largest": ("Array.fold_left max line.(0) line", "its largest element"),
    "first": ("line.(0)", "its first element"),
    "last": ("line.(Array.length line - 1)", "its last element"),
    "positive": (
        "Array.fold_left (fun n x -> if x > 0 then n + 1 else n) 0 line",
        "the number of its positive elements",
    ),
    "alternating": (
        "Array.fold_right (fun x rest -> x - rest) line 0",
        "its alternating sum (first minus second plus third, and so on)",
    ),
}
_OF_LINES = {
    "list": ("int list", "the list of these numbers", "values"),
    "largest": (
        "int",
        "the largest of these numbers, or 0 if that is negative or there are none",
        "List.fold_left max 0 values",
    ),
    "rising": (
        "bool",
        "true if each of these numbers but the first is larger than the one before",
        "let rec rises = function\n"
        "  | a :: (b :: _ as rest) -> a < b && rises rest\n  | _ -> true\nin\nrises values",
    ),
    "even": (
        "int",
        "the number of even ones among these numbers",
        "List.length (List.filter (fun v -> v mod 2 = 0) values)",
    ),
    "reversed": (
        "int list",
        "the list of these numbers from the last to the first",
        "List.rev values",
    ),
}


def matrix(draw: Draw) -> Draft:
    """rows, columns and diagonals of a matrix"""
    lines, said = draw.pick(_LINES)
    ml, its = draw.pick(_OF_LINE)
    kind, of, tail = draw.pick(_OF_LINES)

    def drawn(rows: int, columns: int) -> str:
        table = [
            "[|" + "; ".join(str(draw.between(-4, 9)) for _ in range(columns)) + "|]"
            for _ in range(rows)
        ]
        return f"[|{'; '.join(table)}|]"

    sizes = [
        (1, 1),
        (2, 2),
        (2, 3),
        (3, 2),
        (1, 4),
        (4, 1),
        (3, 3),
        (2, 2),
        (3, 4),
        (2, 3),
    ]
    edges = ["[||]", "[|[|1; 2|]; [|3; 4|]|]", "[|[|-1; 0|]; [|1; -5|]; [|2; 2|]|]"]
    asked = [*edges, *(drawn(*size) for size in (*sizes, *sizes))]
    return function(
        draw,
        "along",
        [("m", "int array array")],
        kind,
        what=f"`m` is a matrix, an array of rows that are equally long, and no row is"
        f" empty. Go through its {said}, and take of each {its}. `along m` is {of}.",
        also=["A matrix without rows has no columns and no diagonals either."],
        body=f"let lines =\n  {lines}\nin\n"
        f"let values = List.map (fun line -> {ml}) lines in\n{tail}",
        drawn_calls=list(dict.fromkeys(f"along {each}" for each in asked)),
    )


FAMILIES = gather("arrays", windows, updates, matrix)
