"""Work that nobody waits for is ended in each engine, and harms nobody else's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.abandoning import Abandonable
from ocaml_reward.engine import Engine
from ocaml_reward.errors import Abandoned, MachineError
from ocaml_reward.model import Budget
from ocaml_reward.scheme import load
from ocaml_reward.shared_engine import SharedEngine

BUDGET = Budget(
    check_steps=10**12, most_steps=10**12, tests_steps=10**12,
    check_cpu_s=100, tests_cpu_s=100, tests_wall_s=800,
)  # fmt: skip
PROBLEM = Problem(id="p", tests="let () = assert (f 1 = 1)")
LOOP = "let rec f n = f (n + 1)"


def abandoned(grader: Grader, text: str) -> None:
    """Grade a completion that loops, in two threads; abandon both."""
    works = [Abandonable(), Abandonable()]
    raised: list[type[BaseException]] = []

    def graded(work: Abandonable) -> None:
        try:
            work.run(lambda: grader.grade(PROBLEM, Completion(text=text)))
        except MachineError as error:
            raised.append(type(error))

    grader.prepare(PROBLEM)
    threads = [threading.Thread(target=graded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    # One may wait for the other, as both ask the same; then it does the work itself.
    for work, thread in zip(works, threads, strict=True):
        thread.join(1.0)
        work.abandon()
    for thread in threads:
        thread.join(60)

    assert [Abandoned, Abandoned] == raised


def test_a_loop_ends(engine: Engine) -> None:
    """The thread gets Abandoned, and the next completion is graded as ever."""
    grader = Grader(replace(load("concise"), budget=BUDGET), engine=engine, jobs=2)
    abandoned(grader, LOOP)

    assert grader.grade(PROBLEM, Completion(text="let f n = n")).verdict == "passed"


def test_a_compiler_ends(engine: Engine) -> None:
    """Also where the types of the code grow without end."""
    types = "".join(f"let f{n + 1} x = f{n} (x, x)\n" for n in range(40))
    budget = replace(BUDGET, compile_cpu_s=100, compile_wall_s=200, memory_mb=4000)
    grader = Grader(replace(load("concise"), budget=budget), engine=engine, jobs=2)
    abandoned(grader, f"let f0 x = x\n{types}let f n = ignore (f40 n); n")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_child_ends_it(engines: Callable[[str], Engine], processes: int) -> None:
    engine = engines("warm")
    shared = SharedEngine(engine, name="warm", sandbox="auto", processes=processes, jobs=2)
    grader = Grader(replace(load("concise"), budget=BUDGET), engine=shared, jobs=2)
    abandoned(grader, LOOP)

    assert grader.grade(PROBLEM, Completion(text="let f n = n")).verdict == "passed"
