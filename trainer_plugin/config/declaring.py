"""Declares settings: dataclass fields with all that reading and documenting them needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

Value = TypeVar("Value")


def setting(
    default: Value,
    meaning: str,
    *,
    env: str = "",
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    accepts: Callable[[str], bool] | None = None,
) -> Value:
    """Declare a field of a configuration.

    Args:
        default: Its value if no source sets it.
        meaning: Its description, in a few words, for the page of all settings.
        env: The environment variable, if it is not named like the key.
        low: The minimum.
        high: The maximum.
        choices: The allowed words; without any every text is allowed.
        accepts: Returns whether a word is allowed besides `choices`.

    Returns:
        The field, with the type of its default.
    """
    about = {"meaning": meaning, "env": env, "low": low, "high": high}
    words = {"choices": choices, "accepts": accepts}
    declared: Value = field(default=default, metadata={**about, **words})
    return declared
