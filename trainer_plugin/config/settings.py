"""Table of all settings, from the fields of the configuration: key, type, range and variable.

Both the reader and the documentation use this table.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ocaml_reward.codec.readers import Reader
from ocaml_reward.codec.settings import kinds_of, setting_reader

from .value import Config

EXTRA: Final = "grpo.extra."
"""Prefix of the keys of TRL's options that have no setting."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """One field of the configuration, for the reader and the documentation."""

    table: str
    name: str
    kind: Any
    default: Any
    meaning: str
    env: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    accepts: Callable[[str], bool] | None

    @property
    def key(self) -> str:
        """Return the name with its table, as `--set` takes it."""
        return f"{self.table}.{self.name}"

    @property
    def reader(self) -> Reader[Any]:
        """Return the function that reads its value, from a file or from a command."""
        return setting_reader(
            self.kind,
            low=self.low,
            high=self.high,
            words=self.choices,
            accepts=self.accepts,
        )


def _settings() -> dict[str, Setting]:
    """Return all settings, by key."""
    found = {}
    for table, kind in kinds_of(Config).items():
        if not dataclasses.is_dataclass(kind):
            continue
        hints = kinds_of(kind)  # type: ignore[arg-type]
        for each in dataclasses.fields(kind):
            prefix = table if table in {"grpo", "lora"} else f"grpo_{table}"
            about = dict(each.metadata)
            about["env"] = about["env"] or f"{prefix}_{each.name}".upper()
            one = Setting(
                table=table,
                name=each.name,
                kind=hints[each.name],
                default=each.default,
                **about,
            )
            found[one.key] = one
    return found


SETTINGS: Final = _settings()
