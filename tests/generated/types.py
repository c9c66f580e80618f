"""OCaml types as values, read from OCaml's own notation, and matched one way."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type constructor with its arguments; `'a` is a variable, `->` and `*` are names too."""

    name: str
    args: tuple[Type, ...] = ()

    def __str__(self) -> str:
        """Write it as OCaml does, with brackets wherever they may be needed."""
        if self.name in ("->", "*"):
            return "(" + f" {self.name} ".join(map(str, self.args)) + ")"
        if len(self.args) > 1:
            return f"({', '.join(map(str, self.args))}) {self.name}"
        return "".join(f"{arg} " for arg in self.args) + self.name


@dataclass(frozen=True, slots=True)
class Known:
    """A value that an expression may use: its text and its type."""

    text: str
    type: Type


def read(text: str) -> Type:
    """Read a type such as `('a -> int) -> 'a list -> int`."""
    tokens = re.findall(r"'?[\w.]+|->|[*()]", text)
    found = _arrow(tokens)
    assert not tokens, f"{text!r} goes on after its type: {tokens}"
    return found


def _arrow(tokens: list[str]) -> Type:
    left = _product(tokens)
    if tokens and tokens[0] == "->":
        tokens.pop(0)
        return Type("->", (left, _arrow(tokens)))
    return left


def _product(tokens: list[str]) -> Type:
    parts = [_postfix(tokens)]
    while tokens and tokens[0] == "*":
        tokens.pop(0)
        parts.append(_postfix(tokens))
    return parts[0] if len(parts) == 1 else Type("*", tuple(parts))


def _postfix(tokens: list[str]) -> Type:
    token = tokens.pop(0)
    if token == "(":
        found = _arrow(tokens)
        tokens.pop(0)
    else:
        found = Type(token)
    while tokens and tokens[0] not in ("->", "*", ")"):
        found = Type(tokens.pop(0), (found,))
    return found


def arguments(type_: Type) -> tuple[tuple[Type, ...], Type]:
    """Split a function's type into its arguments and its result."""
    found: list[Type] = []
    while type_.name == "->":
        found.append(type_.args[0])
        type_ = type_.args[1]
    return tuple(found), type_


def matched(pattern: Type, ground: Type, bound: dict[str, Type]) -> dict[str, Type] | None:
    """Return what the pattern's variables must be for it to be the ground type, or None."""
    if pattern.name.startswith("'"):
        if bound.get(pattern.name, ground) != ground:
            return None
        return bound | {pattern.name: ground}
    if pattern.name != ground.name or len(pattern.args) != len(ground.args):
        return None
    for inner, other in zip(pattern.args, ground.args, strict=True):
        further = matched(inner, other, bound)
        if further is None:
            return None
        bound = further
    return bound


def substituted(type_: Type, bound: dict[str, Type]) -> Type:
    """Put types in the place of variables."""
    if type_.name in bound:
        return bound[type_.name]
    return Type(type_.name, tuple(substituted(arg, bound) for arg in type_.args))
