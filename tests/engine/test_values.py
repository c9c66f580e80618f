"""What a process says of its values is taken for a value, and never for an outcome."""

from __future__ import annotations

import time

import pytest

from ocaml_reward.engine.messages.protocol import Event, read_events
from ocaml_reward.engine.messages.run_outcome import RunOutcome
from ocaml_reward.engine.messages.values import ReturnedValues, read_expected_values
from ocaml_reward.engine.run.check_results import Progress
from ocaml_reward.model import Check, Outcome

NONCE = "5ec2e7"
CHECKS = tuple(Check(index=n + 1, line=n + 1, source="") for n in range(1000))
HELLO = Event("hello", "", "")
LEFT = RunOutcome(outcome=Outcome.EXITED)


def handed(*events: Event) -> ReturnedValues:
    found = ReturnedValues(0)
    for event in events:
        note = found.note_value if event.name == "value" else found.note_exception
        note(event)
    return found


def test_the_first_word_on_a_value_stands() -> None:
    found = handed(Event("value", "0 7", " i1"), Event("value", "0 7", " i2"))

    assert {7: "i1"} == {n: value.form for n, value in found.values.items()}


def test_no_exception_passes() -> None:
    """A process that says that it raised "passed" says that its check failed."""
    found = handed(Event("thrown", "0 0 0", ""), Event("exception", "0 0", " i0"))

    assert Outcome.FAILED == found.values[0].outcome


def test_answers_that_come_to_no_end_are_none() -> None:
    events = [Event("begin", "0", ""), Event("value", "0 0", " i1")]

    assert read_expected_values(events) is None
    assert [0] == list(read_expected_values([*events, Event("done", "", "")]) or {})


@pytest.mark.parametrize(
    "line",
    ["", " ", "|", " |", "\t|x", "\xa0|x", "\x1f \x1f|", "\0|", "||", "a" * 100_000],
)
def test_a_line_of_any_kind_is_read(line: str) -> None:
    """Whoever knows the nonce may say nothing at all behind it."""
    events = list(read_events(f"{NONCE} {line}\n{NONCE} done|\n".encode(), NONCE))

    assert Event("done", "", "") == events[-1]


@pytest.mark.parametrize(
    "events",
    [
        [Event("item_raised", "0 0 99999999 1", "")] * 100_000,
        [Event("setup_raised", "1", "")] * 100_000,
        [Event("item_raised", "0 0 998 1", "")] * 100_000,
        [Event("begin", "1", ""), Event("end", "1 0 0 0", "")] * 50_000,
        [Event("begin", "9" * 900, "")] * 100_000,
        [Event("value", "9" * 900 + " " + "1" * 900, "x41 " * 20)] * 20_000,
    ],
    ids=lambda events: f"{events[0].name} {events[0].words[:20]}",
)
def test_many_events_take_little_time(events: list[Event]) -> None:
    """What a process says a hundred thousand times costs no more for the number it names."""
    progress = Progress(CHECKS)
    started = time.process_time()
    progress.add_run([HELLO, *events], LEFT)

    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    "event",
    [
        Event("begin", "9" * 900, ""),
        Event("begin", "-1", ""),
        Event("item", "9" * 900 + " 5 5", ""),
        Event("item", "1,c0 0 1", ""),
    ],
    ids=lambda event: f"{event.name} {event.words[:8]}",
)
def test_what_is_no_check_is_not_left_out(event: Event) -> None:
    """What the next run is asked to leave out are checks and statements by their numbers."""
    progress = Progress(CHECKS)
    progress.add_run([HELLO, event], LEFT)

    assert [] == progress.skip


def test_details_are_short() -> None:
    """A record keeps the beginning of what a process says at length."""
    progress = Progress(CHECKS)
    progress.add_run([HELLO, Event("end", "0 1 0 0", "x" * 30_000)], LEFT)

    assert 1000 == len(progress.results[0].detail)
