"""The reward scheme: every number that can change a reward, and how schemes are loaded."""

from __future__ import annotations

from .loading import load, shipped, summaries, to_toml, with_overrides
from .value import (
    CompileLadder,
    Phase,
    RewardScheme,
    Shaping,
    TypeInput,
    TypeLadder,
)

__all__ = [
    "CompileLadder",
    "Phase",
    "RewardScheme",
    "Shaping",
    "TypeInput",
    "TypeLadder",
    "load",
    "shipped",
    "summaries",
    "to_toml",
    "with_overrides",
]
