"""Collects the values that a process returned, check by check, from its events.  Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..model import Outcome
from .forms import readable_names
from .formulas import ReturnedValue
from .protocol import Event

# The harness reports an outcome by its number in this list (harness.ml).
OUTCOMES = (
    Outcome.PASSED,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.EXITED,
    Outcome.STACK_OVERFLOW,
    Outcome.OUT_OF_MEMORY,
)


# Characters of an encoded exception; value_encode.c sends fewer.
_LONGEST_EXCEPTION = 20_000


@dataclass(slots=True)
class ReturnedValues:
    """The values that one `check` has returned so far; None ignores all events."""

    check: int | None = None
    values: dict[int, ReturnedValue] = field(default_factory=dict)
    # The last "thrown" event; the next event has the exception itself.
    _thrown: tuple[int, Outcome, str] | None = None

    def note(self, event: Event) -> None:
        """Process an event of this check; the first event on a value counts."""
        if int(event.arguments[0]) != self.check:
            return
        number = int(event.arguments[1])
        match event.name:
            case "value":
                self.values.setdefault(
                    number, ReturnedValue(readable_names(event.detail.strip()))
                )
            case "thrown":
                outcome = OUTCOMES[int(event.arguments[2])]
                if outcome is Outcome.PASSED:
                    # No exception passes a check: only a lying process reports that.
                    outcome = Outcome.FAILED
                self._thrown = number, outcome, event.detail.strip()
            case "exception" if self._thrown and self._thrown[0] == number:
                form = readable_names(event.detail[:_LONGEST_EXCEPTION].strip())
                self.values.setdefault(number, ReturnedValue(form, *self._thrown[1:]))


def read_expected_values(
    events: Iterable[Event],
) -> dict[int, dict[int, ReturnedValue]] | None:
    """Return the values that the oracle program sent, by check; None if it did not finish.

    If a predicate was applied to the code's value N, the value under ~N has its shape.
    """
    found: dict[int, ReturnedValues] = {}
    current: ReturnedValues | None = None
    shapes: dict[tuple[int, int], str] = {}
    done = False
    for event in events:
        match event.name:
            case "begin":
                place = int(event.arguments[0])
                current = found.setdefault(place, ReturnedValues(place))
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
            values[number] = replace(values.get(number, ReturnedValue("")), shape=shape)
    return {index: check.values for index, check in found.items()}
