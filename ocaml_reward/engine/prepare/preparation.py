"""Prepares a problem's tests, in the same way for every engine.

A helper rewrites them, then they are run on the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from ...errors import JudgeFault, ProblemError
from ...model import Budget, Check, CheckReport, Outcome, Problem, Stage
from ...reading.extraction import Extraction, How, extract
from ...reading.source_map import Edit
from .. import CheckRequest, PreparedTests
from ..build.toolchain import modules
from ..judge.output_judge import judge_request, require_judge
from ..messages.reports import first_error
from ..run.as_written import as_a_whole, with_ending
from ..run.judging import Compute
from ..run.measuring import with_costs
from .expected_values import with_expected_values
from .idle import WRONG, Idle, idle_checks
from .prepare_messages import (
    Applies,
    NoCheck,
    Rewritten,
    Trial,
    given_of,
    prepare_request,
    read_prepare_answer,
    stdio_checks,
)
from .sizes import require_count

Tried = tuple[CheckReport, tuple[Check, ...]]
"""The report on a program, and the cases that its suite built."""

Complete = Callable[[CheckRequest], tuple[CheckRequest, tuple[Edit, ...]]]
"""Puts the given code into a request's code."""

Kept = TypeVar("Kept")

_DIFFERS = "judged outside, the reference does not pass it"
_REGISTERED = "it may run what other statements have registered"
_NONE_IDLE = Idle()
_OPEN = re.compile(r"^open!?[ \t]+([A-Z][\w']*)[\w.']*", re.MULTILINE)
# How often tests are split again: moving one check may change the result of another.
_SPLITS = 5


def prepare_tests(
    problem: Problem,
    *,
    rewrite: Callable[[bytes], list[bytes]],
    complete: Complete,
    attempt: Callable[[CheckRequest, bool], Tried],
    compute: Compute,
    check: Callable[[CheckRequest], CheckReport],
    budget: Budget,
) -> PreparedTests:
    """Return a problem's tests as numbered checks, compiled against its reference if it has one.

    Args:
        problem: The problem.
        rewrite: Sends a request to the helper that rewrites tests.
        complete: Puts the given code into a request's code.
        attempt: Compiles a request; if the flag is set, also runs it to list its suite's cases.
        compute: Computes the expected values, with the types of some code.
        check: Grades a request.
        budget: The scheme's budget.

    Raises:
        ProblemError: The tests cannot be used; the message has the line.
    """
    if problem.untested:
        return PreparedTests(checks=(), given=given_of(problem))
    if not isinstance(problem.tests, str):
        return _prepare_stdio(problem, attempt, check, budget)
    rewriting = _Rewriting(problem, rewrite, complete, check, budget)
    try:
        return _with_checks(rewriting, attempt, compute)
    except NoCheck:
        rewriting = _Rewriting(problem, rewrite, complete, check, budget)
        if (whole := _as_a_whole(rewriting)) is None:
            raise
        return whole


def _as_a_whole(rewriting: _Rewriting) -> PreparedTests | None:
    """Return tests of which no part is a check, if their end tells; else None."""
    problem, budget = rewriting.problem, rewriting.budget
    tests, _, trial, _ = rewriting.rewritten(whole=True, tried=True)
    programs = {"r": trial.unasked, "0": trial.unasked, "1": trial.unasked}
    code = rewriting.reference(tests)
    if code:
        programs["c"] = trial.changed
    request = _request(problem, tests, code, budget.of_reference())
    return as_a_whole(
        tests, programs, rewriting.check, request, is_reference=problem.reference is not None
    )


