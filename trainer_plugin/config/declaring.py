"""Declares a setting: a field with all that its reader and its documentation need."""

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
        default: Its value where no source sets it.
        meaning: What it is, in a few words, for the page of all settings.
        env: The environment variable, where it is not named for the key.
        low: The least number, included.
        high: The greatest number, included.
        choices: The words that are allowed; without any every text is.
        accepts: Tells which words are allowed beside `choices`.

    Returns:
        The field, with the type of its default.
    """
    about = {"meaning": meaning, "env": env, "low": low, "high": high}
    words = {"choices": choices, "accepts": accepts}
    declared: Value = field(default=default, metadata={**about, **words})
    return declared
