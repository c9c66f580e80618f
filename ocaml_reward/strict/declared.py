"""The readers of a dataclass: what each field may be follows from its annotation, and its
range and words from what was declared beside it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import StrEnum
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from .readers import (
    Place,
    Reader,
    anything,
    boolean,
    integer,
    list_of,
    number,
    one_of,
    string,
    word_of,
)


def kinds_of(declared: type) -> dict[str, Any]:
    """Return the annotation of each field of a dataclass, by its name."""
    hints = get_type_hints(declared)
    return {each.name: hints[each.name] for each in dataclasses.fields(declared)}


def keys_of(declared: type) -> dict[str, Any]:
    """Return the annotation of each field, and of the fields of those that are dataclasses,
    by its key with dots, as `--set` takes it.
    """
    keys: dict[str, Any] = {}
    for name, kind in kinds_of(declared).items():
        keys[name] = kind
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            keys |= {f"{name}.{key}": inner for key, inner in keys_of(kind).items()}
    return keys


def reader_of(
    kind: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    words: tuple[str, ...] = (),
    accepts: Callable[[str], bool] | None = None,
) -> Reader[Any]:
    """Make the reader of a value with this annotation.

    Args:
        kind: bool, int, float, str, a StrEnum, or a tuple of any number of one of them.
            With `| None` the value may be null, or the word none, as TOML has no null.
        low: The least number, included.
        high: The greatest number, included.
        words: The strings that are allowed; without any every string is.
        accepts: Tells which strings are allowed beside `words`.

    Returns:
        The reader.
    """
    if isinstance(kind, UnionType):
        inner = next(each for each in get_args(kind) if each is not type(None))
        reader = reader_of(inner, low=low, high=high, words=words, accepts=accepts)
        return _none_or(reader)
    if get_origin(kind) is tuple:
        item = get_args(kind)[0]
        return list_of(
            reader_of(item, low=low, high=high, words=words, accepts=accepts)
        )
    if kind is bool:
        return boolean
    if kind is int:
        return integer(
            low=None if low is None else int(low),
            high=None if high is None else int(high),
        )
    if kind is float:
        return number(low=low, high=high)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return word_of(kind)
    if kind is str:
        return one_of(words, accepts=accepts) if words else string
    return anything


def _none_or(reader: Reader[Any]) -> Reader[Any]:
    def read(value: Any, place: Place) -> Any:
        return None if value is None or value == "none" else reader(value, place)

    return read
