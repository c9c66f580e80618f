"""Expressions written as texts."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from .expressions import OPERATORS, asked, variant

_FORMS = {
    "prefix": (
        '"(" ^ {op} ^ " " ^ {a} ^ " " ^ {b} ^ ")"',
        '"(" ^ {op} ^ " " ^ {a} ^ ")"',
        "written in brackets, the operator first, then the operands, with one space"
        " between every two of these",
    ),
    "postfix": (
        '{a} ^ " " ^ {b} ^ " " ^ {op}',
        '{a} ^ " " ^ {op}',
        "written without brackets: the operands, then the operator, with one space"
        " between every two of these",
    ),
    "infix": (
        '"(" ^ {a} ^ " " ^ {op} ^ " " ^ {b} ^ ")"',
        '{op} ^ "(" ^ {a} ^ ")"',
        "written in brackets with the operator between its two operands and a space"
        " on both of its sides; an operator with one operand is followed by that in"
        " brackets, without a space",
    ),
    "call": (
        '{op} ^ "(" ^ {a} ^ "," ^ {b} ^ ")"',
        '{op} ^ "(" ^ {a} ^ ")"',
        "written as the operator, followed by its operands in brackets, with a comma"
        " between two of them and no space",
    ),
}


_NUMBERS = {
    "plain": ("string_of_int n", "as in OCaml, with a minus sign if it is negative"),
    "tilde": (
        'if n < 0 then "~" ^ string_of_int (-n) else string_of_int n',
        "in decimal, a negative one with `~` in place of the minus sign",
    ),
    "brackets": (
        'if n < 0 then Printf.sprintf "[%d]" n else string_of_int n',
        "in decimal, a negative one with its minus sign and in square brackets",
    ),
}


def expression_text(draw: Draw) -> Draft:
    """An expression written as a text"""
    chosen = draw.pick_some({n: (n, *OPERATORS[n]) for n in OPERATORS}, 3)
    binary, unary, said = draw.pick(_FORMS)
    number, numbers = draw.pick(_NUMBERS)
    arms = []
    for name, taken, _, _, sign in chosen:
        form = binary if len(taken) == 2 else unary
        code = form.format(op=f'"{sign}"', a="write a", b="write b")
        pattern = f"{name} (a, b)" if len(taken) == 2 else f"{name} a"
        arms.append(f"| {pattern} -> {code}")
    operators = ", ".join(f"`{sign}` for `{name}`" for name, _, _, _, sign in chosen)
    cases = [(name, taken) for name, taken, *_ in chosen]
    return function(
        draw,
        "write",
        [("e", "expr")],
        "string",
        what=f"the text of `e`. A number is written {numbers}. Every other expression is"
        f" {said}. The operators are {operators}",
        rec=True,
        body=f"match e with\n| Num n -> {number}\n" + "\n".join(arms),
        declared=[variant(cases)],
        drawn_calls=asked(draw, "write", [(n, len(t)) for n, t in cases], ["Num {}", "Num (-12)"]),
    )


FAMILIES = gather("expressions", expression_text)
