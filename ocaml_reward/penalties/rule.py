"""What a penalty is, and the facts that it is decided by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Protocol

from ..model import CheckReport, Penalty, Stage, Verdict
from ..reading.extraction import Extraction

OFF: Final = 1
"""The value of its key that turns a penalty off."""
SHARE: Final[Mapping[str, float]] = {"low": 0, "high": 1}


def at_least(low: int) -> Mapping[str, float]:
    """Return the metadata of a number that has no upper bound."""
    return {"low": low}


class Facts(Protocol):
    """What a penalty is decided by: a completion that is scored, or the record of one."""

    @property
    def verdict(self) -> Verdict:
        """The verdict."""

    @property
    def stage(self) -> Stage | None:
        """How far the compiler got; None without code."""

    @property
    def passes(self) -> bool:
        """Whether a check passes."""

    @property
    def lines(self) -> int:
        """The number of lines of code, without blank lines, comments and given code."""

    @property
    def marker_known(self) -> bool:
        """Whether the scheme's end marker was looked for when the completion was scored."""

    @property
    def cut_off(self) -> str:
        """The evidence that the length limit ended the completion before its end, or ""."""

    def evidence(self, rule: Rule) -> str:
        """Return what the rule's `look` finds, or found when the record was written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One penalty.

    Attributes:
        code: Its name in a record.
        key: The number of a scheme that turns it off at 1.
        text: What it is for, as `explain` says it.
        effect: What it takes under `seed`, in the table of docs/scoring.md.
        when: When it applies, in the same table.
        take: The penalty of a completion; the same for one that is scored and for a record.
        look: What speaks for it in a completion's text, which a record does not keep; None
            where the facts suffice.
    """

    code: str
    key: str
    text: str
    effect: str
    when: str
    take: Callable[[Facts, Any], Penalty | None]
    look: Callable[[CheckReport | None, Extraction, Any], str] | None = None

    @property
    def off_switch(self) -> str:
        """What turns it off, as `--set` takes it."""
        return f"{self.key}={OFF}"

    def is_off(self, values: Any) -> bool:
        """Tell whether a scheme's penalty values turn it off."""
        return bool(attrgetter(self.key)(values) == OFF)
