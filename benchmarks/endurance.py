"""Many completions on one grader: does it slow down, grow, or leave anything behind?

The corpus without the programs that measure a budget is graded over and over, each time
with another comment at its end, so that nothing is taken from memory.  With `--loops 3` three of
a hundred loop in every check, with `--bombs 1` one overflows the compiler's stack.  With
`--against-stock` each is held against what the stock engine makes of the same code.  Printed for each tenth: completions per second, the resident
memory of this process, and the largest of any process of the engine.  At the end: a digest
of all rewards, verdicts and outcomes, equal for equal runs, and processes, temporary files
and descriptors that are left.

    python -m benchmarks.endurance --completions 100000 --jobs 4 --loops 3 --runs 2
    python -m benchmarks.endurance --completions 20000 --jobs 4 --loops 3 --bombs 1 --against-stock
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, cycle, islice, tee
from pathlib import Path

from ocaml_reward import Breakdown, Completion, Grader, Problem
from ocaml_reward.engine.engines.stock import StockEngine
from ocaml_reward.engine.engines.warm import WarmEngine

from .group import BAD, CHECKS
from .stock import Pair
from .warm import quick_and_light, told_apart


def varied(work: list[Pair]) -> Iterator[tuple[Problem, Completion]]:
    """Yield the work for ever, no two alike."""
    for number in count():
        for problem, completion in work:
            yield problem, Completion(text=told_apart(completion.text, number))


_F = "\nlet f n = n\n"
_BOMBS = (
    "let a = [|" + "1;" * 299_999 + "1|]" + _F,
    "let a = " + "".join(f"let x{n} = 1 in " for n in range(60_000)) + "1" + _F,
    "let a = " + "1::" * 25_000 + "[]" + _F,
    "let a = " + "1+" * 25_000 + "1" + _F,
)


def mixed(work: Iterator[Pair], texts: Sequence[str], percent: int) -> Iterator[Pair]:
    """Put other texts among the work, evenly: so many of a hundred."""
    turns = cycle(texts)
    for number in count():
        if (number + 1) * percent // 100 > number * percent // 100:
            yield CHECKS, Completion(text=f"{next(turns)}\n(* {number} *)\n")
        else:
            yield next(work)


class Against:
    """What the stock engine makes of each text, asked once for all that differ in a comment."""

    def __init__(self, sandbox: str) -> None:
        """Make its engine."""
        self._grader = Grader("seed", engine=StockEngine(sandbox), jobs=1)
        self._found: dict[tuple[str, str], bytes] = {}

    def differs(self, pair: Pair, breakdown: Breakdown) -> bool:
        """Tell whether another reward, verdict or outcome came of it."""
        problem, completion = pair
        plain = re.sub(r"\n\(\* \d+ \*\)\n", "\n", completion.text)
        key = (problem.id, plain)
        if key not in self._found:
            self._found[key] = said(self._grader.grade(problem, completion))
        return said(breakdown) != self._found[key]


def said(breakdown: Breakdown) -> bytes:
    """Return what two runs must agree on."""
    outcomes = [each.outcome.value for each in breakdown.tests.results]
    return repr((breakdown.reward, breakdown.verdict.value, outcomes)).encode()


def resident_mb(process: int | str) -> float:
    """Return a process' resident memory; 0 for one that has ended."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def descendants() -> list[int]:
    """Return the processes that this one has started, and theirs."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                text = (folder / "stat").read_text("utf-8", "replace")
            except OSError:
                continue
            parents[int(folder.name)] = int(text.rpartition(")")[2].split()[1])
    found, level = [], [os.getpid()]
    while level:
        level = [child for child, parent in parents.items() if parent in level]
        found += level
    return found


def temporary() -> set[str]:
    """Return what lies in the folder for temporary files, and in shared memory."""
    folders = (tempfile.gettempdir(), "/dev/shm")  # noqa: S108
    return {str(path) for folder in folders for path in Path(folder).iterdir()}


def descriptors() -> int:
    """Count this process' open descriptors."""
    return len(list(Path("/proc/self/fd").iterdir()))


def graded(light: list[Pair], options: argparse.Namespace) -> None:
    """Grade in tenths with an engine of its own, then close it and look for what is left."""
    # What marks the caches as in use stays open as long as this process lives.
    files_before, open_before = temporary(), descriptors()
    engine = WarmEngine(options.sandbox)
    grader = Grader("seed", engine=engine, jobs=options.jobs)
    work = mixed(varied(light), [BAD["loops"]], options.loops)
    asked, held = tee(mixed(work, _BOMBS, options.bombs))
    against = Against(options.sandbox) if options.against_stock else None
    results = grader.grade_many(asked)
    differing = 0
    verdicts: Counter[str] = Counter()
    digest = hashlib.sha256()
    tenth = options.completions // 10
    for number in range(1, 11):
        started = time.perf_counter()
        for each in islice(results, tenth):
            verdicts[each.verdict.value] += 1
            digest.update(said(each))
            pair = next(held)
            if against and against.differs(pair, each):
                differing += 1
                print(f"  differs: {pair[0].id}: {said(each)!r}: {pair[1].text[:200]!r}")
        rate = tenth / (time.perf_counter() - started)
        largest = max(map(resident_mb, descendants()))
        print(
            f"  {number * tenth:7}: {rate:6.1f}/s  this process"
            f" {resident_mb('self'):6.1f} MB  largest of the engine {largest:6.1f} MB",
            flush=True,
        )
    results.close()
    engine.close()
    print(f"  rewards, verdicts, outcomes: {digest.hexdigest()[:16]}")
    if against:
        print(f"  other than with the stock engine: {differing}")
    print(f"  replaced: {dict(engine.replaced) or 'none'}")
    print(f"  faults: {verdicts['ungraded']} of {verdicts.total()}")
    print(f"  processes left: {len(descendants())}")
    print(f"  descriptors left: {descriptors() - open_before}")
    print(f"  files left: {sorted(temporary() - files_before) or 'none'}")


def main() -> None:
    """Choose the work once, as that is decided by how long it takes, and grade it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--completions", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--loops", type=int, default=0, help="per cent of all")
    parser.add_argument("--bombs", type=int, default=0, help="per cent of all")
    parser.add_argument("--against-stock", action="store_true")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--sandbox", default="auto")
    options = parser.parse_args()
    first = WarmEngine(options.sandbox)
    _, light = quick_and_light(first, options.jobs)
    first.close()
    for _ in range(options.runs):
        graded(light, options)


if __name__ == "__main__":
    main()
