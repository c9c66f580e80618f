"""A run's folder or a log by itself, followed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from ..health import RULES, Examination, Finding, Severity
from ..learning import LearningStep
from ..logs.records import merged
from ..reading import ranked, ranks
from .log_lines import Line, Tail, TrainerState, state_file
from .progress import Progress, State, state_of, updates_of
from .steps import Logged, Steps, figure, object_of, row_of

_OURS: Final = frozenset(rule.name for rule in RULES)
_MOST_FINDINGS: Final = 1000


_WAITING: Final = 512
"""So many rows are kept until the trainer logs their step."""
_NEAR: Final = 0.0015
"""So close is a mean to what a line of `learning.log` has of it, which is rounded."""


class Batches:
    """The rows of `batch_metrics.jsonl`, of all ranks, that no step has been found for yet."""

    def __init__(self, path: Path) -> None:
        """Touch nothing yet."""
        self._path = path
        self._tails: dict[int, Tail] = {}
        self._rows: deque[dict[str, Any]] = deque(maxlen=_WAITING)

    def began_again(self) -> bool:
        """Tell whether one of the logs was cut or set aside."""
        # One is enough: whoever asks begins with all of them again.
        return any(tail.began_again() for tail in self._tails.values())

    def poll(self) -> None:
        """Read what has come."""
        for rank in ranks(self._path):
            tail = self._tails.setdefault(rank, Tail(ranked(self._path, rank)))
            for line in tail.lines():
                row = object_of(line.text)
                if row is not None and row.get("split") == "train" and _is_whole(row):
                    self._rows.append(row)

    def beside(self, step: LearningStep) -> LearningStep:
        """Return a step with the figures of its batch, over the groups of all ranks."""
        if step.step is not None:
            mine = [row for row in self._rows if row["step"] == step.step]
        else:
            # A line of learning.log does not say its step.
            mine = next(([row] for row in self._rows if _is_of(row, step)), [])
        if not mine:
            return step
        while self._rows and self._rows[0]["step"] <= mine[0]["step"]:
            self._rows.popleft()
        row = merged(mine)
        return replace(
            step,
            **{
                field: row[name] if row[name] is not None else getattr(step, field)
                for field, name in (
                    ("pass_at_1", "pass_at_1"),
                    ("pass_at_all", "pass_at_all"),
                    ("best_of_n", "best_of_n"),
                )
            },
            similarity=row["diversity"]["similarity"],
        )


def _is_whole(row: Mapping[str, Any]) -> bool:
    """Tell whether a row has what is read of it; one of another program may not."""
    try:
        merged([row])
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return False
    return isinstance(row["step"], int)


def _is_of(row: Mapping[str, Any], step: LearningStep) -> bool:
    mean, epoch = row.get("reward_mean"), row.get("epoch")
    if mean is None or epoch is None or step.reward is None:
        return False
    near: bool = abs(mean - step.reward) < _NEAR
    return near and abs(epoch - step.epoch) < 10 * _NEAR


@dataclass(frozen=True, kw_only=True, slots=True)
class LoggedFinding:
    """A finding with the first and the last line that show it, and the text of the last."""

    finding: Finding
    step: int | None
    epoch: float | None
    first: str
    last: str
    text: str

    def to_dict(self, *, lasts: bool) -> dict[str, Any]:
        """Return it as JSON can hold it; `lasts` says that it holds at the last step too."""
        found = self.finding
        return {
            "rule": found.rule,
            "severity": found.severity.value,
            "seen": found.seen,
            "advice": found.advice,
            **{
                name: value for name, value in asdict(self).items() if name != "finding"
            },
            "lasts": lasts,
        }


Event: TypeAlias = Logged | LoggedFinding


class Following:
    """The steps and findings of a run or a log, read a little further with each poll.

    A folder is read from `metrics.jsonl`, which has all figures, else from `learning.log`,
    else from the `trainer_state.json` of its newest checkpoint; the figures of all ranks'
    batches are added where there are any.  What is kept does not grow with the run.
    """

    def __init__(self, path: Path) -> None:
        """Touch nothing yet."""
        self.path = path
        self._begin()

    def _begin(self) -> None:
        self.is_run = self.path.is_dir() or not self.path.is_file()
        self.examination = Examination()
        self.findings: deque[LoggedFinding] = deque(maxlen=_MOST_FINDINGS)
        self.last: Logged | None = None
        self.steps = 0
        self._severities: set[Severity] = set()
        self._log = self._chosen()
        self._lines = Steps()
        self._batches = Batches(self.path / "batch_metrics.jsonl")
        self._book = Tail(self.path / "health.jsonl")
        self._closed = False
        self._evaluating_s = 0.0
        self._stepping_s = 0.0
        self._steps_timed = 0
        self._updates: int | None = None

    @property
    def worst(self) -> Severity | None:
        """The gravest severity of all findings."""
        return next((each for each in Severity if each in self._severities), None)

    def lasts(self, found: LoggedFinding) -> bool:
        """Tell whether a finding holds at the last step, too."""
        name = found.finding.rule
        return any(each.rule == name for each in self.examination.present)

    def poll(self) -> list[Event]:
        """Read what has come, and return the new steps and findings in their order."""
        moved = self._log.path != self._chosen().path
        cut = self._log.began_again()
        if self.is_run:
            cut |= self._batches.began_again() or self._book.began_again()
        if moved or cut:
            self._begin()
        new: list[Event] = []
        if self.is_run:
            self._batches.poll()
        for line in self._log.lines():
            new += self._read(line)
        if self.is_run:
            for line in self._book.lines():
                new += self._hear(line)
        return new

    def end(self) -> list[Event]:
        """Take what was read to be all there is, and return what only that shows.

        A last line without its end counts, except in the log of a run that may have died
        in it.
        """
        rest = None if self.is_run else self._log.rest()
        new = list(self._read(rest)) if rest is not None else []
        return [*new, *self._add_findings(self.examination.end())]

    def progress(self) -> Progress:
        """Tell how far the run has come."""
        step = self.last.step.step if self.last else None
        epoch = self.last.step.epoch if self.last else None
        state = State.FINISHED if self._closed else State.UNKNOWN
        steps = None
        if self.is_run:
            begun = self.last is not None
            state = state_of(self.path, begun=begun, closed=self._closed)
            if self._updates is None or state is not State.RUNNING:
                self._updates = updates_of(self.path, step=step, epoch=epoch)
            steps = self._updates
        eta = None
        if state is State.RUNNING and steps and step and self._steps_timed:
            each = (self._stepping_s + self._evaluating_s) / self._steps_timed
            eta = max(0, steps - step) * each
        try:
            at = self._log.path.stat().st_mtime
        except OSError:
            at = None
        return Progress(
            state=state, step=step, steps=steps, epoch=epoch, eta_s=eta, last_line=at
        )

    def _chosen(self) -> Tail | TrainerState:
        if self.path.is_file():
            states = self.path.suffix == ".json"
            return TrainerState(self.path) if states else Tail(self.path)
        metrics, log = self.path / "metrics.jsonl", self.path / "learning.log"
        if metrics.is_file():
            return Tail(metrics)
        if not log.is_file() and state_file(self.path):
            return TrainerState(self.path)
        return Tail(log)

    def _read(self, line: Line) -> Iterator[Event]:
        """Take in a line of the log."""
        found = self._lines.read(line)
        if found is None:
            row = row_of(line.text)
            self._evaluating_s += figure(row.get("eval_runtime")) or 0.0
            self._closed = "train_runtime" in row or self._closed
            return
        self._closed = False
        step = self._batches.beside(found.step) if self.is_run else found.step
        if step.seconds is not None and step.step is not None:
            # The trainer logs the mean of the updates since the last line.
            before = self.last.step.step if self.last else None
            updates = max(1, step.step - (before or 0))
            step = replace(step, seconds=step.seconds * updates)
            self._stepping_s += step.seconds or 0.0
            self._steps_timed += updates
        self.last = replace(found, step=step)
        self.steps += 1
        yield self.last
        yield from self._add_findings(self.examination.add(step))

    def _add_findings(self, found: list[Finding]) -> Iterator[LoggedFinding]:
        last = self.last
        if last is None:
            return
        for finding in found:
            yield self._add_finding(
                LoggedFinding(
                    finding=finding,
                    step=last.step.step,
                    epoch=last.step.epoch,
                    first=(finding.since or last.step).where,
                    last=last.step.where,
                    text=last.text,
                )
            )

    def _add_finding(self, found: LoggedFinding) -> LoggedFinding:
        self.findings.append(found)
        self._severities.add(found.finding.severity)
        return found

    def _hear(self, line: Line) -> Iterator[LoggedFinding]:
        """Take in what the run itself found by rules that need more than its steps."""
        row = object_of(line.text)
        if row is None or str(row.get("rule")) in _OURS:
            return
        try:
            finding = Finding(
                rule=str(row["rule"]),
                severity=Severity(str(row["severity"])),
                seen=str(row["seen"]),
                advice=str(row["advice"]),
            )
        except (KeyError, ValueError):
            return
        at = figure(row.get("step"))
        yield self._add_finding(
            LoggedFinding(
                finding=finding,
                step=None if at is None else int(at),
                epoch=figure(row.get("epoch")),
                first=line.where,
                last=line.where,
                text=line.text,
            )
        )
