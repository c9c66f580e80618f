"""Settings: the reader of one follows from its annotation, and its value may be written as
people write it in a command (`KEY=VALUE`) or a variable, without the quotes of TOML.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable, Iterable
from functools import partial
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from ..errors import InputError
from .readers import Reader, anything, between, list_of, number, one_of, whole_number
from .typed import codec_of

_TRUE: Final = ("1", "true", "yes", "on")
_FALSE: Final = ("0", "false", "no", "off")


def kinds_of(declared: type) -> dict[str, Any]:
    """Return the annotation of each field of a dataclass, by its name."""
    hints = get_type_hints(declared)
    return {each.name: hints[each.name] for each in dataclasses.fields(declared)}


def setting_reader(
    kind: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    words: tuple[str, ...] = (),
    accepts: Callable[[str], bool] | None = None,
) -> Reader[Any]:
    """Return the reader of a setting.

    Args:
        kind: bool, int, float, str, a StrEnum, or a tuple of any number of one of them.
            With `| None` the value may be null, or the word none, as TOML has no null.
        low: The least number, included.
        high: The greatest number, included.
        words: The strings that are allowed; without any every string is.
        accepts: Tells which strings are allowed besides `words`.
    """
    inner = partial(setting_reader, low=low, high=high, words=words, accepts=accepts)
    if isinstance(kind, UnionType):
        reader = inner(_not_none(kind))
        return lambda value: None if value in (None, "none") else reader(value)
    if get_origin(kind) is tuple:
        return list_of(inner(get_args(kind)[0]))
    if kind is float:
        return between(lambda value: float(number(value)), low, high)
    if kind is int:
        return between(whole_number, low, high)
    if words:
        return one_of(words, accepts=accepts)
    return anything if kind is Any else codec_of(kind).read


def _not_none(kind: Any) -> Any:
    """Return the type in an optional one."""
    return next(each for each in get_args(kind) if each is not type(None))


def value_from_text(text: str, kind: Any) -> Any:
    """Read a value for a setting with this annotation.

    `none` stands for None where that is allowed, a list may be words between commas, and
    true and false have their usual other words.  A text that fits no value of the kind is
    returned in a form that the setting's reader refuses.
    """
    if isinstance(kind, UnionType):
        if text == "none":
            return None
        kind = _not_none(kind)
    if get_origin(kind) is tuple:
        return _list_from_text(text, get_args(kind)[0])
    if kind is bool:
        word = text.lower()
        return word in _TRUE if word in _TRUE + _FALSE else text
    value = _as_toml(text)
    if isinstance(kind, type) and issubclass(kind, str):
        return value if isinstance(value, str) else text
    return value


def _as_toml(text: str) -> Any:
    """Read a value of TOML, but text needs no quotes, and .5, 1. and 007 are numbers."""
    try:
        parsed = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        parsed = {}
    # A text of several lines may hold keys of its own.
    if parsed.keys() == {"value"}:
        return parsed["value"]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _list_from_text(text: str, kind: Any) -> Any:
    """Read a list in TOML, or words between commas."""
    value = _as_toml(text)
    if isinstance(value, list) and (kind is not str or set(map(type, value)) <= {str}):
        return value
    words = (word.strip() for word in text.strip("[]").split(","))
    return [value_from_text(word, kind) for word in words if word]


def read_overrides(
    overrides: Iterable[str],
    *,
    kind_of: Callable[[str], Any],
    suggest: Callable[[str], str],
    error: type[InputError],
) -> dict[str, Any]:
    """Read the values of `--set KEY=VALUE`, each still to be checked by its reader.

    Of the same key twice the last counts.  `kind_of` returns the annotation of a key's
    value, None for an unknown key, and `suggest` the end of the message about it.
    """
    values: dict[str, Any] = {}
    for override in overrides:
        key, equals, text = override.partition("=")
        key = key.strip()
        if not equals:
            raise error(f"--set {override}: expected KEY=VALUE")
        kind = kind_of(key)
        if kind is None:
            raise error(f"--set {override}: unknown key {key}{suggest(key)}")
        # The last comes last: a table may be set first, then one of its keys.
        values.pop(key, None)
        values[key] = value_from_text(text.strip(), kind)
    return values
