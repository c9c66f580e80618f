"""Completions graded in child processes are graded as in one, whatever becomes of these."""

from __future__ import annotations

import json
import os
import pickle
import random
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward import Breakdown, Completion, Grader, MachineError, Problem, ProblemError
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.processes import Children, Setup
from ocaml_reward.processes.child_handle import Child
from ocaml_reward.scheme import load
from ocaml_reward.scoring.rewards import ungraded
from ocaml_reward.shared import SharedGrader, processes_for

from .graders import DEADLY, mortal, stillborn, toolless

ROOT = Path(__file__).parents[2]
PROBLEM = Problem(id="double", tests="let () = assert (double 2 = 4); assert (double 0 = 0)")
BROKEN = Problem(id="broken", tests="let () = assert (")
RIGHT = "let double n = 2 * n"
Pair = tuple[Problem, Completion]


def numbered(count: int) -> list[Pair]:
    """Make completions that are all different, right and wrong ones."""
    texts = (RIGHT, "let double n = n", "let double n = n ^ n", "no code")
    return [
        (PROBLEM, Completion(text=f"{texts[number % 4]}\n(* {number} *)"))
        for number in range(count)
    ]


def plain(breakdowns: Iterator[Breakdown] | list[Breakdown]) -> list[Breakdown]:
    """Leave out what time they took."""
    return [replace(each, timings_ms={}) for each in breakdowns]


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedGrader]:
    """Make a grader with three children."""
    running = engine("warm")
    with SharedGrader(
        load("seed"), engine=running, name="warm", sandbox="auto", processes=3, jobs=6
    ) as grader:
        yield grader


def children_of(grader: SharedGrader) -> list[Child]:
    """Return the children that are there at the moment."""
    return list(grader._children._children)


def given_up(problem: Problem, why: str) -> Breakdown:
    """Say that there is no reward, with the reason where the code stands."""
    from ocaml_reward.model import Fault  # noqa: PLC0415

    return ungraded(problem.id, Fault(kind="x", message=why), load("seed"), None)


def test_children_say_what_one_process_says(shared: SharedGrader) -> None:
    """Equal breakdowns in the same order."""
    pairs = numbered(200)
    with Grader("seed", engine=engine("warm")) as alone:
        expected = plain(alone.grade_many(pairs))

    assert expected == plain(shared.grade_many(pairs))
    assert 3 == len(children_of(shared))


def test_a_child_that_is_killed_loses_nothing(shared: SharedGrader) -> None:
    """Others do its work again, and take its place."""
    pairs = numbered(400)
    expected = plain(shared.grade_many(pairs))
    chance, found = random.Random(7), []
    for place, breakdown in enumerate(shared.grade_many(pairs)):
        found.append(breakdown)
        if place % 100 == 50:
            os.kill(chance.choice(children_of(shared)).process.pid, signal.SIGKILL)

    assert expected == plain(found)
    assert {None} == {each.fault for each in found}


def test_a_completion_that_kills_is_given_up_and_no_other() -> None:
    """Three processes die of it, and what was with it in the first is graded."""
    pairs = numbered(40)
    pairs[17] = (PROBLEM, Completion(text=f"{RIGHT} (* {DEADLY} *)"))
    children = Children(Setup(grader=mortal, threads=2), 2, given_up)
    with closing(children):
        found = list(children.grade_many(pairs))

    assert [17] == [place for place, each in enumerate(found) if each.fault]
    assert found[17].reward is None
    assert found[17].fault is not None
    assert "three processes died" in found[17].fault.message


@pytest.mark.parametrize(
    ("make", "message"),
    [(toolless, "no compiler here"), (stillborn, "died before they could begin")],
)
def test_a_machine_on_which_none_starts_is_an_error(
    make: Callable[[], Grader], message: str
) -> None:
    """One line, and neither a zero nor a wait for ever."""
    children = Children(Setup(grader=make, threads=2), 2, given_up)
    with closing(children), pytest.raises(MachineError, match=message):
        list(children.grade_many(numbered(40)))


def test_a_problem_that_cannot_be_graded_raises_at_its_place(
    shared: SharedGrader,
) -> None:
    """What was before it comes out; the grader can be used again."""
    pairs = numbered(20)
    found: list[Breakdown] = []
    with pytest.raises(ProblemError, match="broken"):
        found.extend(shared.grade_many([*pairs, (BROKEN, pairs[0][1]), *pairs]))

    assert 4 == len(plain(shared.grade_many(pairs[:4])))


def test_who_stops_in_the_middle_leaves_nothing(shared: SharedGrader) -> None:
    """What nobody wants any more is not graded to its end."""
    graded = shared.grade_many(numbered(300))
    next(graded)
    processes = [child.process for child in children_of(shared)]
    graded.close()

    assert processes
    assert [] == [each for each in processes if each.poll() is None]


KILLED = """
import sys
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.scheme import load
from ocaml_reward.shared import SharedGrader
from tests.processes.test_sharing import numbered
grader = SharedGrader(load("seed"), engine=engine("warm"), name="warm", sandbox="auto",
                      processes=2, jobs=4)
for place, _ in enumerate(grader.grade_many(numbered(100000))):
    if place == 100:
        print(*(child.process.pid for child in grader._children._children), flush=True)
"""


def test_children_go_with_a_parent_that_is_killed() -> None:
    """Nothing but the end of their sockets tells them."""
    parent = subprocess.Popen(
        [sys.executable, "-c", KILLED], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    parent.kill()
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline, "a child outlived its parent"
        time.sleep(0.05)

    assert 2 == len(pids)


def test_the_command_grades_in_several_processes(tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": f"{place}", "completion": pair[1].text, "tests": PROBLEM.tests})
        for place, pair in enumerate(numbered(60))
    ]
    source = tmp_path / "completions.jsonl"
    source.write_text("\n".join(lines))
    for count in ("1", "2"):
        command = [
            "score",
            str(source),
            "-o",
            str(tmp_path / count),
            "--processes",
            count,
        ]
        subprocess.run(
            [sys.executable, "-m", "cli", *command],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
    one, two = (
        [
            {key: value for key, value in json.loads(line).items() if key != "timings_ms"}
            for line in (tmp_path / count).read_text().splitlines()
        ]
        for count in ("1", "2")
    )

    assert 60 == len(one)
    assert one == two


@pytest.mark.parametrize(("processors", "count"), [(1, 1), (4, 1), (5, 2), (32, 8)])
def test_there_are_as_many_as_python_needs(processors: int, count: int) -> None:
    """One process for four processors."""
    assert count == processes_for(processors)


def test_a_child_that_answers_what_it_was_not_asked_is_replaced() -> None:
    """Its work is done again by another, and nothing that it said stands for an answer."""
    setup = Setup(grader=mortal, threads=2)
    children = Children(setup, 1, lambda _, why: why)
    # More than are asked for ahead, so that the child still owes some.
    pairs = numbered(150)
    with closing(children), closing(children.grade_many(pairs)) as results:
        found = [next(results)]
        (child,) = children._children
        stray = pickle.dumps(({}, [(10_000, found[0])]))
        child.data += struct.pack("<I", len(stray)) + stray
        found += results
    with Grader("seed", engine=engine("warm"), jobs=2) as alone:
        expected = plain([alone.grade(*pair) for pair in pairs])

    assert expected == plain(found)
    assert {"stray answer": 1} == children.replaced
