"""The definition of a penalty, and the facts that decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Protocol

from ..model import CheckReport, CheckResult, Penalty, Stage, Verdict
from ..reading.extraction import Extraction

OFF: Final = 1
"""The value of its key that turns a penalty off."""
SHARE: Final[Mapping[str, float]] = {"low": 0, "high": 1}


def at_least(low: int) -> Mapping[str, float]:
    """Return the metadata of a number that has no upper bound."""
    return {"low": low}


class Facts(Protocol):
    """The facts that decide penalties: of a completion being scored, or of a record."""

    @property
    def verdict(self) -> Verdict:
        """Return the verdict."""

    @property
    def stage(self) -> Stage | None:
        """Return the stage that the compiler reached; None without code."""

    @property
    def results(self) -> Sequence[CheckResult]:
        """Return the results of the checks, with their steps."""

    @property
    def passes(self) -> bool:
        """Return whether at least one check passes."""

    @property
    def lines(self) -> int:
        """Return the number of lines of code, without blank lines, comments and given code."""

    @property
    def same_end_marker(self) -> bool:
        """Return whether the scheme's end marker was looked for when the completion was scored."""

    @property
    def cut_off(self) -> str:
        """Return the evidence that the length limit cut the completion off, or ""."""

    def evidence(self, rule: Rule) -> str:
        """Return what the rule's `look` finds, or found when the record was written."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """One penalty.

    Attributes:
        code: Its name in a record.
        key: The scheme's number that turns it off at 1.
        text: Its reason, as `explain` prints it.
        effect: Its effect under `seed`, for the table of docs/scoring.md.
        when: When it applies, for the same table.
        take: Returns the penalty from the facts of a completion or a record.
        look: Returns evidence from a completion's text, which a record does not keep; None if the
            facts suffice.
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
        """Return the setting that turns it off, as `--set` takes it."""
        return f"{self.key}={OFF}"

    def is_off(self, values: Any) -> bool:
        """Return whether a scheme's penalty values turn it off."""
        return bool(attrgetter(self.key)(values) == OFF)
