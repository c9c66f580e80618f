"""
Read JSON and TOML objects strictly: each key is asked for once, with its type and
range; what nobody asked for is refused; an error says where it is.
"""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, NoReturn, TypeVar

from .errors import InputError

__all__ = ["Fields", "as_toml", "nearest"]

Choice = TypeVar("Choice", bound=StrEnum)


def as_toml(text: str) -> Any:
    """
    Read a value as TOML writes it, except that text needs no quotes and numbers may be
    written .5 and 1. as people do.
    """
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def nearest(word: str, known: Iterable[str]) -> str:
    """
    Suggest what was meant, as the end of a message; nothing where nothing is near.
    """
    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


class Fields:
    """
    One object being read.

    `path` locates it ("tests.failures[0]"), `prefix` opens every message (a file name,
    or nothing), and `error` is what a bad field raises.
    """

    def __init__(
        self,
        data: Any,
        *,
        error: type[InputError],
        path: str = "",
        prefix: str = "",
    ) -> None:
        """
        Start reading `data`, which has to be an object with text keys.
        """
        self._error = error
        self._path = path
        self._prefix = prefix
        if not isinstance(data, Mapping):
            raise error(
                f"{prefix}{path or 'value'}: expected an object, {_found(data)}"
            )
        self._data = data
        self._asked: set[str] = set()

    def fail(self, key: str, message: str) -> NoReturn:
        """
        Raise the error of this reader about one key.
        """
        raise self._error(f"{self._prefix}{self._at(key)}: {message}")

    def close(self) -> None:
        """
        Refuse the keys that were never asked for.
        """
        unknown = sorted(str(key) for key in self._data if key not in self._asked)
        if unknown:
            self.fail(unknown[0], "unknown key")

    def ignore(self, *keys: str) -> None:
        """
        Let these keys be there, unread.
        """
        self._asked.update(keys)

    def text(self, key: str) -> str:
        """
        Read a string.
        """
        value = self._take(key)
        if not isinstance(value, str):
            self.fail(key, f"expected a string, {_found(value)}")
        return value

    def text_or_none(self, key: str) -> str | None:
        """
        Read a string or null.
        """
        return None if self._take(key) is None else self.text(key)

    def integer(self, key: str, *, low: int | None = None) -> int:
        """
        Read a whole number of at least `low`.
        """
        value = self._take(key)
        if isinstance(value, bool) or not isinstance(value, int):
            self.fail(key, f"expected a whole number, {_found(value)}")
        if low is not None and value < low:
            self.fail(key, f"must be at least {low}, found {value}")
        return value

    def integer_or_none(self, key: str, *, low: int | None = None) -> int | None:
        """
        Read a whole number or null.
        """
        return None if self._take(key) is None else self.integer(key, low=low)

    def number(
        self, key: str, *, low: float = -math.inf, high: float = math.inf
    ) -> float:
        """
        Read a finite number between `low` and `high`, both included.
        """
        return self._number(key, self._take(key), low, high)

    def number_or_none(
        self, key: str, *, low: float = -math.inf, high: float = math.inf
    ) -> float | None:
        """
        Read a finite number or null.
        """
        value = self._take(key)
        return None if value is None else self._number(key, value, low, high)

    def numbers(self, key: str) -> tuple[float, ...]:
        """
        Read a list of finite numbers.
        """
        return tuple(
            self._number(f"{key}[{place}]", value, -math.inf, math.inf)
            for place, value in enumerate(self._list(key))
        )

    def texts(self, key: str) -> tuple[str, ...]:
        """
        Read a list of strings.
        """
        values = self._list(key)
        for place, value in enumerate(values):
            if not isinstance(value, str):
                self.fail(f"{key}[{place}]", f"expected a string, {_found(value)}")
        return tuple(values)

    def flag(self, key: str) -> bool:
        """
        Read true or false.
        """
        value = self._take(key)
        if not isinstance(value, bool):
            self.fail(key, f"expected true or false, {_found(value)}")
        return value

    def choice(self, key: str, options: type[Choice]) -> Choice:
        """
        Read one of the words of an enumeration.
        """
        value = self.text(key)
        try:
            return options(value)
        except ValueError:
            words = ", ".join(options)
            self.fail(key, f"{value!r} is not one of {words}")

    def table(self, key: str) -> Fields:
        """
        Read an object inside this one.
        """
        return self._inner(key, self._take(key))

    def table_or_none(self, key: str) -> Fields | None:
        """
        Read an object inside this one, or null.
        """
        value = self._take(key)
        return None if value is None else self._inner(key, value)

    def tables(self, key: str) -> list[Fields]:
        """
        Read a list of objects.
        """
        return [
            self._inner(f"{key}[{place}]", value)
            for place, value in enumerate(self._list(key))
        ]

    def names(self) -> list[str]:
        """
        List the keys that are there, in their order.
        """
        return [str(key) for key in self._data]

    def _take(self, key: str) -> Any:
        if key not in self._data:
            self.fail(key, "missing")
        self._asked.add(key)
        return self._data[key]

    def _list(self, key: str) -> list[Any]:
        value = self._take(key)
        if not isinstance(value, list):
            self.fail(key, f"expected a list, {_found(value)}")
        return value

    def _number(self, key: str, value: Any, low: float, high: float) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.fail(key, f"expected a number, {_found(value)}")
        # A whole number of 400 digits is valid JSON and no float.
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.fail(key, "expected a finite number")
        if number < low:
            self.fail(key, f"must be at least {low:g}, found {number:g}")
        if number > high:
            self.fail(key, f"must be at most {high:g}, found {number:g}")
        return number

    def _inner(self, key: str, value: Any) -> Fields:
        return Fields(value, error=self._error, path=self._at(key), prefix=self._prefix)

    def _at(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key


def _found(value: Any) -> str:
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
