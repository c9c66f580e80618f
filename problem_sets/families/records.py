"""Records and variants."""

from __future__ import annotations

from ..drafts import Draft, function
from ..drawing import Draw
from ..registry import gather
from ..types import Record
from ..vocabulary.numbers import REDUCTIONS

_SCHEMAS = {
    "item": ("item", "items", ("label", "price", "stock")),
    "player": ("player", "players", ("nick", "score", "level")),
    "city": ("city", "cities", ("name", "people", "height")),
    "task": ("task", "tasks", ("title", "hours", "priority")),
}


_FIELD_TESTS = {
    "first large": ("r.{a} > {k}", "whose `{a}` is greater than {k}"),
    "second small": ("r.{b} < {k}", "whose `{b}` is less than {k}"),
    "first below second": ("r.{a} < r.{b}", "whose `{a}` is less than their `{b}`"),
    "even": ("r.{a} mod 2 = 0", "whose `{a}` is even"),
    "both": (
        "r.{a} > {k} && r.{b} > {k}",
        "whose `{a}` and `{b}` are both greater than {k}",
    ),
    "named": (
        "String.length r.{t} > 2",
        "whose `{t}` has more than 2 characters",
    ),
}


_PROJECTIONS = {
    "product": ("r.{a} * r.{b}", "`{a}` times `{b}`"),
    "sum": ("r.{a} + r.{b}", "`{a}` plus `{b}`"),
    "first": ("r.{a}", "`{a}`"),
    "difference": ("r.{a} - r.{b}", "`{a}` minus `{b}`"),
    "length": ("r.{a} + String.length r.{t}", "`{a}` plus the length of `{t}`"),
    "larger": ("max r.{a} r.{b}", "the larger one of `{a}` and `{b}`"),
}


def _rows(draw: Draw, fields: tuple[str, str, str]) -> list[str]:
    """Return drawn lists of records, as OCaml text."""
    text, first, second = fields
    words = ("ax", "bow", "cup", "to", "lamp", "ink")

    def row() -> str:
        return (
            f'{{ {text} = "{draw.choice(words)}"; {first} = {draw.between(0, 9)};'
            f" {second} = {draw.between(0, 9)} }}"
        )

    sizes = (1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 2, 1, 3, 4, 5, 6, 7, 8)
    return ["[]", *(f"[{'; '.join(row() for _ in range(n))}]" for n in sizes)]


def record_report(draw: Draw) -> Draft:
    """A list of records filtered and summed up"""
    kind, plural, fields = _SCHEMAS[draw.choice(tuple(_SCHEMAS))]
    text, a, b = fields
    k = draw.between(3, 6)
    known = {"t": text, "a": a, "b": b, "k": k}
    test, who = (each.format(**known) for each in draw.pick(_FIELD_TESTS))
    value, of = (each.format(**known) for each in draw.pick(_PROJECTIONS))
    reduction = draw.pick(
        {n: REDUCTIONS[n] for n in ("sum", "largest", "smallest", "list", "distinct")}
    )
    tail = "" if reduction.word == "list" else f"\n|> {reduction.ml}"
    ordered = ", in the order of `rows`" if reduction.word == "list" else ""
    return function(
        draw,
        "report",
        [("rows", f"{kind} list")],
        reduction.type,
        what=f"`rows` are {plural}. Take those {who}, and of each {of}. `report rows` is"
        f" {reduction.of} of these numbers{ordered}.",
        also=[f"Where there are none it is {reduction.empty}."],
        body=f"rows\n|> List.filter (fun r -> {test})\n|> List.map (fun r -> {value}){tail}",
        declared=[Record(name=kind, fields=((text, "string"), (a, "int"), (b, "int")))],
        drawn_calls=list(dict.fromkeys(f"report {rows}" for rows in _rows(draw, fields))),
    )


_UPDATES = {
    "raise first": ("{a} = r.{a} + {k}", "its `{a}` is larger by {k}"),
    "double second": ("{b} = 2 * r.{b}", "its `{b}` is doubled"),
    "swap": ("{a} = r.{b}; {b} = r.{a}", "its `{a}` and `{b}` have changed places"),
    "name": ("{t} = String.uppercase_ascii r.{t}", "its `{t}` is in uppercase"),
    "clear": ("{b} = 0", "its `{b}` is 0"),
    "move": (
        "{a} = r.{a} - 1; {b} = r.{b} + 1",
        "its `{a}` is less by 1 and its `{b}` more by 1",
    ),
}


def record_update(draw: Draw) -> Draft:
    """Records updated without changing them"""
    kind, plural, fields = _SCHEMAS[draw.choice(tuple(_SCHEMAS))]
    text, a, b = fields
    known = {"t": text, "a": a, "b": b, "k": draw.between(2, 6)}
    test, who = (each.format(**known) for each in draw.pick(_FIELD_TESTS))
    update, what = (each.format(**known) for each in draw.pick(_UPDATES))
    rest, said = draw.pick(
        {
            "kept": ("Some r", "The others stay as they are."),
            "dropped": ("None", "The others are left out."),
        }
    )
    body = f"if {test} then {{ r with {update} }} else r"
    listed = f"List.map (fun r -> {body}) rows"
    if rest == "None":
        listed = (
            "List.filter_map\n"
            f"  (fun r -> if {test} then Some {{ r with {update} }} else None)\n  rows"
        )
    order, then = draw.pick(
        {
            "kept": ("", "in the order of `rows`"),
            "reversed": ("List.rev", "in reverse order"),
            "by first": (
                f"List.stable_sort (fun r s -> compare r.{a} s.{a})",
                f"sorted by rising new `{a}`, those of the same `{a}` in the order of `rows`",
            ),
        }
    )
    return function(
        draw,
        "revise",
        [("rows", f"{kind} list")],
        f"{kind} list",
        what=f"the list of {plural}, {then}, in which each of those of `rows` {who} is"
        f" replaced by one that differs from it in this: {what}",
        also=[said],
        body=f"{order} ({listed})" if order else listed,
        declared=[Record(name=kind, fields=((text, "string"), (a, "int"), (b, "int")))],
        drawn_calls=list(dict.fromkeys(f"revise {rows}" for rows in _rows(draw, fields))),
    )


FAMILIES = gather("records and variants", record_report, record_update)
