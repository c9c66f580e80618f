"""Frozen values to and from JSON, by the annotations of their classes.

A dataclass becomes an object with its fields in their order, so that a field that a class
gains is written and read without another line.  `Annotated` says what differs:

    type_errors: Count | None                           a range
    index: Annotated[int, Key("check")]                 another key
    given: Annotated[tuple[Range, ...], SPARSE] = ()    not written if it is the default
    span: Annotated[Span | None, FLAT]                  its keys stand in the object around it

A field with a default may be missing.  A field that the class computes (`init=False`) is
written, and has to be equal where it is read.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from math import isinf
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple, TypeVar, get_args, get_origin

from ..errors import FormatError
from .readers import (
    Invalid,
    Reader,
    between,
    boolean,
    enum_of,
    expected,
    list_of,
    number,
    object_of,
    read,
    string,
    whole_number,
)

Value = TypeVar("Value")


class Codec(NamedTuple):
    """How values of an annotation are read, and written; None where JSON takes them as is."""

    read: Reader[Any]
    write: Callable[[Any], Any] | None = None


class Between(NamedTuple):
    """The range of a number, both ends included."""

    low: float | None = None
    high: float | None = None


class Key(NamedTuple):
    """The key of a field that its class calls otherwise."""

    name: str


class Keys(NamedTuple):
    """The keys of an object that is a tuple in the program."""

    names: tuple[str, ...]


SPARSE: Final = "sparse"
FLAT: Final = "flat"

_UNIONS: Final = frozenset({typing.Union, types.UnionType})

Count = Annotated[int, Between(0)]
LineNumber = Annotated[int, Between(1)]
Share = Annotated[float, Between(0, 1)]
Range = Annotated[tuple[Count, Count], Keys(("start", "stop"))]

_SCALARS: Final[Mapping[Any, Codec]] = {
    str: Codec(string),
    bool: Codec(boolean),
    int: Codec(whole_number),
    float: Codec(number),
}


class _Field(NamedTuple):
    """A field as objects have it; `default` is ... where there is none."""

    name: str
    key: str
    kind: Any
    default: Any
    computed: bool
    sparse: bool
    flat: tuple[str, ...]
    """The keys of the value itself, where they stand among those of the object."""


@cache
def _fields(kind: Any) -> tuple[_Field, ...]:
    """Return the fields of a dataclass as its codec sees them."""
    hints = typing.get_type_hints(kind, include_extras=True)
    found = []
    for each in dataclasses.fields(kind):
        hint, make = hints[each.name], each.default_factory
        default = each.default if make is dataclasses.MISSING else make()
        marks = getattr(hint, "__metadata__", ())
        keys = [mark.name for mark in marks if isinstance(mark, Key)]
        inner = get_args(hint.__origin__)[0] if FLAT in marks else None
        field = _Field(
            name=each.name,
            key=keys[0] if keys else each.name,
            kind=hint,
            default=... if default is dataclasses.MISSING else default,
            computed=not each.init,
            sparse=SPARSE in marks,
            flat=tuple(each.key for each in _fields(inner)) if inner else (),
        )
        found.append(field)
    return tuple(found)


@cache
def codec_of(kind: Any, *, sparse: bool = False) -> Codec:
    """Return the codec of an annotation; `sparse` leaves all defaults out."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(arguments[0], kind.__metadata__, sparse=sparse)
    if kind in _SCALARS:
        return _SCALARS[kind]
    if _is(kind, Enum):
        return Codec(enum_of(kind), attrgetter("_value_"))
    if hasattr(kind, "__dataclass_fields__"):
        read_fields = _fields_reader(kind, frozenset())
        write_fields = _fields_writer(kind, frozenset(), sparse=sparse)
        return Codec(lambda value: read_fields(value, {}), write_fields)
    kinds = [each for each in arguments if each not in (..., type(None))]
    inner = [codec_of(each, sparse=sparse) for each in kinds]
    if origin in _UNIONS:
        return _union(kinds, inner, may_be_none=len(kinds) < len(arguments))
    if origin in {tuple, frozenset}:
        is_fixed = origin is tuple and arguments[1:] != (...,)
        return _fixed(inner) if is_fixed else _sequence(origin, inner[0])
    if _is(origin, Mapping):
        return _mapping(inner, keys=kinds[0])
    raise TypeError(f"{kind} has no form in JSON")


