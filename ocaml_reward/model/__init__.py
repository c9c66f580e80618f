"""The values shared by all other packages: frozen, with only behaviour derived from
their fields.
"""

from __future__ import annotations

from .breakdown import (
    SCHEMA,
    Breakdown,
    Credits,
    Fault,
    Penalty,
)
from .diagnostics import (
    CODE_FILE,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Span,
    SubLocation,
)
from .feedback import FeedbackLevel, PublicCheck, public_checks
from .groups import CaseGroup, groups_of, require_payable
from .problems import (
    IMPOSSIBLE,
    Budget,
    Comparison,
    Completion,
    Problem,
    StdioCase,
    is_impossible,
    most_of,
)
from .regions import (
    Ground,
    Mark,
    Region,
)
from .report import (
    ENDS_OTHERWISE,
    Blame,
    Branches,
    Check,
    CheckReport,
    CheckResult,
    Limit,
    MergedError,
    MergeReason,
    Outcome,
    Part,
    ReferenceCosts,
    Stage,
    Tally,
    ThroughHoles,
)
from .verdict import Verdict

__all__ = [
    "CODE_FILE",
    "ENDS_OTHERWISE",
    "IMPOSSIBLE",
    "SCHEMA",
    "Blame",
    "Branches",
    "Breakdown",
    "Budget",
    "CaseGroup",
    "Check",
    "CheckReport",
    "CheckResult",
    "Comparison",
    "Completion",
    "Credits",
    "Diagnostic",
    "DiagnosticKind",
    "DiagnosticSource",
    "Fault",
    "FeedbackLevel",
    "Ground",
    "Limit",
    "Mark",
    "MergeReason",
    "MergedError",
    "Outcome",
    "Part",
    "Penalty",
    "Problem",
    "PublicCheck",
    "ReferenceCosts",
    "Region",
    "Span",
    "Stage",
    "StdioCase",
    "SubLocation",
    "Tally",
    "ThroughHoles",
    "Verdict",
    "groups_of",
    "is_impossible",
    "most_of",
    "public_checks",
    "require_payable",
]
