"""What Python spends on one completion, the engine apart.

The corpus is graded once with a real engine, whose reports are kept; every stage is then
timed in CPU time over all its completions, with those reports in the engine's place.
Printed are each stage's median and mean over the completions, and the completions per
second of the whole path with an engine that answers at once.

    python -m benchmarks.python_share --reports /tmp/reports.pickle
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from cli.score.output import FileOutput
from cli.score.records import record_line
from cli.score.run import Run
from cli.score.summary import Summary
from cli.terminal.progress import Screen
from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import PreparedTests
from ocaml_reward.formats import (
    CompletionLine,
    Item,
    Joining,
    load_problems,
    read_completions,
)
from ocaml_reward.model import CheckReport
from ocaml_reward.penalties.degenerate import evidence_of_degeneracy
from ocaml_reward.reading.extraction import Extraction, extract
from ocaml_reward.scheme import RewardScheme, load
from ocaml_reward.scoring import Score, score

from .replay import Recorded, Replay, record

CORPUS = Path(__file__).parent.parent / "test_corpus"
COMPLETIONS = CORPUS / "completions.jsonl"

Thing = TypeVar("Thing")


class Row(NamedTuple):
    """One completion and what the stages make of it."""

    item: Item
    tests: PreparedTests
    extraction: Extraction
    report: CheckReport | None


def items() -> list[Item]:
    """Read the corpus, each completion with its problem."""
    problems = load_problems(CORPUS / "problems.jsonl").problems
    counts: dict[str, int] = {}
    found: list[Item] = []
    for line in read_completions(COMPLETIONS):
        if isinstance(line, CompletionLine):
            index = counts[line.problem_id] = counts.get(line.problem_id, -1) + 1
            problem = problems[line.problem_id]
            found.append(Item(line=line, problem=problem, index=index))
    return found


def pairs(work: Iterable[Item]) -> Iterable[tuple[Problem, Completion]]:
    """Yield what the grader takes."""
    return ((item.problem, item.line.completion) for item in work)


def timed(things: Sequence[Thing], stage: Callable[[Thing], object], rounds: int) -> list[float]:
    """Return the least CPU time that each thing took in so many rounds, in microseconds."""
    least = [float("inf")] * len(things)
    for _ in range(rounds):
        for place, thing in enumerate(things):
            started = time.thread_time_ns()
            stage(thing)
            took = (time.thread_time_ns() - started) / 1e3
            least[place] = min(least[place], took)
    return least


def extracted(item: Item, engine: Replay, scheme: RewardScheme) -> Row:
    """Find a completion's code, and the report of it."""
    tests = engine.prepared[item.problem]
    extraction = extract(
        item.line.completion.text,
        uses=tests.uses,
        prompt=item.problem.prompt,
        end_marker=scheme.end_marker,
    )
    report = engine.reports.get((tests.payload, extraction.code))
    return Row(item, tests, extraction, report)


def scored(row: Row, scheme: RewardScheme) -> Score:
    """Score a completion from its report."""
    completion, total = row.item.line.completion, len(row.tests.checks)
    return score(row.report, row.extraction, completion, total, scheme)


def stages(work: Sequence[Item], engine: Replay, rounds: int) -> None:
    """Time each stage and print the table."""
    scheme = load("seed")
    rows = [extracted(item, engine, scheme) for item in work]

    def graded() -> list[float]:
        # A grader of its own each round, as equal code is checked once.
        grader = Grader(scheme, engine=engine, jobs=1)
        for problem in {item.problem: None for item in work}:
            grader.prepare(problem)
        return timed(work, lambda x: grader.grade(x.problem, x.line.completion), 1)

    grader = Grader(scheme, engine=engine, jobs=1)
    results = [(x, grader.grade(x.problem, x.line.completion)) for x in work]
    lines = [record_line(*each, name_file=False) for each in results]
    with tempfile.TemporaryDirectory() as folder:
        output = FileOutput(Path(folder, "out"), resume=False, overwrite=True)
        table = {
            "read": [each / len(work) for each in timed([COMPLETIONS], read, rounds)],
            "grade": list(map(min, *(graded() for _ in range(rounds + 1)))),
            "  extract": timed(work, lambda x: extracted(x, engine, scheme), rounds),
            "  score": timed(rows, lambda row: scored(row, scheme), rounds),
            "    degenerate": timed(
                rows,
                lambda x: evidence_of_degeneracy(
                    x.report, x.extraction, scheme.penalties.degenerate
                ),
                rounds,
            ),
            "encode": timed(results, lambda x: record_line(*x, name_file=False), rounds),
            "write": timed(lines, output.put, rounds),
        }
        output.close()
    print(f"CPU of {len(work)} completions, least of {rounds} rounds, in us")
    print(f"{'':16} {'median':>8} {'mean':>8} {'most':>8}")
    for name, took in table.items():
        middle, mean = statistics.median(took), statistics.fmean(took)
        print(f"{name:16} {middle:8.1f} {mean:8.1f} {max(took):8.0f}")


def read(path: Path) -> int:
    """Read all completions of a file."""
    return sum(1 for _ in read_completions(path))


def throughput(recorded: Recorded, seconds: float, jobs: int, rounds: int) -> None:
    """Print how many completions a second `ocaml-reward score` does with such an engine."""
    scheme, engine = load("seed"), Replay(recorded, seconds)
    rates: list[float] = []
    cpu: list[float] = []
    for _ in range(rounds):
        summary = Summary(scheme)
        with tempfile.TemporaryDirectory() as folder:
            output = FileOutput(Path(folder, "out"), resume=False, overwrite=True)
            started, used = time.perf_counter(), time.process_time()
            with Grader(scheme, engine=engine, jobs=jobs) as grader:
                screen = Screen(total=None)
                run = Run(
                    grader=grader,
                    engine=engine,
                    scheme=scheme,
                    output=output,
                    screen=screen,
                    summary=summary,
                )
                joining = Joining(
                    source=COMPLETIONS,
                    problems=load_problems(CORPUS / "problems.jsonl"),
                    report=print,
                    note=print,
                    check=run.admit,
                )
                run.go(joining, limit=None, name_file=False)
            rates.append(summary.total / (time.perf_counter() - started))
            cpu.append((time.process_time() - used) / summary.total * 1e6)
            output.close()
    rate, each = statistics.median(rates), statistics.median(cpu)
    print(
        f"engine of {seconds * 1e3:.1f} ms, {jobs} workers:"
        f" {rate:6.0f} completions/s, {each:4.0f} us CPU each"
    )


def main() -> None:
    """Record, then time stages and the whole path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=Path, help="keep the engine's reports here")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    work = items()
    recorded = record(list(pairs(work)), options.reports)
    stages(work, Replay(recorded), options.rounds)
    for seconds in (0, 0.0012):
        throughput(recorded, seconds, options.jobs, options.rounds)


if __name__ == "__main__":
    main()
