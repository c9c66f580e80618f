"""From the harness' lines to results: only the harness can report, and each check once."""

from __future__ import annotations

import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward import EngineFault
from ocaml_reward.engine.messages.protocol import netstrings, pack, read_events
from ocaml_reward.engine.messages.run_outcome import RunOutcome
from ocaml_reward.engine.messages.run_outcome import outcome_of_run as _ending
from ocaml_reward.engine.run.check_results import Progress, with_state
from ocaml_reward.model import Budget, Check, Outcome
from ocaml_reward.sandbox import JailRun

NONCE = "5ec2e7"
CHECKS = tuple(Check(index=n + 1, line=n + 1, source="") for n in range(3))
LOOPED = RunOutcome(outcome=Outcome.TIMED_OUT, detail="looped")


def said(*events: str) -> bytes:
    return b"".join(f"{NONCE} {event}\n".encode() for event in events)


def progress(*runs: bytes, ending: RunOutcome = LOOPED) -> Progress:
    """Follow some runs of a program with three checks in one statement."""
    found = Progress(CHECKS)
    for run in runs:
        found.add_run(read_events(run, NONCE), ending)
    return found


def outcomes(found: Progress) -> list[str]:
    return [str(result.outcome) for result in found.in_order()]


HELLO = "hello|"
ITEM = "item 0 0 2|0"
PASSED = tuple(event for n in range(3) for event in (f"begin {n}|0", f"end {n} 0 0 0|"))


class TestTally:
    """Only the harness can report test results."""

    @given(printed=st.binary(max_size=200), at=st.integers(0, 8))
    def test_lines_without_the_nonce_change_nothing(self, printed: bytes, at: int) -> None:
        """Whatever else stands on the descriptor, the tally stays what the harness said."""
        lines = said(HELLO, ITEM, *PASSED, "item_end 0 0 2|", "done|").splitlines(keepends=True)
        noise = printed.replace(NONCE.encode(), b"") + b"\n"
        forged = b"".join([*lines[:at], noise, *lines[at:]])

        assert outcomes(progress(b"".join(lines))) == outcomes(progress(forged))

    def test_a_torn_last_line_is_no_event(self) -> None:
        """A process killed in mid-write has not said what it was about to say."""
        run = said(HELLO, ITEM, "begin 0|0") + f"{NONCE} end 0 0 0 0|".encode()

        assert Outcome.TIMED_OUT == progress(run).results[0].outcome

    def test_a_program_that_says_nothing_is_the_machines_fault(self) -> None:
        """Without a hello the lock never closed, and nothing of the code has run."""
        with pytest.raises(EngineFault):
            progress(b"")


class TestRestart:
    """A check that ends the process costs that check only."""

    def test_the_active_check_is_left_out_next_time(self) -> None:
        """What was running when the process ended is settled and skipped."""
        found = progress(said(HELLO, ITEM, *PASSED[:2], "begin 1|0"))

        assert ["c1"] == found.skip
        assert not found.finished

    def test_the_first_report_of_a_check_stands(self) -> None:
        """A second run repeats earlier checks, and cannot change what they were worth."""
        first = said(HELLO, ITEM, "begin 0|0", "end 0 1 0 0|wrong", "begin 1|0")
        second = said(HELLO, ITEM, *PASSED, "item_end 0 0 2|", "done|")

        expected = ["failed", "timed_out", "passed"]
        assert expected == outcomes(progress(first, second))

    def test_a_statement_that_raises_settles_what_it_did_not_reach(self) -> None:
        """Checks after an exception in the tests' own statement share its outcome."""
        run = said(HELLO, ITEM, *PASSED[:2], "item_raised 0 0 2 2|Not_found", "done|")

        assert ["passed", "raised", "raised"] == outcomes(progress(run))

    def test_ending_between_checks_settles_the_statement(self) -> None:
        """A loop in what leads up to a check costs the checks of that statement."""
        found = progress(said(HELLO, ITEM))

        assert ["timed_out"] * 3 == outcomes(found)
        assert found.finished

    def test_ending_at_the_same_place_again_gives_up(self) -> None:
        """A program that no omission gets past is not started for ever."""
        run = said(HELLO, ITEM, "begin 0|0")
        found = progress(run, run)

        assert ["timed_out", "not_run", "not_run"] == outcomes(found)

    def test_what_the_tests_never_came_to_has_not_passed(self) -> None:
        """Done with checks unreported means that they were not run."""
        assert ["not_run"] * 3 == outcomes(progress(said(HELLO, "done|")))


