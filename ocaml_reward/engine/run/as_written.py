"""Runs the tests as they were written: code passes only if they end as they should with it.

The checks divide the credit; what they do not judge, such as a statement behind the last one, is
judged by the program's end, as plain OCaml does.  The run is in the code's process, which may lie
about its end: it can only take a pass away.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from ...errors import ProblemError
from ...model import ENDS_OTHERWISE, Budget, Check, CheckReport, CheckResult, Outcome
from .. import CheckRequest, PreparedTests, Written
from ..messages.limits import RunLimits
from ..messages.protocol import Event
from ..messages.run_outcome import FinishedRun, RunOutcome, outcome_of_run, steps_of_run
from .check_results import LONGEST
from .measuring import costs_of

NOT_NEEDED = "other checks do not pass"
"""The detail if the run was not needed."""

_WHOLE = "the tests as they were written"
_ENDS = "only the end of the tests tells"
_REFUSED = "do not compile with it"
_WAYS = {
    Outcome.PASSED: "come to their end",
    Outcome.FAILED: "end with exit 2: an assertion fails",
    Outcome.RAISED: "end with exit 2",
    Outcome.STACK_OVERFLOW: "overflow the stack",
    Outcome.TIMED_OUT: "do not end in time",
    Outcome.OUT_OF_MEMORY: "use too much memory",
    Outcome.OUTPUT_LIMIT: "print too much",
    Outcome.CRASHED: "crash",
}
# CPU seconds of a trial: with wrong answers tests may loop, and they take no steps.
_TRIAL_S = 2.0
# Ends that are the same each time, and on every machine.
_STEADY = (Outcome.RAISED, Outcome.EXITED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ending:
    """How the tests ended, and the steps that they took."""

    outcome: RunOutcome
    steps: int = 0


def limits_as_written(checks: RunLimits, budget: Budget) -> RunLimits:
    """Return the limits of the run: those of all phases with checks together."""
    whole = min(checks.others_steps + sum(checks.checks_steps), round(budget.tests_steps))
    return replace(checks, all_steps=whole, others_steps=whole, checks_steps=())


def ending_of(run: FinishedRun, events: list[Event], budget: Budget, limits: RunLimits) -> Ending:
    """Return how a run of the tests as they were written ended."""
    steps = steps_of_run(events, limits)
    if events[-1].name == "done" and run.exit_code == 0:
        return Ending(outcome=RunOutcome(outcome=Outcome.PASSED), steps=steps)
    return Ending(outcome=outcome_of_run(run, events, budget), steps=steps)


def refused() -> Ending:
    """Return the ending of tests that do not compile as they were written."""
    return Ending(outcome=RunOutcome(outcome=Outcome.FAILED, detail=_REFUSED))


def _words(found: RunOutcome) -> str:
    """Return how tests ended in words, as plain OCaml would."""
    if found.outcome is Outcome.EXITED:
        return f"end with {found.detail}"
    if found.detail == _REFUSED:
        return _REFUSED
    why = found.detail if found.outcome in (Outcome.RAISED, Outcome.CRASHED) else ""
    return _WAYS[found.outcome] + (f": {why}" if why else "")


def _ends_well(ends: tuple[Outcome, str], found: RunOutcome) -> bool:
    """Tell whether tests ended as they should: as with the reference."""
    outcome, words = ends
    return found.outcome is outcome and (outcome is Outcome.PASSED or _words(found) == words)


def forgiven(
    tests: PreparedTests,
    results: Sequence[CheckResult],
    noted: Container[int],
    found: RunOutcome,
) -> tuple[CheckResult, ...]:
    """Return the results, in which checks that a handler of the tests has failed pass if the tests
    end well: they would not if that was a failure.
    """
    written = tests.written
    if written is None or not (written.tells and _ends_well(written.ends, found)):
        return tuple(results)
    return tuple(
        replace(each, outcome=Outcome.PASSED, detail="") if place in noted else each
        for place, each in enumerate(results)
    )


def with_last(
    tests: PreparedTests, results: Sequence[CheckResult], ending: Ending | None
) -> CheckResult | None:
    """Return the result of the check that the tests end as they should; None without such a check."""
    if tests.written is None or tests.written.check is None:
        return None
    check = tests.written.check
    if ending is None or any(each.outcome is not Outcome.PASSED for each in results):
        return _not_needed(check)
    found, detail = ending.outcome, ""
    outcome = Outcome.PASSED
    if not _ends_well(tests.written.ends, found):
        outcome = Outcome.FAILED if found.outcome is Outcome.PASSED else found.outcome
        detail = (ENDS_OTHERWISE + _words(found))[:LONGEST]
    return CheckResult(
        index=check.index,
        line=check.line,
        outcome=outcome,
        detail=detail,
        limit=found.limit,
        steps=ending.steps if found.has_steps else None,
        reference_steps=tests.costs.checks[-1] if tests.costs else None,
    )


def _not_needed(check: Check) -> CheckResult:
    """Return the result of that check if other checks do not pass."""
    return CheckResult(
        index=check.index, line=check.line, outcome=Outcome.NOT_RUN, detail=NOT_NEEDED
    )


def _with_check(tests: PreparedTests, written: Written, last: Check) -> PreparedTests:
    """Return tests with the check that they end well."""
    costs = tests.costs and replace(tests.costs, checks=(*tests.costs.checks, None))
    return replace(
        tests,
        checks=(*tests.checks, last),
        written=replace(written, check=last),
        costs=costs,
    )


def with_ending(
    tests: PreparedTests,
    unjudged: Check | None,
    request: CheckRequest | None,
    check: Callable[[CheckRequest], CheckReport],
    name: str,
) -> PreparedTests:
    """Return the tests with the check that they end as they should, if other checks do not judge
    all of it.

    Args:
        tests: The tests.
        unjudged: The place in them that the checks do not judge; None if there is none.
        request: The request of the reference, None without one.
        check: Grades a request.
        name: The problem's id, for messages.

    Raises:
        ProblemError: The reference passes every other check, and the tests come to no end with it.
    """
    if unjudged is None or tests.written is None:
        return tests
    whole = _with_check(tests, tests.written, replace(unjudged, index=len(tests.checks) + 1))
    written, costs, last = tests.written, whole.costs, whole.checks[-1]
    if request is None or costs is None:
        return whole
    runs = [check(replace(request, tests=whole))]
    end = runs[0].results[-1] if runs[0].results else None
    if end is None or end.detail == NOT_NEEDED:
        return whole
    if end.outcome is not Outcome.PASSED:
        runs.append(check(replace(request, tests=whole)))
        if not _is_steady(end, runs[1].results):
            raise ProblemError(f"{name}: tests, line {last.line}: with the reference {end.detail}")
        written = replace(
            written, check=last, ends=(end.outcome, end.detail.removeprefix(ENDS_OTHERWISE))
        )
        whole = replace(whole, written=written)
        runs = [check(replace(request, tests=whole))]
    steps = runs[-1].results[-1].steps or 0
    return replace(whole, costs=replace(costs, checks=(*costs.checks[:-1], steps)))


def _is_steady(first: CheckResult, second: Sequence[CheckResult]) -> bool:
    """Tell whether the tests end in the same way each time, by an exception or a status."""
    return first.outcome in _STEADY and bool(second) and second[-1] == first


def as_a_whole(
    tests: PreparedTests,
    programs: Mapping[str, bytes],
    check: Callable[[CheckRequest], CheckReport],
    request: CheckRequest,
    *,
    is_reference: bool,
) -> PreparedTests | None:
    """Return tests without a check of their own, whose end is the only one.

    Args:
        tests: The tests.
        programs: The tests as they were written, with answers that are wrong in this way.
        check: Grades a request.
        request: The request of the reference, or of nothing with the problem's libraries and budget.
        is_reference: Whether it has the reference's code.

    Returns:
        The tests; None if their end does not tell wrong answers, or they do not end well with the
        reference.
    """
    if tests.written is None:
        return None
    last = Check(index=1, line=1, source=_WHOLE)
    written = replace(tests.written, check=last)
    whole = replace(tests, checks=(last,), written=written, outside=None, in_process={0: _ENDS})
    told = []
    for how, program in programs.items():
        if not program:
            continue
        tried = replace(whole, payload=program, written=replace(written, program=program))
        brief = replace(request.budget, check_cpu_s=_TRIAL_S, tests_cpu_s=_TRIAL_S)
        report = check(
            replace(request, code="", tests=tried, wrong=how, listens=True, budget=brief)
        )
        told += [each.outcome is not Outcome.PASSED for each in report.results]
    # An exception is not enough: a wrong value has to tell, too.
    if not (told and told[0] and any(told[1:])):
        return None
    if not is_reference:
        return whole
    report = check(replace(request, tests=whole))
    if [each.outcome for each in report.results] != [Outcome.PASSED]:
        return None
    return replace(whole, costs=costs_of(report))
