"""
One call of a trainer: 8 completions for each of 8 problems, graded as one group.

Each call has new code, so that nothing is remembered from an earlier one.  The second
table has one program among the 64 that loops for ever in its first check: how long the
call takes then, and after how long the other 63 were there.

    python -m benchmarks.group --jobs 4 --calls 40
"""

from __future__ import annotations

import argparse
import statistics
import time
from itertools import islice

from ocaml_reward import Completion, Grader
from ocaml_reward.engine.select import ENGINES, engine

from .stock import Pair
from .warm import quick_and_light

LOOP = "let rec spin () = spin ()\nlet () = spin ()\n"


def group_of(light: list[Pair], problems: int, each: int) -> list[Pair]:
    """
    Return `each` completions of each of the first problems that have so many.
    """
    found: dict[str, list[Pair]] = {}
    for pair in light:
        found.setdefault(pair[0].id, []).append(pair)
    full = [pairs[:each] for pairs in found.values() if len(pairs) >= each]
    return [pair for pairs in islice(full, problems) for pair in pairs]


def renewed(group: list[Pair], number: int) -> list[Pair]:
    """
    Return the same group, with code that no earlier call had.
    """
    return [
        (
            problem,
            Completion(text=completion.text.replace("let ", f"let  (*{number}*)", 1)),
        )
        for problem, completion in group
    ]


def shown(name: str, seconds: list[float]) -> None:
    """
    Print the median, the 99th percentile and the worst.
    """
    ordered = sorted(s * 1e3 for s in seconds)
    p99 = ordered[min(len(ordered) - 1, round(len(ordered) * 0.99))]
    print(
        f"{name:32} median {statistics.median(ordered):7.1f} ms"
        f"  p99 {p99:7.1f} ms  worst {ordered[-1]:7.1f} ms"
    )


def main() -> None:
    """
    Time the calls.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--engine", default="warm", choices=ENGINES)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    chosen = engine(options.engine, options.sandbox)
    _, light = quick_and_light(chosen, options.jobs)
    group = group_of(light, 8, 8)
    print(f"{len(group)} completions a call, {options.jobs} workers, {chosen.sandbox}")
    with Grader("seed", engine=chosen, jobs=options.jobs) as grader:
        for problem, _ in group:
            grader.prepare(problem)
        list(grader.grade_many(renewed(group, 0)))
        plain, whole, others = [], [], []
        for number in range(1, options.calls + 1):
            started = time.perf_counter()
            list(grader.grade_many(renewed(group, number)))
            plain.append(time.perf_counter() - started)
        for number in range(options.calls + 1, options.calls + 1 + options.calls // 4):
            calls = renewed(group, number)
            code = f"let number = {number}\n{LOOP}{group[0][0].reference}"
            loop = (group[0][0], Completion(text=code))
            started = time.perf_counter()
            results = grader.grade_many([*calls[:-1], loop])
            list(islice(results, len(calls) - 1))
            others.append(time.perf_counter() - started)
            list(results)
            whole.append(time.perf_counter() - started)
    shown("a call", plain)
    shown("with a looping program", whole)
    shown("  the 63 others of it", others)


if __name__ == "__main__":
    main()
