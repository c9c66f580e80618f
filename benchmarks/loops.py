"""Completions that loop, beside the bare compiler that has none of them.

A call has 64 completions of the corpus' light problems, of which so many are replaced by ones that
loop in each of seven checks.  The bare side compiles and runs the others alone, without a sandbox
(see `benchmarks.warm`).  Printed are the median times of both and their ratio, and the processor
time of one completion that loops.

    python -m benchmarks.loops --jobs 2 --loops 16 --rounds 7
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import count
from typing import Final

from ocaml_reward import Grader
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.select import engine

from .group import CHECKS, bad, group_of, processor_s, renewed
from .stock import Pair, rate
from .warm import quick_and_light

LOOPS: Final = {
    "while": "let f n = while true do () done; n",
    "last call": "let rec go n = go (n + 1)\nlet f n = go n",
    "exponential": "let rec go n = if n < 2 then n else go (n - 1) + go (n - 2)\nlet f n = go 90",
}
_NUMBERS = count(1)


def call(chosen: Engine, group: list[Pair], jobs: int) -> tuple[float, float]:
    """Grade a group as a trainer does; return its wall and its processor seconds."""
    grader = Grader("seed", engine=chosen, jobs=jobs)
    for problem in {problem.id: problem for problem, _ in group}.values():
        grader.prepare(problem)
    before, started = processor_s(), time.perf_counter()
    list(grader.grade_many(group))
    return time.perf_counter() - started, processor_s() - before


def main() -> None:
    """Time both sides in turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--loops", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    chosen = engine("warm")
    _, light = quick_and_light(chosen, options.jobs)
    whole = group_of(light, 8, 8)
    others = whole[options.loops :]
    for name, code in LOOPS.items():
        ours, theirs, cpu = [], [], []
        for _ in range(options.rounds):
            number = next(_NUMBERS)
            theirs.append(len(others) / rate(renewed(others, number), options.jobs))
            group = bad(code, options.loops, number) + renewed(others, number)
            ours.append(call(chosen, group, options.jobs)[0])
            alone = bad(code, 1, number + 1_000_000)
            cpu.append(call(chosen, alone, 1)[1])
        bare, wall = statistics.median(theirs), statistics.median(ours)
        print(
            f"{name:12} {options.loops} of {len(whole)}: {wall:5.2f} s, the bare compiler for the"
            f" others {bare:5.2f} s, ratio {wall / bare:4.2f}; one that loops in each of"
            f" {len(CHECKS.tests.splitlines())} checks {statistics.median(cpu):.3f} processor s",
            flush=True,
        )
    chosen.close()


if __name__ == "__main__":
    main()
