"""The mutation table, as defences.toml has it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """A defence, the text that makes it, what is there without it, and a test that fails."""

    defence: str
    file: str
    old: str
    new: str
    test: str
    cases: str = ""


_TABLE = tomllib.loads(Path(__file__).with_name("defences.toml").read_text(encoding="utf-8"))
MUTATIONS = tuple(Mutation(**row) for row in _TABLE["defences"])