def _with_checks(
    rewriting: _Rewriting,
    attempt: Callable[[CheckRequest, bool], Tried],
    compute: Compute,
) -> PreparedTests:
    """Return tests as numbered checks; raise NoCheck if no part of them is one."""
    problem, budget, check = rewriting.problem, rewriting.budget, rewriting.check
    full_budget = budget.of_reference()
    rewritten = rewriting.rewritten(tried=True)
    tests, dynamic, trial, _ = rewritten
    if problem.reference is None:
        if dynamic:
            tests = replace(tests, checks=_cases_of_any_code(rewriting, trial, attempt))
            return with_ending(tests, rewriting.unjudged, None, check, problem.id)
        tests = rewriting.without_idle(tests, trial)
        tests = _with_values(
            tests,
            None,
            compute,
            lambda applies: rewriting.rewritten(applies=applies).tests,
        )
        return with_ending(tests, rewriting.unjudged, None, check, problem.id)
    # A reference is extracted as completions are: it may be fenced, or continue the prompt.
    code = rewriting.reference(tests)
    if code.strip() != problem.reference.strip():
        rewriting.problem = problem = replace(problem, reference=code)
        rewritten = rewriting.rewritten(tried=True)
    (tests, dynamic, trial, _), report, checks = _fitting(rewriting, code, rewritten, attempt)
    problem = rewriting.problem
    request = _request(problem, tests, code, full_budget)
    _require_fit(problem, tests, report, dynamic=dynamic)
    if dynamic:
        # The suite is built by code: only running it shows how many cases it has.
        tests = replace(tests, checks=_require_cases(problem, checks))
        tests = with_costs(_request(problem, tests, code, full_budget), check)
    else:
        tests = _with_reference(rewriting, request, report, (tests, trial), compute)
    return with_ending(tests, rewriting.unjudged, request, check, problem.id)


@dataclass(slots=True)
class _Rewriting:
    """Rewrites a problem's tests, each time with everything known so far."""

    problem: Problem
    helper: Callable[[bytes], list[bytes]]
    complete: Complete
    check: Callable[[CheckRequest], CheckReport]
    budget: Budget
    owned: bool = False
    idle: Idle = _NONE_IDLE
    left_out: tuple[Check, ...] = ()
    registers: bool = False
    # Whether the end of the tests tells what their handlers have noted.
    told_by_end: bool = False
    # Of the last tests: what their checks do not judge.
    unjudged: Check | None = None

    def rewritten(
        self,
        in_process: Collection[int] = (),
        applies: Applies = "names",
        *,
        whole: bool = False,
        tried: bool = False,
    ) -> Rewritten:
        """Rewrite the tests; raises ProblemError."""
        idle = self.idle
        none = idle.places - idle.printed.keys()
        printed = _renumbered(idle.printed, none)
        request = prepare_request(
            self.problem,
            owned=self.owned,
            idle=none,
            constant=idle.constant & none,
            strict=_renumbered(dict.fromkeys(idle.strict), none),
            in_process={*in_process, *printed},
            applies=applies,
            whole=whole,
            tried=tried,
        )
        found = read_prepare_answer(self.problem, self.helper(request))
        self.unjudged = found.unjudged
        tests = replace(found.tests, printed=printed, idle=self.left_out)
        if self.registers:
            places = range(len(tests.checks))
            reasons = dict.fromkeys(places, _REGISTERED) | dict(tests.in_process)
            leaning = {what: each for what, each in tests.leaning.items() if what[0] == "g"}
            leaning |= {f"x{place}": ((0, place - 1),) for place in places[1:]}
            tests = replace(tests, outside=None, in_process=reasons, leaning=leaning)
        tests = self._told(tests)
        return found._replace(tests=tests)

    def reference(self, tests: PreparedTests) -> str:
        """Return the reference's code with the given code in it; "" without a reference."""
        if not self.problem.reference:
            return ""
        request = _of_reference(self.problem, tests, self.budget)
        return self.complete(request)[0].code

    def _told(self, tests: PreparedTests) -> PreparedTests:
        """Return the tests with whether their end tells what their handlers have noted."""
        written = tests.written and replace(tests.written, tells=self.told_by_end)
        return replace(tests, written=written)

    def without_idle(
        self,
        tests: PreparedTests,
        trial: Trial,
        reference: CheckRequest | None = None,
    ) -> PreparedTests:
        """Return the tests without checks that cannot fail; raises ProblemError if none is left."""
        self.idle = idle = idle_checks(
            tests,
            trial,
            self.check,
            libraries=self.problem.libraries,
            budget=self.budget,
            reference=reference,
        )
        if idle.absent and self.problem.reference is None:
            raise _absent(self.problem, idle.absent)
        if not idle.told_by_end:
            _require_judged(self.problem, tests, idle)
        self.told_by_end = idle.told_by_end
        if not (idle.places or idle.strict):
            return self._told(tests)
        # Statements that only register what they check change the state that later ones run.
        self.registers = not idle.built.isdisjoint(trial.statements | trial.definitions)
        self.left_out = tuple(
            each
            for place, each in enumerate(tests.checks)
            if place in idle.places and place not in idle.printed and place not in trial.merely
        )
        try:
            return self.rewritten().tests
        except NoCheck:
            raise _nothing_left(self.problem, tests, idle) from None


