"""What classes declare of their fields."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, Final

# What a value of such a class may be, and what a JSON text calls it.
SCALARS: Final[Mapping[type, tuple[type, ...]]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    # A whole number stays one: what it is compared with and written as must not change.
    float: (float, int),
    type(None): (type(None),),
}
REQUIRED: Final = object()
"""What stands in place of the default of a field that has none."""


@cache
def defaults(kind: Any) -> Mapping[str, Any]:
    """Return the fields of a class with their defaults, REQUIRED for those without."""

    def default(each: dataclasses.Field[Any]) -> Any:
        if each.default_factory is not dataclasses.MISSING:
            return each.default_factory()
        return REQUIRED if each.default is dataclasses.MISSING else each.default

    return {each.name: default(each) for each in dataclasses.fields(kind) if each.init}


def shape_of(kind: Any, *, leave: frozenset[str] = frozenset()) -> Any:
    """Describe what a declared type looks like as JSON: equal for equal fields, of equal types
    and defaults, as what is so by default does not travel; `leave` names fields that never do.
    """
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return {
            name: [shape_of(hints[name]), *_said(default)]
            for name, default in defaults(any_kind(kind)).items()
            if name not in leave
        }
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [each.value for each in kind]
    arguments = typing.get_args(kind)
    if arguments:
        name = getattr(typing.get_origin(kind), "__name__", "")
        return [name, *(shape_of(each) for each in arguments)]
    return getattr(kind, "__name__", str(kind))


def _said(default: Any) -> list[str]:
    return [] if default is REQUIRED else [repr(default)]


def any_kind(kind: Any) -> Any:
    """Return a class as what may be a key: mypy takes none with a type variable."""
    return kind
