"""Whether any nesting or long row of OCaml's grammar makes grading fail, at any size.

Each is graded by the engines named, and every fault and every difference of their verdicts is
printed.  A verdict that is the clock's in one engine only is no difference where both are near it.
The exit status is 1 if anything faults.

    python -m benchmarks.nesting --sizes 4000 8000 15000
    python -m benchmarks.nesting --sizes 60000 --engines warm --compile-cpu-s 20
"""

from __future__ import annotations

import argparse
import sys

from ocaml_reward import Breakdown, Completion, Grader, Problem
from tests.generated.comparing import engine_named
from tests.generated.nests import SHAPES, TESTS, program


def problem_of(compile_cpu_s: float | None) -> Problem:
    """Return the problem, with a budget of its own where one is given."""
    budget = () if compile_cpu_s is None else (("compile_cpu_s", compile_cpu_s),)
    return Problem(id="next", tests=TESTS, budget=budget)


def graded(grader: Grader, problem: Problem, names: list[str], size: int) -> list[Breakdown]:
    """Grade these shapes at one size."""
    texts = (program(name, size) for name in names)
    pairs = ((problem, Completion(text=text)) for text in texts)
    return list(grader.grade_many(pairs))


def main() -> None:
    """Grade everything and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[4000, 8000, 15000])
    parser.add_argument("--engines", nargs="+", default=["warm", "stock"])
    parser.add_argument("--shapes", nargs="+", default=list(SHAPES))
    parser.add_argument("--compile-cpu-s", type=float)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    problem = problem_of(options.compile_cpu_s)
    faults = differing = 0
    found: dict[str, list[Breakdown]] = {}
    for size in options.sizes:
        for name in options.engines:
            engine = engine_named(name)
            with Grader("concise", engine=engine, jobs=options.jobs, regions=True) as grader:
                found[name] = graded(grader, problem, options.shapes, size)
            engine.close()
        for shape, *each in zip(options.shapes, *found.values(), strict=True):
            verdicts = [breakdown.verdict.value for breakdown in each]
            took = [f"{breakdown.timings_ms['total'] / 1e3:.2f} s" for breakdown in each]
            faulty = [breakdown.fault for breakdown in each if breakdown.fault]
            faults += len(faulty)
            differing += len(set(verdicts)) > 1
            if faulty or len(set(verdicts)) > 1:
                print(size, shape, *verdicts, *took, *faulty, flush=True)
    programs = len(options.shapes) * len(options.sizes)
    print(f"{programs} programs: {faults} faults, {differing} differences")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
