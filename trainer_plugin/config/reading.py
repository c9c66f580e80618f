"""Reads a run's configuration from its sources and records the source of each value.

The sources are defaults, a preset, a TOML file, the environment, and `--set`; later ones override
earlier ones.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from ocaml_reward.codec.readers import Reader, anything, nearest, object_of, read
from ocaml_reward.codec.settings import read_overrides, value_from_text

from .settings import EXTRA, SETTINGS
from .suggestions import suggest_setting, suggest_variable
from .value import Config, ConfigError

# Unknown variables with these prefixes are errors, because they may be misspelt.
PREFIXES: Final = ("GRPO_", "LORA_")


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """A configuration, and the source of each of its values, by key."""

    config: Config
    origins: Mapping[str, str]


def presets() -> tuple[str, ...]:
    """Return the names of the presets, sorted."""
    folder = resources.files("trainer_plugin") / "presets"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(n.removesuffix(".toml") for n in names if n.endswith(".toml")))


def load_config(
    path: Path | None = None,
    *,
    preset: str | None = None,
    overrides: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Loaded:
    """Read a configuration from all its sources.

    The preset is the argument, else the file's, else "seed". Raises ConfigError, one line that
    names the source and the key.
    """
    environ = os.environ if environment is None else environment
    file = _parsed(path) if path else {}
    chosen = preset or file.pop("preset", "seed")
    file.pop("preset", None)
    values: dict[str, Any] = {key: one.default for key, one in SETTINGS.items()}
    origins = dict.fromkeys(values, "default")
    layers = [
        (f"preset {chosen}", _tables(_preset(chosen), prefix=f"preset {chosen}: ")),
        (f"file {path}", _tables(file, prefix=f"{path}: ")),
        ("environment", _from_environment(environ)),
        ("--set", _from_overrides(overrides)),
    ]
    for origin, layer in layers:
        for key, value in layer.items():
            values[key] = value
            origins[key] = origin
            if origin == "environment":
                origins[key] = f"environment {SETTINGS[key].env}"
    return Loaded(config=_config(str(chosen), values), origins=origins)


def _config(preset: str, values: Mapping[str, Any]) -> Config:
    """Return the settings from their values by key."""
    extra = {
        key.removeprefix(EXTRA): value for key, value in values.items() if key.startswith(EXTRA)
    }
    tables: dict[str, Any] = {}
    for each in dataclasses.fields(Config):
        own = {one.name: values[key] for key, one in SETTINGS.items() if one.table == each.name}
        if own:
            kind: Any = each.default_factory
            tables[each.name] = kind(**own)
    return Config(preset=preset, extra=extra, **tables)


def _preset(name: object) -> dict[str, Any]:
    """Return the values of a preset."""
    if not isinstance(name, str) or name not in presets():
        near = nearest(str(name), presets())
        names = ", ".join(presets())
        raise ConfigError(f"preset: no preset {name!r}{near}; there are {names}")
    text = (resources.files("trainer_plugin") / "presets" / f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)


def _parsed(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ConfigError(f"{path}: {reason}") from error


def _tables(raw: Mapping[str, Any], *, prefix: str) -> dict[str, Any]:
    """Read the tables of a file; raises ConfigError for the first invalid key."""
    names = sorted({one.table for one in SETTINGS.values()})
    reader = object_of({}, {name: _table(name) for name in names})
    tables = read(reader, raw, error=ConfigError, prefix=prefix)
    return {key: value for values in tables.values() for key, value in values.items()}


def _table(name: str) -> Reader[dict[str, Any]]:
    """Return the reader of one table, which returns values by their keys."""
    readers = {one.name: one.reader for one in SETTINGS.values() if one.table == name}
    folder, _, extra = EXTRA.removesuffix(".").partition(".")
    if name == folder:
        readers[extra] = object_of({}, others=anything)
    read_values = object_of({}, readers, suggest=lambda key: suggest_setting(f"{name}.{key}"))

    def read_table(value: Any) -> dict[str, Any]:
        values = read_values(value)
        options = values.pop(extra, {}) if name == folder else {}
        return {f"{name}.{key}": inner for key, inner in values.items()} | {
            f"{EXTRA}{key}": option for key, option in options.items()
        }

    return read_table


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the values that environment variables set."""
    by_variable = {one.env: one for one in SETTINGS.values()}
    for name in sorted(environ):
        if name.startswith(PREFIXES) and name not in by_variable:
            raise ConfigError(f"environment: {name}: unknown variable{suggest_variable(name)}")
    return {
        one.key: read(
            one.reader,
            value_from_text(environ[name], one.kind),
            error=ConfigError,
            path=name,
            prefix="environment: ",
        )
        for name, one in by_variable.items()
        if environ.get(name, "") != ""
    }


def _from_overrides(overrides: Iterable[str]) -> dict[str, Any]:
    """Return the values that `--set` sets."""
    values = read_overrides(overrides, kind_of=_kind_of, suggest=suggest_setting, error=ConfigError)
    return {
        key: read(SETTINGS[key].reader, value, error=ConfigError, path=key, prefix="--set: ")
        if key in SETTINGS
        else value
        for key, value in values.items()
    }


def _kind_of(key: str) -> Any:
    """Return the type of a setting; None if there is none of this key."""
    if key.startswith(EXTRA):
        return Any
    return SETTINGS[key].kind if key in SETTINGS else None
