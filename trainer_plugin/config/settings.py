"""
The settings one by one, read from the fields of the configuration: key, kind, range and
variable.  The reader and the documentation both go by this table.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final, get_type_hints

from .value import Config

__all__ = ["EXTRA", "SETTINGS", "Setting"]

EXTRA: Final = "grpo.extra."
"""
How the keys begin of options of TRL's that have no setting.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """
    One field of the configuration, as the reader and the documentation see it.
    """

    table: str
    name: str
    kind: Any
    default: Any
    meaning: str
    env: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]

    @property
    def key(self) -> str:
        """
        The name with its table, as `--set` takes it.
        """
        return f"{self.table}.{self.name}"


def _settings() -> dict[str, Setting]:
    found = {}
    for table, kind in get_type_hints(Config).items():
        if not dataclasses.is_dataclass(kind):
            continue
        hints = get_type_hints(kind)
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
