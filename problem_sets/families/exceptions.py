"""Exceptions raised and handled."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..vocabulary.numbers import DENSE, condition, transform

_CARRIED = {
    "element": ("int", "x", "the element"),
    "place": ("int", "i", "its place (the first is 0)"),
    "both": ("int * int", "(i, x)", "its place (the first is 0) and the element"),
    "nothing": ("", "", ""),
}
_CHECKED = {
    "list": (
        "int list",
        "List.mapi check xs",
        "the list of what becomes of all elements",
    ),
    "sum": (
        "int",
        "List.fold_left ( + ) 0 (List.mapi check xs)",
        "the sum of what becomes of all elements (0 for none)",
    ),
    "last": (
        "int option",
        "List.fold_left (fun _ x -> Some x) None (List.mapi check xs)",
        "`Some` of what becomes of the last element, `None` for an empty list",
    ),
    "count": (
        "int",
        "List.length (List.sort_uniq compare (List.mapi check xs))",
        "the number of different values that become of the elements",
    ),
}


def raising(draw: Draw) -> Draft:
    """Exceptions with what they carry"""
    bad, odd = condition(draw), condition(draw)
    kind, value, carried = draw.pick(_CARRIED)
    changed = transform(draw)
    result, code, of = draw.pick(_CHECKED)
    place = draw.pick({"first": True, "last": False})
    name = draw.choice(("Refused", "Bad_element", "Rejected"))
    raised = f"raise ({name} {value})" if value else f"raise {name}"
    carries = f" with {carried}" if carried else ""
    which = "first" if place else "last"
    named = "i" if "i" in value else "_"
    walk = (
        f"let check {named} x =\n  if {bad.ml} then {raised}\n"
        f"  else if {odd.ml} then {changed.ml} else x\nin\n"
    )
    if not place:
        walk += (
            "let n = List.length xs in\n"
            "List.iteri (fun j x -> ignore (check (n - 1 - j) x)) (List.rev xs);\n"
        )
    return function(
        draw,
        "checked",
        [("xs", "int list")],
        result,
        what=f"`checked xs` raises `{name}`{carries} for the {which} element of `xs` that"
        f" {bad.one}. If there is none, each element that {odd.one} becomes {changed.its}, and"
        f" any other stays; `checked xs` is then {of}.",
        body=walk + code,
        exceptions=[(name, kind)],
        edges=[
            "[]",
            DENSE,
            "[1; 3; 7]",
            "[2; 6; 4]",
            "[-3; -1]",
            "[-2; -4; 0]",
            "[0]",
            "[5]",
            "[8; 5; 12; 3]",
            "[-7]",
            "[4; 9]",
            "[10; 20; 30]",
            "[12]",
            "[7; 14]",
            "[3]",
        ],
    )


_HANDLERS = {
    "Not_found": ("raise Not_found", "Not_found"),
    "Failure": ('failwith "f"', "Failure _"),
    "Division_by_zero": ("12 / (x - x)", "Division_by_zero"),
    "Invalid_argument": ('invalid_arg "f"', "Invalid_argument _"),
    "Exit": ("raise Exit", "Exit"),
}
_ON_ERROR = {
    "kept": (
        "run x rest",
        "the function is passed over, and the number stays as it is",
    ),
    "zero": ("run 0 rest", "the number becomes 0"),
    "stop": (
        "x",
        "the number before that function is the result, and later functions are not applied",
    ),
    "minus": ("run (x - 1) rest", "the number becomes less by 1"),
    "none": ("0", "the result is 0, and later functions are not applied"),
    "negated": ("run (-x) rest", "the number is negated"),
}
_FUNCTIONS = (
    "x + 1",
    "2 * x",
    "x - 3",
    "12 / x",
    "x * x",
    "if x > 4 then {} else x",
    "if x mod 2 = 0 then {} else x + 2",
    "if x < 0 then {} else x - 5",
    "{}",
)


def recovering(draw: Draw) -> Draft:
    """Functions applied one after the other, some of which raise"""
    caught = draw.pick_some({n: (n, *_HANDLERS[n]) for n in _HANDLERS}, 2)
    first, first_said = draw.pick(_ON_ERROR)
    second, second_said = draw.pick({n: e for n, e in _ON_ERROR.items() if e[0] != first})
    bodies = [code for _, code, _ in caught]

    def applied() -> str:
        body = draw.choice(_FUNCTIONS).format(draw.choice(bodies))
        if body == "12 / x" and "12 / (x - x)" not in bodies:
            body = "12 - x"
        return f"(fun x -> {body})"

    sizes = (0, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 3, 4, 5, 2, 1, 2)
    calls = [
        f"run_all [{'; '.join(applied() for _ in range(n))}] {draw.between(0, 8)}" for n in sizes
    ]
    extra = [
        f"run_all [(fun x -> x + {k}); (fun x -> {code}); (fun x -> 3 * x)] {n}"
        for k, n in ((2, 4), (1, 0))
        for code in bodies
    ]
    names = [name for name, *_ in caught]
    return function(
        draw,
        "run_all",
        [("fs", "(int -> int) list"), ("x", "int")],
        "int",
        what=f"Apply the functions in `fs` one after the other: the first to `x`, and each"
        f" further one to the number got before; `run_all fs x` is the last number. If one"
        f" raises `{names[0]}`, {first_said}. If one raises `{names[1]}`, {second_said}.",
        also=["They raise nothing else. Each function is applied once at the most."],
        body="let rec run x = function\n  | [] -> x\n  | f :: rest ->\n"
        "    (match f x with\n     | y -> run y rest\n"
        f"     | exception {caught[0][2]} -> {first}\n"
        f"     | exception {caught[1][2]} -> {second})\nin\nrun x fs",
        drawn_calls=list(dict.fromkeys([*extra, *calls])),
    )


FAMILIES = gather("exceptions", raising, recovering)