def _is(kind: Any, base: type) -> bool:
    """Tell whether a type is a subclass of another."""
    return isinstance(kind, type) and issubclass(kind, base)


def _annotated(kind: Any, marks: tuple[Any, ...], *, sparse: bool) -> Codec:
    """Return the codec of an annotated type, with its marks applied."""
    codec = codec_of(kind, sparse=sparse)
    for mark in marks:
        if isinstance(mark, Between):
            codec = Codec(between(codec.read, mark.low, mark.high), codec.write)
        elif isinstance(mark, Keys):
            codec = _keyed(mark.names, get_args(kind))
    return codec


def _keyed(names: tuple[str, ...], kinds: tuple[Any, ...]) -> Codec:
    """Return the codec of a tuple that is an object in JSON, with these names."""
    readers = [codec_of(kind).read for kind in kinds]
    read_object = object_of(dict(zip(names, readers, strict=True)))
    return Codec(
        lambda value: tuple(map(read_object(value).__getitem__, names)),
        lambda value: dict(zip(names, value, strict=True)),
    )


def _union(kinds: list[Any], inner: list[Codec], *, may_be_none: bool) -> Codec:
    """Return the codec of a union, which reads as the first type that fits."""
    *readers, last = [codec.read for codec in inner]
    bare = [getattr(kind, "__origin__", kind) for kind in kinds]
    writers = dict(zip(bare, [codec.write for codec in inner], strict=True))

    def read_union(value: Any) -> Any:
        if may_be_none and value is None:
            return None
        for reader in readers:
            try:
                return reader(value)
            except Invalid:
                continue
        return last(value)

    def write_union(value: Any) -> Any:
        writer = writers.get(type(value))
        return value if writer is None else writer(value)

    return Codec(read_union, write_union if any(writers.values()) else None)


def _sequence(make: Callable[[Any], Any], item: Codec) -> Codec:
    """Return the codec of a sequence, which `make` makes of a list."""
    read_list, write = list_of(item.read, make), item.write
    return Codec(read_list, list if write is None else lambda value: [*map(write, value)])


def _fixed(inner: list[Codec]) -> Codec:
    """Return the codec of a tuple of a fixed length."""

    def read_fixed(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) != len(inner):
            raise expected(f"a list of {len(inner)}", value)
        return tuple(map(lambda codec, item: codec.read(item), inner, value))

    def write_fixed(value: Any) -> list[Any]:
        pairs = zip(inner, value, strict=True)
        return [codec.write(item) if codec.write else item for codec, item in pairs]

    is_plain = not any(codec.write for codec in inner)
    return Codec(read_fixed, list if is_plain else write_fixed)


def _mapping(inner: list[Codec], *, keys: Any) -> Codec:
    """Return the codec of a mapping: an object in JSON, or pairs if keys are no text."""
    if keys is not str:
        # The keys of JSON are text: other keys are written as pairs.
        pairs = _sequence(dict, _fixed(inner))
        write_pairs: Any = pairs.write
        return Codec(pairs.read, lambda value: write_pairs(value.items()))
    read_object, write = object_of({}, others=inner[1].read), inner[1].write
    if write is None:
        return Codec(read_object, dict)
    return Codec(read_object, lambda value: {k: write(v) for k, v in value.items()})


