"""Compares gradings of the same problems."""

from __future__ import annotations

from .comparison import Comparison, Group, Moved, compare
from .figures import Figure, figure_of
from .problem_counts import Graded, ProblemCounts, SourceCounts

__all__ = [
    "Comparison",
    "Figure",
    "Graded",
    "Group",
    "Moved",
    "ProblemCounts",
    "SourceCounts",
    "compare",
    "figure_of",
]
