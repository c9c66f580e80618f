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
Reader = Callable[[Any, str], Any]

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
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(kind):
        return {
            name: to_plain(getattr(value, name))
            for name in _field_names(kind)
            if name not in leave
        }
    if isinstance(value, tuple | list | frozenset):
        return [to_plain(each) for each in value]
    if isinstance(value, Mapping):
        # JSON's keys are text; a list of pairs keeps what numbers were.
        return [[to_plain(key), to_plain(each)] for key, each in value.items()]
    raise TypeError(f"{kind.__name__} has no plain form")


def read_plain(
    kind: type[Value], data: Any, *, given: Mapping[str, Any] | None = None
) -> Value:
    """
    Read a value of a class back; `given` has the fields that did not travel.

    Raises FormatError that says where something is missing, unknown or of another kind.
    """
    if given is None:
        whole: Value = _reader(_any(kind))(data, kind.__name__)
        return whole
    fields = _read_fields(
        _field_readers(_any(kind), frozenset(given)), data, kind.__name__
    )
    return kind(**fields, **given)


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
        return _union_reader([_reader(each) for each in arguments])
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

    def read(data: Any, path: str) -> Any:
        if type(data) not in wanted:
            raise FormatError(f"{path}: expected {kind.__name__}")
        return data

    return read


def _union_reader(readers: list[Reader]) -> Reader:
    def read(data: Any, path: str) -> Any:
        for reader in readers:
            try:
                return reader(data, path)
            except FormatError as error:
                refusal = error
        raise refusal

    return read


def _sequence_reader(make: Callable[[Any], Any], reader: Reader) -> Reader:
    def read(data: Any, path: str) -> Any:
        if not isinstance(data, list):
            raise FormatError(f"{path}: expected a list")
        return make([reader(each, f"{path}[]") for each in data])

    return read


def _fixed_reader(readers: list[Reader]) -> Reader:
    def read(data: Any, path: str) -> Any:
        if not isinstance(data, list) or len(data) != len(readers):
            raise FormatError(f"{path}: expected a list of {len(readers)}")
        pairs = zip(readers, data, strict=True)
        return tuple(reader(each, f"{path}[]") for reader, each in pairs)

    return read


def _mapping_reader(keys: Reader, values: Reader) -> Reader:
    pairs = _sequence_reader(list, _fixed_reader([keys, values]))

    def read(data: Any, path: str) -> Any:
        return dict(pairs(data, path))

    return read


def _enum_reader(kind: type[Enum]) -> Reader:
    def read(data: Any, path: str) -> Any:
        try:
            return kind(data)
        except ValueError:
            raise FormatError(f"{path}: no {kind.__name__} {data!r}") from None

    return read


def _dataclass_reader(kind: Any) -> Reader:
    readers = _field_readers(kind, frozenset())
    return lambda data, path: kind(**_read_fields(readers, data, path))


@cache
def _field_readers(kind: Any, given: frozenset[str]) -> Mapping[str, Reader]:
    hints = typing.get_type_hints(kind)
    names = [name for name in _field_names(kind) if name not in given]
    return {name: _reader(hints[name]) for name in names}


def _read_fields(readers: Mapping[str, Reader], data: Any, path: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise FormatError(f"{path}: expected an object")
    if data.keys() != readers.keys():
        odd = ", ".join(sorted(data.keys() ^ readers.keys()))
        raise FormatError(f"{path}: missing or unknown: {odd}")
    return {
        name: reader(data[name], f"{path}.{name}") for name, reader in readers.items()
    }
