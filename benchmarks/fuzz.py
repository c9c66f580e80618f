"""Whether any text can make grading raise, fault or hang: thousands of generated ones.

Printed are the verdicts, the rate and the slowest items.  The exit status is 1 if any
text got a fault, or took longer than its budget allows.

    python -m benchmarks.fuzz --texts 20000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from heapq import nlargest

from tests.generated.comparing import CANDIDATE, engine_named, graded
from tests.generated.samples import KINDS, samples

# Compiling thrice and the tests' wall time: more than that is a hang.
LIMIT_S = 90.0


def main() -> None:
    """Grade the texts and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default=CANDIDATE)
    parser.add_argument("--texts", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    engine = engine_named(options.engine)
    chosen = samples(options.texts, options.seed, tuple(options.kinds))
    verdicts: Counter[str] = Counter()
    times: list[tuple[float, str, str]] = []
    wrong = 0
    started = time.perf_counter()
    for each, text, breakdown in graded(engine, chosen, jobs=options.jobs):
        if breakdown is None or breakdown.fault is not None:
            print(f"{each.name}: {breakdown.fault if breakdown else text}", flush=True)
            wrong += 1
            continue
        verdicts[breakdown.verdict] += 1
        seconds = breakdown.timings_ms["total"] / 1e3
        times.append((seconds, each.name, breakdown.verdict))
    spent = time.perf_counter() - started
    engine.close()
    for verdict, count in verdicts.most_common():
        print(f"{verdict:16} {count:6}  {count / options.texts:6.1%}")
    for seconds, name, verdict in nlargest(5, times):
        print(f"{seconds:7.2f} s  {name}  {verdict}")
        wrong += seconds > LIMIT_S
    rate = options.texts / spent
    print(f"{options.texts} texts in {spent:.0f} s, {rate:.1f} a second, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
