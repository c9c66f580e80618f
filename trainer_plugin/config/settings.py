"""The settings one by one, read from the fields of the configuration: key, kind, range and
variable.  The reader and the documentation both go by this table.
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
"""How the keys begin of options of TRL's that have no setting."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """One field of the configuration, as the reader and the documentation see it."""

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
        """The name with its table, as `--set` takes it."""
        return f"{self.table}.{self.name}"

    @property
    def reader(self) -> Reader[Any]:
        """What reads its value, from a file or as it was written in a command."""
        return setting_reader(
            self.kind,
            low=self.low,
            high=self.high,
            words=self.choices,
            accepts=self.accepts,
        )


def _settings() -> dict[str, Setting]:
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
