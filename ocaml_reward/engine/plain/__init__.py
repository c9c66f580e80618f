"""Frozen values to and from what JSON can say, field by field as their classes declare it.

Nothing here knows a field by its name, so that a field that a class gains travels too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from ...errors import FormatError
from .declared import any_kind, shape_of
from .readers import fields_reader
from .writers import object_writer

__all__ = ["read_json", "read_plain", "shape_of", "to_json", "to_plain"]

Value = TypeVar("Value")


def to_json(value: Any) -> bytes:
    """Write a value as one line of ASCII, which lone surrogates pass too; equal values give
    equal bytes, whatever the order of their keys.
    """
    text = json.dumps(value, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode("ascii")


def read_json(text: bytes) -> Any:
    """Read JSON, with NaN and the infinities refused; raises FormatError."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise FormatError("not JSON") from None


def _refuse(name: str) -> float:
    raise ValueError(name)


def to_plain(value: Any, *, leave: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Turn a frozen value into an object of lists, text and numbers; a field that has its
    default does not travel, nor do those that `leave` names.

    Raises TypeError for what has no such form, as bytes do not.
    """
    plain: dict[str, Any] = object_writer(any_kind(type(value)), leave)(value)
    return plain


def read_plain(
    kind: type[Value], data: Any, *, given: Mapping[str, Any] | None = None
) -> Value:
    """Read a value of a class back; `given` has the fields that did not travel.

    Raises FormatError that says where something is missing, unknown or of another kind.
    """
    known = given or {}
    try:
        fields = fields_reader(any_kind(kind), frozenset(known))(data)
    except FormatError as error:
        raise FormatError(f"{kind.__name__}{error}") from None
    return kind(**fields, **known)
