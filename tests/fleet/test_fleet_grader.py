"""Workers with the real engine, in this process: what comes of them is what one process gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from ocaml_reward import Breakdown, Completion, Grader, Problem, ProblemError
from ocaml_reward.fleet.driving import Answered, Event, Left
from ocaml_reward.fleet.grader import FleetGrader
from ocaml_reward.fleet.worker import Identity, Pair, Setup, Worker
from ocaml_reward.scheme import load

SETUP = Setup(scheme=load("concise"))
HALF = Problem(id="half", tests="let () = assert (half 8 = 4); assert (half 7 = 3)")
NOTHING = Problem(id="nothing", tests="let () = ()")


class Here:
    """Two workers on one engine, of which the second is lost with the first that it gets."""

    def __init__(self) -> None:
        self.worker = Worker(SETUP, 2)
        self.workers = ["a", "b"]
        self.coming: list[Event] = []

    @property
    def identity(self) -> Identity:
        return self.worker.identity()[0]

    def send(self, worker: str, number: int, work: Sequence[Pair]) -> None:
        if worker == "b":
            self.workers = ["a"]
            self.coming.append(Left(worker="b", why="pulled out"))
        else:
            results = self.worker.grade(work)
            self.coming.append(Answered(worker="a", number=number, results=results))

    def events(self, timeout_s: float) -> list[Event]:
        assert self.coming, f"nothing would come in {timeout_s} s"
        found, self.coming = self.coming, []
        return found

    def ask(self, method: str, *given: object) -> object:
        return getattr(self.worker, method)(*given)

    def close(self) -> None:
        self.worker._grader.close()


@pytest.fixture(scope="module")
def fleet() -> Iterator[FleetGrader]:
    """Make a grader of such workers."""
    with FleetGrader(SETUP, Here()) as grader:
        yield grader


def completions(count: int) -> list[Pair]:
    """Write completions that pass, fail, and do not type."""
    codes = ("let half x = x / 2", "let half x = x", "let half x = x ^ x")
    return [(HALF, Completion(text=f"{codes[n % 3]}\n(* {n} *)")) for n in range(count)]


def test_records_are_those_of_one_process(fleet: FleetGrader) -> None:
    """With a worker lost on the way, each breakdown is the local one, in its place."""
    pairs = completions(40)
    found = list(fleet.grade_many(pairs))
    with Grader("concise") as local:
        expected: list[Breakdown] = list(local.grade_many(pairs))

    assert expected == found
    assert (1, 40) == (fleet.tally.moved, fleet.tally.results["a"])


def test_one_completion_is_asked_of_some_worker(fleet: FleetGrader) -> None:
    """Outside a stream a worker prepares and checks, and no parse tree travels."""
    (pair,) = completions(1)
    prepared = fleet.prepare(HALF)

    assert 1.0 == fleet.grade(*pair).reward
    assert b"half" in prepared.payload
    assert None is prepared.outside


def test_a_bad_problem_raises_at_its_place(fleet: FleetGrader) -> None:
    """The completions before it are graded, and those in its chunk too."""
    (pair,) = completions(1)
    run = fleet.grade_many([pair, (NOTHING, pair[1])])

    assert 1.0 == next(run).reward
    with pytest.raises(ProblemError):
        next(run)
    with pytest.raises(ProblemError):
        fleet.prepare(NOTHING)
