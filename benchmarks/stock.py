"""Throughput of the stock engine against the bare compiler, side by side in one run.

The bare side does what a careless reward does: `ocamlc -c` on the code, `ocamlc -o` on
code and tests joined as text, then it runs the result; no sandbox, no limits but a
timeout, no per-check results.  Both sides take the same programs with the same number
of workers, in alternating rounds.  Printed are each round's rates and their ratio, the
medians, and where one completion's time goes in the stock engine.

    python benchmarks/stock.py --jobs 2 --programs 60 --rounds 5
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ocaml_reward import Breakdown, Completion, Grader, Problem
from ocaml_reward.engine.engines.stock import StockEngine
from ocaml_reward.formats import CompletionLine, load_problems, read_completions
from ocaml_reward.reading.extraction import extract

CORPUS = Path(__file__).parent.parent / "test_corpus"
SLOW = {"timed_out", "out_of_memory", "output_limit", "compiler_limit"}

Pair = tuple[Problem, Completion]


def pairs() -> list[Pair]:
    """Read the corpus' completions, without problems that need more than plain ocamlc."""
    problems = load_problems(CORPUS / "problems.jsonl").problems
    found: list[Pair] = []
    for line in read_completions(CORPUS / "completions.jsonl"):
        if not isinstance(line, CompletionLine):
            continue
        problem = problems[line.problem_id]
        plain = isinstance(problem.tests, str) and "OUnit2" not in problem.tests
        if plain and not problem.libraries:
            found.append((problem, line.completion))
    return found


def bare(code: str, tests: str) -> None:
    """Compile twice and run, as a reward without a sandbox does."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.ml").write_text(code, encoding="utf-8", errors="replace")
        joined = f"{code}\n;;\n{tests}"
        Path(folder, "b.ml").write_text(joined, encoding="utf-8", errors="replace")
        for command in (
            ["ocamlc", "-w", "-a", "-c", "a.ml"],
            ["ocamlc", "-w", "-a", "-o", "b", "b.ml"],
            ["./b"],
        ):
            done = subprocess.run(command, cwd=folder, capture_output=True, timeout=30, check=False)
            if done.returncode != 0:
                return


def rate(work: list[Pair], jobs: int) -> float:
    """Completions per second of the bare pipeline."""
    codes = [
        (extract(c.text, prompt=p.prompt, end_marker="(* END *)").code, str(p.tests))
        for p, c in work
    ]
    started = time.perf_counter()
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda one: bare(*one), codes))
    return len(work) / (time.perf_counter() - started)


def graded(work: list[Pair], jobs: int, engine: StockEngine) -> tuple[float, list[Breakdown]]:
    """Completions per second of a fresh grader, problems prepared beforehand."""
    grader = Grader("seed", engine=engine, jobs=jobs)
    for problem, _ in work:
        grader.prepare(problem)
    started = time.perf_counter()
    results = list(grader.grade_many(work))
    return len(work) / (time.perf_counter() - started), results


def main() -> None:
    """Run the rounds and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--programs", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    engine = StockEngine(options.sandbox)
    everything = pairs()
    # A looping program measures its budget, not the engine: those are left out.
    _, seen = graded(everything[: 2 * options.programs], options.jobs, engine)
    quick = [pair for pair, b in zip(everything, seen, strict=False) if b.verdict not in SLOW]
    work = list(dict.fromkeys(quick))[: options.programs]
    print(f"{len(work)} programs, {options.jobs} workers, jail {engine.sandbox}")
    ratios, ours, theirs, last = [], [], [], seen
    for number in range(1, options.rounds + 1):
        a = rate(work, options.jobs)
        b, last = graded(work, options.jobs, engine)
        ours.append(b)
        theirs.append(a)
        ratios.append(b / a)
        print(f"round {number}: bare {a:6.1f}/s  stock {b:6.1f}/s  ratio {b / a:.2f}")
    print(
        f"median:  bare {statistics.median(theirs):6.1f}/s"
        f"  stock {statistics.median(ours):6.1f}/s  ratio {statistics.median(ratios):.2f}"
    )
    for stage in ("compile", "run", "total"):
        times = [b.timings_ms[stage] for b in last if stage in b.timings_ms]
        print(f"  {stage:8} median {statistics.median(times):6.1f} ms a completion")


if __name__ == "__main__":
    main()
