"""Whether two engines say the same of many programs: the corpus, and generated ones.

Each record is compared whole, but for the engine's name, the jail's and the time.  What
differs is printed with its program; the exit status is 1 if anything does.

    python -m benchmarks.differential --programs 5000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from ocaml_reward.engine import Engine
from tests.generated.comparing import (
    CANDIDATE,
    REFERENCE,
    difference,
    engine_named,
    graded,
)
from tests.generated.samples import KINDS, Sample, corpus, samples

# How many samples one engine grades before the other has its turn.
TURN = 100


def turns(chosen: Iterator[Sample]) -> Iterator[list[Sample]]:
    """Cut a stream into turns."""
    while turn := list(islice(chosen, TURN)):
        yield turn


def main() -> None:
    """Grade everything with both engines and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", nargs=2, default=[REFERENCE, CANDIDATE])
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--corpus", action="store_true", help="the corpus too")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    engines: list[Engine] = [engine_named(name) for name in options.engines]
    seconds = [0.0, 0.0]
    verdicts: Counter[str] = Counter()
    differing = total = 0

    def all_samples() -> Iterator[Sample]:
        yield from corpus() if options.corpus else ()
        yield from samples(options.programs, options.seed, tuple(options.kinds))

    for turn in turns(all_samples()):
        texts: list[dict[str, str]] = []
        for number, engine in enumerate(engines):
            started = time.perf_counter()
            answers = list(graded(engine, turn, jobs=options.jobs))
            seconds[number] += time.perf_counter() - started
            texts.append({each.name: text for each, text, _ in answers})
            if number == 0:
                verdicts.update(b.verdict if b else "unusable" for _, _, b in answers)
        for each in turn:
            shown = difference(each, texts[0][each.name], texts[1][each.name])
            differing += bool(shown)
            total += 1
            if shown:
                print(shown, flush=True)
    for engine in engines:
        engine.close()
    print(", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()))
    for name, spent in zip(options.engines, seconds, strict=True):
        print(f"{name}: {total / spent:.1f} a second")
    print(f"{total - differing} of {total} equal")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
