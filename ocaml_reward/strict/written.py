"""Values as people write them in a command or a variable: without the quotes that TOML wants."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Iterable
from types import UnionType
from typing import Any, Final, get_args, get_origin

from ..errors import InputError

BOOLEANS: Final = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}


def as_toml(text: str) -> Any:
    """Read a value as TOML writes it, except that text needs no quotes and numbers may be
    written .5, 1. and 007 as people do.
    """
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


def value_from_text(text: str, kind: Any) -> Any:
    """Read a value for a place with this annotation, as `declared` takes them.

    `none` stands for nothing where that is allowed, a list may be words between commas,
    and true and false have their usual other words.  A text that fits no value of the kind
    is returned in some form that the kind's reader refuses.
    """
    if isinstance(kind, UnionType):
        if text == "none":
            return None
        kind = next(each for each in get_args(kind) if each is not type(None))
    if get_origin(kind) is tuple:
        return _list_from_text(text, get_args(kind)[0])
    if kind is bool:
        return BOOLEANS.get(text.lower(), text)
    value = as_toml(text)
    if isinstance(kind, type) and issubclass(kind, str):
        return value if isinstance(value, str) else text
    return value


def _list_from_text(text: str, kind: Any) -> Any:
    value = as_toml(text)
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
    """Read what `--set KEY=VALUE` was given; of the same key twice the last counts.

    Args:
        overrides: Texts of the form KEY=VALUE.
        kind_of: Returns the annotation of a key's value, None for an unknown key.
        suggest: Returns what an unknown key may mean, as the end of a message.
        error: What to raise, with one line about the first that is wrong.

    Returns:
        The values by key, each still to be checked by its reader.
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


def nearest(word: str, known: Iterable[str]) -> str:
    """Suggest what was meant, as the end of a message; nothing where nothing is near."""
    near = near_to(word, known, share=0.6)
    return f"; did you mean {near}?" if near else ""


def near_to(word: str, known: Iterable[str], *, share: float) -> str | None:
    """Return which of some words is nearest to one, of which it has to have that share."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=share)
    return near[0] if near else None
