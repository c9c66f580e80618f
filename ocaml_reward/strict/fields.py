"""An object read strictly: each key is asked for once, with what its value may be; what
nobody asked for is refused; an error says where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from ..errors import InputError
from .readers import Place, Reader, found
from .written import nearest

Value = TypeVar("Value")


class Fields:
    """One object being read.

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
        place: Place | None = None,
    ) -> None:
        """Start reading `data`, which has to be an object with text keys; at a `place` that
        is known already, in place of `path` and `prefix`.
        """
        stands = place or Place(error=error, path=path, prefix=prefix)
        # A dictionary is told at once; asking Mapping takes longer than all the rest.
        if type(data) is not dict and not isinstance(data, Mapping):
            stands.fail(f"expected an object, {found(data)}")
        self._place = stands.inside() if place else stands
        self._data = data
        self._asked: set[str] = set()

    def read(self, key: str, reader: Reader[Value]) -> Value:
        """Read the value of a key, which has to be there."""
        if key not in self._data:
            self.fail(key, "missing")
        self._asked.add(key)
        self._place.step = key
        return reader(self._data[key], self._place)

    def read_present(
        self,
        readers: Mapping[str, Reader[Any]],
        suggest: Callable[[str], str] | None = None,
    ) -> dict[str, Any]:
        """Read the keys that are there, in their own order, so that the first wrong one is
        named.  A key without a reader is refused, with what `suggest` says may be meant.
        """
        values: dict[str, Any] = {}
        for key in self.names():
            if key not in readers:
                near = suggest(key) if suggest else nearest(key, readers)
                self.fail(key, f"unknown key{near}")
            values[key] = self.read(key, readers[key])
        return values

    def read_all(self, readers: Mapping[str, Reader[Any]]) -> dict[str, Any]:
        """Read as `read_present` does, then refuse the object if a key is missing."""
        values = self.read_present(readers)
        return {
            key: values[key] if key in values else self.read(key, reader)
            for key, reader in readers.items()
        }

    def fail(self, key: str, message: str) -> NoReturn:
        """Raise the error of this object about one key."""
        self._place.step = key
        self._place.fail(message)

    def close(self) -> None:
        """Refuse the keys that were never asked for."""
        if self._asked.issuperset(self._data):
            return
        unknown = sorted(str(key) for key in self._data if key not in self._asked)
        if unknown:
            missed = {str(key) for key in self._asked if key not in self._data}
            self.fail(unknown[0], f"unknown key{nearest(unknown[0], missed)}")

    def ignore(self, *keys: str) -> None:
        """Let these keys be there, unread."""
        self._asked.update(keys)

    def has(self, key: str) -> bool:
        """Tell whether a key is there."""
        return key in self._data

    def names(self) -> list[str]:
        """List the keys that are there, in their order."""
        return [str(key) for key in self._data]


def table(value: Any, place: Place) -> Fields:
    """Read an object inside another one."""
    return Fields(value, error=place.error, place=place)


def mapping_of(reader: Reader[Value]) -> Reader[dict[str, Value]]:
    """Read an object of any keys, each value with the same reader."""

    def read(value: Any, place: Place) -> dict[str, Value]:
        fields = table(value, place)
        return {name: fields.read(name, reader) for name in fields.names()}

    return read
