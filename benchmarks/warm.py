"""The warm engine, sandboxed, against the naive pipeline, unsandboxed, and against its limit.

Naive is what a careless reward does: `ocamlc -c` on the code, `ocamlc -o` on code and
tests joined as text, then the program; no jail, no limits, no result per check.  Both
sides have the same programs and the same number of workers, in alternating rounds, and
warm pays for the whole path: lines of JSON in, lines of JSON out, each problem's tests
prepared beforehand.  A program that runs into a limit measures its budget and is left
out, on both sides.  Programs whose tests compute for long measure the bytecode
interpreter instead of the engine: there is a second table without them.

    python -m benchmarks.warm --jobs 4 --rounds 7
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import time
from collections.abc import Sequence

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.record import breakdown_to_dict, dumps

from .stock import SLOW, Pair, pairs, rate

# A problem is heavy when its reference computes for longer than this.
HEAVY_MS = 20.0
# How often the warm side has the programs in each round.
TIMES = 8


def whole_path(lines: Sequence[str], problems: dict[str, Problem], grader: Grader) -> int:
    """Read, grade and write every line; return how many bytes that made."""
    out = io.StringIO()
    rows = (json.loads(line) for line in lines)
    work = ((problems[row["id"]], Completion(text=row["text"])) for row in rows)
    for breakdown in grader.grade_many(work):
        out.write(dumps(breakdown_to_dict(breakdown)) + "\n")
    return out.tell()


def told_apart(text: str, number: int) -> str:
    """Put a comment into a completion's code, as equal code is graded once: behind a fence it
    would be no part of that.
    """
    fence = text.rfind("\n```")
    end = len(text) if fence < 0 else fence
    return f"{text[:end]}\n(* {number} *)\n{text[end:].removeprefix(chr(10))}"


def warm_rate(work: list[Pair], jobs: int, engine: WarmEngine) -> float:
    """Completions per second of a fresh grader, problems prepared beforehand."""
    grader = Grader("seed", engine=engine, jobs=jobs)
    problems = {problem.id: problem for problem, _ in work}
    for problem in problems.values():
        grader.prepare(problem)
    # Several times over, no two alike, as nothing else would last for a second.
    lines = [
        json.dumps({"id": problem.id, "text": told_apart(completion.text, number)})
        for number in range(TIMES)
        for problem, completion in work
    ]
    started = time.perf_counter()
    whole_path(lines, problems, grader)
    return len(lines) / (time.perf_counter() - started)


def quick_and_light(engine: WarmEngine, jobs: int) -> tuple[list[Pair], list[Pair]]:
    """Return the corpus without programs that meet a limit, and without heavy problems."""
    everything = list(dict.fromkeys(pairs()))
    grader = Grader("seed", engine=engine, jobs=jobs)
    seen = list(grader.grade_many(everything))
    quick = [p for p, b in zip(everything, seen, strict=True) if b.verdict not in SLOW]
    heavy: set[str] = set()
    for problem, _ in quick:
        answer = grader.grade(problem, Completion(text=f"{problem.reference}"))
        if answer.timings_ms.get("run", 0.0) > HEAVY_MS:
            heavy.add(problem.id)
    return quick, [pair for pair in quick if pair[0].id not in heavy]


def main() -> None:
    """Run the rounds and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    engine = WarmEngine(options.sandbox)
    quick, light = quick_and_light(engine, options.jobs)
    for name, work in (("without heavy problems", light), ("all", quick)):
        print(f"{name}: {len(work)} programs, {options.jobs} workers, {engine.sandbox}")
        ratios, ours, theirs = [], [], []
        for number in range(1, options.rounds + 1):
            # A slow machine is as slow for both: short turns, one after the other.
            naive = rate(work[number % 2 :: 2], options.jobs)
            warm = warm_rate(work, options.jobs, engine)
            theirs.append(naive)
            ours.append(warm)
            ratios.append(warm / naive)
            print(
                f"  round {number}: naive {naive:6.1f}/s  warm {warm:7.1f}/s"
                f"  ratio {warm / naive:5.2f}",
                flush=True,
            )
        print(
            f"  median:  naive {statistics.median(theirs):6.1f}/s"
            f"  warm {statistics.median(ours):7.1f}/s"
            f"  ratio {statistics.median(ratios):5.2f}"
        )
    engine.close()


if __name__ == "__main__":
    main()
