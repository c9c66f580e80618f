"""Detects problems in a run's logged figures, and reports them."""

from __future__ import annotations

from .findings import Examination, Finding, apply_rules, findings
from .rule import Rule, Severity
from .rules import RULES

__all__ = [
    "RULES",
    "Examination",
    "Finding",
    "Rule",
    "Severity",
    "apply_rules",
    "findings",
]