def _readings(problem: Problem, code: str) -> Iterator[tuple[Problem, bool]]:
    """Yield the possible readings of tests.

    As they are; with names such as `max` referring to the reference's definition instead of the
    library's; after the reference's `open`s of the problem's packages.
    """
    yield problem, False
    yield problem, True
    known = modules(problem.libraries)
    if opens := [each[0] for each in _OPEN.finditer(code) if each[1] in known]:
        tests = "\n".join([*opens, '# 1 "tests.ml"', str(problem.tests)])
        yield replace(problem, tests=tests), False


def _fitting(
    rewriting: _Rewriting,
    code: str,
    prepared: Rewritten,
    attempt: Callable[[CheckRequest, bool], Tried],
) -> tuple[Rewritten, CheckReport, tuple[Check, ...]]:
    """Return the first reading of the tests that fits the reference, else the plain one."""
    problem = rewriting.problem
    budget = rewriting.budget.of_reference()
    found: list[tuple[Rewritten, CheckReport, tuple[Check, ...]]] = []
    for rewriting.problem, rewriting.owned in _readings(problem, code):
        rewritten = rewriting.rewritten(tried=True) if found else prepared
        request = _in_process(_request(rewriting.problem, rewritten.tests, code, budget))
        report, checks = attempt(request, rewritten.dynamic)
        found.append((rewritten, report, checks))
        if report.stage is not Stage.INTERFACE_ERROR:
            return found[-1]
    rewriting.problem, rewriting.owned = problem, False
    return found[0]


def _with_reference(
    rewriting: _Rewriting,
    request: CheckRequest,
    compiled: CheckReport,
    tried: tuple[PreparedTests, Trial],
    compute: Compute,
) -> PreparedTests:
    """Return the tests with what their run on the reference shows; `compiled` is the report on
    compiling its `request`.
    """
    check = rewriting.check
    sound = request.code if compiled.stage is Stage.EXECUTABLE else None
    tests, trial = tried
    tests = rewriting.without_idle(tests, trial, _in_process(replace(request, tests=tests)))

    def with_values(tests: PreparedTests, in_process: Collection[int]) -> PreparedTests:
        return _with_values(
            tests,
            sound,
            compute,
            lambda applies: rewriting.rewritten(in_process, applies).tests,
        )

    tests = with_values(tests, ())
    if not sound:
        return tests
    request = replace(request, tests=tests)
    agreed, known = _agreed(
        request,
        compiled,
        check,
        lambda in_process, applies: with_values(
            rewriting.rewritten(in_process, applies).tests, in_process
        ),
    )
    request = replace(request, tests=agreed)
    done = with_costs(request, check, known)
    if done.costs is None or None in done.costs.checks:
        absent = check(replace(request, listens=True)).absent
        if absent:
            raise _absent(rewriting.problem, absent)
    return done


def _in_process(request: CheckRequest) -> CheckRequest:
    """Return a request with every check decided in the code's process."""
    return replace(request, tests=replace(request.tests, outside=None))


def reference_code(problem: Problem, tests: PreparedTests) -> str:
    """Return the code of a problem's reference, extracted as from a completion; "" without one."""
    return _extracted(problem, tests).code


def _extracted(problem: Problem, tests: PreparedTests) -> Extraction:
    return extract(
        problem.reference or "", uses=tests.uses, files=tests.files, prompt=problem.prompt
    )


def _of_reference(problem: Problem, tests: PreparedTests, budget: Budget) -> CheckRequest:
    """Return the request for the reference's code, before the given code is put in."""
    found = _extracted(problem, tests)
    continues = found.how is How.CONTINUATION
    return replace(_request(problem, tests, found.code, budget), given=None, continues=continues)


def is_sound(problem: Problem, tests: PreparedTests) -> bool:
    """Tell whether a problem's reference, if it has one, passed every check."""
    return problem.reference is None or (
        tests.costs is not None
        and None not in tests.costs.checks
        and _DIFFERS not in tests.in_process.values()
    )


