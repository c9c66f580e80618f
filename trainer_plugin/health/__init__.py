"""Detects problems in a run's logged figures, and reports them."""

from __future__ import annotations

from .findings import RULES, Examination, Finding, Rule, Severity, apply_rules, findings

__all__ = [
    "RULES",
    "Examination",
    "Finding",
    "Rule",
    "Severity",
    "apply_rules",
    "findings",
]
