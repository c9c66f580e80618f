"""Runs code that does not type or parse, with holes in place of its invalid parts.

Every engine uses this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...model import Branches, CheckReport, CheckResult, Part, Stage, ThroughHoles
from .. import CheckRequest
from ..judge.outputs import Judging
from .check_results import ReachedHoles
from .execute import Program, run_checks, run_stdio
from .judging import GradeAgain, Judge

# Stages at which code with holes may still run.
_STAGES = (Stage.TYPE_ERROR, Stage.INTERFACE_ERROR, Stage.SYNTAX_ERROR)


@dataclass(frozen=True, kw_only=True, slots=True)
class PartialProgram:
    """A program with holes.

    * `runs`: it was linked.
    * `types`: the key of the types that it declares.
    * `parts`: the definitions and statements of the code.
    * `shared`: the tests' checks share state.
    * `errors`: byte ranges of the type errors in the parts that parse.
    * `branches`: byte ranges of the branches, if they are recorded.
    """

    runs: bool
    types: str
    parts: tuple[Part, ...] | None
    shared: bool
    errors: tuple[tuple[int, int], ...] = ()
    branches: tuple[tuple[int, int], ...] = ()


def partial_run_wanted(request: CheckRequest, report: CheckReport) -> bool:
    """Tell whether a report's code is to be run with holes.

    A program that is judged by its output, or not at all, has to parse.
    """
    whole = request.tests.stdio or request.tests.untested
    stages = _STAGES[:2] if whole else _STAGES
    return request.holes and report.stage in stages and not report.forbidden


def without_broken(code: str, unparsed: Sequence[tuple[int, int]]) -> str:
    """Return code with blanks in place of the items that do not parse (ocaml/ast/item_split.ml)."""
    text = bytearray(code.encode("utf-8", "replace"))
    for start, stop in unparsed:
        text[start:stop] = bytes(
            each if each == ord("\n") else ord(" ") for each in text[start:stop]
        )
    return text.decode("utf-8", "replace")


def run_partial(
    program: Program,
    request: CheckRequest,
    report: CheckReport,
    partial: PartialProgram,
    judge: Judge | None,
    *,
    output_judge: Judging,
) -> CheckReport:
    """Run a program with holes against the request's tests.

    Args:
        program: The program, linked.
        request: The request.
        report: The report on the code without holes.
        partial: The program's description.
        judge: Decides its checks; None if they are decided in the code's process.
        output_judge: Runs a problem's judge.

    Returns:
        The report, with the results of the checks if they can be judged.
    """
    if not partial.runs or request.tests.untested:
        return _with_parts(report, partial, ())
    keeps = any(part.keeps for part in partial.parts or ())
    watch = ReachedHoles(shared=partial.shared or keeps)
    try:
        if request.tests.stdio:
            ran = run_stdio(program, request, watch, judge=output_judge)
        elif judge is None:
            ran = run_checks(program, request, holes=watch)
        else:
            ran = run_checks(program, request, judge, judge.finish, watch)
    except GradeAgain:
        # The expected values need types that the code does not have.
        return _with_parts(report, partial, ())
    if ran.cut:
        return replace(report, cut=True)
    entered = watch.entered(len(ran.results))
    found = _with_parts(report, partial, ran.results, halted=ran.halted)
    if not partial.branches or found.through_holes is None:
        return found
    branches = Branches(spans=partial.branches, entered=entered)
    return replace(found, through_holes=replace(found.through_holes, branches=branches))


def _with_parts(
    report: CheckReport,
    partial: PartialProgram,
    results: tuple[CheckResult, ...],
    *,
    halted: bool = False,
) -> CheckReport:
    """Return the report with the results of the program with holes, if there are any."""
    if report.stage is Stage.SYNTAX_ERROR:
        through = ThroughHoles(
            results=results, parts=partial.parts, errors=partial.errors, halted=halted
        )
    elif results:
        through = ThroughHoles(results=results, halted=halted)
    else:
        return report
    return replace(report, through_holes=through)
