"""As many problems as completions: what preparing each problem's tests costs, start-up included.

The corpus' problems are told apart by a check more in each, and are graded with one right
completion each: by the naive pipeline (benchmarks/warm.py), by a fresh engine that has never
seen them, and by the next one, which finds on disk what that has prepared.

    python -m benchmarks.many_problems --problems 600 --rounds 3
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import tempfile
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.engine.prepare.prepared_cache import PreparedCache
from ocaml_reward.formats.problems import load_problems

from .stock import Pair, rate
from .warm import HEAVY_MS

CORPUS = Path(__file__).parents[1] / "test_corpus" / "problems.jsonl"


def light() -> list[Problem]:
    """Return the corpus' problems with tests in OCaml, a reference, and little to compute."""
    with Grader("seed", engine=WarmEngine()) as grader:
        return [
            problem
            for problem in load_problems(CORPUS).problems.values()
            if isinstance(problem.tests, str)
            and grader.grade(problem, Completion(text=f"{problem.reference}"))
            .timings_ms.get("run", 0.0) < HEAVY_MS
        ]  # fmt: skip


def variations(count: int, seed: int) -> list[Pair]:
    """Return so many problems, each with its reference as a completion; no two are alike."""
    problems = itertools.islice(itertools.cycle(light()), count)
    return [
        (
            replace(
                problem,
                id=f"{problem.id}-{number}",
                tests=f"{problem.tests}\nlet () = assert ({seed} + {number} > 0)\n",
            ),
            Completion(text=f"{problem.reference}\n(* {seed}.{number} *)\n"),
        )
        for number, problem in enumerate(problems, start=1)
    ]


def seconds(work: list[Pair], jobs: int, cache: PreparedCache | None) -> float:
    """Start an engine, grade everything and close it."""
    started = time.perf_counter()
    with closing(WarmEngine(cache=cache)) as engine:
        grader = Grader("seed", engine=engine, jobs=jobs)
        for breakdown in grader.grade_many(work):
            if breakdown.tests.passed != breakdown.tests.total:
                raise AssertionError(breakdown.problem_id)
    return time.perf_counter() - started


def main() -> None:
    """Run the rounds and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ratios: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, options.rounds + 1):
            work = variations(options.problems, number * 1_000_000)
            seconds(work[:8], options.jobs, None)
            cache = PreparedCache("warm", root=Path(folder) / str(number))
            naive = rate(work, options.jobs)
            first = len(work) / seconds(work, options.jobs, cache)
            again = len(work) / seconds(work, options.jobs, cache)
            ratios.append((first / naive, again / naive))
            print(
                f"round {number}: naive {naive:6.1f}/s  first run {first:6.1f}/s"
                f" ({first / naive:4.1f})  next run {again:6.1f}/s"
                f" ({again / naive:4.1f})",
                flush=True,
            )
    first, again = (statistics.median(each) for each in zip(*ratios, strict=True))
    print(f"median: first run {first:.1f} times naive, next run {again:.1f}")
    print(f"({len(os.sched_getaffinity(0))} processors, {options.jobs} workers)")


if __name__ == "__main__":
    main()
