"""What a value may be: one reader per kind, which returns the value or says what is wrong.

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

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=StrEnum)


class Place:
    """Where a value stands: `path` inside the object ("tests.failures[0]"), after `prefix`, a
    file name or nothing.  `error` is what a bad value raises.

    An object or a list has one place, whose `step` goes from key to key or from item to
    item; what is found there begins a place of its own, `inside` it.  A record has hundreds
    of values, and a path is put together only when one of them is wrong.
    """

    __slots__ = ("_begun", "_outer", "error", "prefix", "step")

    def __init__(
        self,
        *,
        error: type[InputError],
        path: str = "",
        prefix: str = "",
        outer: Place | None = None,
    ) -> None:
        """Begin at a path; with `outer` at the step where that one is now."""
        self.error = error
        self.prefix = prefix
        self.step: str | int | None = None
        self._begun = path if outer is None else outer.step
        self._outer = outer

    @property
    def path(self) -> str:
        """The steps that lead here."""
        steps = [self.step]
        place: Place | None = self
        while place is not None:
            steps.append(place._begun)  # noqa: SLF001 - of the same class
            place = place._outer  # noqa: SLF001
        named = (
            f"[{step}]" if isinstance(step, int) else f".{step}"
            for step in reversed(steps)
            if step not in (None, "")
        )
        return "".join(named).removeprefix(".")

    def fail(self, message: str) -> NoReturn:
        """Raise the error, in one line that opens with the place."""
        raise self.error(f"{self.prefix}{self.path or 'value'}: {message}")

    def inside(self) -> Place:
        """Begin the place of the object or list that stands here."""
        return Place(error=self.error, prefix=self.prefix, outer=self)


Reader = Callable[[Any, Place], Value]
"""Takes a value and its place; returns what was read or raises the place's error."""


def anything(value: Any, place: Place) -> Any:
    """Take a value as it is."""
    del place
    return value


def string(value: Any, place: Place) -> str:
    """Read a string."""
    if not isinstance(value, str):
        place.fail(f"expected a string, {found(value)}")
    return value


def boolean(value: Any, place: Place) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        place.fail(f"expected true or false, {found(value)}")
    return value


def integer(*, low: int | None = None, high: int | None = None) -> Reader[int]:
    """Read a whole number between `low` and `high`, both included."""

    def read(value: Any, place: Place) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            place.fail(f"expected a whole number, {found(value)}")
        if (low is not None and value < low) or (high is not None and value > high):
            _check_range(value, place, low, high)
        return value

    return read


def number(*, low: float | None = None, high: float | None = None) -> Reader[float]:
    """Read a finite number between `low` and `high`, both included."""

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
    """Read one of some words, or a string that `accepts` takes."""

    def read(value: Any, place: Place) -> str:
        word = string(value, place)
        if word not in words and not (accepts and accepts(word)):
            listed = ", ".join(words)
            place.fail(f"{word!r} is not one of {listed}{nearest(word, words)}")
        return word

    return read


@cache
def word_of(options: type[Choice]) -> Reader[Choice]:
    """Read one of the words of an enumeration."""
    known = {option.value: option for option in options}
    read_word = one_of(tuple(options))

    def read(value: Any, place: Place) -> Choice:
        # A record has twenty of them, and an enumeration is slow to call.
        if isinstance(value, str) and value in known:
            return known[value]
        return options(read_word(value, place))

    return read


def list_of(reader: Reader[Value]) -> Reader[tuple[Value, ...]]:
    """Read a list, each item with the same reader."""

    def read(value: Any, place: Place) -> tuple[Value, ...]:
        if not isinstance(value, list):
            place.fail(f"expected a list, {found(value)}")
        if not value:
            return ()
        inside = place.inside()
        items = []
        for inside.step, item in enumerate(value):
            items.append(reader(item, inside))
        return tuple(items)

    return read


def optional(reader: Reader[Value]) -> Reader[Value | None]:
    """Read null as None, and anything else with a reader."""
    return lambda value, place: None if value is None else reader(value, place)


def found(value: Any) -> str:
    """Say what a value is, as the end of a message."""
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
