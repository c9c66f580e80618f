"""What is known of one log so far: its health, its figures, its last lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..health import Examination, Finding, Severity
from .series import Series
from .steps import Logged, figure

SHOWN: Final = (
    "reward",
    "reward_std",
    "pass_at_1",
    "pass_at_all",
    "best_of_n",
    "frac_zero_std",
    "entropy",
    "loss",
    "grad_norm",
    "learning_rate",
)
"""The figures whose course is kept."""

PARTS: Final = ("structural", "type", "compile", "tests", "solved")

_LINES: Final = 50
_MOST_TOLD: Final = 1000


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A finding with its evidence: the first and the last line that show it, "learning.log:12",
    and the last of them itself.
    """

    finding: Finding
    step: int | None
    epoch: float | None
    first: str
    last: str
    text: str
    excerpt: str = ""

    def to_dict(self, *, lasts: bool) -> dict[str, Any]:
        """Return it as what JSON can hold; `lasts` says that it is so at the last step, too."""
        found = self.finding
        return {
            "rule": found.rule,
            "severity": found.severity.value,
            "seen": found.seen,
            "advice": found.advice,
            "step": self.step,
            "epoch": self.epoch,
            "first": self.first,
            "last": self.last,
            "text": self.text,
            "excerpt": self.excerpt,
            "lasts": lasts,
        }


class Watched:
    """One log, step by step; what is kept of it does not grow with it."""

    def __init__(self, name: str = "") -> None:
        """Begin before the first step of the log of that name."""
        self.name = name
        self.examination = Examination()
        self.told: deque[Told] = deque(maxlen=_MOST_TOLD)
        self.lines: deque[Logged] = deque(maxlen=_LINES)
        """The last steps with completions of their own, as in `learning.log`."""
        self.last: Logged | None = None
        self.series = {name: Series() for name in SHOWN}
        self.credits: Mapping[str, float] = {}
        self.steps = 0
        self.graves: set[Severity] = set()

    def add(self, new: Logged) -> None:
        """Take in a step."""
        self.steps += 1
        self.last = new
        if new.step.fresh:
            self.lines.append(new)
        for name, series in self.series.items():
            series.add(getattr(new.step, name))
        found = {
            part: min(1.0, max(0.0, value))
            for part in PARTS
            if (value := figure(new.figures.get(f"ocaml/credits/{part}"))) is not None
        }
        self.credits = found or self.credits
        self._tell(self.examination.add(new.step))

    def end(self) -> None:
        """Take the run to be over."""
        self._tell(self.examination.end())

    def hear(self, told: Told) -> None:
        """Take in what the run has told by itself."""
        self.told.append(told)
        self.graves.add(told.finding.severity)

    def lasts(self, told: Told) -> bool:
        """Tell whether a finding is so at the last step, too."""
        name = told.finding.rule
        return any(each.rule == name for each in self.examination.present)

    def _tell(self, found: list[Finding]) -> None:
        last = self.last
        if last is None:
            return
        for finding in found:
            since = finding.since or last.step
            self.hear(
                Told(
                    finding=finding,
                    step=last.step.step,
                    epoch=last.step.epoch,
                    first=since.where,
                    last=last.step.where,
                    text=last.text,
                    excerpt=self.name,
                )
            )
