"""Expressions: evaluated, simplified, written."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..types import Variant

EXPR = ("expr", "expr")


OPERATORS = {
    "Add": (EXPR, "a + b", "the sum of both", "+"),
    "Sub": (EXPR, "a - b", "the first minus the second", "-"),
    "Mul": (EXPR, "a * b", "the product of both", "*"),
    "Max": (EXPR, "max a b", "the larger one of both", "max"),
    "Min": (EXPR, "min a b", "the smaller one of both", "min"),
    "Gap": (EXPR, "abs (a - b)", "the distance between both", "gap"),
    "Neg": (("expr",), "-a", "the operand negated", "-"),
    "Abs": (("expr",), "abs a", "the absolute value of the operand", "abs"),
    "Twice": (("expr",), "2 * a", "the double of the operand", "2*"),
    "Square": (("expr",), "a * a", "the square of the operand", "sq"),
}


def grown(draw: Draw, cases: list[tuple[str, int]], leaves: list[str], size: int) -> str:
    """Draw an expression with about so many operators, without brackets round it."""
    if size <= 0:
        leaf = draw.choice(leaves)
        return leaf.format(draw.between(0, 6)) if "{}" in leaf else leaf
    name, taken = draw.choice(cases)
    left = draw.below(size) if taken == 2 else size - 1
    first = grown(draw, cases, leaves, left)
    if taken == 1:
        return f"{name} ({first})" if " " in first else f"{name} {first}"
    return f"{name} ({first}, {grown(draw, cases, leaves, size - 1 - left)})"


_SIZES = (0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 7, 8)


def asked(draw: Draw, name: str, cases: list[tuple[str, int]], leaves: list[str]) -> list[str]:
    """Draw applications of a function to expressions of some constructors.

    Args:
        draw: Where they come from.
        name: The function.
        cases: Constructors, with the number of their operands.
        leaves: Expressions without operands; braces stand for a number.

    Returns:
        The applications, none twice.
    """
    drawn = []
    for size in _SIZES * 2:
        text = grown(draw, cases, leaves, size)
        drawn.append(f"{name} ({text})" if " " in text else f"{name} {text}")
    return list(dict.fromkeys(drawn))


def variant(cases: list[tuple[str, tuple[str, ...]]], *more: str) -> Variant:
    """Declare the type of expressions.

    Args:
        cases: Constructors, with the types they take.
        more: Constructors that take a text.

    Returns:
        The type, in which `Num` takes a number.
    """
    leaves = [("Num", ("int",)), *((name, ("string",)) for name in more)]
    return Variant(name="expr", constructors=(*leaves, *cases))


def evaluation(draw: Draw) -> Draft:
    """The value of an expression, or what goes wrong in it"""
    chosen = draw.pick_some({n: (n, *OPERATORS[n]) for n in OPERATORS}, 3)
    partial = draw.pick(
        {
            "none": None,
            "quotient": (
                "Div",
                "if b = 0 then None else Some (a / b)",
                "the first divided by the second, rounded towards zero, undefined if that is 0",
            ),
            "root": (
                "Pick",
                "if a > b then None else Some (a + b)",
                "the sum of both, undefined if the first is larger than the second",
            ),
            "positive": (
                "Check",
                "if b <= 0 then None else Some a",
                "the first, undefined unless the second is positive",
            ),
        }
    )
    cases = [(name, taken) for name, taken, *_ in chosen]
    counted = draw.pick({"value": False, "steps": True})
    said = [f"`{name}` is {what}" for name, _, _, what, _ in chosen]
    if partial:
        cases.append((partial[0], EXPR))
        said.append(f"`{partial[0]}` is {partial[2]}")
    arms = ["| Num n -> Some n"]
    for name, taken, code, *_ in chosen:
        if len(taken) == 2:
            arms.append(f"| {name} (x, y) -> both x y (fun a b -> Some ({code}))")
        else:
            arms.append(f"| {name} x -> Option.map (fun a -> {code}) (eval x)")
    if partial:
        arms.append(f"| {partial[0]} (x, y) -> both x y (fun a b -> {partial[1]})")
    needs_both = any(len(taken) == 2 for _, taken in cases)
    both = (
        "and both x y f =\n  match eval x, eval y with\n"
        "  | Some a, Some b -> f a b\n  | _ -> None\n"
        if needs_both
        else ""
    )
    helper = "let rec eval = function\n" + "".join(f"  {arm}\n" for arm in arms) + both
    unary = "".join(f"  | {n} x -> 1 + size x\n" for n, taken in cases if len(taken) == 1)
    binary = "".join(
        f"  | {n} (x, y) -> 1 + size x + size y\n" for n, taken in cases if len(taken) == 2
    )
    size = f"\nlet rec size = function\n  | Num _ -> 0\n{unary}{binary}" if counted else ""
    kind = "int * int" if counted else "int"
    value = "(v, size e)" if counted else "v"
    if partial:
        kind = f"({kind}) option" if counted else "int option"
        body = f"Option.map (fun v -> {value}) (eval e)" if counted else "eval e"
        of = "`Some` of {}, or `None` if any part of `e` is undefined"
    else:
        body = f"match eval e with\n| Some v -> {value}\n| None -> assert false"
        of = "{}"
    if not partial:
        helper = "let rec eval = function\n  | Num n -> n\n" + "".join(
            f"  | {n} (x, y) ->\n    let a = eval x and b = eval y in\n    {c}\n"
            if len(t) == 2
            else f"  | {n} x ->\n    let a = eval x in\n    {c}\n"
            for n, t, c, *_ in chosen
        )
        body = "(eval e, size e)" if counted else "eval e"
    what = (
        "the pair of the value of `e` and the number of operators in `e`"
        if counted
        else "the value of `e`"
    )
    return function(
        draw,
        "evaluate",
        [("e", "expr")],
        kind,
        what=f"The value of `Num n` is n; of the others, with the values of the operands:"
        f" {'; '.join(said)}. `evaluate e` is {of.format(what)}.",
        helpers=f"{helper}{size}\n",
        body=body,
        declared=[variant(cases)],
        drawn_calls=asked(
            draw, "evaluate", [(n, len(t)) for n, t in cases], ["Num {}", "Num (-3)"]
        ),
    )


_RULES = {
    "add zero": (
        "Add",
        "| Add (Num 0, e) | Add (e, Num 0) -> e",
        "`Add` of `Num 0` and anything, in either order, becomes that",
    ),
    "add numbers": (
        "Add",
        "| Add (Num m, Num n) -> Num (m + n)",
        "`Add` of two numbers becomes their sum",
    ),
    "add same": (
        "Add",
        "| Add (a, b) when a = b -> Mul (Num 2, a)",
        "`Add` of two equal expressions becomes `Mul (Num 2, ...)` of one of them",
    ),
    "mul one": (
        "Mul",
        "| Mul (Num 1, e) | Mul (e, Num 1) -> e",
        "`Mul` of `Num 1` and anything, in either order, becomes that",
    ),
    "mul zero": (
        "Mul",
        "| Mul (Num 0, _) | Mul (_, Num 0) -> Num 0",
        "`Mul` of `Num 0` and anything, in either order, becomes `Num 0`",
    ),
    "mul numbers": (
        "Mul",
        "| Mul (Num m, Num n) -> Num (m * n)",
        "`Mul` of two numbers becomes their product",
    ),
    "neg neg": (
        "Neg",
        "| Neg (Neg e) -> e",
        "`Neg` of a `Neg` becomes what that is of",
    ),
    "neg number": (
        "Neg",
        "| Neg (Num n) -> Num (-n)",
        "`Neg` of a number becomes the negated number",
    ),
    "number left": (
        "Mul",
        "| Mul (a, Num n) -> Mul (Num n, a)",
        "`Mul` with a number as its second operand only has them exchanged",
    ),
}


def simplification(draw: Draw) -> Draft:
    """An expression simplified by rules, from its leaves up"""
    rules = draw.pick_some(_RULES, 3)
    order = draw.pick({"as written": False, "reversed": True})
    rules = rules[::-1] if order else rules
    arms = "".join(f"  {arm}\n" for _, arm, _ in rules)
    said = "; ".join(f"({n}) {each[2]}" for n, each in enumerate(rules, 1))
    cases = [("Add", 2), ("Mul", 2), ("Neg", 1)]
    drawn = asked(draw, "simplify", cases, ["Num 0", "Num 1", 'Var "x"', "Num {}", 'Var "y"'])
    return function(
        draw,
        "simplify",
        [("e", "expr")],
        "expr",
        what="`simplify e` is `e` simplified: first the operands of an expression are"
        " simplified, then the first of these rules that fits the expression made of"
        f" them is applied to it once, and nothing more happens to the result: {said}.",
        helpers=f"let step = function\n{arms}  | e -> e\n\n",
        rec=True,
        body="match e with\n| Num _ | Var _ -> e\n"
        "| Add (a, b) -> step (Add (simplify a, simplify b))\n"
        "| Mul (a, b) -> step (Mul (simplify a, simplify b))\n"
        "| Neg a -> step (Neg (simplify a))",
        declared=[variant([("Add", EXPR), ("Mul", EXPR), ("Neg", ("expr",))], "Var")],
        drawn_calls=[
            *drawn,
            "simplify (Add (Num 0, Add (Num 1, Num 0)))",
            "simplify (Neg (Neg (Add (Num 2, Num 3))))",
            'simplify (Mul (Var "x", Num 5))',
            'simplify (Mul (Num 1, Mul (Num 0, Var "x")))',
            'simplify (Add (Var "x", Var "x"))',
            "simplify (Neg (Num 4))",
        ],
    )


FAMILIES = gather("expressions", evaluation, simplification)
