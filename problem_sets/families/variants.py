"""Variants."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..types import Variant
from ..vocabulary.numbers import REDUCTIONS

_SHAPES = {
    "Square": (("int",), "a * a", "4 * a", "a square with the given side"),
    "Rect": (
        ("int", "int"),
        "a * b",
        "2 * (a + b)",
        "a rectangle with the given sides",
    ),
    "Cross": (
        ("int",),
        "5 * a * a",
        "12 * a",
        "five squares with the given side that form a cross",
    ),
    "Frame": (
        ("int", "int"),
        "(a * a) - (b * b)",
        "4 * (a + b)",
        "a square with the first number as its side, without a smaller square inside it"
        " with the second as its side (its edge is both)",
    ),
    "Bar": (
        ("int",),
        "a",
        "(2 * a) + 2",
        "a rectangle with the given side and the side 1",
    ),
    "Dot": ((), "1", "4", "a square with the side 1"),
}


def shapes(draw: Draw) -> Draft:
    """Shapes as a variant, measured"""
    cases = draw.pick_some({name: (name, *_SHAPES[name]) for name in _SHAPES}, 3)
    place, measure = draw.pick({"area": (2, "areas"), "edge": (3, "lengths of the edges")})
    reduction = draw.pick(
        {n: REDUCTIONS[n] for n in ("sum", "largest", "list", "spread", "smallest")}
    )
    tail = "" if reduction.word == "list" else f"{reduction.ml} "
    arms = []
    for name, taken, *formulas in cases:
        names = ("a", "b")[: len(taken)]
        pattern = f"{name} ({', '.join(names)})" if len(names) > 1 else " ".join((name, *names))
        arms.append(f"  | {pattern} -> {formulas[place - 2]}\n")

    def shape() -> str:
        name, taken, *_ = draw.choice(cases)
        if not taken:
            return name
        big = draw.between(3, 9)
        if len(taken) == 1:
            return f"{name} {big}"
        return f"{name} ({big}, {draw.between(1, big - 1)})"

    sizes = (1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 1, 2, 3, 2, 4, 5) * 2
    asked = ["[]", *(f"[{'; '.join(shape() for _ in range(n))}]" for n in sizes)]
    said = "; ".join(f"`{name}` is {case[-1]}" for name, *case in cases)
    measured = "List.map measure shapes"
    return function(
        draw,
        "survey",
        [("shapes", "shape list")],
        reduction.type,
        what=f"{said}. `survey shapes` is {reduction.of} of the {measure} of the shapes"
        f"{', in order' if reduction.word == 'list' else ''}.",
        also=[f"For no shapes it is {reduction.empty}."],
        helpers="let measure = function\n" + "".join(arms) + "\n",
        body=f"{tail}({measured})" if tail else measured,
        declared=[
            Variant(
                name="shape",
                constructors=tuple((name, taken) for name, taken, *_ in cases),
            )
        ],
        drawn_calls=list(dict.fromkeys(f"survey {each}" for each in asked)),
        total=False,
    )


_EVENTS = {
    "Deposit": (("int",), "Some (balance + n)", "adds the number to the balance"),
    "Withdraw": (
        ("int",),
        "if n > balance then None else Some (balance - n)",
        "takes the number from the balance, and is refused if the balance is smaller",
    ),
    "Fee": (
        ("int",),
        "Some (max 0 (balance - n))",
        "takes the number from the balance, or all of it if the balance is smaller",
    ),
    "Double": ((), "Some (2 * balance)", "doubles the balance"),
    "Reset": ((), "Some 0", "sets the balance to 0"),
    "Limit": (
        ("int",),
        "if balance > n then None else Some balance",
        "changes nothing, and is refused if the balance is larger than the number",
    ),
    "Share": (
        ("int",),
        "if n = 0 then None else Some (balance / n)",
        "divides the balance by the number, rounded down, and is refused if that is 0",
    ),
}


_REFUSED = {
    "ignored": ("walk balance rest", "A refused event changes nothing."),
    "stops": (
        "{end}",
        "A refused event ends it all: the events after it do not count.",
    ),
    "penalty": (
        "walk (max 0 (balance - 1)) rest",
        "Instead of a refused event the balance shrinks by 1, but not below 0.",
    ),
}


def ledger(draw: Draw) -> Draft:
    """Events of an account, some of which are refused"""
    cases = draw.pick_some({name: (name, *_EVENTS[name]) for name in _EVENTS}, 3)
    refused, said = draw.pick(_REFUSED)
    counted = draw.pick({"balance": False, "count": True})
    arms = "".join(
        f"  | {name}{' n' if taken else ''} -> {code}\n" for name, taken, code, _ in cases
    )
    told = "; ".join(f"`{name}` {what}" for name, _, _, what in cases)
    kind = "int * int" if counted else "int"
    if counted:
        refused = refused.replace("walk ", "walk (refused + 1) ").format(
            end="(balance, refused + 1)"
        )
        body = (
            "let rec walk refused balance = function\n  | [] -> (balance, refused)\n"
            "  | event :: rest ->\n    (match apply balance event with\n"
            f"     | Some balance -> walk refused balance rest\n     | None -> {refused})\n"
            "in\nwalk 0 start events"
        )
    else:
        refused = refused.format(end="balance")
        body = (
            "let rec walk balance = function\n  | [] -> balance\n"
            "  | event :: rest ->\n    (match apply balance event with\n"
            f"     | Some balance -> walk balance rest\n     | None -> {refused})\n"
            "in\nwalk start events"
        )

    def event() -> str:
        name, taken, *_ = draw.choice(cases)
        return f"{name} {draw.between(0, 9)}" if taken else name

    sizes = (1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 7, 8, 3, 2, 5)
    asked = [f"settle {draw.between(0, 8)} [{'; '.join(event() for _ in range(n))}]" for n in sizes]
    for name, taken, *_ in cases:
        asked += [f"settle 5 [{name}{f' {n}' if taken else ''}]" for n in (0, 4, 5, 6)]
    last = (
        "the pair of the last balance and the number of refused events"
        if counted
        else "the last balance"
    )
    return function(
        draw,
        "settle",
        [("start", "int"), ("events", "event list")],
        kind,
        what=f"An account begins with the balance `start`, which is not negative, and its"
        f" events happen in order: {told}. {said} `settle start events` is {last}.",
        also=["Numbers in events are not negative."],
        helpers="let apply balance = function\n" + arms + "\n",
        body=body,
        declared=[
            Variant(
                name="event",
                constructors=tuple((name, taken) for name, taken, *_ in cases),
            )
        ],
        drawn_calls=list(dict.fromkeys(["settle 3 []", *asked])),
    )


FAMILIES = gather("records and variants", shapes, ledger)
