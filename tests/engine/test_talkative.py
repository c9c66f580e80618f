"""What a program says is read at its own cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from ocaml_reward.engine import CheckRequest, Engine, PreparedTests
from ocaml_reward.engine.messages.limits import RunLimits
from ocaml_reward.engine.messages.protocol import Event
from ocaml_reward.engine.messages.values import readable_names
from ocaml_reward.engine.run.execute import run_checks
from ocaml_reward.model import Budget, Check, Outcome, Problem
from ocaml_reward.sandbox import JailRun

CHECKS = tuple(Check(index=n + 1, line=n + 1, source="") for n in range(20))
TESTS = "let () = " + "; ".join(f"assert (f {n} = {n + 1})" for n in range(20))
TALKS = {
    "values": """external say : string -> 'a -> unit = "ocaml_reward_hand_out_whole"
let o : Obj.t = Obj.new_block 248 2
let () = Obj.set_field o 0 (Obj.repr "A"); Obj.set_field o 1 (Obj.repr 0)
let a = Array.make 1990000 o
let f x = say (Printf.sprintf "value %d 0" x) a; if x >= 0 then exit 3 else x
""",
    "events": """external note : string -> string -> unit = "ocaml_reward_note"
let f x = for i = 1 to 190_000 do note "thrown 0 1 1" "" done;
  if x >= 0 then exit 3 else x
""",
}


@dataclass(slots=True)
class Leaving:
    """A program that says much in the first check that is not left out, and leaves there."""

    said: Sequence[Event] = ()
    budget: Budget = field(default_factory=Budget)
    starts: int = 0

    def start(
        self,
        skip: Sequence[str],
        limits: RunLimits,
        *,
        stdin: bytes = b"",
        cpu_s: float,
        wall_s: float,
    ) -> tuple[JailRun, list[Event]]:
        del limits, stdin, cpu_s, wall_s
        self.starts += 1
        run = JailRun(
            exit_code=3,
            signal=None,
            stdout=b"",
            stderr=b"",
            result=b"",
            wall_exceeded=False,
            output_exceeded=False,
            wall_s=0.1,
            cpu_s=0.0,
            max_rss_bytes=0,
            log="",
        )
        began = Event("begin", str(len(skip)), "0")
        return run, [Event("hello", "", "0"), began, *self.said, Event("used", "", "0")]

    def start_as_written(
        self, skip: Sequence[str], limits: RunLimits, *, cpu_s: float, wall_s: float
    ) -> None:
        del skip, limits, cpu_s, wall_s


def starts(*said: Event) -> int:
    program = Leaving(said)
    tests = PreparedTests(checks=CHECKS, payload=b"")
    run_checks(program, CheckRequest(code="", tests=tests, budget=program.budget))
    return program.starts


def test_what_says_little_is_run_for_each_check() -> None:
    """What checks hand out as a rule costs less than starting them."""
    said = [Event("value", f"0 {n}", " i1" * 100) for n in range(1000)]

    assert len(CHECKS) == starts() == starts(*said)


@pytest.mark.parametrize(
    "said",
    [
        [Event("thrown", "0 0 1", "")] * 190_000,
        [Event("value", "0 0", "x41 " * 3_000_000)],
    ],
    ids=["events", "characters"],
)
def test_what_says_much_is_run_a_few_times(said: list[Event]) -> None:
    """Reading is taken off the time for all checks, by how much there is."""
    assert starts(*said) < 6


@pytest.mark.parametrize("talk", TALKS)
def test_the_rest_is_not_run(engine: Engine, talk: str) -> None:
    """In either engine, as where the time for all checks is used up."""
    tests = engine.prepare(Problem(id="p", tests=TESTS))
    budget = Budget()
    report = engine.check(CheckRequest(code=TALKS[talk], tests=tests, budget=budget))
    outcomes = [each.outcome for each in report.results]
    ran = outcomes.count(Outcome.EXITED)

    assert [Outcome.EXITED] * ran + [Outcome.NOT_RUN] * (20 - ran) == outcomes
    assert 1 <= ran < 10


def named(name: str) -> str:
    return f"x{name.encode().hex()}"


def test_names_of_the_codes_own_are_alike() -> None:
    """Whichever unit they are made in; those of others stay."""
    homes = ("Solution.", "Ocaml-reward-tests.Solution*.", "Ocaml-reward-merged.Solution*.")  # fmt: skip
    forms = {readable_names(f"{named(home + 'E')} i1 {named(home + 'F')}") for home in homes}  # fmt: skip

    assert {f"{named('*E')} i1 {named('*F')}"} == forms
    for other in ("Stdlib.Exit", "Solutions.E", "Other.Solution.E"):
        assert named(other) == readable_names(named(other))
        assert f"s5:{named(other)[1:]}" == readable_names(f"s5:{named(other)[1:]}")
