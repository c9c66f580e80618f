"""Whether a program printed what it had to: as text, or as a problem says that it may differ.  Pure."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from ..errors import JudgeFault
from ..model import CheckResult, Comparison, Outcome, StdioCase
from . import PreparedTests

DIED: Final = "the judge died on this output: "
"""So begins what is said of an output that its judge has died on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """What a program printed in a case, for a judge.

    `good` is an output of that case on which a judge has to live; None where nobody knows one, or
    the judge has lived on the reference's.
    """

    case: StdioCase
    text: str
    good: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """What a judge says of one case: a score between 0 and 1, and why."""

    score: float
    message: str

    def of(self, result: CheckResult) -> CheckResult:
        """Give a check's result the judge's word."""
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
    """What a judge says of one case that did not come to say it: how it ended."""

    how: str

    @property
    def message(self) -> str:
        """What the output's own failure is called."""
        if self == NO_TIME:
            return "the judge had no time left for this output"
        return f"{DIED}{self.how}"

    @property
    def fault(self) -> JudgeFault:
        """What it is called where the problem is to blame."""
        return JudgeFault(f"the problem's judge failed: {self.how}")


NO_TIME: Final = Died(how="it had no time left")
"""The outputs before have used it up."""

Judging = Callable[[PreparedTests, Sequence[Printed]], Sequence[Judged]]
"""Judges, by the judge or the checker of some tests, what was printed in some cases."""

# As ICPC's default output validator reads numbers: no nan, no inf, nothing hexadecimal.
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
# The blanks of C, as judges have them: Python knows more, and more ends of a line.
_WORD: Final = re.compile(r"[^ \t\n\r\v\f]+")
_PART: Final = re.compile(r"[^ \t\n\r\v\f]+|\n|[ \t\r\v\f]+")
_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII).fullmatch
_LONG: Final = 100
# Judges know the letters of ASCII: others have cases that are spelt in more letters, or as
# another alphabet's.
_SMALL: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def fault_of(printed: str, case: StdioCase, how: Comparison | None) -> str | None:
    """Say how an output differs from what a case expects; None where it is that, or an alternative."""
    found = difference(printed, case.stdout, how)
    if found is None or any(
        difference(printed, other, how) is None for other in case.alternatives
    ):
        return None
    return found


def difference(printed: str, expected: str, how: Comparison | None) -> str | None:
    """Say how an output differs from the expected one, None where it does not.

    Words are compared, as ICPC's default validator does it, unless blanks count: then all of
    them do but for the end of the last line, which an expected output may lack, too.

    Args:
        printed: What the program printed.
        expected: What it had to print.
        how: What does not count; None for blanks alone.
    """
    how = how or Comparison()
    if not how.case_sensitive:
        printed, expected = printed.translate(_SMALL), expected.translate(_SMALL)
    if how.unordered is not None:
        return _unordered(printed, expected, how)
    parts = _WORD
    if how.space_change_sensitive:
        printed, expected = _ended(printed), _ended(expected)
        parts = _PART
    mine, wanted = parts.findall(printed), parts.findall(expected)
    if mine == wanted:
        return None
    inexact = how.absolute is not None or how.relative is not None
    differing = (
        place
        for place, (one, other) in enumerate(zip(mine, wanted, strict=False))
        if one != other and not (inexact and _close(one, other, how))
    )
    place = next(differing, min(len(mine), len(wanted)))
    if place == len(mine) == len(wanted):
        return None
    return _said(parts, place, printed, expected)


def _said(parts: re.Pattern[str], place: int, printed: str, expected: str) -> str:
    """Show two outputs from the first word on in which they differ or, where blanks count, its line."""
    ours, theirs = (
        next(islice(parts.finditer(text), place, None), None)
        for text in (printed, expected)
    )
    got, wanted = (part and _shown(part, parts) for part in (ours, theirs))
    if theirs is None:
        return f"expected nothing more, got {got}"
    line = expected.count("\n", 0, theirs.start()) + 1
    return f"line {line}: expected {wanted}, got {got or 'nothing more'}"


def _shown(part: re.Match[str], parts: re.Pattern[str]) -> str:
    text, at = part.string, part.start()
    if parts is _WORD:
        return repr(text[at : at + 60].partition("\n")[0].rstrip())
    at = text.rfind("\n", 0, at) + 1
    return repr(text[at : at + 60].partition("\n")[0])


def _ended(text: str) -> str:
    # Of an output that has no last newline, too.
    return f"{text}\n" if text and not text.endswith("\n") else text


def _unordered(printed: str, expected: str, how: Comparison) -> str | None:
    what = "line" if how.unordered == "lines" else "word"
    mine, wanted = (Counter(_members(text, how)) for text in (printed, expected))
    for missing in wanted - mine:
        return f"no {what} {missing[:60]!r}, or not as often"
    for more in mine - wanted:
        return f"{what} {more[:60]!r} is not wanted, or not as often"
    return None


def _members(text: str, how: Comparison) -> list[str]:
    if how.unordered == "tokens":
        return _WORD.findall(text)
    lines = _ended(text).split("\n")[:-1]
    if how.space_change_sensitive:
        return lines
    return [words for line in lines if (words := " ".join(_WORD.findall(line)))]


def _close(mine: str, wanted: str, how: Comparison) -> bool:
    if not (_NUMBER.fullmatch(mine) and _NUMBER.fullmatch(wanted)):
        return False
    a, b = _value(mine), _value(wanted)
    if not (math.isfinite(a) and math.isfinite(b)):
        return False
    far = abs(a - b)
    return (how.absolute is not None and far <= how.absolute) or (
        how.relative is not None and far <= how.relative * abs(b)
    )


def _value(number: str) -> int | float:
    # A float has no room for each whole number of twenty digits, which an output may well have.
    return int(number) if len(number) < _LONG and _WHOLE(number) else float(number)
