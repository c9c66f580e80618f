"""
Whether a program printed what it had to: as text, or as a problem says that it may differ.  Pure.
"""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..errors import JudgeFault
from ..model import CheckResult, Comparison, Outcome, StdioCase
from . import PreparedTests

__all__ = ["DIED", "NO_TIME", "Died", "Judged", "Judging", "Printed", "difference"]

DIED: Final = "the judge died on this output: "
"""
So begins what is said of an output that its judge has died on.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """
    What a program printed in a case, for a judge.

    `good` is an output of that case on which a judge has to live; None where nobody knows one, or
    the judge has lived on the reference's.
    """

    case: StdioCase
    text: str
    good: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """
    What a judge says of one case: a score between 0 and 1, and why.
    """

    score: float
    message: str

    def of(self, result: CheckResult) -> CheckResult:
        """
        Give a check's result the judge's word.
        """
        if self.score == 1:
            return replace(result, outcome=Outcome.PASSED, detail="")
        worth = f"{self.score:g} of it: " if self.score else ""
        return replace(
            result,
            outcome=Outcome.FAILED,
            detail=f"{worth}{self.message}",
            partial=self.score,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Died:
    """
    What a judge says of one case that did not come to say it: how it ended.
    """

    how: str

    @property
    def message(self) -> str:
        """
        What the output's own failure is called.
        """
        if self == NO_TIME:
            return "the judge had no time left for this output"
        return f"{DIED}{self.how}"

    @property
    def fault(self) -> JudgeFault:
        """
        What it is called where the problem is to blame.
        """
        return JudgeFault(f"the problem's judge failed: {self.how}")


NO_TIME: Final = Died(how="it had no time left")
"""
The outputs before have used it up.
"""

Judging = Callable[[PreparedTests, Sequence[Printed]], Sequence[Judged]]
"""
Judges, by the judge or the checker of some tests, what was printed in some cases.
"""

# As ICPC's default output validator reads numbers: no nan, no inf, nothing hexadecimal.
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_BLANKS: Final = " \t\r"
_BETWEEN: Final = re.compile(r"[ \t\r]+")
# Judges know the letters of ASCII: others have cases that are spelt in more letters, or as
# another alphabet's.
_SMALL: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def difference(printed: str, expected: str, how: Comparison | None) -> str | None:
    """
    Say how an output differs from the expected one, None where it does not.

    Trailing blanks on a line and blank lines at the end do not count, as is usual for
    programs judged on their output.

    Args:
        printed: What the program printed.
        expected: What it had to print.
        how: What else does not count; None for nothing.
    """
    ours, theirs = _lines(printed), _lines(expected)
    if how is not None:
        if not how.case_sensitive:
            ours, theirs = _folded(ours), _folded(theirs)
        if how.unordered is not None:
            return _unordered(ours, theirs, by_line=how.unordered == "lines")
        if how.absolute is not None or how.relative is not None:
            return _inexact(ours, theirs, how)
    for number, (a, b) in enumerate(zip(ours, theirs, strict=False), start=1):
        if a != b:
            return f"line {number}: expected {b[:60]!r}, got {a[:60]!r}"
    if len(ours) == len(theirs):
        return None
    return f"expected {len(theirs)} lines, got {len(ours)}"


def _lines(text: str) -> list[str]:
    # Python knows eight more ends of a line, and more blanks: no other judge does.
    return [line.rstrip(_BLANKS) for line in text.rstrip(f"{_BLANKS}\n").split("\n")]


def _folded(lines: list[str]) -> list[str]:
    return [line.translate(_SMALL) for line in lines]


def _tokens(line: str) -> list[str]:
    return [token for token in _BETWEEN.split(line) if token]


def _unordered(ours: list[str], theirs: list[str], *, by_line: bool) -> str | None:
    what = "line"
    if not by_line:
        what = "word"
        ours, theirs = (
            [token for line in lines for token in _tokens(line)]
            for lines in (ours, theirs)
        )
    mine, wanted = Counter(ours), Counter(theirs)
    for missing in wanted - mine:
        return f"no {what} {missing[:60]!r}, or not as often"
    for more in mine - wanted:
        return f"{what} {more[:60]!r} is not wanted, or not as often"
    return None


def _inexact(ours: list[str], theirs: list[str], how: Comparison) -> str | None:
    for number, (a, b) in enumerate(zip(ours, theirs, strict=False), start=1):
        mine, wanted = _tokens(a), _tokens(b)
        if len(mine) != len(wanted):
            return f"line {number}: expected {len(wanted)} words, got {len(mine)}"
        for one, other in zip(mine, wanted, strict=True):
            if one != other and not _close(one, other, how):
                return f"line {number}: expected {other[:60]!r}, got {one[:60]!r}"
    if len(ours) == len(theirs):
        return None
    return f"expected {len(theirs)} lines, got {len(ours)}"


def _close(mine: str, wanted: str, how: Comparison) -> bool:
    if not (_NUMBER.fullmatch(mine) and _NUMBER.fullmatch(wanted)):
        return False
    a, b = float(mine), float(wanted)
    if not (math.isfinite(a) and math.isfinite(b)):
        return False
    far = abs(a - b)
    return (how.absolute is not None and far <= how.absolute) or (
        how.relative is not None and far <= how.relative * abs(b)
    )
