"""
Whether a group of ill-typed programs for one problem still earns different credits.

The file is JSON Lines: `bad` (and `fix`, its repaired version) or `code`, with `problem`
and, where it is known, `typechecks`.  First: the counts of the fixed and of the ill-typed
versions.  Then groups of 8 different ill-typed programs for one problem are drawn and
credited for their types in three ways: by ocamlc's own first error, by the number of
errors, and by the typed fraction too.  A group ties wholly when all of it earns the same.
Penalties, which are no matter of types, are left out: they only break ties.

    python -m benchmarks.ties pairs.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ocaml_reward import Breakdown, Completion, Grader, Problem, StdioCase
from ocaml_reward.engine import (
    BUDGET,
    Budget,
    CheckReport,
    CheckRequest,
    Engine,
    PreparedTests,
    select,
)
from ocaml_reward.model import DiagnosticKind
from ocaml_reward.scheme import load

Row = dict[str, Any]

# A program judged by what it prints: its type errors are its own.
TESTS = (StdioCase(stdin="", stdout=""),)
GROUP = 8


class Version(NamedTuple):
    """
    A program, the problem it is for, and whether it is said to type.
    """

    problem: str
    code: str
    types: bool


class FirstError:
    """
    An engine that stops where ocamlc does: no program has more than one error.
    """

    def __init__(self, engine: Engine) -> None:
        """
        Wrap an engine.
        """
        self.engine = engine

        self.name, self.sandbox = engine.name, engine.sandbox
        self.toolchain = engine.toolchain

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """
        Prepare as the engine does.
        """
        return self.engine.prepare(problem, budget)

    def check(self, request: CheckRequest) -> CheckReport:
        """
        Check as the engine does, and forget the count.
        """
        report = self.engine.check(request)
        if not report.type_errors:
            return report
        return replace(report, type_errors=1, typed_fraction=None)

    def close(self) -> None:
        """
        Leave the engine to whoever made it.
        """


def versions(path: Path) -> Iterator[Version]:
    """
    Yield the programs of a file, each once.
    """
    seen = set()
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if "bad" in row:
            found = [(row["bad"], False), (row["fix"], True)]
        else:
            found = [(row["code"], row["typechecks"])]
        for code, types in found:
            version = Version(row["problem"], code, types)
            if version not in seen:
                seen.add(version)
                yield version


def graded(
    engine: Engine, chosen: list[Version], jobs: int, *overrides: str
) -> list[Breakdown]:
    """
    Grade every program under the scheme "seed" with overrides.
    """
    scheme = load("seed", overrides)
    grader = Grader(scheme, engine=engine, jobs=jobs)
    pairs = (
        (Problem(id=v.problem, tests=TESTS), Completion(text=v.code)) for v in chosen
    )
    return list(grader.grade_many(pairs))


def what_ocamlc_said(breakdown: Breakdown) -> str:
    """
    Return the first error in a line.
    """
    errors = (d for d in breakdown.diagnostics if d.kind is DiagnosticKind.ERROR)
    return next((" ".join(d.message.split())[:120] for d in errors), "no error")


def show_counts(chosen: list[Version], found: list[Breakdown]) -> None:
    """
    Print how many errors the two kinds of versions have, and each surprise.
    """
    for types, name in ((True, "said to type"), (False, "ill-typed")):
        mine = [
            (version, breakdown)
            for version, breakdown in zip(chosen, found, strict=True)
            if version.types is types
        ]
        broken = [b for _, b in mine if b.verdict == "syntax_error"]
        counts = Counter(b.type_errors for _, b in mine)
        stuck = counts.pop(None, 0) - len(broken)
        print(
            f"{name}: {len(mine)} programs; {len(broken)} do not parse,"
            f" {stuck} of the others have no count"
        )
        for count, programs in sorted(counts.items()):
            print(f"  {count:3} errors: {programs} ({programs / len(mine):.1%})")
        for version, breakdown in mine:
            if breakdown in broken and not types:
                continue
            if breakdown.type_errors is None or types is (breakdown.type_errors > 0):
                said = what_ocamlc_said(breakdown)
                print(f"  {version.problem}: {breakdown.verdict}: {said}")


def groups(problems: dict[str, list[int]], number: int) -> Iterator[list[int]]:
    """
    Draw as many groups for each problem that has enough programs.
    """
    random = Random(1)  # noqa: S311
    for members in problems.values():
        if len(members) >= GROUP:
            for _ in range(number):
                yield random.sample(members, GROUP)


def show_ties(
    ways: dict[str, list[float]], problems: dict[str, list[int]], number: int
) -> None:
    """
    Print how often credits are equal, in groups and in pairs.
    """
    drawn = list(groups(problems, number))
    pairs = [pair for members in problems.values() for pair in combinations(members, 2)]
    enough = sum(len(members) >= GROUP for members in problems.values())
    print(
        f"{len(drawn)} groups of {GROUP} for {enough} problems, {len(pairs)} pairs for"
        f" {len(problems)}"
    )
    for way, earned in ways.items():
        whole = sum(len({earned[i] for i in group}) == 1 for group in drawn)
        alike = sum(earned[i] == earned[j] for i, j in pairs)
        print(
            f"  {way:15} {whole / max(1, len(drawn)):6.1%} of groups tie wholly,"
            f" {alike / max(1, len(pairs)):6.1%} of pairs"
        )


def main() -> None:
    """
    Grade a file in the three ways and print counts and ties.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--engine", default="auto", choices=["auto", "stock", "warm"])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--groups", type=int, default=1000, help="for each problem")
    options = parser.parse_args()
    engine = select.engine(options.engine)
    chosen = list(versions(options.rows))
    counted = graded(engine, chosen, options.jobs)
    fractions = graded(engine, chosen, options.jobs, "type.input=typed_fraction")
    firsts = graded(FirstError(engine), chosen, options.jobs)
    engine.close()
    show_counts(chosen, counted)
    problems = defaultdict(list)
    for number, breakdown in enumerate(counted):
        if breakdown.verdict == "type_error":
            problems[chosen[number].problem].append(number)
    ways = {"first error": firsts, "count": counted, "typed fraction": fractions}
    earned = {way: [b.credits.type for b in found] for way, found in ways.items()}
    show_ties(earned, problems, options.groups)


if __name__ == "__main__":
    main()
