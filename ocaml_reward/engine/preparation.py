"""Prepares a problem's tests, in the same way for every engine: the helper rewrites them,
then they are tried on the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from ..errors import JudgeFault, ProblemError
from ..model import Budget, Check, CheckReport, Outcome, Problem, Stage
from ..reading.extraction import extract
from . import CheckRequest, Outside, PreparedTests
from .idle import Idle, idle_checks
from .measuring import with_costs
from .output_judge import judge_request, require_judge
from .outside import KnownAnswers, with_answers
from .prepare_messages import (
    Applies,
    Rewritten,
    Trial,
    prepare_request,
    read_prepare_answer,
    stdio_checks,
)
from .reports import first_error
from .sizes import require_count
from .spoken import Spoken
from .toolchain import modules

Tried = tuple[CheckReport, tuple[Check, ...]]
"""What came of a program, and the cases that its suite built."""

_DIFFERS = "judged outside, the reference does not pass it"
_NONE_IDLE = Idle()
_OPEN = re.compile(r"^open!?[ \t]+([A-Z][\w']*)[\w.']*", re.MULTILINE)
# Times that tests are split again: what one check does may change what another finds.
_SPLITS = 5


def prepare_tests(
    problem: Problem,
    rewrite: Callable[[bytes], list[bytes]],
    attempt: Callable[[CheckRequest, bool], Tried],
    tell: Callable[[Outside, str], KnownAnswers | None],
    check: Callable[[CheckRequest], CheckReport],
    *,
    budget: Budget,
) -> PreparedTests:
    """Return a problem's tests as numbered checks, compiled against its reference if it
    has one.

    `rewrite` asks the helper; `attempt` compiles a request, and runs it where it has to see
    which cases its suite builds; `tell` works the answers out beside the types of some code; `check` grades one.  Each
    request may spend what a reference may, as what a check takes is only found here.

    Raises ProblemError, naming the line, for tests that cannot be used.
    """
    if not isinstance(problem.tests, str):
        return _prepare_stdio(problem, attempt, check, budget)
    unhurried = budget.of_reference()
    rewriting = _Rewriting(problem, rewrite, check, budget)
    rewritten = rewriting.rewritten(tried=True)
    tests, dynamic, trial = rewritten
    if problem.reference is None:
        _require_count(problem, dynamic=dynamic)
        tests = rewriting.without_idle(tests, trial)
        return _answered(
            tests,
            None,
            tell,
            lambda applies: rewriting.rewritten(applies=applies).tests,
        )
    # A reference comes as completions do: fenced, or as the prompt's continuation.
    code = reference_code(problem, tests)
    if code.strip() != problem.reference.strip():
        rewriting.problem = problem = replace(problem, reference=code)
        rewritten = rewriting.rewritten(tried=True)
    (tests, dynamic, trial), report, checks = _fitting(
        rewriting, code, rewritten, attempt
    )
    problem = rewriting.problem
    asked = _request(problem, tests, code, unhurried)
    _require_fit(problem, tests, report, dynamic=dynamic)
    if not dynamic:
        return _with_reference(rewriting, asked, report, (tests, trial), tell)
    # The suite is built by code: only running it tells how many cases it has.
    tests = replace(tests, checks=_require_cases(problem, checks))
    return with_costs(_request(problem, tests, code, unhurried), check, budget)


@dataclass(slots=True)
class _Rewriting:
    """Rewrites a problem's tests, again with what is known by then."""

    problem: Problem
    helper: Callable[[bytes], list[bytes]]
    check: Callable[[CheckRequest], CheckReport]
    budget: Budget
    owned: bool = False
    idle: Idle = _NONE_IDLE
    left_out: tuple[Check, ...] = ()

    def rewritten(
        self,
        beside: Collection[int] = (),
        applies: Applies = "names",
        *,
        tried: bool = False,
    ) -> Rewritten:
        """Rewrite the tests; raises ProblemError."""
        idle = self.idle
        none = idle.places - idle.printed.keys()
        printed = _behind(idle.printed, none)
        asked = prepare_request(
            self.problem,
            owned=self.owned,
            idle=none,
            catches=idle.catches & none,
            beside={*beside, *printed},
            applies=applies,
            tried=tried,
        )
        found = read_prepare_answer(self.problem, self.helper(asked))
        tests = replace(found.tests, printed=printed, idle=self.left_out)
        return found._replace(tests=tests)

    def without_idle(
        self,
        tests: PreparedTests,
        trial: Trial,
        reference: CheckRequest | None = None,
    ) -> PreparedTests:
        """Return the tests without what cannot fail.  Raises ProblemError where nothing is left."""
        self.idle = idle = idle_checks(
            tests,
            trial,
            self.check,
            libraries=self.problem.libraries,
            budget=self.budget,
            reference=reference,
        )
        if not idle.places:
            return tests
        self.left_out = tuple(
            each
            for place, each in enumerate(tests.checks)
            if place in idle.places
            and place not in idle.printed
            and place not in trial.merely
        )
        try:
            return self.rewritten().tests
        except ProblemError:
            raise _nothing_left(self.problem, tests) from None


