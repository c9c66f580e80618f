"""Readers of JSON and TOML: each returns its value checked, or raises Invalid, which collects
the path on its way out.  `read` makes one line for the user of it.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, TypeVar

from ..errors import FormatError, InputError

Value = TypeVar("Value")

Reader = Callable[[Any], Value]
"""Returns the value that it is given, checked and converted, or raises Invalid."""

_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
    type(None): "nothing",
}
_LARGEST = math.nextafter(math.inf, 0)


class Invalid(Exception):
    """A value that does not fit, and the keys and indices that lead to it."""

    def __init__(self, message: str, *steps: str | int) -> None:
        """Start at the value, or at one inside it that `steps` lead to."""
        super().__init__(message)
        self._steps = [*reversed(steps)]

    def at(self, step: str | int) -> Invalid:
        """Add the key or index of the object or list that holds the value."""
        self._steps.append(step)
        return self

    def path(self, start: str) -> str:
        """Return the path to the value: `tests.failures[0]`."""
        for step in reversed(self._steps):
            start += f"[{step}]" if isinstance(step, int) else f".{step}"
        return start.removeprefix(".")


def read(
    reader: Reader[Value],
    value: Any,
    *,
    error: type[InputError] = FormatError,
    path: str = "",
    prefix: str = "",
) -> Value:
    """Read a value that stands at `path`.

    Raises `error` with one line that begins with `prefix`, say a file's name, and the path.
    """
    try:
        return reader(value)
    except Invalid as invalid:
        where = invalid.path(path) or "value"
        raise error(f"{prefix}{where}: {invalid}") from None


def expected(what: str, value: Any) -> Invalid:
    """Return the error that a value is of another kind."""
    found = _KINDS.get(type(value), type(value).__name__)
    return Invalid(f"expected {what}, found {found}")


def anything(value: Any) -> Any:
    """Return any value as it is."""
    return value


def _scalar(kind: type[Value], what: str) -> Reader[Value]:
    """Return a reader of values of exactly this type."""

    def read_scalar(value: Any) -> Value:
        if type(value) is not kind:
            raise expected(what, value)
        return value

    return read_scalar


string = _scalar(str, "a string")
boolean = _scalar(bool, "true or false")
whole_number = _scalar(int, "a whole number")


def number(value: Any) -> float:
    """Read a finite number; a whole one stays whole, as it is written back so."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise expected("a number", value)
    # False for NaN, too; a whole number of 400 digits is valid JSON and no float.
    if not abs(value) <= _LARGEST:
        raise Invalid("expected a finite number")
    return value


def between(reader: Reader[Any], low: float | None, high: float | None) -> Reader[Any]:
    """Read a number between `low` and `high`, both included."""

    def read_number(value: Any) -> Any:
        found = reader(value)
        if low is not None and found < low:
            raise Invalid(f"must be at least {_shown(low)}, found {_shown(found)}")
        if high is not None and found > high:
            raise Invalid(f"must be at most {_shown(high)}, found {_shown(found)}")
        return found

    return read_number


def _shown(value: float) -> str:
    # `:g` would write the whole number 1000001 as 1e+06.
    return str(value) if isinstance(value, int) else f"{value:g}"


def one_of(words: Iterable[str], *, accepts: Callable[[str], bool] | None = None) -> Reader[str]:
    """Read one of some words, or a string that `accepts` takes."""
    known = tuple(words)

    def read_word(value: Any) -> str:
        word = string(value)
        if word not in known and not (accepts and accepts(word)):
            listed = ", ".join(known)
            raise Invalid(f"{word!r} is not one of {listed}{nearest(word, known)}")
        return word

    return read_word


def enum_of(kind: type[Enum]) -> Reader[Any]:
    """Read a member of an enumeration by its value."""
    members = {member.value: member for member in kind}
    read_word = one_of(members)

    def read_member(value: Any) -> Enum:
        member = members.get(value) if isinstance(value, str) else None
        return member or members[read_word(value)]

    return read_member


def list_of(reader: Reader[Any], make: Callable[[list[Any]], Any] = tuple) -> Reader[Any]:
    """Read a list, each item with the same reader, as a tuple or what `make` returns."""

    def read_list(value: Any) -> Any:
        if not isinstance(value, list):
            raise expected("a list", value)
        items: list[Any] = []
        try:
            for item in value:
                items.append(reader(item))  # noqa: PERF401 (its length is an index below)
        except Invalid as invalid:
            raise invalid.at(len(items)) from None
        return make(items)

    return read_list


def object_of(
    required: Mapping[str, Reader[Any]],
    may_have: Mapping[str, Reader[Any]] | None = None,
    *,
    others: Reader[Any] | None = None,
    suggest: Callable[[str], str] | None = None,
) -> Reader[dict[str, Any]]:
    """Read an object by the readers of its keys: those that are required, and those it may have.

    `others` reads all other keys, which are refused without it; `suggest` says what an
    unknown key may mean, as the end of a message.
    """
    readers = {**required, **(may_have or {})}

    def read_object(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise expected("an object", value)
        found: dict[str, Any] = {}
        key = ""
        try:
            for key, item in value.items():
                reader = readers.get(key, others)
                if reader is None:
                    near = suggest(key) if suggest else nearest(key, readers)
                    raise Invalid(f"unknown key{near}")
                found[key] = reader(item)
        except Invalid as invalid:
            raise invalid.at(key) from None
        if not required.keys() <= found.keys():
            missing = next(key for key in required if key not in found)
            raise Invalid("missing", missing)
        return found

    return read_object


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest what was meant, as the end of a message; "" where nothing is near."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""
