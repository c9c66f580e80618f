"""
What a value may be: one reader per kind, which returns the value or says what is wrong.

Readers combine: `optional(integer(low=0))`, `list_of(string)`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Any, NoReturn, TypeVar

from ..errors import InputError
from .written import nearest

__all__ = [
    "Place",
    "Reader",
    "anything",
    "boolean",
    "found",
    "integer",
    "list_of",
    "number",
    "one_of",
    "optional",
    "string",
    "word_of",
]

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=StrEnum)


class Place:
    """
    Where a value stands: `path` inside the object ("tests.failures[0]"), after `prefix`, a
    file name or nothing.  `error` is what a bad value raises.

    A path is put together when something is wrong; until then a place is what it stands in
    and its own step, as a record has a hundred of them.
    """

    __slots__ = ("_inside", "_step", "error", "prefix")

    def __init__(
        self,
        *,
        error: type[InputError],
        path: str = "",
        prefix: str = "",
        inside: Place | None = None,
    ) -> None:
        """
        Stand at a path, or with `inside` at that step in another place.
        """
        self.error = error
        self.prefix = prefix
        self._step = path
        self._inside = inside

    @property
    def path(self) -> str:
        """
        The steps that lead here.
        """
        steps = []
        place: Place | None = self
        while place is not None:
            steps.append(place._step)  # noqa: SLF001 - of the same class
            place = place._inside  # noqa: SLF001
        return "".join(reversed(steps)).removeprefix(".")

    def fail(self, message: str) -> NoReturn:
        """
        Raise the error, in one line that opens with the place.
        """
        raise self.error(f"{self.prefix}{self.path or 'value'}: {message}")

    def key(self, name: str) -> Place:
        """
        Return the place of a key in this object.
        """
        return Place(error=self.error, path=f".{name}", prefix=self.prefix, inside=self)

    def item(self, number: int) -> Place:
        """
        Return the place of an item in this list; the first is number 0.
        """
        return Place(
            error=self.error, path=f"[{number}]", prefix=self.prefix, inside=self
        )


Reader = Callable[[Any, Place], Value]
"""
Takes a value and its place; returns what was read or raises the place's error.
"""


def anything(value: Any, place: Place) -> Any:
    """
    Take a value as it is.
    """
    del place
    return value


def string(value: Any, place: Place) -> str:
    """
    Read a string.
    """
    if not isinstance(value, str):
        place.fail(f"expected a string, {found(value)}")
    return value


def boolean(value: Any, place: Place) -> bool:
    """
    Read true or false.
    """
    if not isinstance(value, bool):
        place.fail(f"expected true or false, {found(value)}")
    return value


def integer(*, low: int | None = None, high: int | None = None) -> Reader[int]:
    """
    Read a whole number between `low` and `high`, both included.
    """

    def read(value: Any, place: Place) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            place.fail(f"expected a whole number, {found(value)}")
        _check_range(value, place, low, high)
        return value

    return read


def number(*, low: float | None = None, high: float | None = None) -> Reader[float]:
    """
    Read a finite number between `low` and `high`, both included.
    """

    def read(value: Any, place: Place) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            place.fail(f"expected a number, {found(value)}")
        # A whole number of 400 digits is valid JSON and no float.
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            place.fail("expected a finite number")
        _check_range(number, place, low, high)
        return number

    return read


def one_of(
    words: tuple[str, ...], *, accepts: Callable[[str], bool] | None = None
) -> Reader[str]:
    """
    Read one of some words, or a string that `accepts` takes.
    """

    def read(value: Any, place: Place) -> str:
        word = string(value, place)
        if word not in words and not (accepts and accepts(word)):
            listed = ", ".join(words)
            place.fail(f"{word!r} is not one of {listed}{nearest(word, words)}")
        return word

    return read


@cache
def word_of(options: type[Choice]) -> Reader[Choice]:
    """
    Read one of the words of an enumeration.
    """
    read_word = one_of(tuple(options))
    return lambda value, place: options(read_word(value, place))


def list_of(reader: Reader[Value]) -> Reader[tuple[Value, ...]]:
    """
    Read a list, each item with the same reader.
    """

    def read(value: Any, place: Place) -> tuple[Value, ...]:
        if not isinstance(value, list):
            place.fail(f"expected a list, {found(value)}")
        return tuple(reader(item, place.item(n)) for n, item in enumerate(value))

    return read


def optional(reader: Reader[Value]) -> Reader[Value | None]:
    """
    Read null as None, and anything else with a reader.
    """
    return lambda value, place: None if value is None else reader(value, place)


def found(value: Any) -> str:
    """
    Say what a value is, as the end of a message.
    """
    words = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "a string",
        list: "a list",
        dict: "an object",
        type(None): "nothing",
    }
    return f"found {words.get(type(value), type(value).__name__)}"


def _check_range(
    value: float, place: Place, low: float | None, high: float | None
) -> None:
    if low is not None and value < low:
        place.fail(f"must be at least {_shown(low)}, found {_shown(value)}")
    if high is not None and value > high:
        place.fail(f"must be at most {_shown(high)}, found {_shown(value)}")


def _shown(value: float) -> str:
    # `:g` would write the whole number 1000001 as 1e+06.
    return str(value) if isinstance(value, int) else f"{value:g}"
