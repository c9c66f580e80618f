"""
What a run's numbers say is going wrong, and where that is told.
"""

from __future__ import annotations

from .findings import RULES, Finding, Rule, Severity, examined, findings

__all__ = ["RULES", "Finding", "Rule", "Severity", "examined", "findings"]
