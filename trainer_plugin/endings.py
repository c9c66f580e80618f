"""Detects completions that were cut off, by the end tokens that TRL uses.

The reward in a training and the baseline both use it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any


def end_tokens(tokenizer: Any, model: Any) -> frozenset[int]:
    """Return the tokens that end a completion.

    They are the tokenizer's and those of the model's generation settings; either may have several
    or none.
    """
    generation = getattr(model, "generation_config", None)
    return _tokens(tokenizer, "eos_token_id") | _tokens(generation, "eos_token_id")


def final_tokens(tokenizer: Any, model: Any) -> frozenset[int]:
    """Return the possible last tokens of a finished completion: end tokens and padding."""
    return end_tokens(tokenizer, model) | _tokens(tokenizer, "pad_token_id")


def cut_off(
    tokens: Sequence[int], *, ends: Collection[int], longest: int | None = None
) -> bool | None:
    """Return whether a completion hit its length limit; None if unknown.

    Generation stops at the first end token, so a finished completion ends in such a token or in
    padding. Without `ends`, a completion of `longest` tokens or more counts as cut off.
    """
    if ends:
        return len(tokens) > 0 and int(tokens[-1]) not in ends
    return None if longest is None else len(tokens) >= longest


def _tokens(holder: object, name: str) -> frozenset[int]:
    """Return the tokens in an attribute, which has one or several."""
    value = getattr(holder, name, None)
    values = value if isinstance(value, list | tuple) else [value]
    return frozenset(each for each in values if isinstance(each, int))
