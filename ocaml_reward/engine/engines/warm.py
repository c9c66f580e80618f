"""The warm engine: compilers that stay loaded, and runners that only have to fork.

Each worker has one jail, kept for many completions.  In it, one locked process after the other
checks code, and a locked child runs each program.  Its reports must equal those of stock.py.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cached_property, partial

from ...errors import ToolchainError
from ...model import Budget, Check, CheckReport, Problem, Stage
from ...reading.source_map import Edit
from ...sandbox import Jail, choose
from .. import BUDGET, CheckRequest, Outside, PreparedTests
from ..build.choice import choice
from ..build.helpers import rootfs
from ..build.toolchain import locate, packages
from ..judge.answer_leaks import ExpectedValues
from ..judge.checker import judge_outputs_in_cpp, require_checker
from ..judge.output_judge import JUDGE_BUDGET, judge_outputs, judge_program
from ..judge.outputs import Judged, Printed
from ..messages.protocol import Event
from ..messages.reports import EXHAUSTED, parts
from ..messages.rules import lacking
from ..prepare.frameworks import with_frameworks, with_libraries
from ..prepare.given_code import completed
from ..prepare.preparation import Complete, prepare_tests
from ..prepare.prepared_cache import PreparedCache
from ..prepare.sizes import require_size, too_much
from ..run.branch_coverage import branches_wanted, coverage_runs, with_branches
from ..run.execute import count_cases, run_checks, run_stdio
from ..run.judging import ExpectedValueCache, GradeAgain, Judge, grade_judged, retry_without_scan
from ..run.partial_run import run_partial, without_broken
from . import self_test
from .exchange import Exchange, Exhausted, RunnerAnswer, asked, compute_expected, run_judge
from .pool import Servers
from .server import Doubtful, Server

# Attempts at code whose checker is killed.  The machine may be the cause twice; if it kills three
# checkers, and grades known programs correctly in between, the code is the cause.
_ATTEMPTS = 3

log = logging.getLogger("ocaml_reward")


class WarmEngine:
    """Checks code in long-lived servers, inside the jail named `sandbox`.

    Raises SandboxUnavailable or ToolchainError on a machine that cannot grade.
    """

    name = "warm"

    def __init__(self, sandbox: str = "auto", *, cache: PreparedCache | None = None) -> None:
        """Find the toolchain and a jail, and build the helpers; no server starts yet."""
        self._jail: Jail = choose(sandbox)
        self._toolchain = locate()
        if not (chosen := choice()).warm:
            raise ToolchainError(
                f"no warm engine for {self._toolchain.label}, use the stock engine: {chosen.why}"
            )
        self._servers = Servers(self._jail, self._wrong)
        self._self_test: PreparedTests | None = None
        self._cached_values = ExpectedValueCache()
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
        """End every server, also busy ones; none can be started any more."""
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
        # Start the kind of server that most problems use while this one is prepared.
        self._servers.foresee(problem.libraries, budget, allow_unsafe=True)

        def lend() -> AbstractContextManager[Server]:
            return self._servers.lend(problem.libraries, budget)

        def anew() -> PreparedTests:
            return _prepared(problem, budget, lend, self._completed, self.check)

        return self._cache.get(problem, budget, anew) if self._cache else anew()

    def restart(self) -> None:
        """Replace every server; busy ones when they are done."""
        self._servers.restart()

    @property
    def replaced(self) -> Mapping[str, int]:
        """The number of servers that were replaced because they failed, by the reason."""
        return self._servers.replaced

    def _wrong(self, server: Server, libraries: tuple[str, ...], budget: Budget) -> str | None:
        """Grade the known programs on one server; return the first wrong result, or None."""

        def check(request: CheckRequest) -> CheckReport:
            return grade_judged(request, partial(self._graded_by, server))[0]

        known = self._self_test or _prepared(
            self_test.KNOWN, budget, lambda: nullcontext(server), self._completed, check
        )
        like = CheckRequest(code="", tests=known, libraries=libraries, budget=budget)
        if (why := self_test.failure(known, check, like)) is None:
            self._self_test = known
        return why

    def check(self, request: CheckRequest) -> CheckReport:
        """Compile and run one completion's code."""
        started = time.perf_counter()
        request, put_in = self._completed(with_libraries(request))
        report, compile_ms = grade_judged(request, self._graded)
        spent_ms = (time.perf_counter() - started) * 1e3
        timings = {
            "compile": round(compile_ms, 3),
            "run": round(max(spent_ms - compile_ms, 0.0), 3),
        }
        timings |= report.timings_ms
        return report.but(timings_ms=timings, put_in=put_in)

    def _completed(self, request: CheckRequest) -> tuple[CheckRequest, tuple[Edit, ...]]:
        """Return a request with the given code in its code, and the edits."""

        def ask(fields: bytes) -> list[bytes]:
            # Code that has its checker killed is checked as it is, and blamed there.
            with (
                suppress(Doubtful),
                self._servers.lend(request.libraries, request.budget) as server,
            ):
                return asked(server, b"g", request.budget, fields) or []
            return []

        return completed(request, ask)

    def _graded(self, request: CheckRequest) -> tuple[CheckReport, float]:
        """Return the report of a request, and how long it took to compile."""
        for attempt in range(_ATTEMPTS):
            with self._servers.lend(
                request.libraries,
                request.budget,
                allow_unsafe=request.allow_unsafe,
                tests=request.tests.program,
                doubted=attempt > 0,
            ) as server:
                try:
                    return self._graded_by(server, request)
                except GradeAgain as again:
                    otherwise = again
                except Doubtful as doubt:
                    log.warning("some code is graded once more: %s", doubt)
                    continue
            # Raise outside the `with`: an exception inside it would discard the server.
            raise otherwise
        # Fresh checkers have graded known programs in between, so the code is the cause.
        return EXHAUSTED, 0.0

    def _graded_by(self, server: Server, request: CheckRequest) -> tuple[CheckReport, float]:
        """Return a request's report by this server, also if it exhausts the checker."""
        work = Exchange(server, request)
        try:
            return self._graded_on(work)
        except Exhausted:
            return EXHAUSTED, work.compile_ms

    def _graded_on(self, work: Exchange) -> tuple[CheckReport, float]:
        """Return a request's report: compile, run the checks and find the branches."""
        server, request = work.server, work.request
        tests, outside = request.tests, request.tests.outside

        def compute(outside: Outside, returned: str) -> ExpectedValues | None:
            code = known if outside.expected is None else ""
            return compute_expected(server, outside.oracle_program, code, request.budget, returned)

        report = work.compile(run=not tests.untested)
        known = without_broken(request.code, report.unparsed)
        if report.forbidden:
            retry_without_scan(tests, work.types, self._cached_values, compute)
        if with_holes := work.partial:
            judge = (
                None
                if outside is None
                else Judge(outside, with_holes.types, self._cached_values, compute)
            )
            report = run_partial(
                work, request, report, with_holes, judge, output_judge=self._judged
            )
        report = lacking(report, work.missing)
        if report.stage is not Stage.EXECUTABLE or report.forbidden or tests.untested:
            work.end()
            return report, work.compile_ms
        server.note_tests(tests.program)
        if tests.stdio:
            ran = run_stdio(work, request, judge=self._judged)
        elif outside is None:
            ran = run_checks(work, request)
        else:
            judge = Judge(outside, work.types, self._cached_values, compute)
            ran = run_checks(work, request, judge, judge.finish)
        report = ran.added_to(report)
        if not (ran.passes or request.holes):
            report = report.but(parts=parts(work.consists))
        if branches_wanted(request, report):
            first, *more = coverage_runs(request, report)
            spans = work.compile_with_coverage(first)
            report = with_branches(work, report, spans, (first, *more))
        work.end()
        return report, work.compile_ms

    def _judged(self, tests: PreparedTests, printed: Sequence[Printed]) -> Sequence[Judged]:
        """Return the verdicts of a problem's judge on a program's outputs."""
        if tests.checker:
            return judge_outputs_in_cpp(self._jail, tests.checker, printed)
        program = judge_program(tests.judge).encode("utf-8", "replace")

        def run(stdin: bytes, budget: Budget) -> tuple[RunnerAnswer, list[Event]] | None:
            with self._servers.lend((), JUDGE_BUDGET, tests=program) as server:
                ran = run_judge(server, program, budget, stdin)
                server.note_tests(program)
                return ran

        return judge_outputs(run, printed)


def _prepared(
    problem: Problem,
    budget: Budget,
    lend: Callable[[], AbstractContextManager[Server]],
    complete: Complete,
    check: Callable[[CheckRequest], CheckReport],
) -> PreparedTests:
    """Prepare a problem's tests on borrowed servers."""

    def rewritten(request: bytes) -> list[bytes]:
        with lend() as server:
            answer = asked(server, b"p", budget, request)
        if answer is None:
            raise too_much(problem, budget)
        return answer

    def tried(request: CheckRequest, cases: bool) -> tuple[CheckReport, tuple[Check, ...]]:
        with lend() as server:
            work = Exchange(server, request)
            report = work.compile(run=cases)
            if not cases or report.stage is not Stage.EXECUTABLE:
                return report, ()
            try:
                return report, count_cases(work, request)
            except Exhausted:
                return EXHAUSTED, ()

    def compute(outside: Outside, code: str) -> ExpectedValues | None:
        with lend() as server:
            return compute_expected(server, outside.oracle_program, code, budget)

    return prepare_tests(
        problem,
        rewrite=rewritten,
        complete=complete,
        attempt=tried,
        compute=compute,
        check=check,
        budget=budget,
    )
