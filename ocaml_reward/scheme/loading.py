"""Loads reward schemes from TOML: shipped schemes, a user's files, and command-line overrides."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Final

from ..codec.readers import Reader, list_of, nearest, object_of, read, string
from ..codec.settings import kinds_of, read_overrides, setting_reader
from ..errors import SchemeError
from ..model import Credits
from ..penalties import PenaltyValues
from ..penalties.values import defaults_for_missing_keys
from .value import Phase, RewardScheme, TypeLadder


def shipped() -> tuple[str, ...]:
    """Return the names of the shipped schemes, sorted."""
    return tuple(sorted(name.removesuffix(".toml") for name in _shipped_files()))


def summaries() -> dict[str, str]:
    """Return what each shipped scheme is: the first sentence of its file, by name."""
    found = {}
    for name in shipped():
        comment, dot, _ = _shipped_files()[f"{name}.toml"].removeprefix("# ").partition(".")
        found[name] = comment.replace("\n# ", " ") + dot
    return found


def load(scheme: RewardScheme | str | Path, overrides: Iterable[str] = ()) -> RewardScheme:
    """Load a scheme and apply overrides.

    Args:
        scheme: The name of a shipped scheme, the path of a TOML file, or a RewardScheme. A Path is
            never taken for a name.
        overrides: Changes as `with_overrides` takes them.

    Returns:
        The scheme, which has been validated.

    Raises:
        SchemeError: One line that names the file and the first invalid key.
    """
    if not isinstance(scheme, RewardScheme):
        scheme = _read(_complete(_source(scheme), ()), prefix=f"{scheme}: ")
    changes = tuple(overrides)
    return with_overrides(scheme, changes) if changes else scheme


def with_overrides(scheme: RewardScheme, overrides: Iterable[str]) -> RewardScheme:
    """Change single values of a scheme.

    Args:
        scheme: The scheme to start from.
        overrides: Texts of the form KEY=VALUE, such as "runaway.factor=0.2". The value is written
            as in TOML, or as `value_from_text` reads it.

    Returns:
        The changed scheme, which has been validated.

    Raises:
        SchemeError: One line that names the override or the invalid key.
    """
    raw = _to_dict(scheme)
    values = read_overrides(
        overrides,
        kind_of=_KEYS.get,
        suggest=lambda key: nearest(key, _KEYS),
        error=SchemeError,
    )
    for key, value in values.items():
        *folders, last = key.split(".")
        inner: Any = raw
        for folder in folders:
            inner = inner.get(folder) if isinstance(inner, dict) else None
        # If a table was replaced by something else, `_read` reports it.
        if isinstance(inner, dict):
            inner[last] = value
    return _read(raw, prefix="--set: ")


def to_toml(scheme: RewardScheme) -> str:
    """Return a scheme as a complete TOML file, which loads back to an equal scheme."""
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
    """Return a value as TOML."""
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
    """Return the texts of the schemes that ship, by file name."""
    folder = resources.files(__package__) / "shipped"
    return {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".toml")
    }


def _source(name_or_path: str | Path) -> tuple[str, str, Path | None]:
    """Return the name of a scheme for messages, its text, and its file."""
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


def _complete(source: tuple[str, str, Path | None], seen: tuple[str, ...]) -> dict[str, Any]:
    """Parse a file and merge it over the one it extends; lists are replaced.

    The file's own keys come first, in their order, because keys are checked in that order.
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
    """Return a table with those of `over` over those of `base`, in the order of `over`."""
    merged = {**over, **{key: base[key] for key in base if key not in over}}
    for key, value in over.items():
        below = base.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged[key] = _merge(below, value)
    return merged


def _to_dict(scheme: RewardScheme) -> dict[str, Any]:
    """Return a scheme as it is written in a file."""
    raw: dict[str, Any] = {}
    for key, value in dataclasses.asdict(scheme).items():
        # In a file penalties are top-level keys and tables.
        raw |= value if key == "penalties" else {key: value}
    raw["end_marker"] = scheme.end_marker or ""
    raw["type"]["ladder"] = list(scheme.type.ladder)
    raw["phases"] = list(raw["phases"])
    return raw


def _read(raw: Mapping[str, Any], *, prefix: str) -> RewardScheme:
    """Return the scheme in a table; raise SchemeError if it is not valid."""
    # Defaults of optional keys.
    raw = {"phases": [], **defaults_for_missing_keys(PenaltyValues)} | dict(raw)
    try:
        parts = read(object_of(_READERS), raw, error=SchemeError, prefix=prefix)
    except SchemeError as error:
        # A phase has no other to take a key from.
        extends_nothing = str(error).endswith(": missing") and "phases[" not in str(error)
        hint = '; extends = "seed" takes over what is not named' if extends_nothing else ""
        raise SchemeError(f"{error}{hint}") from None
    values = PenaltyValues(**{name: parts.pop(name) for name in _PENALTY_KINDS})
    try:
        return RewardScheme(**parts, penalties=values)
    except SchemeError as error:
        raise SchemeError(f"{prefix}{error}") from error


def _keys_of(declared: type) -> dict[str, Any]:
    """Return the annotations of all fields by key, as `--set` takes them."""
    keys: dict[str, Any] = {}
    for name, kind in kinds_of(declared).items():
        keys[name] = kind
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            keys |= {f"{name}.{key}": inner for key, inner in _keys_of(kind).items()}
    return keys


def _reader(kind: Any) -> Reader[Any]:
    if dataclasses.is_dataclass(kind):
        return _instance_of(kind)
    return setting_reader(kind)


def _instance_of(kind: Any) -> Reader[Any]:
    readers = {name: _reader(inner) for name, inner in kinds_of(kind).items()}
    required = {name: each for name, each in readers.items() if (kind, name) not in _LATER}
    read_table = object_of(required, readers)
    return lambda value: kind(**read_table(value))


def _end_marker(value: Any) -> str | None:
    return string(value) or None


# Optional keys: older scheme files do not have them.
_LATER = frozenset({(TypeLadder, "input"), (Credits, "solved")})

_PENALTY_KINDS = kinds_of(PenaltyValues)

# In a file penalties are top-level keys; an empty end_marker means none.
_KINDS = {name: kind for name, kind in kinds_of(RewardScheme).items() if name != "penalties"}
_READERS: Final[Mapping[str, Reader[Any]]] = {
    **{name: _reader(kind) for name, kind in (_KINDS | _PENALTY_KINDS).items()},
    "end_marker": _end_marker,
    "phases": list_of(_instance_of(Phase)),
}

_KEYS: Final[Mapping[str, Any]] = {
    key: kind
    for key, kind in (_keys_of(RewardScheme) | _keys_of(PenaltyValues)).items()
    if key.partition(".")[0] != "penalties"
} | {"end_marker": str}
