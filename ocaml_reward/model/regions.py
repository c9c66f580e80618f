"""Regions of the code that are right or wrong, and the grounds for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..codec.typed import Count, LineNumber, Range


class Mark(StrEnum):
    """Whether a region is right or wrong."""

    RIGHT = "right"
    WRONG = "wrong"
    UNKNOWN = "unknown"


class Ground(StrEnum):
    """The ground for a region's mark, worst first.

    These are: the text of an error; a definition that holds an error; an item that does not parse;
    a line with a forbidden feature; a definition that the tests do not type with; a definition that
    only failing checks need, or that is the only one some failing check needs; the most suspicious
    branch entered by a failing check; code that both passing and failing checks need; a branch that
    only passing checks enter; a definition that only passing checks need; a definition that no
    check needs that ran.
    """

    ERROR = "error"
    HOLDS_ERROR = "holds_error"
    UNPARSED = "unparsed"
    FORBIDDEN = "forbidden"
    MISFIT = "misfit"
    FAILING = "failing"
    FAILING_BRANCH = "failing_branch"
    BOTH = "both"
    PASSING_BRANCH = "passing_branch"
    PASSING = "passing"
    UNTESTED = "untested"

    @property
    def mark(self) -> Mark:
        """Return whether code with this ground is right or wrong."""
        if self in (Ground.BOTH, Ground.UNTESTED):
            return Mark.UNKNOWN
        right = self in (Ground.PASSING, Ground.PASSING_BRANCH)
        return Mark.RIGHT if right else Mark.WRONG


@dataclass(frozen=True, kw_only=True, slots=True)
class Region:
    """A region of the code with its mark.

    Attributes:
        start: Its first character in the code, from 0.
        stop: The character after its last one.
        line: The line of its first character, from 1.
        end_line: The line of its last character, from 1.
        mark: Whether it is right or wrong, as its ground says.
        ground: What it is marked by.
        names: Those of the definition that it belongs to, with the path where that is in a
            module.
        passed: How many checks that need it passed.
        failed: How many checks that need it ran and did not pass.
        places: The ranges of characters in the completion's own text that it was taken from.
    """

    start: Count
    stop: Count
    line: LineNumber
    end_line: LineNumber
    mark: Mark = field(init=False)
    ground: Ground
    names: tuple[str, ...] = ()
    passed: Count = 0
    failed: Count = 0
    places: tuple[Range, ...] = ()

    def __post_init__(self) -> None:
        """Mark it as its ground says."""
        object.__setattr__(self, "mark", self.ground.mark)
