"""Whether any program can make the compiler's failure ours: thousands of hostile ones.

Every program is graded by the warm engine, and each fault is printed with its program.
`--both` has the stock engine grade it, too, and compares whole records; `--orders` grades
all again in other orders, after other predecessors.  The exit status is 1 if anything
faults or differs.

    python -m benchmarks.hostile --programs 50000 --seed 1
    python -m benchmarks.hostile --programs 3000 --both
    python -m benchmarks.hostile --programs 2000 --orders 3
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

from ocaml_reward.engine import Engine
from tests.generated.comparing import difference, engine_named, graded
from tests.generated.hostile import hostiles
from tests.generated.samples import Sample

# How many programs are graded before the other engine, or order, has its turn.
TURN = 200


def turns(chosen: Iterator[Sample]) -> Iterator[list[Sample]]:
    """Cut a stream into turns."""
    while turn := list(islice(chosen, TURN)):
        yield turn


class Tally:
    """What became of all the programs."""

    def __init__(self, jobs: int) -> None:
        """Start with nothing."""
        self.jobs = jobs
        self.verdicts: Counter[str] = Counter()
        self.faults = self.differing = 0

    def records(self, engine: Engine, turn: list[Sample]) -> dict[str, str]:
        """Grade a turn; faults are counted and printed."""
        found: dict[str, str] = {}
        for each, text, breakdown in graded(engine, turn, jobs=self.jobs):
            found[each.name] = text
            if breakdown is None or breakdown.fault is not None:
                self.faults += 1
                print(f"== {each.name}: fault\n{text}-- code\n{each.completion.text}")
            else:
                self.verdicts[breakdown.verdict] += 1
        return found

    def compare(self, turn: list[Sample], ours: dict[str, str], theirs: dict[str, str]) -> None:
        """Print what differs."""
        for each in turn:
            if shown := difference(each, ours[each.name], theirs[each.name]):
                self.differing += 1
                print(shown, flush=True)


def main() -> None:
    """Grade everything and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--both", action="store_true", help="the stock engine, too")
    parser.add_argument("--orders", type=int, default=0)
    options = parser.parse_args()
    warm = engine_named("warm")
    stock = engine_named("stock") if options.both else None
    tally, rng = Tally(options.jobs), Random(options.seed)  # noqa: S311
    started = time.perf_counter()
    for turn in turns(hostiles(options.programs, options.seed)):
        first = tally.records(warm, turn)
        if stock is not None:
            tally.compare(turn, tally.records(stock, turn), first)
        for _ in range(options.orders):
            order = rng.sample(turn, len(turn))
            tally.compare(turn, first, tally.records(warm, order))
    spent = time.perf_counter() - started
    for engine in filter(None, (warm, stock)):
        engine.close()
    for verdict, count in tally.verdicts.most_common():
        print(f"{verdict:16} {count:6}")
    print(
        f"{options.programs} programs in {spent:.0f} s: "
        f"{tally.faults} faults, {tally.differing} differences"
    )
    sys.exit(1 if tally.faults or tally.differing else 0)


if __name__ == "__main__":
    main()
