"""Function arguments, as OCaml; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ocaml_reward.model.types import Arrow, Constructed, Type, arguments_of

from .writing import Text

_INT, _BOOL, _STRING, _FLOAT, _CHAR = map(Constructed, ("int", "bool", "string", "float", "char"))
# By parameter and result types.
_KNOWN: Final[dict[tuple[Type, ...], tuple[str, ...]]] = {
    (_INT, _INT): (
        "(fun x -> x + 1)", "(fun x -> x * 2)", "(fun x -> x mod 3)", "(fun x -> -x)",
    ),
    (_INT, _BOOL): ("(fun x -> x > 1)", "(fun x -> x mod 2 = 0)"),
    (_INT, _STRING): ("string_of_int",),
    (_INT, _FLOAT): ("float_of_int",),
    (_INT, _INT, _INT): ("( + )", "( - )", "(fun x y -> (2 * x) + y)", "max"),
    (_INT, _INT, _BOOL): ("( < )", "( = )"),
    (_STRING, _INT): ("String.length",),
    (_STRING, _STRING): ("String.uppercase_ascii", '(fun s -> s ^ "!")'),
    (_STRING, _BOOL): ('(fun s -> s <> "")', "(fun s -> String.length s > 1)"),
    (_STRING, _STRING, _STRING): ("( ^ )",),
    (_FLOAT, _FLOAT): ("(fun x -> x +. 1.)", "(fun x -> x *. 2.)"),
    (_FLOAT, _BOOL): ("(fun x -> x > 1.)",),
    (_FLOAT, _FLOAT, _FLOAT): ("( +. )", "( -. )"),
    (_CHAR, _CHAR): ("Char.uppercase_ascii",),
    (_CHAR, _BOOL): ("(fun c -> c = 'a')",),
    (_BOOL, _BOOL): ("not",),
}  # fmt: skip
_CONSTANTS: Final = 2


def closures(found: Arrow, values: Callable[[Type], list[Text]]) -> Iterator[Text]:
    """Yield functions of a type: named ones, orders, and constant ones.

    Args:
        found: The type.
        values: Returns values of another type; may raise.

    Yields:
        Functions; constant ones only for types without others.
    """
    takes, gives = arguments_of(found)
    labels = [label for label, _ in takes]
    types = [each for _, each in takes]
    known = False
    if not any(labels):
        for text in _KNOWN.get((*types, gives), ()):
            known = True
            yield Text(text)
        if len(types) == 1 and types[0] == gives:
            known = True
            yield Text("(fun x -> x)")
        if len(types) == 2 and types[0] == types[1] and gives == _INT:
            known = True
            yield Text("compare")
            yield Text("(fun x y -> compare y x)")
    if not known or gives == _BOOL:
        heads = "".join(f" {label}_" for label in labels)
        for each in values(gives)[:_CONSTANTS]:
            yield Text(f"(fun{heads} -> {each.text})", each.strange)
