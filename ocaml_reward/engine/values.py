"""
From events to the values that a process handed out, check by check.  Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..model import Outcome
from .forms import readable_names
from .judge import Handed
from .protocol import Event

__all__ = ["OUTCOMES", "HandedOut", "told"]

# The harness reports an outcome by its number; harness.ml has the same list.
OUTCOMES = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.EXITED,
    Outcome.STACK_OVERFLOW,
    Outcome.OUT_OF_MEMORY,
)


@dataclass(slots=True)
class HandedOut:
    """
    What one check has handed out so far.
    """

    values: dict[int, Handed] = field(default_factory=dict)
    _thrown: dict[int, tuple[Outcome, str]] = field(default_factory=dict)

    def note(self, event: Event) -> None:
        """
        Take in an event of this check's; the first word on a value stands.
        """
        number = int(event.arguments[1])
        match event.name:
            case "value":
                self.values.setdefault(
                    number, Handed(readable_names(event.detail.strip()))
                )
            case "thrown":
                outcome = OUTCOMES[int(event.arguments[2])]
                if outcome is Outcome.PASSED:
                    # No exception passes a check: only a process that lies says that.
                    outcome = Outcome.FAILED
                self._thrown.setdefault(number, (outcome, event.detail.strip()))
            case "exception" if number in self._thrown:
                form = readable_names(event.detail.strip())
                self.values.setdefault(number, Handed(form, *self._thrown[number]))


def told(events: Iterable[Event]) -> dict[int, dict[int, Handed]] | None:
    """
    Return what the program that knows the answers told, by check; None if it did not come
    to its end.
    """
    found: dict[int, HandedOut] = {}
    current: HandedOut | None = None
    done = False
    for event in events:
        match event.name:
            case "begin":
                current = found.setdefault(int(event.arguments[0]), HandedOut())
            case "value" | "thrown" | "exception" if current is not None:
                current.note(event)
            case "done":
                done = True
    if not done:
        return None
    return {index: check.values for index, check in found.items()}
