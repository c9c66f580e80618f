"""Compares gradings of the same problems."""

from __future__ import annotations

from .comparison import Comparison, Group, Moved, compare
from .figures import Figure, figure_of
from .tallies import Graded, Tallies, Tally

__all__ = [
    "Comparison",
    "Figure",
    "Graded",
    "Group",
    "Moved",
    "Tallies",
    "Tally",
    "compare",
    "figure_of",
]
