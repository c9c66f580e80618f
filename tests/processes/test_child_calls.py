"""Calls from threads to children: each gets its own result, even if children die."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from ocaml_reward import (
    Breakdown,
    Completion,
    Grader,
    MachineError,
    Problem,
    ProblemError,
    WorkerLost,
)
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.processes import ChildCalls, Children, Setup
from ocaml_reward.shared_engine import SharedEngine

from .graders import DEADLY, mortal, toolless
from .test_sharing import BROKEN, PROBLEM, RIGHT, numbered, plain


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedEngine]:
    """Make an engine with two children."""
    made = SharedEngine(engine("warm"), name="warm", sandbox="auto", processes=2, jobs=4)
    with closing(made):
        yield made


def pids(shared: SharedEngine) -> list[int]:
    """Return the children that are there at the moment."""
    return [each.process.pid for each in shared._children._children._children]


def given_up(problem: Problem, why: str) -> WorkerLost:
    """Say why there is no answer."""
    return WorkerLost(f"{problem.id}: {why}")


def test_an_engine_of_children_reports_what_one_does(shared: SharedEngine) -> None:
    """Equal breakdowns, with children that are killed in the middle: none is lost."""
    pairs = numbered(120)
    with Grader("seed", engine=engine("warm")) as alone:
        expected = plain(alone.grade_many(pairs))
    grader = Grader("seed", engine=shared)

    def graded(place: int) -> Breakdown:
        if place % 40 == 20:
            os.kill(pids(shared)[0], signal.SIGKILL)
        return grader.grade(*pairs[place])

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(graded, range(120)))

    assert expected == plain(found)
    assert shared.lost
    assert 4 == grader.jobs


def test_children_share_what_is_asked_of_one_problem(shared: SharedEngine) -> None:
    """Two that are asked at a time about one problem go to two children."""
    grader = Grader("seed", engine=shared)
    loop = f"let () = while Sys.time () < 0.2 do () done\n{RIGHT}"
    pairs = [(PROBLEM, Completion(text=f"{loop} (* {n} *)")) for n in range(2)]
    with ThreadPoolExecutor(2) as pool:
        graded = list(pool.map(lambda pair: grader.grade(*pair), pairs))

    assert [None, None] == [each.fault for each in graded]
    assert 2 == len(pids(shared))
    assert all(child.done for child in shared._children._children._children)


def test_a_bad_problem_raises_here_what_it_raises_there(shared: SharedEngine) -> None:
    """An exception of a child's is its asker's alone."""
    with pytest.raises(ProblemError, match="broken"):
        shared.prepare(BROKEN)

    assert shared.prepare(PROBLEM).checks


def test_what_kills_costs_three_children_and_nobody_else() -> None:
    """It ends as WorkerLost, and those that were asked at the same time have their answers."""
    children = Children(Setup(grader=mortal, threads=2), 2, given_up, batch=1)
    pairs = [*numbered(8), (PROBLEM, Completion(text=f"{RIGHT} (* {DEADLY} *)"))]
    with closing(ChildCalls(children)) as asked, ThreadPoolExecutor(9) as pool:
        futures = [pool.submit(asked.call, pair) for pair in pairs]
        graded = [each.result().reward for each in futures[:8]]
        with pytest.raises(WorkerLost, match="double: three processes died"):
            futures[8].result()
        lost = asked.lost

    assert None not in graded
    assert 3 == lost


def test_one_that_has_done_enough_makes_room() -> None:
    """Another takes its place, which is no loss."""
    children = Children(Setup(grader=mortal, threads=1), 1, given_up, batch=1, max_requests=3)
    with closing(ChildCalls(children)) as asked:
        seen = set()
        for pair in numbered(4):
            asked.call(pair)
            seen |= {each.process.pid for each in children._children}
        lost = asked.lost

    assert 2 == len(seen)
    assert 0 == lost


def test_where_none_starts_each_asker_is_told() -> None:
    """It says why, each time anew: what was amiss may be over."""
    children = Children(Setup(grader=toolless, threads=1), 2, given_up, batch=1)
    with closing(ChildCalls(children)) as asked:
        for _ in range(2):
            with pytest.raises(MachineError, match="no compiler here"):
                asked.call(numbered(1)[0])


def test_who_waits_when_it_is_closed_is_told() -> None:
    """Nobody waits for ever, and no child is left."""
    children = Children(Setup(grader=mortal, threads=1), 1, given_up, batch=1)
    asked = ChildCalls(children)
    loop = Completion(text="let double n = while true do () done; n")
    told: list[Exception] = []

    def wait() -> None:
        with pytest.raises(MachineError, match="closed") as raised:
            asked.call((PROBLEM, loop))
        told.append(raised.value)

    waiting = threading.Thread(target=wait)
    waiting.start()
    while not asked.alive:
        pass
    asked.close()
    waiting.join()
    with pytest.raises(MachineError, match="closed"):
        asked.call((PROBLEM, loop))

    assert 1 == len(told)
    assert 0 == asked.alive
