"""What a user sees while completions are scored: a bar on a terminal, notes, bad lines.

All of it goes to standard error, and without a terminal only notes and bad lines do.
"""

from __future__ import annotations

from types import TracebackType
from typing import Final, Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from .consoles import console
from .text import one_line

LISTED: Final = 20


class RateColumn(ProgressColumn):
    """Completions per second over the last half minute."""

    def render(self, task: Task) -> Text:
        """Show the rate, once there is one."""
        speed = task.speed or task.finished_speed
        return Text(f"{speed:.1f}/s" if speed else "-/s", style="progress.data.speed")


class Screen:
    """Standard error during a run; a context manager, as the bar redraws itself."""

    def __init__(self, *, total: int | None, doing: str = "scoring") -> None:
        """Prepare a bar for so many completions, or for nobody knows how many."""
        self.console = console(stderr=True)
        self.progress = Progress(
            TextColumn(doing),
            BarColumn(),
            MofNCompleteColumn(),
            RateColumn(),
            TimeRemainingColumn(),
            TextColumn("mean reward {task.fields[mean]}"),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self.task = self.progress.add_task(doing, total=total, mean="-")
        self._skipped = 0
        self._counts: dict[str, int] = {}

    def __enter__(self) -> Self:
        """Start the bar."""
        self.progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bar and count what was not listed."""
        self.progress.stop()
        for topic, count in self._counts.items():
            if count > LISTED:
                self.say(f"... and {count - LISTED} more {topic}")

    def say(self, message: str) -> None:
        """Print one line above the bar; it may quote text from anywhere."""
        text = Text(f"ocaml-reward: {one_line(message)}")
        self.console.print(text)

    def list(self, topic: str, message: str) -> None:
        """Print one of many lines of a kind; after the first 20 they are only counted."""
        self._counts[topic] = self._counts.get(topic, 0) + 1
        if self._counts[topic] <= LISTED:
            self.say(message)

    def skip(self) -> None:
        """Count a completion that an earlier run has scored, apart from the rate."""
        self._skipped += 1

    def step(self, mean: float | None) -> None:
        """Count a completion that was scored now."""
        if self._skipped:
            done = self.progress.tasks[0].completed + self._skipped
            self.progress.reset(self.task, completed=int(done))
            self._skipped = 0
        shown = "-" if mean is None else f"{mean:.3f}"
        self.progress.update(self.task, advance=1, mean=shown)
