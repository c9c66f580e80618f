"""What may be wrong with a problem."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Complaint:
    """One thing wrong with a problem.  A `broken` problem cannot be graded fairly; else it
    is only remarked on.  `line` is in the tests or the prompt, 0 for neither.
    """

    kind: str
    message: str
    line: int = 0
    broken: bool = True