@cache
def _fields_reader(kind: Any, apart: frozenset[str]) -> Callable[[Any, Mapping[str, Any]], Any]:
    """Return the reader of a dataclass that is given the fields `apart`."""
    fields = [each for each in _fields(kind) if each.name not in apart]
    flat = [(each, codec_of(each.kind).read) for each in fields if each.flat]
    plain = {each.key: each for each in fields if not each.flat}
    readers = {key: codec_of(each.kind).read for key, each in plain.items()}
    may_miss = [k for k, v in plain.items() if v.computed or v.default is not ...]
    required = {key: each for key, each in readers.items() if key not in may_miss}
    read_object = object_of(required, readers)
    computed = [each for each in fields if each.computed]

    def read_dataclass(value: Any, known: Mapping[str, Any]) -> Any:
        found = dict(known)
        if flat and isinstance(value, dict):
            value = dict(value)
            for field, reader in flat:
                own = {key: value.pop(key) for key in field.flat if key in value}
                is_none = all(each is None for each in own.values())
                found[field.name] = None if is_none else reader(own)
        for key, item in read_object(value).items():
            found[plain[key].name] = item
        stated = [(each, found.pop(each.name, ...)) for each in computed]
        made = kind(**found)
        for each, item in stated:
            if item not in (..., right := getattr(made, each.name)):
                raise Invalid(f"must be {right}, found {item}", each.key)
        return made

    return read_dataclass


@cache
def _fields_writer(
    kind: Any, apart: frozenset[str], *, sparse: bool
) -> Callable[[Any], dict[str, Any]]:
    """Return the writer of a dataclass without the fields `apart`."""
    fields = [
        (each, codec_of(each.kind, sparse=sparse).write, type(each.default))
        for each in _fields(kind)
        if each.name not in apart and not (sparse and each.computed)
    ]

    def write_dataclass(value: Any) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for field, write, default_kind in fields:
            item = getattr(value, field.name)
            if (
                (sparse or field.sparse)
                # 0 and 0.0 are equal, and not the same in JSON.
                and type(item) is default_kind
                and item == field.default
            ):
                continue
            if write is not None and item is not None:
                item = write(item)
            if not field.flat:
                plain[field.key] = item
            elif item is not None or not sparse:
                plain |= item or dict.fromkeys(field.flat)
        return plain

    return write_dataclass


def to_plain(
    value: Any, *, leave: frozenset[str] = frozenset(), sparse: bool = True
) -> dict[str, Any]:
    """Write a dataclass as an object without `leave` and, if `sparse`, without defaults."""
    kind: Any = type(value)
    return _fields_writer(kind, leave, sparse=sparse)(value)


def read_plain(kind: type[Value], data: Any, *, given: Mapping[str, Any] | None = None) -> Value:
    """Read a dataclass, with the `given` fields that were left; raises FormatError."""
    known = given or {}
    any_kind: Any = kind
    reader = _fields_reader(any_kind, frozenset(known))
    found: Value = read(lambda value: reader(value, known), data)
    return found


def to_json(value: Any) -> bytes:
    """Write one line of ASCII, which can hold lone surrogates."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def read_json(text: bytes) -> Any:
    """Read JSON without NaN and infinities; raises FormatError."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        raise FormatError("not JSON") from None


def _refuse(name: str) -> float:
    """Raise ValueError for a number that JSON does not have."""
    raise ValueError(name)


def _finite(number: str) -> float:
    """Return a number; raises ValueError for one that is too large, which could not be written."""
    if isinf(value := float(number)):
        raise ValueError(number)
    return value


def shape_of(kind: Any, *, leave: frozenset[str] = frozenset()) -> Any:
    """Return a description of an annotation's JSON: equal for equal keys, types and defaults."""
    if get_origin(kind) is Annotated:
        return shape_of(get_args(kind)[0])
    if hasattr(kind, "__dataclass_fields__"):
        return [
            [each.key, shape_of(each.kind), repr(each.default)]
            for each in _fields(kind)
            if each.name not in leave and not each.computed
        ]
    if _is(kind, Enum):
        return [each.value for each in kind]
    origin = get_origin(kind)
    # Python 3.14 has one class for both kinds of unions.
    name = "Union" if origin in _UNIONS else getattr(origin or kind, "__name__", str(kind))
    return [name, *map(shape_of, get_args(kind))]
