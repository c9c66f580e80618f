"""What turns values of declared types into plain ones."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any, Union

from .declared import SCALARS, defaults

Writer = Callable[[Any], Any]


@cache
def object_writer(kind: Any, leave: frozenset[str]) -> Writer:
    """Return what turns a class' values into objects of those fields that are not as they are
    by default; raises TypeError where one of them has no such form.
    """
    hints = typing.get_type_hints(kind)
    fields = [
        (name, default, type(default), _writer(hints[name]))
        for name, default in defaults(kind).items()
        if name not in leave
    ]

    def write(value: Any) -> dict[str, Any]:
        plain = {}
        for name, default, kind_of_default, writer in fields:
            each = getattr(value, name)
            # A zero that is no whole number is not the one that is.
            if type(each) is kind_of_default and each == default:
                continue
            plain[name] = each if writer is None else writer(each)
        return plain

    return write


@cache
def _writer(kind: Any) -> Writer | None:
    """Return what turns a value of a declared type into a plain one, None where it is one."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in SCALARS:
        return None
    if origin in {Union, types.UnionType}:
        return _chosen_writer(
            {typing.get_origin(each) or each: _writer(each) for each in arguments}
        )
    if origin is tuple and arguments[1:] != (...,):
        return _fixed_writer([_writer(each) for each in arguments])
    if origin in {tuple, frozenset}:
        item = _writer(arguments[0])
        if item is None and origin is tuple:
            # JSON's text of a tuple is a list's.
            return None
        return list if item is None else lambda value: [*map(item, value)]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        # JSON's keys are text; a list of pairs keeps what numbers were.
        pair = _fixed_writer([_writer(each) for each in arguments]) or list
        return lambda value: [*map(pair, value.items())]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return attrgetter("_value_")
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return object_writer(kind, frozenset())
    raise TypeError(f"{kind} has no plain form")


def _chosen_writer(writers: Mapping[Any, Writer | None]) -> Writer | None:
    if not any(writers.values()):
        return None

    def write(value: Any) -> Any:
        writer = writers[type(value)]
        return value if writer is None else writer(value)

    return write


def _fixed_writer(writers: list[Writer | None]) -> Writer | None:
    if not any(writers):
        return None
    return lambda value: [
        each if writer is None else writer(each)
        for writer, each in zip(writers, value, strict=True)
    ]
