"""Finds how the functions of an interface construct values of its types; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ocaml_reward.model.types import (
    Arrow,
    Constructed,
    Interface,
    Tuple,
    Type,
    Unknown,
    Variable,
    arguments_of,
    substituted,
)

from .writing import Text, call

Taken = list[tuple[str, Type]]
"""The parameters of a function: labels and types."""


def functions(interface: Interface, own: Constructed) -> Iterator[tuple[str, Taken, Type]]:
    """Yield the first-order functions, instantiated for a type: names, parameters and results."""
    for value, typed in interface.values.items():
        takes, gives = arguments_of(matched(typed, own.name, own.arguments))
        takes = [each for each in takes if not each[0].startswith("?")]
        if not any(isinstance(each, (Arrow, Unknown)) for _, each in takes):
            yield value, takes, gives


def steps(interface: Interface, own: Constructed) -> list[tuple[str, Taken, bool]]:
    """Return the functions that take one value of a type and return one, or () after mutating it.

    Each comes with which of the two it is.
    """
    found = []
    for value, takes, gives in functions(interface, own):
        count = sum(each == own for _, each in takes)
        if count == 1 and gives in (own, Constructed("unit")):
            found.append((value, takes, gives == own))
    return found


def matched(found: Type, name: str, arguments: tuple[Type, ...]) -> Type:
    """Replace type variables by those of a value's type if it has a type of that name,
    else by int.
    """
    names: dict[str, Type] = {}

    def walk(part: Type) -> None:
        match part:
            case Constructed(own, inner):
                if own == name:
                    for each, given in zip(inner, arguments, strict=False):
                        if isinstance(each, Variable):
                            names.setdefault(each.name, given)
                for each in inner:
                    walk(each)
            case Tuple(items):
                for each in items:
                    walk(each)
            case Arrow(_, argument, result):
                walk(argument)
                walk(result)

    walk(found)
    return substituted(found, names)


def after(
    base: str,
    step: str,
    takes: Sequence[tuple[str, Type]],
    whole_type: Type,
    chain: Sequence[Sequence[Text]],
    *,
    gives: bool,
) -> str:
    """Write a value to which steps are applied one after the other."""

    def stepped(subject: str, row: Sequence[Text]) -> str:
        left = list(row)
        words = [subject if each == whole_type else left.pop(0).text for _, each in takes]
        return call(step, takes, words)

    if gives:
        for row in chain:
            base = stepped(base, row)
        return base
    done = "; ".join(stepped("made", row) for row in chain)
    return f"(let made = {base} in {done}; made)"