class TestLeaning:
    """What leans on a statement that did not come to its end ends as it did."""

    def follow(self, leaning: dict[str, list[tuple[int, int]]], *runs: bytes) -> list[str]:
        found = Progress(CHECKS, leaning=leaning)
        for run in runs:
            found.add_run(read_events(run, NONCE), LOOPED)
        return [str(each.outcome) for each in with_state(found.in_order(), leaning)]

    def test_a_statement_that_raises_lets_later_checks_down(self) -> None:
        """They are settled before they report, and others are not."""
        run = said(HELLO, "item 0 0 -1|0", "item_raised 0 0 -1 2|Exit", *PASSED, "done|")

        expected = ["passed", "raised", "raised"]
        assert expected == self.follow({"g0": [(1, 2)], "g1": [(0, 0)]}, run)

    def test_one_that_ends_the_process_does_too(self) -> None:
        """The next run, which leaves it out, changes nothing of that."""
        first = said(HELLO, "item 0 0 -1|0")
        second = said(HELLO, *PASSED, "done|")

        expected = ["passed", "passed", "timed_out"]
        assert expected == self.follow({"g0": [(2, 2)]}, first, second)

    @pytest.mark.parametrize(
        ("second", "expected"),
        [
            ("end 1 2 0 0|Exit", ["raised", "raised", "raised"]),
            ("end 1 1 0 0|", ["raised", "failed", "passed"]),
        ],
    )
    def test_a_check_of_what_others_left_takes_one_that_returned(
        self, second: str, expected: list[str]
    ) -> None:
        """It passes if one of them has come to its end, well or not."""
        run = said(
            HELLO,
            "begin 0|0",
            "end 0 2 0 0|Exit",
            "begin 1|0",
            second,
            *PASSED[4:],
            "done|",
        )

        assert expected == self.follow({"c2": [(0, 1)]}, run)


@pytest.mark.parametrize(
    ("number", "stderr", "outcome"),
    [
        (signal.SIGSEGV, b"", Outcome.CRASHED),
        (signal.SIGSYS, b"", Outcome.CRASHED),
        (signal.SIGABRT, b"Fatal error: out of memory", Outcome.OUT_OF_MEMORY),
        (signal.SIGKILL, b"", Outcome.TIMED_OUT),
    ],
)
def test_a_signal_names_its_outcome(number: int, stderr: bytes, outcome: Outcome) -> None:
    """A program that a signal ended crashed, unless it is known why."""
    run = JailRun(
        exit_code=None,
        signal=number,
        stdout=b"",
        stderr=stderr,
        result=b"",
        wall_exceeded=False,
        output_exceeded=False,
        wall_s=0.1,
        cpu_s=0.1,
        max_rss_bytes=0,
        log="",
    )

    assert outcome == _ending(run, [], Budget()).outcome


class TestNetstrings:
    """Any bytes travel between the helper and the host."""

    @given(items=st.lists(st.binary(max_size=50)))
    def test_what_is_packed_is_read_back(self, items: list[bytes]) -> None:
        assert items == netstrings(pack(*items))

    @given(data=st.binary(max_size=50))
    def test_reading_is_total(self, data: bytes) -> None:
        """Bytes that are no netstrings are a fault, never another exception."""
        try:
            netstrings(data)
        except EngineFault:
            return
