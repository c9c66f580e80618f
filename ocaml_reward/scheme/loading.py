"""
Reward schemes as TOML: those that ship with the package, a user's own files, overrides
from a command line.  What they load into, `RewardScheme`, stands in `value`.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from ..errors import SchemeError
from ..model import Budget, Credits
from ..strict import Fields, as_toml, nearest
from .penalty_values import PenaltyValues, lacking
from .value import (
    CompileLadder,
    Phase,
    RewardScheme,
    Shaping,
    TypeInput,
    TypeLadder,
)

__all__ = ["load", "shipped", "to_toml", "with_overrides"]

Part = TypeVar("Part")


def shipped() -> tuple[str, ...]:
    """
    List the names of the schemes in the package, sorted.
    """
    return tuple(sorted(name.removesuffix(".toml") for name in _shipped_files()))


def load(
    scheme: RewardScheme | str | Path, overrides: Iterable[str] = ()
) -> RewardScheme:
    """
    Load a shipped scheme by its name, or a TOML file by its path, and change single numbers
    as `with_overrides` does.  A Path is never a name; a scheme is itself.

    Raises SchemeError, one line that names the file and the first key that is wrong.
    """
    if not isinstance(scheme, RewardScheme):
        scheme = _read(_complete(_source(scheme), ()), prefix=f"{scheme}: ")
    changes = tuple(overrides)
    return with_overrides(scheme, changes) if changes else scheme


def with_overrides(scheme: RewardScheme, overrides: Iterable[str]) -> RewardScheme:
    """
    Change single numbers: "runaway.factor=0.2", "min_lines=1".

    The value is written as in TOML; text needs no quotes.  Raises SchemeError.
    """
    raw = _to_dict(scheme)
    for override in overrides:
        key, equals, text = override.partition("=")
        if not equals:
            raise SchemeError(f"--set {override}: expected KEY=VALUE")
        table = raw
        *folders, last = key.strip().split(".")
        for folder in folders:
            inner = table.get(folder)
            if not isinstance(inner, dict):
                raise _unknown(override, folder, table)
            table = inner
        if last not in table:
            raise _unknown(override, last, table)
        table[last] = as_toml(text.strip())
    return _read(raw, prefix="--set: ")


def _unknown(override: str, part: str, table: Mapping[str, Any]) -> SchemeError:
    key = override.partition("=")[0].strip()
    near = nearest(part, table)
    return SchemeError(f"--set {override}: unknown key {key}{near}")


def to_toml(scheme: RewardScheme) -> str:
    """
    Write a scheme as a complete TOML file, which loads back to an equal scheme.
    """
    top: list[str] = []
    tables: list[str] = []
    for key, value in _to_dict(scheme).items():
        if isinstance(value, dict):
            tables += ["", f"[{key}]", *_lines(value)]
        elif key == "phases":
            for phase in value:
                until = f"until_epoch = {phase['until_epoch']!r}"
                tables += ["", "[[phases]]", until]
                tables += ["", "[phases.available]", *_lines(phase["available"])]
        else:
            top += _lines({key: value})
    return "\n".join([*top, *tables]) + "\n"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_toml(value)}" for key, value in table.items()]


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        marks = {"\\": "\\\\", '"': '\\"'}
        body = "".join(
            marks.get(char) or (char if char.isprintable() else f"\\U{ord(char):08x}")
            for char in value
        )
        return f'"{body}"'
    return repr(value)


def _shipped_files() -> dict[str, str]:
    folder = resources.files(__package__) / "shipped"
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    }


def _source(name_or_path: str | Path) -> tuple[str, str, Path | None]:
    """
    Find a scheme: what to call it in messages, its text, and the file it came from.
    """
    name = str(name_or_path)
    text = _shipped_files().get(f"{name}.toml")
    if text is not None and not isinstance(name_or_path, Path):
        return name, text, None
    path = Path(name_or_path)
    try:
        return name, path.read_text(encoding="utf-8"), path
    except FileNotFoundError:
        other = f", and no scheme of that name ({', '.join(shipped())})"
        if isinstance(name_or_path, Path):
            other = ""
        raise SchemeError(f"{name}: no such file{other}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise SchemeError(f"{name}: {reason}") from error


def _complete(
    source: tuple[str, str, Path | None], seen: tuple[str, ...]
) -> dict[str, Any]:
    """
    Parse a file and lay it over the one it extends, tables merged, lists replaced.  The
    file's own keys stay first, in their order, as they are checked in that order.
    """
    name, text, path = source
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SchemeError(f"{name}: {error}") from error
    if path is not None:
        raw.setdefault("name", path.stem)
    base = raw.pop("extends", None)
    if base is None:
        return raw
    if not isinstance(base, str):
        raise SchemeError(f"{name}: extends: expected a string")
    if base not in shipped():
        base = str((path.parent if path else Path()) / base)
    if base in seen:
        raise SchemeError(f"{name}: extends: a file cannot extend itself")
    return _merge(_complete(_source(base), (*seen, base)), raw)


def _merge(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = {**over, **{key: base[key] for key in base if key not in over}}
    for key, value in over.items():
        below = base.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged[key] = _merge(below, value)
    return merged


def _to_dict(scheme: RewardScheme) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    for key, value in dataclasses.asdict(scheme).items():
        # Penalties have keys and tables of their own, beside the rest.
        raw |= value if key == "penalties" else {key: value}
    raw["end_marker"] = scheme.end_marker or ""
    raw["type"]["ladder"] = list(scheme.type.ladder)
    raw["phases"] = list(raw["phases"])
    return raw


def _read(raw: Mapping[str, Any], *, prefix: str) -> RewardScheme:
    # What schemes may lack.
    raw = {"phases": [], **lacking()} | dict(raw)
    fields = Fields(raw, error=SchemeError, prefix=prefix)
    penalties = {
        name: partial(_READERS[kind.__name__], fields, name)
        if kind.__name__ in _READERS
        else partial(_table, kind, fields, name)
        for name, kind in get_type_hints(PenaltyValues).items()
    }
    readers: dict[str, Callable[[], Any]] = {
        "name": lambda: fields.text("name"),
        "end_marker": lambda: fields.text("end_marker") or None,
        "available": partial(_table, Credits, fields, "available"),
        "type": partial(_table, TypeLadder, fields, "type"),
        "compile": partial(_table, CompileLadder, fields, "compile"),
        **penalties,
        "budget": partial(_table, Budget, fields, "budget"),
        "shaping": partial(_table, Shaping, fields, "shaping"),
        "phases": lambda: tuple(map(_phase, fields.tables("phases"))),
    }
    parts = _in_order(fields, readers)
    values = PenaltyValues(**{name: parts.pop(name) for name in penalties})
    try:
        return RewardScheme(**parts, penalties=values)
    except SchemeError as error:
        raise SchemeError(f"{prefix}{error}") from error


def _in_order(
    fields: Fields, readers: Mapping[str, Callable[[], Any]]
) -> dict[str, Any]:
    """
    Read the keys in the order in which they stand, so that the first wrong one is named.
    """
    values: dict[str, Any] = {}
    for key in fields.names():
        if key not in readers:
            fields.fail(key, f"unknown key{nearest(key, readers)}")
        values[key] = readers[key]()
    # What is left is missing, which its reader says.
    return {key: values[key] if key in values else readers[key]() for key in readers}


def _phase(fields: Fields) -> Phase:
    return Phase(
        **_in_order(
            fields,
            {
                "until_epoch": lambda: fields.number("until_epoch"),
                "available": partial(_table, Credits, fields, "available"),
            },
        )
    )


# What schemes lack that were written before there was the key; its default is what they mean.
_LATER = frozenset({(TypeLadder, "input"), (Credits, "solved")})

# Keyed by the annotation as it is written; budgets alone have ten fields.
_READERS: dict[str, Callable[[Fields, str], object]] = {
    "bool": Fields.flag,
    "float": Fields.number,
    "int": Fields.integer,
    "tuple[float, ...]": Fields.numbers,
    "TypeInput": lambda fields, key: fields.choice(key, TypeInput),
}


def _table(kind: type[Part], outer: Fields, name: str) -> Part:
    fields = outer.table(name)
    there = fields.names()
    readers = {
        each.name: partial(_READERS[str(each.type)], fields, each.name)
        for each in dataclasses.fields(kind)  # type: ignore[arg-type]
        if (kind, each.name) not in _LATER or each.name in there
    }
    return kind(**_in_order(fields, readers))
