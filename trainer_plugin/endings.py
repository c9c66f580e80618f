"""Where a completion ends, and whether it was cut off before: for the reward in a training and
for the completions of a baseline alike, by the tokens that TRL goes by.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any


def stops_of(tokenizer: Any, model: Any) -> frozenset[int]:
    """Return the tokens that end a completion: the tokenizer's and those of the model's
    settings of generation, either of which may name several or none.
    """
    generation = getattr(model, "generation_config", None)
    return _tokens(tokenizer, "eos_token_id") | _tokens(generation, "eos_token_id")


def ends_of(tokenizer: Any, model: Any) -> frozenset[int]:
    """Return the tokens that stand last in a completion that ended: one that ends it, or the
    padding after that.
    """
    return stops_of(tokenizer, model) | _tokens(tokenizer, "pad_token_id")


def cut_off(
    tokens: Sequence[int], *, ends: Collection[int], longest: int | None = None
) -> bool | None:
    """Tell whether a completion hit its length limit; None where nobody can know.

    Generation stops at the first end token, so a completion that ended has such a token,
    or padding, last.  Without `ends`, one of `longest` tokens or more is taken for cut off.
    """
    if ends:
        return len(tokens) > 0 and int(tokens[-1]) not in ends
    return None if longest is None else len(tokens) >= longest


def _tokens(holder: object, name: str) -> frozenset[int]:
    value = getattr(holder, name, None)
    values = value if isinstance(value, list | tuple) else [value]
    return frozenset(each for each in values if isinstance(each, int))
