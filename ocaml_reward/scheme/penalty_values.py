"""
Every penalty, declared once: its numbers and their ranges, what they are in schemes from
before there was one, what turns it off, and what it is for in a few words.

The rules themselves, one per code, stand in `penalties`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final

__all__ = [
    "DEGENERATE",
    "IDLE",
    "MIN_LINES",
    "PENALTIES",
    "RUNAWAY",
    "RUNAWAY_CAP",
    "UNRELATED",
    "Declared",
    "Degenerate",
    "Idle",
    "PenaltyValues",
    "Runaway",
    "Unrelated",
    "broken_ranges",
    "digested",
    "lacking",
]

RUNAWAY = "runaway"
RUNAWAY_CAP = "runaway_cap"
MIN_LINES = "min_lines"
UNRELATED = "unrelated"
DEGENERATE = "degenerate"
IDLE = "idle"


def _at_least(low: int) -> Mapping[str, float]:
    return {"low": low}


_SHARE: Final[Mapping[str, float]] = {"low": 0, "high": 1}


@dataclass(frozen=True, kw_only=True, slots=True)
class Runaway:
    """
    What a completion that hit its length limit without its end keeps: `factor` of its
    reward, and never more than `cap` (1 is no cap).
    """

    factor: float = field(metadata=_SHARE)
    cap: float = field(metadata=_SHARE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Degenerate:
    """
    What a degenerate completion that passes a check keeps (`factor`; any other keeps
    nothing), and what counts as one: nothing that passes every check does.

    `prose_share`: this share of the lines of code that does not type is English.
    `spare_share`: with more than `blocks` fenced blocks, this share of them is empty or
    adds no new line.  `block_copies`: one block stands there so often.  `end_markers`:
    more END markers than this, and than blocks.  `repeat_chars`, `repeat_copies`,
    `repeat_share`: passages of so many characters that recur so often cover this share
    of the completion.  `distinct_share`: fewer of its lines of code are distinct.
    """

    factor: float = field(metadata=_SHARE)
    prose_share: float = field(metadata=_SHARE)
    blocks: int = field(metadata=_at_least(1))
    spare_share: float = field(metadata=_SHARE)
    block_copies: int = field(metadata=_at_least(2))
    end_markers: int = field(metadata=_at_least(1))
    repeat_chars: int = field(metadata=_at_least(20))
    repeat_copies: int = field(metadata=_at_least(2))
    repeat_share: float = field(metadata=_SHARE)
    distinct_share: float = field(metadata=_SHARE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Idle:
    """
    What stubs keep that ignore every argument or only raise: `factor` of the reward.
    """

    factor: float = field(default=1.0, metadata=_SHARE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Unrelated:
    """
    What a program keeps that has nothing to do with the problem: `factor` of its reward.
    """

    factor: float = field(default=0.0, metadata=_SHARE)


@dataclass(frozen=True, kw_only=True, slots=True)
class PenaltyValues:
    """
    The numbers of all penalties, by the keys that they have in a scheme.

    A default is what schemes mean that were written before there was the key.
    `min_lines_if_passed` says whether `min_lines` is asked of code that passes every check.
    """

    min_lines: int = field(metadata=_at_least(0))
    runaway: Runaway
    degenerate: Degenerate
    idle: Idle = Idle()
    unrelated: Unrelated = Unrelated()
    min_lines_if_passed: bool = field(default=True, metadata=_SHARE)


@dataclass(frozen=True, kw_only=True, slots=True)
class Declared:
    """
    One penalty: its `code` in a record, the `key` of a scheme that turns it off at the
    value `off`, and what it is for.
    """

    code: str
    key: str
    off: float
    text: str

    @property
    def off_switch(self) -> str:
        """
        What turns it off, as `--set` takes it.
        """
        return f"{self.key}={self.off:g}"

    def is_off(self, values: PenaltyValues) -> bool:
        """
        Tell whether a scheme has it turned off.
        """
        return bool(attrgetter(self.key)(values) == self.off)


PENALTIES: Final = (
    Declared(
        code=RUNAWAY,
        key="runaway.factor",
        off=1,
        text="hit its length limit before its end",
    ),
    Declared(
        code=RUNAWAY_CAP,
        key="runaway.cap",
        off=1,
        text="the most that a runaway may earn",
    ),
    Declared(
        code=MIN_LINES,
        key="min_lines",
        off=1,
        text="too few lines of code",
    ),
    Declared(
        code=UNRELATED,
        key="unrelated.factor",
        off=1,
        text="has nothing to do with what the tests use",
    ),
    Declared(
        code=DEGENERATE,
        key="degenerate.factor",
        off=1,
        text="prose, padding or repetition in place of an answer",
    ),
    Declared(
        code=IDLE,
        key="idle.factor",
        off=1,
        text="ignores every argument, or only raises",
    ),
)
"""
All penalties, in the order in which a record lists them.
"""


def lacking() -> dict[str, Any]:
    """
    Give what a scheme means by the keys that it may lack.
    """
    found = {each.name: each.default for each in dataclasses.fields(PenaltyValues)}
    return {
        name: value if isinstance(value, bool) else dataclasses.asdict(value)
        for name, value in found.items()
        if value is not dataclasses.MISSING
    }


def digested(values: PenaltyValues) -> dict[str, Any]:
    """
    Give the numbers that a digest is made of.  What a scheme may lack is left out where
    it is as if lacking, so that schemes from before there was the key keep their digests.
    """
    before = lacking()
    numbers = dataclasses.asdict(values)
    return {
        key: value
        for key, value in numbers.items()
        if key not in before or value != before[key]
    }


def broken_ranges(part: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """
    Yield the keys of numbers outside their range, each with what is wrong.
    """
    for each in dataclasses.fields(part):
        key = f"{prefix}{each.name}"
        value = getattr(part, each.name)
        if dataclasses.is_dataclass(value):
            yield from broken_ranges(value, f"{key}.")
            continue
        low, high = each.metadata["low"], each.metadata.get("high")
        if high is None and value < low:
            yield key, f"must be at least {low}, found {value}"
        if high is not None and not low <= value <= high:
            yield key, f"must be between {low} and {high}, found {value:g}"
