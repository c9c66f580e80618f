"""
The values that everything else passes around.  All frozen; no behaviour beyond facts
that follow from their own fields.
"""

from __future__ import annotations

from .breakdown import (
    Breakdown,
    Credits,
    Fault,
    Penalty,
    Tally,
    Verdict,
)
from .diagnostics import (
    CODE_FILE,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Span,
    SubLocation,
)
from .problems import (
    Budget,
    Completion,
    Problem,
    StdioCase,
)
from .regions import (
    Ground,
    Mark,
    Region,
)
from .report import (
    Blame,
    Branches,
    Check,
    CheckReport,
    CheckResult,
    Outcome,
    Part,
    Spent,
    Stage,
    ThroughHoles,
)

__all__ = [
    "CODE_FILE",
    "Blame",
    "Branches",
    "Breakdown",
    "Budget",
    "Check",
    "CheckReport",
    "CheckResult",
    "Completion",
    "Credits",
    "Diagnostic",
    "DiagnosticKind",
    "DiagnosticSource",
    "Fault",
    "Ground",
    "Mark",
    "Outcome",
    "Part",
    "Penalty",
    "Problem",
    "Region",
    "Span",
    "Spent",
    "Stage",
    "StdioCase",
    "SubLocation",
    "Tally",
    "ThroughHoles",
    "Verdict",
]
