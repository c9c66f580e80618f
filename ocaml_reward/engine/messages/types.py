"""Reads interfaces and types as the helper writes them, in JSON (ocaml/ast/types_json.ml).  Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ...model.types import (
    Arrow,
    Constructed,
    Constructor,
    Declaration,
    Field,
    Interface,
    Tuple,
    Type,
    Unknown,
    Variable,
    standard,
)


def interface_from(written: bytes) -> Interface:
    """Return an interface; names in a module have its path."""
    reader = _Reader()
    reader.items(json.loads(written.decode("utf-8", "replace")), "", {})
    return Interface(
        values=reader.values,
        types=reader.types,
        exceptions=reader.exceptions,
        functors=frozenset(reader.functors),
    )


def type_from(written: bytes) -> Type:
    """Return a type."""
    return _type(json.loads(written.decode("utf-8", "replace")), {})


Naming = tuple[str, int, int]
"""What may name a value: "string", "variable" or "", and the bytes at which it stands."""


class TypeInTest(NamedTuple):
    """A type in a test of learn-ocaml, `[%ty: int -> int]`; places are in bytes.

    It has its place with the parentheses around it, the ends of the word `ty` and of the type, the
    variable that it is the value of, the function that is told it first, whether that draws inputs,
    the argument before it, and the next one without a label.
    """

    start: int
    stop: int
    name_stop: int
    type_stop: int
    bound: str
    type: Type
    function: str
    draws: bool
    before: Naming
    after: Naming


class TypesInTest(NamedTuple):
    """The types in a test; strings behind what they follow in a call; variables, each with the string
    that it is; the functions at the top, each with its place.
    """

    types: list[TypeInTest]
    pairs: list[tuple[Naming, Naming]]
    strings: list[tuple[str, Naming]]
    helpers: list[tuple[str, int]]


def types_in_test_from(written: bytes) -> TypesInTest:
    """Return the types in a test, in order.  (ocaml/ast/types_in_tests.ml)"""
    types, *others = json.loads(written.decode("utf-8", "replace"))
    found = [TypeInTest(*each)._replace(type=_type(each[5], {})) for each in types]
    return TypesInTest(sorted(found, key=lambda each: each.start), *others)


@dataclass(slots=True)
class _Reader:
    values: dict[str, Type] = field(default_factory=dict)
    types: dict[str, Declaration] = field(default_factory=dict)
    exceptions: dict[str, bool] = field(default_factory=dict)
    functors: set[str] = field(default_factory=set)

    def items(self, made: Iterable[Any], path: str, scope: dict[str, str]) -> None:
        """Read the items of the module `path`; `scope` has types by their local names."""
        for each in made:
            match each:
                # Operators are no names to call.
                case ["value", name, found] if name[0].islower() or name[0] == "_":
                    self.values[path + name] = _type(found, scope)
                case ["exception", name, has_argument]:
                    self.exceptions[path + name] = has_argument
                case ["functor", name]:
                    self.functors.add(path + name)
                case ["types", declarations]:
                    scope |= {name: path + name for name, _, _ in declarations}
                    for name, parameters, values in declarations:
                        self.types[path + name] = _declaration(
                            path + name, tuple(parameters), values, scope
                        )
                case ["module", name, inner]:
                    self.items(inner, f"{path}{name}.", dict(scope))
                    own = [key for key in self.types if key.startswith(f"{path}{name}.")]
                    scope |= {key.removeprefix(path): key for key in own}


def _declaration(
    name: str, parameters: tuple[str, ...], values: list[Any], scope: Mapping[str, str]
) -> Declaration:
    """Return the declaration of a type."""
    made = Declaration(name=name, parameters=parameters, known=values != ["unknown"])
    match values:
        # The alias `Make(Key).t` is a type of its own.
        case ["alias", found] if not (found[0] == "named" and "(" in found[1]):
            return replace(made, alias=_type(found, scope))
        case ["record", fields]:
            return replace(made, fields=_fields(fields, scope))
        case ["variant", cases]:
            constructors = tuple(
                Constructor(case, _types(taken, scope), _fields(record, scope))
                for case, taken, record in cases
            )
            return replace(made, constructors=constructors)
    return made


def _fields(made: Iterable[Any], scope: Mapping[str, str]) -> tuple[Field, ...]:
    """Return the fields of a record."""
    return tuple(Field(name, _type(found, scope), mutable) for name, found, mutable in made)


def _types(made: Iterable[Any], scope: Mapping[str, str]) -> tuple[Type, ...]:
    """Return types."""
    return tuple(_type(each, scope) for each in made)


def _type(made: list[Any], scope: Mapping[str, str]) -> Type:
    """Return a type."""
    match made:
        case ["variable", name]:
            return Variable(name)
        case ["named", name, arguments]:
            return Constructed(standard(scope.get(name, name)), _types(arguments, scope))
        case ["tuple", items]:
            return Tuple(_types(items, scope))
        case ["arrow", label, argument, result]:
            return Arrow(label, _type(argument, scope), _type(result, scope))
    return Unknown(made[1])
