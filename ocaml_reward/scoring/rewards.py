"""
One completion's reward, from what the engine found: credits, penalties, verdict.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from ..model import CheckReport, Completion, Credits, Penalty, Verdict
from ..reading.extraction import Extraction
from ..reasons import Reasons
from ..scheme import RewardScheme
from ..scheme.penalty_values import DEGENERATE
from .credit import account, verdict_for
from .penalties import apply, penalties_for

__all__ = ["Score", "score"]


class Score(NamedTuple):
    """
    The parts of a breakdown that a scheme decides.
    """

    credits: Credits
    reasons: Reasons
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
    verdict = verdict_for(report, extraction, total)
    penalties = penalties_for(report, extraction, completion, scheme, verdict)
    ended = extraction
    if completion.truncated is True and not extraction.ends_with_marker:
        # The length limit ended it, not the marker that it wrote before going on.
        ended = replace(extraction, end_marker_present=False)
    earned, reasons = account(
        report,
        ended,
        total,
        scheme,
        degenerate=any(penalty.code == DEGENERATE for penalty in penalties),
    )
    return Score(
        credits=earned,
        reasons=reasons,
        penalties=penalties,
        reward=apply(earned, penalties),
        verdict=verdict,
    )
