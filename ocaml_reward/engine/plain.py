"""
Frozen values to and from what JSON can say, field by field as their classes declare it.

Nothing here knows a field by its name, so that a field that a class gains travels too.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from typing import Any, Final, TypeVar, Union

from ..errors import FormatError

__all__ = ["read_json", "read_plain", "shape_of", "to_json", "to_plain"]

Value = TypeVar("Value")
Reader = Callable[[Any], Any]

# What a value of such a class may be, and what a JSON text calls it.
_SCALARS: Final[Mapping[type, tuple[type, ...]]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    # A whole number stays one: what it is compared with and written as must not change.
    float: (float, int),
    type(None): (type(None),),
}


def to_json(value: Any) -> bytes:
    """
    Write a value as one line of ASCII, which lone surrogates pass too; equal values give
    equal bytes, whatever the order of their keys.
    """
    text = json.dumps(value, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode("ascii")


def read_json(text: bytes) -> Any:
    """
    Read JSON, with NaN and the infinities refused; raises FormatError.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FormatError("not JSON") from None


def _refuse(name: str) -> float:
    raise ValueError(name)


def to_plain(value: Any, *, leave: frozenset[str] = frozenset()) -> Any:
    """
    Turn a value into objects, lists, text and numbers; `leave` names fields that stay here.

    Raises TypeError for what has no such form, as bytes do not.
    """
    kind = type(value)
    if kind is str or kind is int or kind is float or kind is bool or value is None:
        return value
    if kind is tuple or kind is list or kind is frozenset:
        return [to_plain(each) for each in value]
    names = _plain_names(_any(kind), leave)
    if names is not None:
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        # JSON's keys are text; a list of pairs keeps what numbers were.
        return [[to_plain(key), to_plain(each)] for key, each in value.items()]
    raise TypeError(f"{kind.__name__} has no plain form")


@cache
def _plain_names(kind: Any, leave: frozenset[str]) -> tuple[str, ...] | None:
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple(name for name in _field_names(_any(kind)) if name not in leave)


def read_plain(
    kind: type[Value], data: Any, *, given: Mapping[str, Any] | None = None
) -> Value:
    """
    Read a value of a class back; `given` has the fields that did not travel.

    Raises FormatError that says where something is missing, unknown or of another kind.
    """
    known = given or {}
    readers = _field_readers(_any(kind), frozenset(known))
    try:
        fields = _read_fields(readers, data)
    except FormatError as error:
        raise FormatError(f"{kind.__name__}{error}") from None
    return kind(**fields, **known)


def shape_of(kind: Any, *, leave: frozenset[str] = frozenset()) -> Any:
    """
    Describe what a declared type looks like as JSON: equal for equal fields, of equal types;
    `leave` names fields that do not travel.
    """
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        names = [name for name in _field_names(_any(kind)) if name not in leave]
        return {name: shape_of(hints[name]) for name in names}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [each.value for each in kind]
    arguments = typing.get_args(kind)
    if arguments:
        name = getattr(typing.get_origin(kind), "__name__", "")
        return [name, *(shape_of(each) for each in arguments)]
    return getattr(kind, "__name__", str(kind))


def _any(kind: Any) -> Any:
    # mypy takes no class with a type variable for a key.
    return kind


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(each.name for each in dataclasses.fields(kind) if each.init)


@cache
def _reader(kind: Any) -> Reader:
    """
    Return what reads a declared type.
    """
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in _SCALARS:
        return _scalar_reader(kind)
    if origin in {Union, types.UnionType}:
        return _union_reader(
            [_reader(each) for each in arguments if each is not type(None)],
            optional=type(None) in arguments,
        )
    if origin is tuple and arguments[1:] == (...,):
        return _sequence_reader(tuple, _reader(arguments[0]))
    if origin is tuple:
        return _fixed_reader([_reader(each) for each in arguments])
    if origin is frozenset:
        return _sequence_reader(frozenset, _reader(arguments[0]))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader(*map(_reader, arguments))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_reader(kind)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _dataclass_reader(kind)
    raise TypeError(f"{kind} has no plain form")


def _scalar_reader(kind: type) -> Reader:
    wanted = _SCALARS[kind]

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


def _sequence_reader(make: Callable[[Any], Any], reader: Reader) -> Reader:
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
    pairs = _sequence_reader(list, _fixed_reader([keys, values]))
    return lambda data: dict(pairs(data))


def _enum_reader(kind: type[Enum]) -> Reader:
    def read(data: Any) -> Any:
        try:
            return kind(data)
        except ValueError:
            raise FormatError(f": no {kind.__name__} {data!r}") from None

    return read


def _dataclass_reader(kind: Any) -> Reader:
    readers = _field_readers(kind, frozenset())
    return lambda data: kind(**_read_fields(readers, data))


@cache
def _field_readers(kind: Any, given: frozenset[str]) -> Mapping[str, Reader]:
    hints = typing.get_type_hints(kind)
    names = [name for name in _field_names(kind) if name not in given]
    return {name: _reader(hints[name]) for name in names}


def _read_fields(readers: Mapping[str, Reader], data: Any) -> dict[str, Any]:
    """
    Read an object; where it is not as declared, the way there is put together on the way out.
    """
    if not isinstance(data, dict):
        raise FormatError(": expected an object")
    if data.keys() != readers.keys():
        odd = ", ".join(sorted(data.keys() ^ readers.keys()))
        raise FormatError(f": missing or unknown: {odd}")
    found = {}
    name = ""
    try:
        for name, reader in readers.items():
            found[name] = reader(data[name])
    except FormatError as error:
        raise FormatError(f".{name}{error}") from None
    return found
