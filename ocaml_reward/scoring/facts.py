"""The facts that penalties are decided by, of a completion that is scored."""

from __future__ import annotations

from typing import NamedTuple

from ..model import CheckReport, Completion, Outcome, Stage, Verdict
from ..penalties import Rule
from ..penalties.runaway import LENGTH_LIMIT
from ..reading.extraction import Extraction
from ..scheme import RewardScheme


class ScoredFacts(NamedTuple):
    """What the engine and the reader found; `report` is None where there was no code."""

    report: CheckReport | None
    extraction: Extraction
    completion: Completion
    scheme: RewardScheme
    verdict: Verdict

    @property
    def stage(self) -> Stage | None:
        """How far the compiler got."""
        return self.report.stage if self.report else None

    @property
    def passes(self) -> bool:
        """Whether a check passes."""
        results = self.report.results if self.report else ()
        return any(result.outcome is Outcome.PASSED for result in results)

    @property
    def lines(self) -> int:
        """The number of lines of the completion's own code."""
        return len(self.extraction.own.lines)

    @property
    def marker_known(self) -> bool:
        """Always: the marker has just been looked for."""
        return True

    @property
    def cut_off(self) -> str:
        """The evidence that the length limit ended it before its end.

        Where nobody knows whether it did (`truncated` is None), there is none.  Who goes on
        behind the marker, up to the limit, has not ended there.
        """
        if self.completion.truncated is not True or self.extraction.ends_with_marker:
            return ""
        marked = ""
        if self.extraction.end_marker_present:
            marked = " behind the end marker"
        elif self.scheme.end_marker is not None:
            marked = " without the end marker"
        return f"{LENGTH_LIMIT}{marked}"

    def evidence(self, rule: Rule) -> str:
        """Look for what speaks for a penalty."""
        if rule.look is None:
            return ""
        return rule.look(self.report, self.extraction, self.scheme.penalties)
