"""Runs code that does not type or parse, with holes where it does not, in every engine alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..model import Branches, CheckReport, CheckResult, Part, Stage, ThroughHoles
from . import CheckRequest
from .execute import Program, run_checks, run_stdio
from .hole_watch import HoleWatch
from .outputs import Judging
from .outside import GradeAgain, Judge

# Code that never ran, and that holes may let run.
_STAGES = (Stage.TYPE_ERROR, Stage.INTERFACE_ERROR, Stage.SYNTAX_ERROR)


@dataclass(frozen=True, kw_only=True, slots=True)
class Holed:
    """What code with holes is: whether there is a program that `runs`, the key of its types,
    what it consists of, whether the tests' checks have a state together, and of code that does
    not parse the `errors` in what is left of it, in bytes; where its `branches` lie that say when
    they are entered.
    """

    runs: bool
    types: str
    parts: tuple[Part, ...] | None
    shared: bool
    errors: tuple[tuple[int, int], ...] = ()
    branches: tuple[tuple[int, int], ...] = ()


def is_wanted(request: CheckRequest, report: CheckReport) -> bool:
    """Tell whether a report's code is to run with holes.  A program that is judged by what it
    prints has to parse.
    """
    stages = _STAGES[:2] if request.tests.stdio else _STAGES
    return request.holes and report.stage in stages and not report.forbidden


def without_broken(code: str, unparsed: Sequence[tuple[int, int]]) -> str:
    """Put blanks in the place of the items that do not parse, as the engine does (ocaml/ast/item_split.ml)."""
    text = bytearray(code.encode("utf-8", "replace"))
    for start, stop in unparsed:
        text[start:stop] = bytes(
            each if each == ord("\n") else ord(" ") for each in text[start:stop]
        )
    return text.decode("utf-8", "replace")


def run_holed(
    program: Program,
    request: CheckRequest,
    report: CheckReport,
    holed: Holed,
    judge: Judge | None,
    *,
    output_judge: Judging,
) -> CheckReport:
    """Run a program with holes against the request's tests.

    Args:
        program: The program, linked.
        request: What is asked for.
        report: What is known of the code without holes.
        holed: What is known of it with them.
        judge: Decides its checks; None where they are decided beside it.
        output_judge: Runs a problem's own judge.

    Returns:
        The report, with what the checks came to unless nobody can judge that.
    """
    if not holed.runs:
        return _with_parts(report, holed, ())
    keeps = any(part.keeps for part in holed.parts or ())
    watch = HoleWatch(shared=holed.shared or keeps)
    try:
        if request.tests.stdio:
            ran = run_stdio(program, request, watch, judge=output_judge)
        elif judge is None:
            ran = run_checks(program, request, holes=watch)
        else:
            ran = run_checks(program, request, judge, judge.finish, watch)
    except GradeAgain:
        # What its answers are compared with takes types that it does not have.
        return _with_parts(report, holed, ())
    if ran.cut:
        return replace(report, cut=True)
    entered = watch.entered(len(ran.results))
    found = _with_parts(report, holed, ran.results, halted=ran.halted)
    if not holed.branches or found.through_holes is None:
        return found
    told = Branches(spans=holed.branches, entered=entered)
    return replace(found, through_holes=replace(found.through_holes, branches=told))


def _with_parts(
    report: CheckReport,
    holed: Holed,
    results: tuple[CheckResult, ...],
    *,
    halted: bool = False,
) -> CheckReport:
    """Add what is known through holes, if that is anything."""
    if report.stage is Stage.SYNTAX_ERROR:
        through = ThroughHoles(
            results=results, parts=holed.parts, errors=holed.errors, halted=halted
        )
    elif results:
        through = ThroughHoles(results=results, halted=halted)
    else:
        return report
    return replace(report, through_holes=through)
