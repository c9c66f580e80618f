"""The facts that decide the penalties of a completion while it is scored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..model import CheckReport, CheckResult, Completion, Outcome, Stage, Verdict
from ..penalties import Rule
from ..penalties.runaway import LENGTH_LIMIT
from ..reading.extraction import Extraction
from ..scheme import RewardScheme


class ScoredFacts(NamedTuple):
    """Facts taken from the engine's report and the extraction; `report` is None without code."""

    report: CheckReport | None
    extraction: Extraction
    completion: Completion
    scheme: RewardScheme
    verdict: Verdict

    @property
    def stage(self) -> Stage | None:
        """Return the stage that the compiler reached."""
        return self.report.stage if self.report else None

    @property
    def results(self) -> Sequence[CheckResult]:
        """Return the results of the checks, with their steps."""
        return self.report.results if self.report else ()

    @property
    def passes(self) -> bool:
        """Return whether at least one check passes."""
        return Outcome.PASSED in [result.outcome for result in self.results]

    @property
    def lines(self) -> int:
        """Return the number of lines of the completion's own code."""
        return len(self.extraction.own.lines)

    @property
    def same_end_marker(self) -> bool:
        """Return True: the marker has just been looked for."""
        return True

    @property
    def cut_off(self) -> str:
        """Return the evidence that the length limit cut the completion off, or "".

        There is none if `truncated` is None. A completion that goes on after its end marker up to
        the limit counts as cut off.
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
        """Return the evidence that the rule finds in the completion."""
        if rule.look is None:
            return ""
        return rule.look(self.report, self.extraction, self.scheme.penalties)
