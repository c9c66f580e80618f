"""
One completion's reward, from what the engine found: credits, penalties, verdict.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from .credit import credits_for, verdict_for
from .extraction import Extraction
from .model import CheckReport, Completion, Credits, Penalty, Verdict
from .penalties import DEGENERATE, apply, penalties_for
from .scheme import RewardScheme

__all__ = ["Score", "score"]


class Score(NamedTuple):
    """
    The parts of a breakdown that a scheme decides.
    """

    credits: Credits
    penalties: tuple[Penalty, ...]
    reward: float
    verdict: Verdict


def score(
    report: CheckReport | None,
    extraction: Extraction,
    completion: Completion,
    total: int,
    scheme: RewardScheme,
) -> Score:
    """
    Score one completion of a problem with `total` checks.

    `report` is None where there was no code to check.  The same arguments give the same
    score; nothing is read from anywhere else.
    """
    penalties = penalties_for(report, extraction, completion, scheme)
    earned = credits_for(report, extraction, total, scheme)
    if any(penalty.code == DEGENERATE for penalty in penalties):
        # The end marker says that an answer is finished.  Spam is no answer, and learns
        # nothing useful from being paid for a marker at its end.
        earned = replace(earned, structural=0.0)
    return Score(
        credits=earned,
        penalties=penalties,
        reward=apply(earned, penalties),
        verdict=verdict_for(report, extraction, total),
    )
