"""What a run's numbers say is going wrong, and where that is told."""

from __future__ import annotations

from .examining import Examination, examined
from .findings import RULES, Finding, Rule, Severity, findings

__all__ = [
    "RULES",
    "Examination",
    "Finding",
    "Rule",
    "Severity",
    "examined",
    "findings",
]
