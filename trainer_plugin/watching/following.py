"""Follows a run's folder, or a single log: its steps and findings as they are logged."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from ..health import RULES, Examination, Finding, Severity
from ..learning import LearningStep, finite
from ..logs.records import merge_ranks
from ..reading import json_object, rank_path, ranks
from .log_lines import Line, Tail, TrainerState, state_file
from .progress import Progress, RunState, run_state, total_updates
from .steps import LoggedStep, StepParser, logged_row

_OURS: Final = frozenset(rule.name for rule in RULES)
_MOST_FINDINGS: Final = 1000
_OF_BATCH: Final = ("pass_at_1", "pass_at_all", "best_of_n", "similarity", "clock_rate")
"""The fields of a step that come from its batch, where that has them; others are the trainer's."""
_MOST_WAITING: Final = 512
"""Maximum number of rows kept until the trainer logs their step."""
_ROUNDING: Final = 0.0015
"""Maximum difference between a mean and its rounded value in `learning.log`."""


class Batches:
    """The rows of `batch_metrics.jsonl`, of all ranks, that have no logged step yet."""

    def __init__(self, path: Path) -> None:
        """Set the path of rank 0's file; it need not exist."""
        self._path = path
        self._tails: dict[int, Tail] = {}
        self._rows: deque[dict[str, Any]] = deque(maxlen=_MOST_WAITING)

    def was_reset(self) -> bool:
        """Return whether any of the logs was cut or set aside; the caller then starts over."""
        return any(tail.was_reset() for tail in self._tails.values())

    def poll(self) -> None:
        """Read the new rows."""
        for rank in ranks(self._path):
            tail = self._tails.setdefault(rank, Tail(rank_path(self._path, rank)))
            for line in tail.lines():
                row = json_object(line.text)
                if row is not None and row.get("split") == "train" and _is_complete(row):
                    self._rows.append(row)

    def with_batch_metrics(self, step: LearningStep) -> LearningStep:
        """Return a step with the figures of its batch, computed over all ranks."""
        if step.step is not None:
            matching = [row for row in self._rows if row["step"] == step.step]
        else:
            # A line of learning.log has no step number.
            matching = next(([row] for row in self._rows if _is_of(row, step)), [])
        if not matching:
            return step
        while self._rows and self._rows[0]["step"] <= matching[0]["step"]:
            self._rows.popleft()
        row = merge_ranks(matching)
        row |= row["diversity"]
        return replace(step, **{name: row[name] for name in _OF_BATCH if row[name] is not None})


def _is_complete(row: Mapping[str, Any]) -> bool:
    """Return whether a row has all keys that are read; another program's may not."""
    try:
        merge_ranks([row])
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return False
    return isinstance(row["step"], int)


def _is_of(row: Mapping[str, Any], step: LearningStep) -> bool:
    """Return whether a row and a step have the same mean reward and epoch, up to rounding."""
    mean, epoch = row.get("reward_mean"), row.get("epoch")
    if mean is None or epoch is None or step.reward is None:
        return False
    near: bool = abs(mean - step.reward) < _ROUNDING
    return near and abs(epoch - step.epoch) < 10 * _ROUNDING


@dataclass(frozen=True, kw_only=True, slots=True)
class LoggedFinding:
    """A finding, its first and last line as evidence, and the text of the last line."""

    finding: Finding
    step: int | None
    epoch: float | None
    first: str
    last: str
    text: str

    def to_dict(self, *, lasts: bool) -> dict[str, Any]:
        """Return a representation in JSON types; `lasts` is whether the last step has it too."""
        found = self.finding
        return {
            "rule": found.rule,
            "severity": found.severity.value,
            "seen": found.seen,
            "advice": found.advice,
            **{name: value for name, value in asdict(self).items() if name != "finding"},
            "lasts": lasts,
        }


Event: TypeAlias = LoggedStep | LoggedFinding


