"""Additional reward functions of a run, configured as NAME=WEIGHT."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

from .value import Config, ConfigError

BUILT_IN: Final = ("overlong", "length")
"""Functions that need no import."""

DOTTED: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """A function's name, and its weight."""

    name: str
    weight: float


def functions_of(config: Config) -> tuple[Named, ...]:
    """Parse the additional functions; raises ConfigError for an invalid entry."""
    found: list[Named] = []
    for text in config.reward.functions:
        name, equals, weight_text = (part.strip() for part in text.partition("="))
        if not equals:
            raise ConfigError(
                f"reward.functions: {text!r}: expected NAME=WEIGHT, such as overlong=0.5"
            )
        try:
            weight = float(weight_text)
        except ValueError:
            weight = math.nan
        if not math.isfinite(weight):
            raise ConfigError(f"reward.functions: {name}: {weight_text!r} is no weight")
        if name not in BUILT_IN and not DOTTED.fullmatch(name):
            raise ConfigError(
                f"reward.functions: {name!r} is none of {', '.join(BUILT_IN)}, nor a"
                " dotted path such as my_rewards.brevity"
            )
        if name in {one.name for one in found}:
            raise ConfigError(f"reward.functions: {name} twice")
        found.append(Named(name=name, weight=weight))
    return tuple(found)
