"""What regions cost: batches graded without and with them, side by side.

With regions code that does not type or parse is run through holes, and each record says where
its code is right or wrong.  Each round has new code, so that nothing is remembered; printed is
the processor time of a batch, of this process and all below it, and the ratio of the medians.

With `--tasks` also whether they are true: programs of three functions with mistakes (those of
experiments/learn) are graded, then each function alone, and its mark is held against that.

    python -m benchmarks.regions --rounds 7 --tasks 200
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from itertools import count
from random import Random

from experiments.learn.tasks import NAMES, completion_with_mistakes, problems
from ocaml_reward import Completion, Grader, Mark, Problem, Verdict
from ocaml_reward.engine.engines.select import ENGINES, engine
from ocaml_reward.model import Outcome

from .group import processor_s, renewed
from .stock import Pair
from .warm import quick_and_light

_NUMBERS = count(1)
_WORST_FIRST = (Mark.WRONG, Mark.RIGHT, Mark.UNKNOWN)
_NEVER_RUN = (Verdict.TYPE_ERROR, Verdict.INTERFACE_ERROR, Verdict.SYNTAX_ERROR)


def spent_s(grader: Grader, batch: list[Pair]) -> float:
    """Return the processor time that a batch takes."""
    before = processor_s()
    list(grader.grade_many(batch))
    return processor_s() - before


def compared(name: str, graders: tuple[Grader, Grader], batch: list[Pair], rounds: int) -> None:
    """Grade a batch in both ways, in turns, and print what it takes in each."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        for way, grader in enumerate(graders):
            seconds = spent_s(grader, renewed(batch, next(_NUMBERS)))
            # The first round loads what all need.
            if number:
                taken[way].append(seconds)
    plain, located = (statistics.median(each) for each in taken)
    ms = 1e3 / len(batch)
    print(
        f"{name}: {len(batch)} completions, {plain * ms:.2f} ms each without,"
        f" {located * ms:.2f} ms with: {located / plain:.2f} times",
        flush=True,
    )


def truth(grader: Grader, count: int) -> None:
    """Print how functions that are right or wrong by themselves are marked, by the verdict of
    their program.
    """
    rng = Random(3)  # noqa: S311
    tasks, _ = problems(1, training=count, held_out=1)
    texts = [completion_with_mistakes(task, rng, share=0.6) for task in tasks]
    pairs = [(task.problem, Completion(text=text)) for task, text in zip(tasks, texts, strict=True)]
    marked: Counter[tuple[Verdict, str, str]] = Counter()
    for task, text, found in zip(tasks, texts, grader.grade_many(pairs), strict=True):
        for name, operation, line in zip(NAMES, task.operations, text.split("\n"), strict=False):
            tests = "\n".join(
                f"assert ({name} {x} {y} = {result});;" for x, y, result in operation.checks
            )
            alone = Problem(id=f"{name} {task.problem.id}", tests=tests)
            verdict = grader.grade(alone, Completion(text=line)).verdict
            start = found.code.find(line)
            marks = {
                region.mark
                for region in found.regions or ()
                if region.start < start + len(line) and start < region.stop
            }
            mark = min(marks, key=_WORST_FIRST.index, default=Mark.UNKNOWN)
            by_itself = "right" if verdict is Verdict.PASSED else "wrong"
            marked[found.verdict, by_itself, mark] += 1
    for (verdict, by_itself, mark), number in sorted(marked.items()):
        print(f"{verdict:14} {by_itself} by itself, marked {mark:8} {number:5}")


def main() -> None:
    """Print what was found through holes, and what batches cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tasks", type=int, default=0)
    parser.add_argument("--engine", default="warm", choices=ENGINES)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    chosen = engine(options.engine, options.sandbox)
    plain = Grader("seed", engine=chosen, jobs=options.jobs)
    located = Grader("seed", engine=chosen, jobs=options.jobs, regions=True)
    quick, _ = quick_and_light(chosen, options.jobs)
    never_ran: list[Pair] = []
    outcomes: Counter[Outcome] = Counter()
    ran = telling = 0
    for pair, found in zip(quick, located.grade_many(quick), strict=True):
        if found.verdict not in _NEVER_RUN:
            continue
        never_ran.append(pair)
        seen = [each.outcome for each in found.through_holes or ()]
        outcomes.update(seen)
        ran += bool(seen)
        telling += any(each is not Outcome.MET_HOLE for each in seen)
    print(
        f"of {len(never_ran)} completions that do not type or parse {ran} run through holes,"
        f" {telling} to the end of a check; checks: "
        + ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    )
    graders = (plain, located)
    compared("the corpus", graders, quick, options.rounds)
    compared("those that do not type or parse", graders, never_ran, options.rounds)
    if options.tasks:
        truth(located, options.tasks)
    chosen.close()


if __name__ == "__main__":
    main()