class FollowedRun:
    """StepParser and findings of a run or a log; each `poll` reads the new lines.

    For a folder this reads `metrics.jsonl`, which has all figures; if there is none,
    `learning.log`; if there is none, the `trainer_state.json` of the newest checkpoint. The
    figures of all ranks' batches are added, if they are logged. Memory is bounded.
    """

    def __init__(self, path: Path) -> None:
        """Set the folder or the log; it need not exist."""
        self.path = path
        self._begin()

    def _begin(self) -> None:
        """Reset to a run of which nothing was read."""
        self.is_run = self.path.is_dir() or not self.path.is_file()
        self.examination = Examination()
        self.findings: deque[LoggedFinding] = deque(maxlen=_MOST_FINDINGS)
        self.last: LoggedStep | None = None
        self.steps = 0
        self._severities: set[Severity] = set()
        self._log = self._chosen()
        self._lines = StepParser()
        self._batches = Batches(self.path / "batch_metrics.jsonl")
        self._health_log = Tail(self.path / "health.jsonl")
        self._closed = False
        self._evaluating_s = 0.0
        self._stepping_s = 0.0
        self._steps_timed = 0
        self._updates: int | None = None

    @property
    def worst(self) -> Severity | None:
        """Return the worst severity of all findings."""
        return next((each for each in Severity if each in self._severities), None)

    @property
    def name(self) -> str:
        """Return the name of the folder, or of the log."""
        return self.path.resolve().name

    @property
    def log(self) -> str:
        """Return the log that is read, with the name of the run's folder."""
        log = self._log.path
        if not self.is_run:
            return log.name
        state = state_file(log) if isinstance(self._log, TrainerState) else None
        return str(Path(self.name) / (state or log).relative_to(self.path))

    def lasts(self, found: LoggedFinding) -> bool:
        """Return whether the last step has this finding, too."""
        name = found.finding.rule
        return any(each.rule == name for each in self.examination.present)

    def poll(self) -> list[Event]:
        """Read the new lines; return their steps and findings in order."""
        moved = self._log.path != self._chosen().path
        cut = self._log.was_reset()
        if self.is_run:
            cut |= self._batches.was_reset() or self._health_log.was_reset()
        if moved or cut:
            self._begin()
        new: list[Event] = []
        if self.is_run:
            self._batches.poll()
        for line in self._log.lines():
            new += self._read(line)
        if self.is_run:
            for line in self._health_log.lines():
                new += self._read_finding(line)
        return new

    def end(self) -> list[Event]:
        """End the run; return the findings that need its end.

        An incomplete last line is read too, except in a run's folder, as the run may have been
        killed while it wrote that line.
        """
        last = None if self.is_run else self._log.partial_line()
        new = list(self._read(last)) if last is not None else []
        return [*new, *self._add_findings(self.examination.end())]

    def progress(self) -> Progress:
        """Return the progress of the run."""
        step = self.last.step.step if self.last else None
        epoch = self.last.step.epoch if self.last else None
        state = RunState.FINISHED if self._closed else RunState.UNKNOWN
        steps = None
        if self.is_run:
            begun = self.last is not None
            state = run_state(self.path, begun=begun, closed=self._closed)
            if self._updates is None or state is not RunState.RUNNING:
                self._updates = total_updates(self.path, step=step, epoch=epoch)
            steps = self._updates
        eta = None
        if state is RunState.RUNNING and steps and step and self._steps_timed:
            each = (self._stepping_s + self._evaluating_s) / self._steps_timed
            eta = max(0, steps - step) * each
        try:
            at = self._log.path.stat().st_mtime
        except OSError:
            at = None
        return Progress(state=state, step=step, steps=steps, epoch=epoch, eta_s=eta, last_line=at)

    def _chosen(self) -> Tail | TrainerState:
        """Return the reader of the file that has the run's steps."""
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
        """Parse a line of the log."""
        found = self._lines.read(line)
        if found is None:
            row = logged_row(line.text)
            self._evaluating_s += finite(row.get("eval_runtime")) or 0.0
            self._closed = "train_runtime" in row or self._closed
            return
        self._closed = False
        step = self._batches.with_batch_metrics(found.step) if self.is_run else found.step
        if step.seconds is not None and step.step is not None:
            # The trainer logs the mean duration of the updates since the last line.
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
        """Add findings at the last step; yield them as logged."""
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

    def _read_finding(self, line: Line) -> Iterator[LoggedFinding]:
        """Parse a finding that the run itself reported, if its rule needs more than steps."""
        row = json_object(line.text)
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
        at = finite(row.get("step"))
        yield self._add_finding(
            LoggedFinding(
                finding=finding,
                step=None if at is None else int(at),
                epoch=finite(row.get("epoch")),
                first=line.where,
                last=line.where,
                text=line.text,
            )
        )
