"""
What regions cost: batches graded without and with them, side by side.

With regions code that does not type or parse is run through holes, and each record says where
its code is right or wrong.  Each round has new code, so that nothing is remembered; printed is
the processor time of a batch, of this process and all below it, and the ratio of the medians.

    python -m benchmarks.regions --rounds 7
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from itertools import count

from ocaml_reward import Grader, Verdict
from ocaml_reward.engine.select import ENGINES, engine
from ocaml_reward.model import Outcome

from .group import processor_s, renewed
from .stock import Pair
from .warm import quick_and_light

_NUMBERS = count(1)
_NEVER_RUN = (Verdict.TYPE_ERROR, Verdict.INTERFACE_ERROR, Verdict.SYNTAX_ERROR)


def spent_s(grader: Grader, batch: list[Pair]) -> float:
    """
    Return the processor time that a batch takes.
    """
    before = processor_s()
    list(grader.grade_many(batch))
    return processor_s() - before


def compared(
    name: str, graders: tuple[Grader, Grader], batch: list[Pair], rounds: int
) -> None:
    """
    Grade a batch in both ways, in turns, and print what it takes in each.
    """
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


def main() -> None:
    """
    Print what was found through holes, and what batches cost.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
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
    chosen.close()


if __name__ == "__main__":
    main()