def _readings(problem: Problem, code: str) -> Iterator[tuple[Problem, bool]]:
    """Yield how tests may be meant: as they are; with the reference's own `max`, say, and not the
    library's; behind what the reference opens of the problem's packages.
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
    """Read tests as they fit the reference, or as they are where nothing does."""
    problem = rewriting.problem
    budget = rewriting.budget.of_reference()
    found: list[tuple[Rewritten, CheckReport, tuple[Check, ...]]] = []
    for rewriting.problem, rewriting.owned in _readings(problem, code):
        rewritten = rewriting.rewritten(tried=True) if found else prepared
        asked = _beside(_request(rewriting.problem, rewritten.tests, code, budget))
        report, checks = attempt(asked, rewritten.dynamic)
        found.append((rewritten, report, checks))
        if report.stage is not Stage.INTERFACE_ERROR:
            return found[-1]
    rewriting.problem, rewriting.owned = problem, False
    return found[0]


def _with_reference(
    rewriting: _Rewriting,
    asked: CheckRequest,
    compiled: CheckReport,
    tried: tuple[PreparedTests, Trial],
    tell: Callable[[Outside, str], KnownAnswers | None],
) -> PreparedTests:
    """Try tests on the reference, of which `asked` is and which `compiled` tells of."""
    check, budget = rewriting.check, rewriting.budget
    sound = asked.code if compiled.stage is Stage.EXECUTABLE else None
    tests, trial = tried
    tests = rewriting.without_idle(tests, trial, _beside(replace(asked, tests=tests)))

    def answered(tests: PreparedTests, beside: Collection[int]) -> PreparedTests:
        return _answered(
            tests,
            sound,
            tell,
            lambda applies: rewriting.rewritten(beside, applies).tests,
        )

    tests = answered(tests, ())
    if not sound:
        return tests
    asked = replace(asked, tests=tests)
    agreed, known = _agreed(
        asked,
        compiled,
        check,
        lambda beside, applies: answered(
            rewriting.rewritten(beside, applies).tests, beside
        ),
    )
    return with_costs(replace(asked, tests=agreed), check, budget, known)


def _beside(request: CheckRequest) -> CheckRequest:
    """Ask for a reference with every check decided beside it."""
    return replace(request, tests=replace(request.tests, outside=None))


def reference_code(problem: Problem, tests: PreparedTests) -> str:
    """Return the code of a problem's reference, read as completions are; none of none."""
    return extract(
        problem.reference or "",
        uses=tests.uses,
        files=tests.files,
        prompt=problem.prompt,
        given=tests.given,
    ).code


def is_sound(problem: Problem, tests: PreparedTests) -> bool:
    """Tell whether a problem's reference, if it has one, passed all that it was tried on."""
    return problem.reference is None or (
        tests.costs is not None
        and None not in tests.costs.checks_s
        and _DIFFERS not in tests.beside.values()
    )


def _prepare_stdio(
    problem: Problem,
    attempt: Callable[[CheckRequest, bool], Tried],
    check: Callable[[CheckRequest], CheckReport],
    budget: Budget,
) -> PreparedTests:
    """Prepare tests that judge what a program prints."""
    tests = stdio_checks(problem)
    if problem.judge:
        asked = judge_request(problem.judge)
        report, _ = attempt(asked, False)  # noqa: FBT003 (cases, or not)
        require_judge(problem.id, report)
    if problem.reference is None:
        return tests
    code = extract(problem.reference, prompt=problem.prompt, given=tests.given).code
    unhurried = budget.of_reference()
    asked = replace(_request(problem, tests, code, unhurried), of_reference=True)
    try:
        return with_costs(asked, check, budget)
    except JudgeFault as fault:
        raise ProblemError(f"{problem.id}: on the reference: {fault}") from None


def _behind(
    printed: Mapping[int, Spoken], left_out: Collection[int]
) -> dict[int, Spoken]:
    """Return these by the places that they have where others are left out."""
    return {
        place - sum(other < place for other in left_out): each
        for place, each in printed.items()
    }


