"""Progress of a command on standard error: a progress bar, notes, and bad lines.

The bar is shown on a terminal only; a log gets a line every half minute.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import TracebackType
from typing import Final, Self

import click
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
from .exit_codes import STOPPED
from .stopping import Stopped, stoppable
from .text import figure_text, one_line

LISTED: Final = 20
NO_MEAN: Final = figure_text(None)
LOGGED_EVERY_S: Final = 30.0


class RateColumn(ProgressColumn):
    """Completions per second over the last half minute."""

    def render(self, task: Task) -> Text:
        """Render the rate, or a dash before there is one."""
        return Text(rate_text(task), style="progress.data.speed")


def rate_text(task: Task) -> str:
    """Return the rate of a task, or a dash before there is one."""
    speed = task.speed or task.finished_speed
    return f"{speed:.1f}/s" if speed else "-/s"


def logged_line(task: Task) -> str:
    """Return what the bar of a task shows, as a line: done of total, rate and time left."""
    total = "" if task.total is None else f" of {task.total:,.0f}"
    parts = [f"{task.description}: {task.completed:,.0f}{total}", rate_text(task)]
    if task.time_remaining is not None:
        parts.append(f"{timedelta(seconds=round(task.time_remaining))} left")
    if task.fields["mean"] != NO_MEAN:
        parts.append(f"mean reward {task.fields['mean']}")
    return ", ".join(parts)


class Screen:
    """A progress bar with messages above it; a context manager."""

    def __init__(
        self, *, total: int | None, doing: str = "scoring", is_quiet: bool = False
    ) -> None:
        """Create a bar for `total` completions; None if their number is unknown.

        With `is_quiet` there are neither bar nor notes, only what went wrong.
        """
        self._is_quiet = is_quiet
        self.console = console(stderr=True)
        self.bar = Progress(
            TextColumn(doing),
            BarColumn(),
            MofNCompleteColumn(),
            RateColumn(),
            TimeRemainingColumn(),
            TextColumn("mean reward {task.fields[mean]}"),
            console=self.console,
            transient=True,
            disable=is_quiet or not self.console.is_terminal,
        )
        self.task = self.bar.add_task(doing, total=total, mean=NO_MEAN)
        self._logged = time.monotonic()
        self._skipped = 0
        self._counts: dict[str, int] = {}

    def __enter__(self) -> Self:
        """Start the bar."""
        self.bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the bar; print how many messages were not listed."""
        self.bar.stop()
        for topic, count in self._counts.items():
            if count > LISTED:
                self.say(f"... and {count - LISTED} more {topic}")

    def say(self, message: str) -> None:
        """Print one line above the bar; untrusted text in it is made safe."""
        text = Text(f"ocaml-reward: {one_line(message)}")
        self.console.print(text)

    def note(self, message: str) -> None:
        """Print a line that nothing depends on."""
        if not self._is_quiet:
            self.say(message)

    def list(self, topic: str, message: str) -> None:
        """Print a message of a topic; after the first 20 of a topic they are only counted."""
        self._counts[topic] = self._counts.get(topic, 0) + 1
        if self._counts[topic] <= LISTED:
            self.say(message)

    def skip(self) -> None:
        """Count a completion that an earlier run has scored; the rate does not include it."""
        self._skipped += 1

    def step(self, mean: float | None, *, count: int = 1) -> None:
        """Advance the bar by completions that came together.

        The rate is measured between steps: a batch of single steps would have taken no time.
        """
        if self._skipped:
            done = self.bar.tasks[0].completed + self._skipped
            self.bar.reset(self.task, completed=int(done))
            self._skipped = 0
        self.bar.update(self.task, advance=count, mean=figure_text(mean))
        if self.bar.disable and time.monotonic() - self._logged >= LOGGED_EVERY_S:
            self._logged = time.monotonic()
            self.note(logged_line(self.bar.tasks[0]))


@contextmanager
def progress(
    ctx: click.Context,
    *,
    total: int | None,
    doing: str = "scoring",
    when_stopped: Callable[[], str] | None = None,
    is_quiet: bool = False,
) -> Iterator[Screen]:
    """Show a progress bar; if a signal stops the block, print a message and exit.

    Args:
        ctx: The context of the command.
        total: The number of completions; None if it is unknown.
        doing: The label of the bar.
        when_stopped: Returns the message for a stopped run; without it none is printed.
        is_quiet: Whether there are neither bar nor notes.

    Yields:
        The bar.
    """
    with stoppable(), Screen(total=total, doing=doing, is_quiet=is_quiet) as screen:
        try:
            yield screen
        except Stopped as stopped:
            if when_stopped is not None:
                screen.say(when_stopped())
            ctx.exit(STOPPED + stopped.number)
