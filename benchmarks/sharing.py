"""
What a parent does for each completion that its children grade, and how much they keep busy.

The engine of each child only waits, and then says what a real one has found of the
completion before; all children together have so many that wait at a time, as many as the
processors that are simulated.  Printed are completions per second, the parent's CPU time for
each, and how many of the simulated processors were at work on average.

    python -m benchmarks.sharing --processors 32 --wait-ms 60
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.model import Breakdown, Fault
from ocaml_reward.processes import Children, Setup
from ocaml_reward.scheme import load
from ocaml_reward.scoring.breakdowns import ungraded
from ocaml_reward.shared import processes_for

from .replay import MARK, Recorded, Waiting, record, waiting
from .stock import Pair, pairs


def copies(work: list[Pair], count: int) -> list[Pair]:
    """
    Make so many completions of these, no two alike.
    """
    return [
        (problem, Completion(text=f"{completion.text}{MARK}{number} *)"))
        for number, (problem, completion) in zip(
            range(count), work * (count // len(work) + 1), strict=False
        )
    ]


def known(work: list[Pair], recorded: Recorded) -> list[Pair]:
    """
    Return those whose copies have the code that was checked, with a comment behind it, and
    so wait for the engine.
    """
    with closing(Waiting(recorded)) as engine:
        made = Grader("seed", engine=engine, jobs=1)
        found: list[Pair] = []
        for pair, copy in zip(work, copies(work, len(work)), strict=True):
            try:
                code = made.grade(*copy).code
            except KeyError:
                continue
            if MARK in code:
                found.append(pair)
    return found


def given_up(problem: Problem, why: str) -> Breakdown:
    """
    Say that a child died of a completion.
    """
    fault = Fault(kind="EngineFault", message=why)
    return ungraded(problem.id, fault, load("seed"), None)


def main() -> None:
    """
    Grade with children, and print the figures.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processors", type=int, default=32)
    parser.add_argument("--wait-ms", type=float, default=60.0)
    parser.add_argument("--completions", type=int, default=10_000)
    options = parser.parse_args()
    count, wait_s = processes_for(options.processors), options.wait_ms / 1000
    with tempfile.TemporaryDirectory() as folder:
        reports = Path(folder) / "reports.pickle"
        recorded = record(pairs(), reports)
        work = copies(known(pairs(), recorded), options.completions)
        threads = options.processors // count
        make = partial(waiting, reports, wait_s, threads)
        children = Children(Setup(grader=make, threads=threads), count, given_up)
        with closing(children):
            # The children load, and every problem is known.
            for _ in children.grade_many(work[: 4 * options.processors]):
                pass
            began, used = time.perf_counter(), time.process_time()
            graded = sum(each.reward is not None for each in children.grade_many(work))
            took = time.perf_counter() - began
            used = time.process_time() - used
    busy = graded * wait_s / took
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{graded} completions, {count} processes, {len(os.sched_getaffinity(0))} real"
        f" processors\n"
        f"{graded / took:.0f}/s, {used / graded * 1e3:.3f} ms of the parent's CPU time"
        f" each, {(theirs.ru_utime + theirs.ru_stime) / graded * 1e3:.2f} ms of the"
        " children's\n"
        f"{busy:.1f} of {options.processors} simulated processors at work"
    )


if __name__ == "__main__":
    main()
