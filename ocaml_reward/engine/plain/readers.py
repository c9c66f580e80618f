"""What reads values of declared types back from plain ones."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any, Union

from ...errors import FormatError
from .declared import REQUIRED, SCALARS, defaults

Reader = Callable[[Any], Any]


@cache
def _reader(kind: Any) -> Reader:
    """Return what reads a declared type."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in SCALARS:
        return _scalar_reader(kind)
    if origin in {Union, types.UnionType}:
        return _union_reader(
            [_reader(each) for each in arguments if each is not type(None)],
            optional=type(None) in arguments,
        )
    if origin is tuple and arguments[1:] == (...,):
        return _sequence_reader(tuple, arguments[0])
    if origin is tuple:
        return _fixed_reader([_reader(each) for each in arguments])
    if origin is frozenset:
        return _sequence_reader(frozenset, arguments[0])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader(*map(_reader, arguments))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_reader(kind)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _dataclass_reader(kind)
    raise TypeError(f"{kind} has no plain form")


def _scalar_reader(kind: type) -> Reader:
    wanted = SCALARS[kind]

    def read(data: Any) -> Any:
        if type(data) not in wanted:
            raise FormatError(f": expected {kind.__name__}")
        return data

    return read


def _union_reader(readers: list[Reader], *, optional: bool) -> Reader:
    def read(data: Any) -> Any:
        if optional and data is None:
            return None
        for reader in readers:
            try:
                return reader(data)
            except FormatError as error:
                refusal = error
        raise refusal

    return read


def _scalars_reader(make: Callable[[Any], Any], kind: type) -> Reader:
    wanted = frozenset(SCALARS[kind])

    def read(data: Any) -> Any:
        if type(data) is not list or not wanted.issuperset(map(type, data)):
            raise FormatError(f": expected a list of {kind.__name__}")
        return make(data)

    return read


def _sequence_reader(make: Callable[[Any], Any], kind: Any) -> Reader:
    if kind in SCALARS:
        return _scalars_reader(make, kind)
    return _list_reader(make, _reader(kind))


def _list_reader(make: Callable[[Any], Any], reader: Reader) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, list):
            raise FormatError(": expected a list")
        try:
            return make([reader(each) for each in data])
        except FormatError as error:
            raise FormatError(f"[]{error}") from None

    return read


def _fixed_reader(readers: list[Reader]) -> Reader:
    def read(data: Any) -> Any:
        if not isinstance(data, list) or len(data) != len(readers):
            raise FormatError(f": expected a list of {len(readers)}")
        try:
            return tuple(
                reader(each) for reader, each in zip(readers, data, strict=True)
            )
        except FormatError as error:
            raise FormatError(f"[]{error}") from None

    return read


def _mapping_reader(keys: Reader, values: Reader) -> Reader:
    pairs = _list_reader(list, _fixed_reader([keys, values]))
    return lambda data: dict(pairs(data))


def _enum_reader(kind: type[Enum]) -> Reader:
    members = {each.value: each for each in kind}

    def read(data: Any) -> Any:
        try:
            return members[data]
        except (KeyError, TypeError):
            raise FormatError(f": no {kind.__name__} {data!r}") from None

    return read


def _dataclass_reader(kind: Any) -> Reader:
    read = fields_reader(kind, frozenset())
    return lambda data: kind(**read(data))


@cache
def fields_reader(kind: Any, given: frozenset[str]) -> Callable[[Any], dict[str, Any]]:
    """Return what reads an object's fields; where it is not as declared, the way there is put
    together on the way out.
    """
    hints = typing.get_type_hints(kind)
    fields = {name: each for name, each in defaults(kind).items() if name not in given}
    readers = {name: _reader(hints[name]) for name in fields}
    required = {name for name, each in fields.items() if each is REQUIRED}

    def read(data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            raise FormatError(": expected an object")
        if odd := (data.keys() - readers.keys()) | (required - data.keys()):
            raise FormatError(f": missing or unknown: {', '.join(sorted(odd))}")
        found = {}
        name = ""
        try:
            for name, each in data.items():
                found[name] = readers[name](each)
        except FormatError as error:
            raise FormatError(f".{name}{error}") from None
        return found

    return read