def _nothing_left(problem: Problem, tests: PreparedTests) -> ProblemError:
    """Say that no check of a problem can fail."""
    lines = dict.fromkeys(str(each.line) for each in tests.checks)
    why = "they catch what fails; end with `exit 1` where something has failed"
    if not tests.uses:
        why = (
            "they use no name that the standard library lacks: if one of these is the"
            " code's, name it in a signature"
        )
    where = f"{problem.id}: tests, line {', '.join(lines)}"
    return ProblemError(f"{where}: no wrong answer fails them: {why}")


def _require_count(problem: Problem, *, dynamic: bool) -> None:
    """Raise ProblemError where the number of checks is unknown."""
    if dynamic:
        raise ProblemError(
            f"{problem.id}: the tests build their cases in code, so counting"
            " them needs a reference solution"
        )


def _require_cases(problem: Problem, found: tuple[Check, ...]) -> tuple[Check, ...]:
    """Return the cases of a suite; raise ProblemError where it has none."""
    if not found:
        raise ProblemError(f"{problem.id}: tests without a test case")
    require_count(problem, len(found), "cases")
    return found


def _require_fit(
    problem: Problem, tests: PreparedTests, report: CheckReport, *, dynamic: bool
) -> None:
    """Raise ProblemError where the reference is sound and the tests do not go with it."""
    # A reference that is itself broken says nothing about the tests.
    if report.stage is Stage.INTERFACE_ERROR or (
        dynamic and report.stage is not Stage.EXECUTABLE
    ):
        unknown = f"; {_unknown(tests.files)}" if tests.files else ""
        raise ProblemError(
            f"{problem.id}: the tests do not compile against the reference:"
            f" {first_error(report)}{unknown}"
        )


def _unknown(files: tuple[str, ...]) -> str:
    """Say what modules were taken to be that nobody provides."""
    one = len(files) == 1
    return (
        f"{', '.join(files)} {'is a module' if one else 'are modules'} of neither the"
        f" reference, the tests, the prompt nor `libraries`, and"
        f" {'was' if one else 'were'} taken for the file that the reference is"
    )


def _request(
    problem: Problem, tests: PreparedTests, code: str, budget: Budget
) -> CheckRequest:
    return CheckRequest(
        code=code, tests=tests, libraries=problem.libraries, budget=budget
    )


def _answered(
    tests: PreparedTests,
    code: str | None,
    tell: Callable[[Outside, str], KnownAnswers | None],
    plainer: Callable[[Applies], PreparedTests],
) -> PreparedTests:
    """Work out the answers; where that fails, once more with less applied to values: they may
    have no shape.
    """
    done = with_answers(tests, code, tell)
    less: tuple[Applies, ...] = ("predicates", "nothing")
    for applies in less:
        outside = tests.outside
        if not (outside and outside.applies) or (
            done.outside and (done.outside.told is not None or code is not None)
        ):
            break
        tests = plainer(applies)
        done = with_answers(tests, code, tell)
    return done


def _agreed(
    request: CheckRequest,
    compiled: CheckReport,
    check: Callable[[CheckRequest], CheckReport],
    split: Callable[[Collection[int], Applies], PreparedTests],
) -> tuple[PreparedTests, tuple[CheckReport, ...]]:
    """Decide those checks beside the code that the reference, of which `request` is, passes
    there and not outside; `compiled` is what came of compiling it, and `split` splits the
    tests again, for what asks the code for values decides nothing.  With what runs of the
    checks have shown.
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
            # What is passed there does not have to be tried beside.
            return tests, (report,)
        if alone is None:
            alone = check(_beside(request))
        if report.stage is not Stage.EXECUTABLE or (
            len(report.results) != len(alone.results)
        ):
            # What does not run that way shows no difference, and no agreement either.
            break
        differ = {
            place
            for place, (one, other) in enumerate(
                zip(alone.results, report.results, strict=True)
            )
            if one.outcome is Outcome.PASSED is not other.outcome
        }
        if not differ:
            return tests, (report, alone)
        if applies == "names" and tests.outside.applies:
            # A value with a name may be too long to leave the process.
            applies = "predicates"
            tests = split((), applies)
            continue
        if differ & moved:
            break
        moved |= differ
        tests = split(moved, applies)
        reasons = {**tests.beside, **dict.fromkeys(moved, _DIFFERS)}
        tests = replace(tests, beside=reasons)
    reasons = dict.fromkeys(range(len(tests.checks)), _DIFFERS)
    tests = replace(tests, outside=None, beside={**reasons, **tests.beside})
    return tests, () if alone is None else (alone,)


def _passes(report: CheckReport, checks: int) -> bool:
    return len(report.results) == checks and all(
        result.outcome is Outcome.PASSED for result in report.results
    )
