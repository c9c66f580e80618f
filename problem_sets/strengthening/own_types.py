"""Types that are the reference's own choice: another right answer may have made them otherwise.

Values of such types can be neither written into a call nor compared; the code's own functions make
them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ocaml_reward.model import Problem
from ocaml_reward.model.types import (
    Arrow,
    Constructed,
    Declaration,
    Interface,
    Tuple,
    Type,
    Variable,
    path_of,
)


def with_own_types(interface: Interface, problem: Problem) -> Interface:
    """Return an interface in which the reference's own types are abstract.

    Neither prompt, signature, given code nor tests tell what they are made of. Of a function on a
    type that is `int list` OCaml infers that, or `'a list`, which so is the type in its module.
    (sauravbhattacharya001/Ocaml-sample-code crdt.ml)
    """
    told = " ".join([problem.prompt, problem.signature or "", problem.given, str(problem.tests)])
    words = set(re.findall(r"[\w']+", told))

    def is_own(made: Declaration) -> bool:
        if made.alias is not None:
            return _is_own_alias(made, told)
        parts = {each.name for each in made.constructors} | {each.name for each in made.fields}
        return bool(parts) and not parts & words

    own = {name: made for name, made in interface.types.items() if is_own(made)}
    abstract = {
        name: replace(made, constructors=(), fields=(), alias=None) for name, made in own.items()
    }
    values = {
        name: _hidden(found, _aliases(own, path_of(name)))
        for name, found in interface.values.items()
    }
    return replace(interface, values=values, types={**interface.types, **abstract})


def _is_own_alias(made: Declaration, told: str) -> bool:
    """Tell whether a name for another type hides it: one of a module, or that the prompt names."""
    name = re.escape(made.name.rpartition(".")[2])
    if re.search(rf"\btype\b[^=\n]*\b{name}\s*=", told):
        return False
    return "." in made.name or bool(re.search(rf"\btype\s+(?:'\w+\s+)?{name}\b", told))


def _aliases(own: Mapping[str, Declaration], path: str) -> list[Declaration]:
    """Return the names for other types in a module."""
    return [made for name, made in own.items() if made.alias is not None and path_of(name) == path]


def _hidden(found: Type, aliases: list[Declaration]) -> Type:
    """Return a type in which what an alias stands for is the alias."""
    if not aliases:
        return found
    for made in aliases:
        known: dict[str, Type] = {}
        whole = not isinstance(found, Variable)
        if made.alias is not None and whole and _fits(made.alias, found, known):
            variables = (known.get(each, Variable(each)) for each in made.parameters)
            return Constructed(made.name, tuple(variables))

    def inner(part: Type) -> Type:
        return _hidden(part, aliases)

    match found:
        case Constructed(name, arguments):
            return Constructed(name, tuple(map(inner, arguments)))
        case Tuple(items):
            return Tuple(tuple(map(inner, items)))
        case Arrow(label, argument, result):
            return Arrow(label, inner(argument), inner(result))
    return found


def _fits(pattern: Type, found: Type, known: dict[str, Type]) -> bool:
    """Tell whether a type is a pattern with types for its variables, which are noted in `known`, or
    more general.
    """
    match pattern, found:
        case _, Variable():
            return True
        case Variable(name), _:
            return known.setdefault(name, found) == found
        case Constructed(one, ours), Constructed(other, theirs):
            return one == other and _all_fit(ours, theirs, known)
        case Tuple(ours), Tuple(theirs):
            return _all_fit(ours, theirs, known)
        case Arrow(one, argument, result), Arrow(other, given, returned):
            return one == other and _all_fit((argument, result), (given, returned), known)
    return pattern == found


def _all_fit(patterns: Sequence[Type], found: Sequence[Type], known: dict[str, Type]) -> bool:
    """Tell whether types fit as many patterns, one by one."""
    return len(patterns) == len(found) and all(
        _fits(one, other, known) for one, other in zip(patterns, found, strict=True)
    )
