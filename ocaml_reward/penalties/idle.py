"""Stubs: functions that ignore every argument, or only raise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from ..model import CheckReport, Penalty, Stage
from ..reading.extraction import Extraction
from .rule import SHARE, Facts, Rule

TYPED: Final = frozenset((Stage.INTERFACE_ERROR, Stage.LINK_ERROR, Stage.EXECUTABLE))


@dataclass(frozen=True, kw_only=True, slots=True)
class Idle:
    """Factor for stubs."""

    factor: float = field(default=1.0, metadata=SHARE)


def _look(report: CheckReport | None, extraction: Extraction, _: Any) -> str:
    """Return evidence if every function that the tests use is a stub.
    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw5/Llama3.1 8B_hw5_answer_2)
    """
    # The last definition of a name counts.
    parts = (report.parts if report else None) or ()
    stubs = {name: part.stub for part in parts for name in part.names}
    wanted = extraction.wanted
    if not wanted or not all(stubs.get(name) for name in wanted):
        return ""
    names = ", ".join(sorted(wanted))
    return f"no check passes, and {names} ignore every argument or only raise"


def _take(facts: Facts, values: Any) -> Penalty | None:
    """Return the penalty for stubs if no check passes.

    Only in code that types: elsewhere, a parameter that seems unused may be misspelt where it is
    used.
    """
    if facts.stage not in TYPED or facts.passes:
        return None
    evidence = facts.evidence(IDLE)
    if not evidence:
        return None
    return Penalty(code=IDLE.code, factor=values.idle.factor, evidence=evidence)


IDLE: Final = Rule(
    code="idle",
    key="idle.factor",
    text="ignores every argument, or only raises",
    effect="times 0.1",
    when=(
        "the code types, no check passes, and every function that the tests use mentions"
        " none of its parameters or only raises"
    ),
    take=_take,
    look=_look,
)