def _prepare_stdio(
    problem: Problem,
    attempt: Callable[[CheckRequest, bool], Tried],
    check: Callable[[CheckRequest], CheckReport],
    budget: Budget,
) -> PreparedTests:
    """Return prepared tests that judge a program's output."""
    tests = stdio_checks(problem)
    if problem.judge:
        request = judge_request(problem.judge)
        report, _ = attempt(request, False)  # noqa: FBT003 (cases, or not)
        require_judge(problem.id, report)
    if problem.reference is None:
        return tests
    request = _of_reference(problem, tests, budget.of_reference())
    request = replace(request, of_reference=True)
    try:
        return with_costs(request, check)
    except JudgeFault as fault:
        raise ProblemError(f"{problem.id}: on the reference: {fault}") from None


def _renumbered(printed: Mapping[int, Kept], left_out: Collection[int]) -> dict[int, Kept]:
    """Return a mapping by place, renumbered after other checks were left out."""
    return {
        place - sum(other < place for other in left_out): each for place, each in printed.items()
    }


def _nothing_left(problem: Problem, tests: PreparedTests, idle: Idle) -> NoCheck:
    """Return the error for a problem of which no check can fail."""
    lines = dict.fromkeys(str(each.line) for each in tests.checks)
    where = f"{problem.id}: tests, line {', '.join(lines)}"
    if idle.unreached == idle.places:
        return NoCheck(
            f"{where}: nothing evaluates what they check: run the suite or call the functions that"
            " assert"
        )
    why = "they catch what fails, or only print it; end with `exit 1` where something has failed"
    if problem.reference is None:
        why += ", or give a reference whose output they should print"
    if not tests.uses:
        why = (
            "they use no name that the standard library lacks: if one of these is the"
            " code's, name it in a signature"
        )
    return NoCheck(f"{where}: no wrong answer fails them: {why}")


def _absent(problem: Problem, what: str) -> ProblemError:
    """Return the error for tests that need what the jail has not."""
    return ProblemError(f"{problem.id}: tests: they need {what}, which the sandbox has not")


def _require_judged(problem: Problem, tests: PreparedTests, idle: Idle) -> None:
    """Raise ProblemError for checks that the tests' handlers decide and nothing tells how.

    Seen in code_transform.ml of sauravbhattacharya001/Ocaml-sample-code: its own code fails a case,
    which its tests catch and print.
    """
    if problem.reference is not None:
        places = idle.failing
        why = "with the reference they catch a failure and go on; exit with 1 where something fails"
    else:
        places = frozenset(range(len(tests.checks))) if idle.untried else idle.several
        why = (
            "several cases in one statement, which catches what fails: end with `exit 1` where"
            " something has failed, or give a reference whose output they should print"
        )
    if places:
        lines = ", ".join(dict.fromkeys(str(tests.checks[place].line) for place in sorted(places)))
        raise ProblemError(f"{problem.id}: tests, line {lines}: {why}")


def _cases_of_any_code(
    rewriting: _Rewriting, trial: Trial, attempt: Callable[[CheckRequest, bool], Tried]
) -> tuple[Check, ...]:
    """Return the cases that a suite builds in code, whatever the code returns; raise ProblemError
    if that depends on it, or if wrong answers pass them all.
    """
    problem = rewriting.problem
    tests = PreparedTests(checks=(), payload=trial.unasked)
    request = _request(problem, tests, "", rewriting.budget.of_reference())
    asked = [replace(request, wrong=how) for how in WRONG]
    found = [attempt(each, True)[1] for each in asked]  # noqa: FBT003 (cases, or not)
    if not found[0] or found.count(found[0]) < len(found):
        raise ProblemError(
            f"{problem.id}: the tests build their cases in code, so counting"
            " them needs a reference solution"
        )
    cases = _require_cases(problem, found[0])
    tests = replace(tests, checks=cases)
    reports = [rewriting.check(replace(each, tests=tests)) for each in asked]
    if all(result.outcome is Outcome.PASSED for each in reports for result in each.results):
        raise NoCheck(f"{problem.id}: no wrong answer fails the tests")
    return cases


