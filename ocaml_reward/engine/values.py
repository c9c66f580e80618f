"""From events to the values that a process handed out, check by check.  Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..model import Outcome
from .forms import readable_names
from .judgements import Handed
from .protocol import Event

# The harness reports an outcome by its number; harness.ml has the same list.
OUTCOMES = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.EXITED,
    Outcome.STACK_OVERFLOW,
    Outcome.OUT_OF_MEMORY,
)


# Characters of an exception's form: more than value_encode.c sends of what is not handed out whole.
_LONGEST_EXCEPTION = 20_000


@dataclass(slots=True)
class HandedOut:
    """What one `check` has handed out so far; one that is None hands nothing out."""

    check: int | None = None
    values: dict[int, Handed] = field(default_factory=dict)
    # Of one value at a time: its exception is the harness' next word.
    _thrown: tuple[int, Outcome, str] | None = None

    def note(self, event: Event) -> None:
        """Take in an event, if it is this check's; the first word on a value stands."""
        if int(event.arguments[0]) != self.check:
            return
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
                self._thrown = number, outcome, event.detail.strip()
            case "exception" if self._thrown and self._thrown[0] == number:
                form = readable_names(event.detail[:_LONGEST_EXCEPTION].strip())
                self.values.setdefault(number, Handed(form, *self._thrown[1:]))


def read_answers(events: Iterable[Event]) -> dict[int, dict[int, Handed]] | None:
    """Return what the program that knows the answers told, by check; None if it did not come
    to its end.  Where a predicate was applied to what the code handed out as N, what stands
    under ~N has its shape.
    """
    found: dict[int, HandedOut] = {}
    current: HandedOut | None = None
    shapes: dict[tuple[int, int], str] = {}
    done = False
    for event in events:
        match event.name:
            case "begin":
                place = int(event.arguments[0])
                current = found.setdefault(place, HandedOut(place))
            case "value" | "thrown" | "exception" if current is not None:
                current.note(event)
            case "shape":
                place, number = map(int, event.arguments)
                shapes[place, number] = event.detail
            case "done":
                done = True
    if not done:
        return None
    for (place, number), shape in shapes.items():
        if place in found:
            values = found[place].values
            values[number] = replace(values.get(number, Handed("")), shape=shape)
    return {index: check.values for index, check in found.items()}
