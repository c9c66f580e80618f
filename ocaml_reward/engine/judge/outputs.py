"""Compares a program's output with the expected one, as the problem's comparison allows.  Pure."""

from __future__ import annotations

import math
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from ...errors import JudgeFault
from ...model import CheckResult, Comparison, Outcome, StdioCase
from .. import PreparedTests

DIED: Final = "the judge died on this output: "
"""The prefix of the detail of an output on which the judge died."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """A program's output in one case, for a judge.

    `good` is an output of that case on which a judge must not die; None if none is known, or the
    judge has already judged the reference's.
    """

    case: StdioCase
    text: str
    good: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """A judge's verdict on one case: a score between 0 and 1, and a message."""

    score: float
    message: str

    def of(self, result: CheckResult) -> CheckResult:
        """Return a copy of a check's result with this verdict's outcome and message."""
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
    """The end of a judge that died on a case: `how` it ended."""

    how: str

    @property
    def message(self) -> str:
        """The detail of the failed case."""
        if self == NO_TIME:
            return "the judge had no time left for this output"
        return f"{DIED}{self.how}"

    @property
    def fault(self) -> JudgeFault:
        """The error if the problem is at fault."""
        return JudgeFault(f"the problem's judge failed: {self.how}")


NO_TIME: Final = Died(how="it had no time left")
"""The outputs before this one have used up the judge's time."""

Judging = Callable[[PreparedTests, Sequence[Printed]], Sequence[Judged]]
"""Returns the verdicts of the tests' judge or checker on the outputs of some cases."""

# Numbers as in ICPC's default output validator: no nan, no inf, no hexadecimal.
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
# White space as in C, which judges use; Python's has more characters and more line ends.
_WORD: Final = re.compile(r"[^ \t\n\r\v\f]+")
_PART: Final = re.compile(r"[^ \t\n\r\v\f]+|\n|[ \t\r\v\f]+")
_WHOLE: Final = re.compile(r"[+-]?\d+", re.ASCII).fullmatch
_LONG: Final = 100
# Case is ignored for ASCII letters only, as judges do: other letters may change their number or
# their alphabet with the case.
_TO_LOWER_ASCII: Final = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def fault_of(printed: str, case: StdioCase, how: Comparison | None) -> str | None:
    """Return how an output differs from the expected ones; None if it equals one of them."""
    found = difference(printed, case.stdout, how)
    if found is None or any(difference(printed, other, how) is None for other in case.alternatives):
        return None
    return found


def difference(printed: str, expected: str, how: Comparison | None) -> str | None:
    """Return how an output differs from the expected one; None if it does not.

    Words are compared, as in ICPC's default validator.  If white space counts, all of it is
    compared, except a missing line end at the end of either output.

    Args:
        printed: The program's output.
        expected: The expected output.
        how: The differences that are allowed; None allows white space only.
    """
    how = how or Comparison()
    if not how.case_sensitive:
        printed, expected = printed.translate(_TO_LOWER_ASCII), expected.translate(_TO_LOWER_ASCII)
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
    return _difference_at(parts, place, printed, expected)


def _difference_at(parts: re.Pattern[str], place: int, printed: str, expected: str) -> str:
    """Return both outputs from the first difference on; its line if white space counts."""
    ours, theirs = (
        next(islice(parts.finditer(text), place, None), None) for text in (printed, expected)
    )
    got, wanted = (part and _shown(part, parts) for part in (ours, theirs))
    if theirs is None:
        return f"expected nothing more, got {got}"
    line = expected.count("\n", 0, theirs.start()) + 1
    return f"line {line}: expected {wanted}, got {got or 'nothing more'}"


def _shown(part: re.Match[str], parts: re.Pattern[str]) -> str:
    """Return a word of an output, or the line that it is in, for a message."""
    text, at = part.string, part.start()
    if parts is _WORD:
        return repr(text[at : at + 60].partition("\n")[0].rstrip())
    at = text.rfind("\n", 0, at) + 1
    return repr(text[at : at + 60].partition("\n")[0])


def _ended(text: str) -> str:
    """Return a text with Unix line ends, as expected outputs have, and one at its end."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return f"{text}\n" if text and not text.endswith("\n") else text


def _unordered(printed: str, expected: str, how: Comparison) -> str | None:
    """Return why two outputs differ, whatever their order; None if they do not."""
    what = "line" if how.unordered == "lines" else "word"
    mine, wanted = (Counter(_members(text, how)) for text in (printed, expected))
    for missing in wanted - mine:
        return f"no {what} {missing[:60]!r}, or not as often"
    for more in mine - wanted:
        return f"{what} {more[:60]!r} is not wanted, or not as often"
    return None


def _members(text: str, how: Comparison) -> list[str]:
    """Return the lines or words that are compared in any order."""
    if how.unordered == "tokens":
        return _WORD.findall(text)
    lines = _ended(text).split("\n")[:-1]
    if how.space_change_sensitive:
        return lines
    return [words for line in lines if (words := " ".join(_WORD.findall(line)))]


def _close(mine: str, wanted: str, how: Comparison) -> bool:
    """Tell whether two numbers differ by no more than the tolerance."""
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
    """Return the value of a number, exactly if it is whole."""
    # A float cannot represent every integer of twenty digits, which an output may have.
    return int(number) if len(number) < _LONG and _WHOLE(number) else float(number)


Verdicts = Callable[[Sequence[Printed]], Iterable[Judged | Died]]
"""Judges outputs in order, within a budget for all of them."""


def settle_verdicts(judge: Verdicts, printed: Sequence[Printed]) -> list[Judged]:
    """Return the verdicts on outputs; an output on which only the judge died scores 0.

    The code chooses the output that the judge reads.  If such a death counted as a machine fault,
    which does not use up a try, code could kill the judge depending on hidden input, and so learn
    that input bit by bit.  A judge that also dies on a good output shows nothing about the code.

    Args:
        judge: The judge.
        printed: The outputs.

    Returns:
        The verdict on each, in order.

    Raises:
        JudgeFault: The judge dies on a good output.
    """
    verdicts: list[Judged] = []
    doubted: list[Printed] = []
    for each, word in zip(printed, judge(printed), strict=True):
        if isinstance(word, Judged):
            verdicts.append(word)
            continue
        if each.text == each.good:
            raise word.fault
        if each.good is not None:
            doubted.append(replace(each, text=each.good))
        verdicts.append(Judged(score=0.0, message=word.message))
    for word in judge(doubted) if doubted else ():
        if isinstance(word, Died):
            raise word.fault
    return verdicts
