"""Defects of problems."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Complaint:
    """One defect of a problem.

    A `broken` problem cannot be graded fairly; other defects are warnings. `line` is in the tests
    or the prompt, 0 for neither.
    """

    kind: str
    message: str
    line: int = 0
    broken: bool = True
