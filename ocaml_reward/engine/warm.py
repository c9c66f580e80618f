"""The engine that stays warm: compilers that are loaded, runners that only have to fork.

One jail per worker, kept for many completions.  In it one locked process after the other
checks code, and a locked child runs each program; stock.py is what it must agree with.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property

from ..errors import ToolchainError
from ..model import Budget, Check, CheckReport, Problem, Stage
from ..sandbox import Jail, choose
from . import BUDGET, CheckRequest, Outside, PreparedTests, self_test
from .branched import branches_wanted, watched_runs, with_branches
from .build import rootfs
from .checker import judged_in_cpp, require_checker
from .exchange import (
    GRACE_S,
    Exchange,
    Exhausted,
    RunnerAnswer,
    check_ms,
    limit_met,
    run_judge,
    tell,
)
from .execute import count_cases, run_checks, run_stdio
from .frameworks import with_frameworks, with_libraries
from .holed import run_holed, without_broken
from .output_judge import JUDGE_BUDGET, judge_program, judged
from .outputs import Judged, Printed
from .outside import (
    AnswerCache,
    GradeAgain,
    Judge,
    KnownAnswers,
    grade_judged,
    is_free,
    payload_of,
    set_free,
)
from .pool import Servers
from .preparation import prepare_tests
from .prepared_cache import PreparedCache
from .protocol import Event, netstrings
from .reports import EXHAUSTED
from .server import CheckerDied, Doubtful, Server
from .sizes import require_size, too_much
from .toolchain import locate, packages
from .versions import warm_builds

# A checker that is killed at some code may be the machine's doing twice; a machine that kills
# three there, and grades known programs in between, does so for what the code is.
_ATTEMPTS = 3

log = logging.getLogger("ocaml_reward")


class WarmEngine:
    """Checks code in servers that outlive it, inside the jail named `sandbox`.

    Raises SandboxUnavailable or ToolchainError when made on a machine that cannot score.
    """

    name = "warm"

    def __init__(
        self, sandbox: str = "auto", *, cache: PreparedCache | None = None
    ) -> None:
        """Find the toolchain and a jail, and build what is missing; no server starts yet."""
        self._jail: Jail = choose(sandbox)
        self._toolchain = locate()
        if not warm_builds():
            raise ToolchainError(
                f"no warm engine for {self._toolchain.label}: use the stock engine"
            )
        self._servers = Servers(self._jail, self._wrong)
        self._known: PreparedTests | None = None
        self._answers = AnswerCache()
        self._cache = cache
        rootfs()

    @property
    def sandbox(self) -> str:
        """The name of the jail in use."""
        return self._jail.name

    @cached_property
    def toolchain(self) -> str:
        """The compiler in use, "ocaml 4.13.1"."""
        return self._toolchain.label

    def close(self) -> None:
        """End every server, whatever it is doing; none starts any more."""
        self._servers.close()

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Rewrite a problem's tests into numbered checks, and compile them against its
        reference if it has one.

        Raises ProblemError, naming the line, for tests that cannot be used.
        """
        require_size(problem)
        problem = with_frameworks(problem)
        packages(problem.libraries)
        if problem.checker:
            require_checker(self._jail, problem)
        # Most problems are judged outside, by a server of its own kind.
        self._servers.foresee(problem.libraries, budget, free=True)

        def lend() -> AbstractContextManager[Server]:
            return self._servers.lend(problem.libraries, budget)

        def anew() -> PreparedTests:
            return _prepared(problem, budget, lend, self.check)

        return self._cache.get(problem, budget, anew) if self._cache else anew()

    def restart(self) -> None:
        """Replace every server, those that are at work when they are done."""
        self._servers.restart()

    @property
    def replaced(self) -> Mapping[str, int]:
        """How many servers were replaced so far because they failed, by the reason."""
        return self._servers.replaced

    def _wrong(
        self, server: Server, libraries: tuple[str, ...], budget: Budget
    ) -> str | None:
        """Grade the known programs on one server, and say what it gets wrong."""

        def check(request: CheckRequest) -> CheckReport:
            return grade_judged(
                request.tests.outside,
                lambda outside: self._graded_by(server, request, outside),
            )[0]

        known = self._known or _prepared(
            self_test.KNOWN, budget, lambda: nullcontext(server), check
        )
        like = CheckRequest(code="", tests=known, libraries=libraries, budget=budget)
        if (why := self_test.failure(known, check, like)) is None:
            self._known = known
        return why

    def check(self, request: CheckRequest) -> CheckReport:
        """Compile and run one completion's code."""
        started = time.perf_counter()
        request = with_libraries(request)
        report, compile_ms = grade_judged(
            request.tests.outside, lambda outside: self._graded(request, outside)
        )
        spent_ms = (time.perf_counter() - started) * 1e3
        timings = {
            "compile": round(compile_ms, 3),
            "run": round(max(spent_ms - compile_ms, 0.0), 3),
        }
        timings |= report.timings_ms
        return replace(report, timings_ms=timings)

    def _graded(
        self, request: CheckRequest, outside: Outside | None
    ) -> tuple[CheckReport, float]:
        free = is_free(request.tests, outside)
        tests = payload_of(request.tests, outside)
        for attempt in range(_ATTEMPTS):
            with self._servers.lend(
                request.libraries,
                request.budget,
                free=free,
                tests=tests,
                doubted=attempt > 0,
            ) as server:
                try:
                    return self._graded_by(server, request, outside)
                except GradeAgain as again:
                    otherwise = again
                except Doubtful as doubt:
                    log.warning("some code is graded once more: %s", doubt)
                    continue
            # Not in there: a server that any exception passes is not used again.
            raise otherwise
        # Fresh checkers have graded known programs in between, so it was the code.
        return EXHAUSTED, 0.0

    def _graded_by(
        self, server: Server, request: CheckRequest, outside: Outside | None
    ) -> tuple[CheckReport, float]:
        work = Exchange(server, request, outside)
        try:
            return self._worked_out(work)
        except Exhausted:
            return EXHAUSTED, work.compile_ms

    def _worked_out(self, work: Exchange) -> tuple[CheckReport, float]:
        server, request, outside = work.server, work.request, work.outside

        def tell_with(outside: Outside, handed: str) -> KnownAnswers | None:
            code = known if outside.told is None else ""
            return tell(server, outside.answers, code, request.budget, handed)

        tests = request.tests
        report = work.checked(run=True)
        known = without_broken(request.code, report.unparsed)
        if report.forbidden:
            set_free(tests, outside, work.types, self._answers, tell_with)
        if holed := work.holed:
            judge = (
                None
                if outside is None
                else Judge(outside, holed.types, self._answers, tell_with)
            )
            report = run_holed(
                work, request, report, holed, judge, output_judge=self._judged
            )
        if report.stage is not Stage.EXECUTABLE or report.forbidden:
            work.end()
            return report, work.compile_ms
        server.met(payload_of(tests, outside))
        if tests.stdio:
            ran = run_stdio(work, request, judge=self._judged)
        elif outside is None:
            ran = run_checks(work, request)
        else:
            judge = Judge(outside, work.types, self._answers, tell_with)
            ran = run_checks(work, request, judge, judge.finish)
        report = ran.added_to(report)
        if branches_wanted(request, report):
            first, *more = watched_runs(request, report)
            spans = work.branched(first)
            report = with_branches(work, report, spans, (first, *more))
        work.end()
        return report, work.compile_ms

    def _judged(
        self, tests: PreparedTests, printed: Sequence[Printed]
    ) -> Sequence[Judged]:
        """Have a problem's own judge say what a program's outputs are worth."""
        if tests.checker:
            return judged_in_cpp(self._jail, tests.checker, printed)
        program = judge_program(tests.judge).encode("utf-8", "replace")

        def run(
            stdin: bytes, budget: Budget
        ) -> tuple[RunnerAnswer, list[Event]] | None:
            with self._servers.lend((), JUDGE_BUDGET, tests=program) as server:
                ran = run_judge(server, program, budget, stdin)
                server.met(program)
                return ran

        return judged(run, printed)


def _prepared(
    problem: Problem,
    budget: Budget,
    lend: Callable[[], AbstractContextManager[Server]],
    check: Callable[[CheckRequest], CheckReport],
) -> PreparedTests:
    """Prepare a problem's tests on servers that are lent."""

    def rewritten(request: bytes) -> list[bytes]:
        with lend() as server:
            server.send(b"p", check_ms(budget), *netstrings(request))
            try:
                answer = server.receive(b"p", wall_s=budget.compile_wall_s + GRACE_S)
            except CheckerDied as death:
                limit_met(death)
                raise too_much(problem, budget) from None
            return netstrings(answer)

    def tried(
        request: CheckRequest, cases: bool
    ) -> tuple[CheckReport, tuple[Check, ...]]:
        with lend() as server:
            work = Exchange(server, request)
            report = work.checked(run=cases)
            if not cases or report.stage is not Stage.EXECUTABLE:
                return report, ()
            try:
                return report, count_cases(work)
            except Exhausted:
                return EXHAUSTED, ()

    def told(outside: Outside, code: str) -> KnownAnswers | None:
        with lend() as server:
            return tell(server, outside.answers, code, budget)

    return prepare_tests(problem, rewritten, tried, told, check, budget=budget)
