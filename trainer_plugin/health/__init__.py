"""Detects problems in a run's logged figures, and reports them."""

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
