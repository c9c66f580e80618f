"""Whether a record depends on anything but the completion: on load, workers, jail or engine.

Graded are copies of one program that differ in a comment, the corpus and, if a file of them is
given, other people's exercises with their wrong versions (see `benchmarks.real_suites`): first with
the warm engine, one worker and a quiet machine, then in every other setting.  Records are compared
whole, but for the times, the engine's name and the jail's.  What differs is printed, and the exit
status is 1 if anything does.  (`benchmarks.differential --kinds stepping` has generated programs.)

    python -m benchmarks.same_everywhere exercises.jsonl --load 12
    python -m benchmarks.same_everywhere --settings warm/nsjail:16:12 stock/nsjail:4:0 --every 5
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from ocaml_reward import Completion
from ocaml_reward.formats.problems import problem_from_row
from tests.engine.busy import busy
from tests.generated.comparing import difference, engine_named, graded
from tests.generated.samples import Sample, corpus

from .real_suites import answers
from .warm import told_apart

COPIED: Final = "factorise-loops-below-two"
"""A case of the corpus of which the time decided what it earned."""
FIRST: Final = "warm/nsjail:1:0"
SETTINGS: Final = (
    *("warm/nsjail:4:0", "warm/nsjail:16:0", "warm/nsjail:1:LOAD", "warm/nsjail:4:LOAD"),
    *("warm/nsjail:16:LOAD", "warm/bubblewrap:4:LOAD", "stock/nsjail:4:0", "stock/nsjail:16:LOAD"),
    "stock/bubblewrap:4:LOAD",
)


def copies(count: int) -> Iterator[Sample]:
    """Yield copies of one program that differ in a comment."""
    (original,) = (each for each in corpus() if each.name == COPIED)
    for number in range(count):
        text = told_apart(original.completion.text, number)
        yield Sample(
            name=f"copy {number}", problem=original.problem, completion=Completion(text=text)
        )


def exercises(path: str) -> Iterator[Sample]:
    """Yield every answer to every exercise of a file, with the reference known and without."""
    with Path(path).open(encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for row in rows:
        without = {key: each for key, each in row["problem"].items() if key != "reference"}
        for problem, how in ((row["problem"], "with"), (without, "without")):
            for what, code, _ in answers(row):
                yield Sample(
                    name=f"{problem['id']}, {how} its reference: {what}",
                    problem=problem_from_row(problem),
                    completion=Completion(text=code),
                )


def records(setting: str, chosen: Iterable[Sample]) -> dict[str, str]:
    """Grade in a setting: an engine and its jail, the workers, and the load beside."""
    name, jobs, load = setting.split(":")
    engine = engine_named(name)
    try:
        with busy(int(load)):
            return {each.name: text for each, text, _ in graded(engine, chosen, jobs=int(jobs))}
    finally:
        engine.close()


def main() -> None:
    """Grade everything in every setting and print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("exercises", nargs="?")
    parser.add_argument("--copies", type=int, default=60)
    parser.add_argument("--load", type=int, default=12)
    parser.add_argument("--every", type=int, default=1, help="only every so many of them")
    parser.add_argument(
        "--settings", nargs="*", default=SETTINGS, metavar="ENGINE/JAIL:WORKERS:LOAD"
    )
    options = parser.parse_args()
    chosen = [*copies(options.copies), *corpus()]
    chosen += exercises(options.exercises) if options.exercises else ()
    chosen = chosen[:: options.every]
    differing = 0
    first: dict[str, str] = {}
    for setting in (FIRST, *options.settings):
        started = time.perf_counter()
        found = records(setting.replace("LOAD", str(options.load)), chosen)
        first = first or found
        shown = [difference(each, first[each.name], found[each.name]) for each in chosen]
        differing += sum(map(bool, shown))
        print(*filter(None, shown), sep="\n", end="\n" if any(shown) else "")
        rewards = Counter(
            line for name, text in found.items() if name.startswith("copy ")
            for line in text.splitlines() if line.startswith("reward:")
        )  # fmt: skip
        spent = time.perf_counter() - started
        print(
            f"{setting:24} {len(chosen)} records, {sum(map(bool, shown))} differ;"
            f" of the copies {dict(rewards)}; {spent:.0f} s",
            flush=True,
        )
    sys.exit(differing > 0)


if __name__ == "__main__":
    main()
