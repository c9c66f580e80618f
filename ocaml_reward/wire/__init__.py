"""Breakdowns and diagnostics as JSON, and back."""

from __future__ import annotations

from .records import (
    SCHEMA,
    breakdown_from_dict,
    breakdown_to_dict,
    diagnostic_from_dict,
    diagnostic_to_dict,
    dumps,
    loads,
)

__all__ = [
    "SCHEMA",
    "breakdown_from_dict",
    "breakdown_to_dict",
    "diagnostic_from_dict",
    "diagnostic_to_dict",
    "dumps",
    "loads",
]
