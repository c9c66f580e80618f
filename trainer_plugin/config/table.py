"""Writes a configuration: as a table of values with their sources, as JSON, and the page of all
settings.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from .reading import Loaded
from .settings import EXTRA, SETTINGS, Setting
from .value import Config

WIDEST: Final = 28
"""Width of the column of values; a few values are longer."""


def values(config: Config) -> dict[str, Any]:
    """Return every value by its key."""
    settings = {key: getattr(getattr(config, one.table), one.name) for key, one in SETTINGS.items()}
    return settings | {f"{EXTRA}{name}": value for name, value in config.extra.items()}


def table(loaded: Loaded, *, changed: bool = False) -> str:
    """Return one line per value: key, value, source.

    With `changed` only values that differ from their defaults are listed, with the number of the
    others.
    """
    found = values(loaded.config)
    shown = {
        key: value
        for key, value in found.items()
        if not changed or key not in SETTINGS or value != SETTINGS[key].default
    }
    rows = [("setting", "value", "from")]
    rows += [(key, _shown(value), loaded.origins[key]) for key, value in shown.items()]
    if len(shown) < len(found):
        rows.append((f"{len(found) - len(shown)} more", "", "default (--verbose shows them)"))
    first = max(len(row[0]) for row in rows)
    second = max(len(row[1]) for row in rows if len(row[1]) <= WIDEST)
    return "\n".join(f"{a:<{first}}  {b:<{second}}  {c}".rstrip() for a, b, c in rows)


def save(loaded: Loaded, folder: Path) -> None:
    """Write `config.txt`, the table, and `config.json`, the same for programs."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.txt").write_text(table(loaded) + "\n", encoding="utf-8")
    record = {
        "preset": loaded.config.preset,
        "settings": {
            key: {"value": value, "from": loaded.origins[key]}
            for key, value in values(loaded.config).items()
        },
    }
    text = json.dumps(record, indent=2) + "\n"
    (folder / "config.json").write_text(text, encoding="utf-8")


def changes(loaded: Loaded, folder: Path) -> list[str]:
    """Return the changes since the run in a folder was started; nothing without a record."""
    try:
        record = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        before = {key: one["value"] for key, one in record["settings"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []
    # JSON has no tuples, so both sides are compared as JSON.
    now = json.loads(json.dumps(values(loaded.config)))
    # A key that the older version lacked is no change; each of TRL's options may be present or not.
    known = [key for key in now if key in before or key.startswith(EXTRA)]
    gone = [key for key in before if key not in now and key.startswith(EXTRA)]
    return [
        f"changed since: {key} was {_shown(before.get(key))}, is {_shown(now.get(key))}"
        for key in (*known, *gone)
        if before.get(key) != now.get(key)
    ]


def settings_page() -> str:
    """Return a Markdown page of all settings, one table each."""
    parts = []
    for name in dict.fromkeys(one.table for one in SETTINGS.values()):
        rows = [_row(one) for one in SETTINGS.values() if one.table == name]
        head = "| key | default | variable | meaning |\n|---|---|---|---|"
        parts.append(f"#### `[{name}]`\n\n" + "\n".join([head, *rows]))
    return "\n\n".join(parts) + "\n"


def _row(one: Setting) -> str:
    meaning = one.meaning
    if one.choices:
        meaning += f" ({', '.join(one.choices)})"
    return f"| `{one.name}` | {_shown(one.default)} | `{one.env}` | {meaning} |"


def _shown(value: Any) -> str:
    """Return a value as text."""
    if value is None or value in ((), []):
        return "none"
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
