"""A run's folder or a log by itself, followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ..health import RULES, Finding, Severity
from .batches import Batches
from .documents import Excerpt, Page
from .state import Progress, State, state_of, updates_of
from .steps import Logged, Steps, figure, object_of
from .tail import Line, Tail
from .watched import Told, Watched

_OURS = frozenset(rule.name for rule in RULES)


class Following:
    """What a run or a log says, read a little further with each poll.

    Of a folder the steps are those of `metrics.jsonl`, which knows all figures, or else of
    `learning.log`; the batches of all ranks stand beside them.
    """

    def __init__(self, path: Path) -> None:
        """Touch nothing yet."""
        self.path = path
        self.is_run = path.is_dir() or not path.is_file()
        self._begin()

    def _begin(self) -> None:
        self.logs: dict[Excerpt, Watched] = {}
        self._log = self._chosen()
        self._page = Page()
        self._lines = Steps()
        self._batches = Batches(self.path / "batch_metrics.jsonl")
        self._book = Tail(self.path / "health.jsonl")
        self._closed = False
        self._evaluating_s = 0.0
        self._stepping_s = 0.0
        self._steps_timed = 0
        self._updates: int | None = None

    @property
    def main(self) -> Watched:
        """The log that is followed: of a page with several the last one."""
        if not self.logs:
            self.logs[Excerpt()] = Watched()
        return list(self.logs.values())[-1]

    @property
    def told(self) -> Iterator[tuple[Watched, Told]]:
        """All findings, each with the log that it is of."""
        for watched in self.logs.values():
            for told in watched.told:
                yield watched, told

    @property
    def worst(self) -> Severity | None:
        """The gravest severity of all findings."""
        found = {each for watched in self.logs.values() for each in watched.graves}
        return next((each for each in Severity if each in found), None)

    @property
    def steps(self) -> int:
        """The number of steps that were read."""
        return sum(watched.steps for watched in self.logs.values())

    def poll(self) -> bool:
        """Read what has come; tell whether a step has."""
        self.is_run = self.path.is_dir() or not self.path.is_file()
        moved = self._log.path != self._chosen().path
        cut = self._log.began_again()
        if self.is_run:
            cut |= self._batches.began_again() or self._book.began_again()
        if moved or cut:
            self._begin()
        before = self.steps
        if self.is_run:
            self._batches.poll()
            for line in self._log.lines():
                self._read(line)
            for line in self._book.lines():
                self._hear(line)
        else:
            for line in self._log.lines():
                self._note(self._page.read(line))
        return self.steps > before or moved or cut

    def end(self) -> None:
        """Take what was read to be all there is: a last line without its end counts, except
        in the log of a run that may have died in it.
        """
        if not self.is_run:
            rest = self._log.rest()
            if rest is not None:
                self._note(self._page.read(rest))
            self._note(self._page.end())
        for watched in self.logs.values():
            watched.end()

    def progress(self) -> Progress:
        """Tell how far the run has come."""
        last = self.main.last
        step = last.step.step if last else None
        epoch = last.step.epoch if last else None
        state, steps = State.UNKNOWN, None
        if self.is_run:
            state = state_of(self.path, begun=last is not None, closed=self._closed)
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

    def _chosen(self) -> Tail:
        if not self.is_run:
            return Tail(self.path)
        metrics = self.path / "metrics.jsonl"
        return Tail(metrics if metrics.is_file() else self.path / "learning.log")

    def _note(self, found: Iterator[tuple[Excerpt, Logged]]) -> None:
        for excerpt, new in found:
            if excerpt not in self.logs:
                self.logs[excerpt] = Watched(excerpt.name)
            self.logs[excerpt].add(new)

    def _read(self, line: Line) -> None:
        """Take in a line of a run's log."""
        found = self._lines.read(line)
        if found is None:
            row = object_of(line.text) or {}
            self._evaluating_s += figure(row.get("eval_runtime")) or 0.0
            self._closed = "train_runtime" in row or self._closed
            return
        self._closed = False
        before = self.main.last.step.step if self.main.last else None
        step = self._batches.beside(found.step)
        if step.seconds is not None and step.step is not None:
            # The trainer logs the mean of the updates since the last line.
            updates = max(1, step.step - (before or 0))
            took = step.seconds * updates
            step = replace(step, seconds=took)
            self._stepping_s += took
            self._steps_timed += updates
        self.main.add(replace(found, step=step))

    def _hear(self, line: Line) -> None:
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
        step, epoch = row.get("step"), row.get("epoch")
        self.main.hear(
            Told(
                finding=finding,
                step=int(at) if (at := figure(step)) is not None else None,
                epoch=figure(epoch),
                first=line.where,
                last=line.where,
                text=line.text,
            )
        )
