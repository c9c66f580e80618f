"""Tests whether the warm engine grades known programs right: `python -m …engine.engines.agreement`.

choice.py runs it for a version of OCaml that was not tried.  The programs are of the corpus.  Of each,
both engines must make the same report, and it must have what is recorded with other versions: the
engines share the helpers that read parse trees, so that both may read those of a new version wrong.

It prints the first difference and exits with 1, or prints nothing and exits with 0.  Another exit
status says that the machine failed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from itertools import zip_longest

from ...codec.typed import read_json, read_plain
from ...errors import ProblemError, ToolchainError
from ...model import CheckReport, CheckResult, Problem
from .. import BUDGET, CheckRequest, Engine, PreparedTests, allowance
from ..build.choice import IN_TEST
from ..build.helpers import engine_folder
from ..build.sources import KNOWN_PROGRAMS
from .stock import StockEngine
from .warm import WarmEngine

# A slow machine may have made the difference.
_ATTEMPTS = 2
# Between the parts of facts.
_AND = "; "


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownProgram:
    """A program, and the facts about it."""

    name: str
    code: str
    facts: str


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownProblem:
    """A problem with programs, and the facts about its tests."""

    problem: Problem
    facts: str
    programs: tuple[KnownProgram, ...]


def known_problems() -> Iterator[KnownProblem]:
    """Read the known programs."""
    for line in KNOWN_PROGRAMS.read_bytes().splitlines():
        yield read_plain(KnownProblem, read_json(line))


def facts(report: CheckReport) -> str:
    """Return what is the same of a report with all versions, in words."""
    found = [report.stage.value]
    if report.type_errors:
        found.append(f"{report.type_errors} type errors")
    found += [f"merged: {each.why.value}" for each in report.merged]
    found += report.forbidden
    if report.results:
        found.append(f"checks: {_outcomes(report.results)}")
    if report.through_holes and report.through_holes.results:
        found.append(f"with holes: {_outcomes(report.through_holes.results)}")
    if report.branches:
        entered = (len(each or ()) for each in report.branches.entered)
        found.append(f"branches: {' '.join(map(str, entered))}")
    if report.parts is not None:
        names = (" ".join(part.names) + "!" * part.stub for part in report.parts)
        found.append(f"parts: {' '.join(filter(None, names))}")
    return _AND.join(found)


def facts_of_tests(tests: PreparedTests) -> str:
    """Return what is the same of prepared tests with all versions, in words."""
    found = [f"{len(tests.checks)} checks", f"{len(tests.idle)} idle"]
    found.append(f"uses {' '.join(tests.uses)}")
    found += [f"{place} in process: {why}" for place, why in tests.in_process.items()]
    return _AND.join(found)


def _outcomes(results: tuple[CheckResult, ...]) -> str:
    return " ".join(each.outcome.value for each in results)


def difference(known: KnownProblem, warm: Engine, stock: Engine) -> str:
    """Return the first difference in a problem's programs, in one line; "" if there is none.

    Raises MachineError if the machine failed.
    """
    found = ""
    for _ in range(_ATTEMPTS):
        try:
            found = _difference(known, warm, stock)
        except ProblemError as error:
            found = f"the tests of {known.problem.id} were refused: {error}"
        if not found:
            break
    return found


def _difference(known: KnownProblem, warm: Engine, stock: Engine) -> str:
    problem = known.problem
    budget = allowance(problem, BUDGET)
    tests, theirs = warm.prepare(problem, budget), stock.prepare(problem, budget)
    if different := _differing(tests, theirs):
        return f"the engines differ in {different} of the tests of {problem.id}"
    if (now := facts_of_tests(tests)) != known.facts:
        return f"the tests of {problem.id} have {_unlike(now, known.facts)}"
    for program in known.programs:
        request = CheckRequest(
            code=program.code,
            tests=tests,
            libraries=problem.libraries,
            budget=allowance(problem, BUDGET, tests.costs),
            holes=True,
            branches=True,
        )
        report = warm.check(request)
        if different := _differing(report, stock.check(request)):
            return f"the engines differ in {different} of {program.name}"
        if (now := facts(report)) != program.facts:
            return f"{program.name} has {_unlike(now, program.facts)}"
    return ""


def _differing(ours: object, theirs: object) -> str:
    """Return the first field in which two values of a class differ; "" if they are equal."""
    if ours == theirs:
        return ""
    names = (each.name for each in fields(ours) if each.compare)  # type: ignore[arg-type]
    return next(name for name in names if getattr(ours, name) != getattr(theirs, name))


def _unlike(now: str, known: str) -> str:
    """Return the first part in which facts differ."""
    pairs = zip_longest(now.split(_AND), known.split(_AND), fillvalue="nothing")
    return next(f"{ours}, not {theirs}" for ours, theirs in pairs if ours != theirs)


def first_difference() -> str:
    """Build the warm engine, and compare; return the first difference, in one line.

    Raises MachineError if the machine failed.
    """
    IN_TEST.set()
    try:
        engine_folder()
    except ToolchainError as error:
        return str(error)
    warm, stock = WarmEngine(), StockEngine()
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        found = threads.map(lambda each: difference(each, warm, stock), known_problems())
        first = next(filter(None, found), "")
        threads.shutdown(cancel_futures=True)
    warm.close()
    stock.close()
    return first


if __name__ == "__main__":
    _found = first_difference()
    sys.stdout.write(_found)
    sys.exit(bool(_found))
