"""How well a score of tokens finds those of the mistake."""

from __future__ import annotations

from collections.abc import Sequence


def area(scores: Sequence[float], wrong: Sequence[bool]) -> float:
    """Return the area under the ROC curve: how often a token of the mistake has a higher score than
    another token; equal scores count half.

    Raises ZeroDivisionError unless there are tokens of both kinds.
    """
    inside = [score for score, is_wrong in zip(scores, wrong, strict=True) if is_wrong]
    outside = [score for score, is_wrong in zip(scores, wrong, strict=True) if not is_wrong]
    higher = sum((a > b) + (a == b) / 2 for a in inside for b in outside)
    return higher / (len(inside) * len(outside))


def is_first(scores: Sequence[float], wrong: Sequence[bool]) -> bool:
    """Return whether the token with the highest score is one of the mistake."""
    return wrong[max(range(len(scores)), key=scores.__getitem__)]