def _require_cases(problem: Problem, found: tuple[Check, ...]) -> tuple[Check, ...]:
    """Return the cases of a suite; raise ProblemError if it has none."""
    if not found:
        raise ProblemError(f"{problem.id}: tests without a test case")
    require_count(problem, len(found), "cases")
    return found


def _require_fit(
    problem: Problem, tests: PreparedTests, report: CheckReport, *, dynamic: bool
) -> None:
    """Raise ProblemError if the reference compiles but the tests do not fit it."""
    # A reference that does not compile itself shows nothing about the tests.
    if report.stage is Stage.INTERFACE_ERROR or (dynamic and report.stage is not Stage.EXECUTABLE):
        unknown = f"; {_unknown(tests.files)}" if tests.files else ""
        raise ProblemError(
            f"{problem.id}: the tests do not compile against the reference:"
            f" {first_error(report)}{unknown}"
        )


def _unknown(files: tuple[str, ...]) -> str:
    """Return a hint about modules in the tests that nothing provides."""
    one = len(files) == 1
    return (
        f"{', '.join(files)} {'is a module' if one else 'are modules'} of neither the"
        f" reference, the tests, the prompt nor `libraries`, and"
        f" {'was' if one else 'were'} taken for the file that the reference is"
    )


def _request(problem: Problem, tests: PreparedTests, code: str, budget: Budget) -> CheckRequest:
    return CheckRequest(
        code=code, tests=tests, given=(), libraries=problem.libraries, budget=budget
    )


def _with_values(
    tests: PreparedTests,
    code: str | None,
    compute: Compute,
    plainer: Callable[[Applies], PreparedTests],
) -> PreparedTests:
    """Return tests with their expected values.

    If these cannot be computed, split the tests again with fewer predicates applied: a value may
    have no shape.
    """
    done = with_expected_values(tests, code, compute)
    less: tuple[Applies, ...] = ("predicates", "nothing")
    for applies in less:
        outside = tests.outside
        if not (outside and outside.applies_predicates) or (
            done.outside and (done.outside.expected is not None or code is not None)
        ):
            break
        tests = plainer(applies)
        done = with_expected_values(tests, code, compute)
    return done


def _agreed(
    request: CheckRequest,
    compiled: CheckReport,
    check: Callable[[CheckRequest], CheckReport],
    split: Callable[[Collection[int], Applies], PreparedTests],
) -> tuple[PreparedTests, tuple[CheckReport, ...]]:
    """Move checks into the code's process that the reference passes there but not outside.

    Args:
        request: The request of the reference.
        compiled: The report on compiling it.
        check: Grades a request.
        split: Splits the tests again; the checks at these places stay in the code's process.

    Returns:
        The tests, and the reports of the runs.
    """
    tests = request.tests
    alone: CheckReport | None = None
    moved: set[int] = set()
    applies: Applies = "names"
    for _ in range(_SPLITS):
        if tests.outside is None:
            return tests, () if alone is None else (alone,)
        report = check(replace(request, tests=tests))
        if not compiled.forbidden and _passes(report, len(tests.checks)):
            # All checks pass outside, so there is no need to run them in the code's process.
            return tests, (report,)
        if alone is None:
            alone = check(_in_process(request))
        if report.stage is not Stage.EXECUTABLE or (len(report.results) != len(alone.results)):
            # If it did not run, nothing can be compared.
            break
        differ = {
            place
            for place, (one, other) in enumerate(zip(alone.results, report.results, strict=True))
            if one.outcome is Outcome.PASSED is not other.outcome
        }
        if not differ:
            return tests, (report, alone)
        if applies == "names" and tests.outside.applies_predicates:
            # A value with a name may be too long to leave the process.
            applies = "predicates"
            tests = split((), applies)
            continue
        if differ & moved:
            break
        moved |= differ
        tests = split(moved, applies)
        reasons = {**tests.in_process, **dict.fromkeys(moved, _DIFFERS)}
        tests = replace(tests, in_process=reasons)
    reasons = dict.fromkeys(range(len(tests.checks)), _DIFFERS)
    tests = replace(tests, outside=None, in_process={**reasons, **tests.in_process})
    return tests, () if alone is None else (alone,)


def _passes(report: CheckReport, checks: int) -> bool:
    return len(report.results) == checks and all(
        result.outcome is Outcome.PASSED for result in report.results
    )
