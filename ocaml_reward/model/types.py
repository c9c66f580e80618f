"""Types as printed by the compiler; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

_SHORT: Final = frozenset({"Bool", "Bytes", "Char", "Float", "Int", "String", "Unit"})


@dataclass(frozen=True, slots=True)
class Variable:
    """A type variable, without its quote."""

    name: str


@dataclass(frozen=True, slots=True)
class Constructed:
    """A named type with its arguments: `(int, string) result`."""

    name: str
    arguments: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Tuple:
    """A product of two types or more."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """A function; `label` is "" or as applied, `~x:`."""

    label: str
    argument: Type
    result: Type


@dataclass(frozen=True, slots=True)
class Unknown:
    """An unsupported type: an object, a polymorphic variant, a first-class module."""

    text: str


Type = Variable | Constructed | Tuple | Arrow | Unknown


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record."""

    name: str
    type: Type
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Constructor:
    """A constructor of a variant, with arguments or an inline record."""

    name: str
    arguments: tuple[Type, ...] = ()
    record: tuple[Field, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Declaration:
    """A type declaration.

    One with no `constructors`, `fields` and `alias` is abstract; `known` is False if part of it is
    unsupported.
    """

    name: str
    parameters: tuple[str, ...] = ()
    constructors: tuple[Constructor, ...] = ()
    fields: tuple[Field, ...] = ()
    alias: Type | None = None
    known: bool = True

    @property
    def is_abstract(self) -> bool:
        """Return whether nothing is known of its values."""
        return not (self.constructors or self.fields or self.alias)


@dataclass(frozen=True, kw_only=True, slots=True)
class Interface:
    """The interface of code, with module paths.

    It has values, types, exceptions (and whether they take an argument), and functors, from which
    no values are made.
    """

    values: Mapping[str, Type] = field(default_factory=dict)
    types: Mapping[str, Declaration] = field(default_factory=dict)
    exceptions: Mapping[str, bool] = field(default_factory=dict)
    functors: frozenset[str] = frozenset()


class NoValues(Exception):
    """Raised for a type of which no value can be made or written; the text names it."""


def path_of(name: str) -> str:
    """Return the module path of a name, with its dot."""
    return name[: name.rfind(".") + 1]


def arguments_of(found: Type) -> tuple[list[tuple[str, Type]], Type]:
    """Return the labels and types of a function's parameters, and its result."""
    taken: list[tuple[str, Type]] = []
    while isinstance(found, Arrow):
        taken.append((found.label, found.argument))
        found = found.result
    return taken, found


def substituted(found: Type, names: Mapping[str, Type]) -> Type:
    """Substitute types for variables."""
    match found:
        case Variable(name):
            return names.get(name, found)
        case Constructed(_, arguments):
            changed = tuple(substituted(each, names) for each in arguments)
            return replace(found, arguments=changed)
        case Tuple(items):
            return Tuple(tuple(substituted(each, names) for each in items))
        case Arrow(label, argument, result):
            return Arrow(label, substituted(argument, names), substituted(result, names))
    return found


def variables_of(found: Type) -> list[str]:
    """Return the variables of a type, each once, in order."""
    match found:
        case Variable(name):
            return [name]
        case Constructed(_, parts) | Tuple(parts):
            pass
        case Arrow(_, argument, result):
            parts = (argument, result)
        case _:
            parts = ()
    return list(dict.fromkeys(name for part in parts for name in variables_of(part)))


def names_in(*types: Type) -> set[str]:
    """Return the names of all types that occur in types."""
    found: set[str] = set()
    for each in types:
        match each:
            case Constructed(name, parts):
                found |= {name, *names_in(*parts)}
            case Tuple(parts):
                found |= names_in(*parts)
            case Arrow(_, argument, result):
                found |= names_in(argument, result)
    return found


def standard(name: str) -> str:
    """Return the short name of a type of the standard library: `string` for `String.t`."""
    module, _, last = name.removeprefix("Stdlib.").partition(".")
    return module.lower() if last == "t" and module in _SHORT else name


def of_declaration(made: Declaration, arguments: Sequence[Type]) -> dict[str, Type]:
    """Map the parameters of a declared type to its arguments."""
    return dict(zip(made.parameters, arguments, strict=False))
