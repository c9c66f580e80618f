"""
Reads a run's configuration: defaults, a preset, a TOML file, the environment, `--set`;
what comes later wins, and where each value came from is kept.
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

from ocaml_reward.engine.remote.urls import is_address
from ocaml_reward.strict import Fields, as_toml, nearest

from .meanings import meant, meant_variable
from .settings import EXTRA, SETTINGS, Setting
from .value import SERVERS, Config, ConfigError

__all__ = ["Loaded", "load_config", "presets"]

TRUTHS: Final = {"1": True, "true": True, "yes": True, "on": True}
TRUTHS_AND_LIES: Final = TRUTHS | {
    "0": False,
    "false": False,
    "no": False,
    "off": False,
}
# Variables with these beginnings are ours, so a misspelt one is an error.
PREFIXES: Final = ("GRPO_", "LORA_")


@dataclass(frozen=True, kw_only=True, slots=True)
class Loaded:
    """
    A configuration, and where each of its values came from, by key.
    """

    config: Config
    origins: Mapping[str, str]


def presets() -> tuple[str, ...]:
    """
    List the presets, sorted.
    """
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
    """
    Read a configuration from all its sources.

    The preset is the one asked for, else the file's, else "seed".  Raises ConfigError,
    one line that names the source and the key.
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
    extra = {
        key.removeprefix(EXTRA): value
        for key, value in values.items()
        if key.startswith(EXTRA)
    }
    tables: dict[str, Any] = {}
    for each in dataclasses.fields(Config):
        own = {
            one.name: values[key]
            for key, one in SETTINGS.items()
            if one.table == each.name
        }
        if own:
            kind: Any = each.default_factory
            tables[each.name] = kind(**own)
    return Config(preset=preset, extra=extra, **tables)


def _preset(name: object) -> dict[str, Any]:
    if not isinstance(name, str) or name not in presets():
        near = nearest(str(name), presets())
        names = ", ".join(presets())
        raise ConfigError(f"preset: no preset {name!r}{near}; there are {names}")
    text = (resources.files("trainer_plugin") / "presets" / f"{name}.toml").read_text(
        "utf-8"
    )
    return tomllib.loads(text)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ConfigError(f"{path}: {reason}") from error


def _tables(raw: Mapping[str, Any], *, prefix: str) -> dict[str, Any]:
    """
    Read the tables of a file; raises ConfigError for the first key that is wrong.
    """
    names = sorted({one.table for one in SETTINGS.values()})
    fields = Fields(raw, error=ConfigError, prefix=prefix)
    found: dict[str, Any] = {}
    for table in fields.names():
        if table not in names:
            fields.fail(table, f"unknown key{nearest(table, names)}")
        inner = fields.table(table)
        keys = [one.name for one in SETTINGS.values() if one.table == table]
        for name in inner.names():
            if f"{table}.{name}." == EXTRA:
                more = inner.table(name)
                found |= {
                    f"{EXTRA}{one}": raw[table][name][one] for one in more.names()
                }
                continue
            if name not in keys:
                inner.fail(name, f"unknown key{meant(f'{table}.{name}')}")
            one = SETTINGS[f"{table}.{name}"]
            found[one.key] = _read(inner, one, raw[table][name])
    return found


def _read(fields: Fields, one: Setting, raw: Any) -> Any:
    """
    Read one value; where nothing is allowed the word "none" stands for it.
    """
    kind = str(one.kind).replace("<class '", "").replace("'>", "")
    base = kind.removesuffix(" | None")
    if base != kind and raw == "none":
        return None
    low = one.low
    match base:
        case "bool":
            return fields.flag(one.name)
        case "int":
            whole = fields.integer(one.name, low=None if low is None else int(low))
            if one.high is not None and whole > one.high:
                fields.fail(one.name, f"must be at most {one.high:g}, found {whole}")
            return whole
        case "float":
            bounds = {"low": one.low, "high": one.high}
            given = {name: bound for name, bound in bounds.items() if bound is not None}
            return fields.number(one.name, **given)
        case "tuple[str, ...]":
            return fields.texts(one.name)
    text = fields.text(one.name)
    if SERVERS in one.choices and is_address(text):
        return text
    if one.choices and text not in one.choices:
        near = nearest(text, one.choices)
        words = ", ".join(one.choices)
        fields.fail(one.name, f"{text!r} is not one of {words}{near}")
    return text


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    by_variable = {one.env: one for one in SETTINGS.values()}
    for name in sorted(environ):
        if name.startswith(PREFIXES) and name not in by_variable:
            raise ConfigError(
                f"environment: {name}: unknown variable{meant_variable(name)}"
            )
    return {
        one.key: _from_text(one, environ[name], name=name, prefix="environment: ")
        for name, one in by_variable.items()
        if environ.get(name, "") != ""
    }


def _from_overrides(overrides: Iterable[str]) -> dict[str, Any]:
    found = {}
    for override in overrides:
        key, equals, text = override.partition("=")
        key = key.strip()
        if not equals:
            raise ConfigError(f"--set {override}: expected KEY=VALUE")
        if key.startswith(EXTRA):
            found[key] = as_toml(text.strip())
            continue
        if key not in SETTINGS:
            raise ConfigError(f"--set {override}: unknown key {key}{meant(key)}")
        one = SETTINGS[key]
        found[key] = _from_text(one, text.strip(), name=key, prefix="--set: ")
    return found


def _from_text(one: Setting, text: str, *, name: str, prefix: str) -> Any:
    """
    Read a value that was written without TOML's quotes, lists as words between commas.
    """
    raw: Any = text
    kind = str(one.kind)
    if "tuple" in kind:
        items = text.strip("[]").split(",")
        raw = [item.strip().strip("\"'") for item in items if item.strip()]
    elif "bool" in kind:
        raw = TRUTHS_AND_LIES.get(text.lower(), text)
    elif ("int" in kind or "float" in kind) and text != "none":
        raw = _number(text)
    named = dataclasses.replace(one, name=name)
    return _read(Fields({name: raw}, error=ConfigError, prefix=prefix), named, raw)


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
