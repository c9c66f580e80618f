"""J that is predicted from half of an exercise's mutants, beside plain OCaml's on the other half; and
what --fix does to both.

The file is that of `benchmarks.real_suites`: exercises of other people, with mutants of which plain
OCaml says whether they pass.  A mutant that passes counts where some call tells it from the
reference; of the others nobody knows whether they are wrong.  With few mutants an exercise's J is
known badly, so that sets of ten are compared too.

    python -m benchmarks.certify exercises.jsonl
    python -m benchmarks.certify exercises.jsonl --fix
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ocaml_reward import Completion, Grader, Problem, ProblemError
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.parallel import jobs_for
from ocaml_reward.engine.engines.select import engine
from problem_sets.certifying import Examiner, fixed

from .real_suites import answers

_SET = 10
_SPLITS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """An exercise: whether each mutant is known to be wrong, passes here, passes plain OCaml."""

    name: str
    right: tuple[int, int]
    reference: bool
    mutants: tuple[tuple[bool, bool, bool], ...]
    fixed: tuple[int, ...] = ()
    lost: tuple[str, ...] = ()
    checks: int = 0


def look(running: Engine, row: dict[str, Any], *, fix: bool) -> Seen | None:
    """Examine one exercise."""
    written = row["problem"]
    problem = Problem(
        id=written["id"],
        prompt=written["prompt"],
        tests=written["tests"],
        reference=written["reference"],
        libraries=tuple(written.get("libraries", ())),
    )
    mutants = [(code, truth["pass"]) for what, code, truth in answers(row) if what != "reference"]
    examiner = Examiner(running)
    found = examiner.examine(problem, wrong=[code for code, _ in mutants], empty=False, search=fix)
    if found.skipped or not found.right:
        return None
    seen = [
        (not plain or bool(one.tells), one.passes, plain)
        for (_, plain), one in zip(mutants, found.given, strict=True)
    ]
    count = sum(one.passes for one in found.right), len(found.right)
    base = Seen(name=problem.id, right=count, reference=found.right[0].passes, mutants=tuple(seen))
    if not fix:
        return base
    mended, _ = fixed(found)
    grader = Grader("concise", engine=running, jobs=1)

    def passes(code: str) -> bool:
        return grader.grade(mended.problem, Completion(text=code)).verdict == "passed"

    after = tuple(n for n, (code, _) in enumerate(mutants) if passes(code))
    lost = ["reference"] if base.reference and not passes(problem.reference or "") else []
    for n, (wrong, here, _) in enumerate(seen):
        if not wrong and here and n not in after:
            lost.append(f"mutant {n}")
    return Seen(
        name=base.name,
        right=base.right,
        reference=base.reference,
        mutants=base.mutants,
        fixed=after,
        lost=tuple(lost),
        checks=len(mended.checks),
    )


def halves(found: list[Seen], seed: int) -> list[tuple[float, float]]:
    """Return predicted and real J of each exercise."""
    random = Random(seed)  # noqa: S311 (no secret)
    pairs = []
    for each in found:
        known = [one for one in each.mutants if one[0]]
        random.shuffle(known)
        half = len(known) // 2
        if not half:
            continue
        share = sum(here for _, here, _ in known[:half]) / half
        plain = sum(plain for _, _, plain in known[half:]) / (len(known) - half)
        pairs.append((each.right[0] / each.right[1] - share, 1 - plain))
    return pairs


def compared(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the correlation and the mean error."""
    one, two = zip(*pairs, strict=True)
    error = statistics.fmean(abs(a - b) for a, b in pairs)
    return statistics.correlation(one, two), error


def in_sets(pairs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the means of sets of ten."""
    sets = [pairs[start : start + _SET] for start in range(0, len(pairs), _SET)]
    return [
        (statistics.fmean(a for a, _ in each), statistics.fmean(b for _, b in each))
        for each in sets
        if len(each) == _SET
    ]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.file.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["truth"]["pass"] and options.only in row["problem"]["id"]]
    running = engine("warm")

    def one(row: dict[str, Any]) -> Seen | None:
        start = time.monotonic()
        try:
            found = look(running, row, fix=options.fix)
        except ProblemError as error:
            print(f"refused: {error}")
            return None
        took = time.monotonic() - start
        print(f"{row['problem']['id']}: {took:.0f} s", file=sys.stderr, flush=True)
        return found

    with ThreadPoolExecutor(jobs_for(2)) as threads:
        found = [each for each in threads.map(one, rows) if each is not None]
    running.close()
    wrong = [each.name for each in found if not each.reference]
    print(f"{len(rows)} exercises with a right reference, {len(found)} examined")
    print(f"right references called wrong: {len(wrong)} {wrong}")
    lost = [f"{each.name} {each.right}" for each in found if each.right[0] < each.right[1]]
    print(f"exercises in which a rewrite fails: {lost}")
    mutants = [one for each in found for one in each.mutants]
    agree = sum(here == plain for _, here, plain in mutants)
    unknown = sum(not known for known, _, _ in mutants)
    print(f"mutants: {len(mutants)}, judged as by plain OCaml {agree}, not told apart {unknown}")
    for name, made in (("exercises", lambda pairs: pairs), ("sets of ten", in_sets)):
        figures = [compared(made(halves(found, seed))) for seed in range(_SPLITS)]
        correlation, error = (statistics.fmean(column) for column in zip(*figures, strict=True))
        print(f"{name}: correlation {correlation:.3f}, mean error {error:.3f}, {_SPLITS} splits")
    before = sum(known and here for known, here, _ in mutants)
    print(f"wrong mutants that pass: {before}")
    if options.fix:
        after = sum(each.mutants[n][0] for each in found for n in each.fixed)
        print(f"after --fix: {after}, with {sum(each.checks for each in found)} checks added")
        print("lost:", [f"{each.name}: {each.lost}" for each in found if each.lost])


if __name__ == "__main__":
    main()
