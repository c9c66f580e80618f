"""Completions that hit their length limit before they end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from ..model import Penalty
from .rule import SHARE, Facts, Rule

LENGTH_LIMIT: Final = "length limit reached"


@dataclass(frozen=True, kw_only=True, slots=True)
class Runaway:
    """A runaway keeps `factor` of its reward, and at most `cap`; a cap of 1 has no effect."""

    factor: float = field(metadata=SHARE)
    cap: float = field(metadata=SHARE)


def _factor(facts: Facts, values: Any) -> Penalty | None:
    """Return the penalty that multiplies a runaway's reward."""
    if not facts.cut_off:
        return None
    return Penalty(code=FACTOR.code, factor=values.runaway.factor, evidence=facts.cut_off)


def _cap(facts: Facts, values: Any) -> Penalty | None:
    """Return the penalty that bounds a runaway's reward."""
    if not facts.cut_off:
        return None
    return Penalty(code=CAP.code, factor=1.0, cap=values.runaway.cap, evidence=facts.cut_off)


# (kirang89/ocamler-grpo doc/fix-filibuster-training.md:5)
FACTOR: Final = Rule(
    code="runaway",
    key="runaway.factor",
    text="hit its length limit before its end",
    effect="times 0.3",
    when=(
        "the completion hit its length limit (`finish_reason` is `length`, or training saw"
        " no EOS) and does not end with the end marker"
    ),
    take=_factor,
)
# (kirang89/ocamler-grpo doc/fix-filibuster-training.md:67)
CAP: Final = Rule(
    code="runaway_cap",
    key="runaway.cap",
    text="the most that a runaway may earn",
    effect="at most `runaway.cap`",
    when="the same, in schemes with a cap below 1",
    take=_cap,
)
