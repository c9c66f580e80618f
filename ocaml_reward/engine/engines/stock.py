"""The reference engine: the user's own ocamlc, once per completion, in a jail.

Each completion has two jails: in the first the code is scanned, compiled and linked with the
harness and the tests; in the second the linked program runs.
"""

from __future__ import annotations

import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from ...abandoning import ending_by
from ...errors import EngineFault, JudgeFault
from ...model import Budget, Check, CheckReport, Problem, Stage
from ...reading.source_map import Edit
from ...sandbox import Jail, JailPolicy, JailRun, cache_root, choose, stop, workdir
from ...sandbox.cache import build_once
from .. import BUDGET, CheckRequest, Outside, PreparedTests
from ..build.helpers import engine_folder, rootfs
from ..build.policies import policy
from ..build.toolchain import include_folders, locate, packages
from ..judge.answer_leaks import ExpectedValues
from ..judge.checker import judge_outputs_in_cpp, require_checker
from ..judge.output_judge import judge_outputs, judge_request
from ..judge.outputs import Judged, Printed
from ..messages.limits import RunLimits, trusted_limits
from ..messages.protocol import Event, netstrings, nonce, read_events
from ..messages.reports import EXHAUSTED, MOST
from ..messages.rules import RULED, Broken, lacking
from ..messages.values import read_expected_values
from ..prepare.frameworks import with_frameworks, with_libraries
from ..prepare.given_code import completed
from ..prepare.preparation import prepare_tests
from ..prepare.prepared_cache import PreparedCache
from ..prepare.sizes import require_size, too_much
from ..run.branch_coverage import branches_wanted, coverage_runs, with_branches
from ..run.execute import count_cases, lock_settings, require_started, run_checks, run_stdio
from ..run.judging import ExpectedValueCache, Judge, grade_judged, retry_without_scan
from ..run.partial_run import partial_run_wanted, run_partial, without_broken
from .compilation import Compilation, used_up

# Signals that a helper does not cause itself.
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class StockEngine:
    """Checks code with `ocamlc`, as found on PATH, inside the jail named `sandbox`.

    Raises SandboxUnavailable or ToolchainError when made on a machine that cannot score.
    """

    name = "stock"

    def __init__(self, sandbox: str = "auto", *, cache: PreparedCache | None = None) -> None:
        """Find the toolchain and a jail, and build what is missing."""
        self._jail: Jail = choose(sandbox)
        self._toolchain = locate()
        self._threads: set[int] = set()
        self._cached_values = ExpectedValueCache()
        self._cache = cache
        self._closed = False
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
        """End the running programs of all threads; nothing can be started any more."""
        self._closed = True
        stop(tuple(self._threads))

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Register this thread, so that `close` can stop it.

        Raises EngineFault if the engine is closed, or the host refuses (a full disk, no more
        processes).
        """
        if self._closed:
            raise EngineFault("the engine is closed")
        thread = threading.get_ident()
        self._threads.add(thread)
        try:
            with ending_by(lambda: stop((thread,))):
                yield
        except OSError as error:
            raise EngineFault(f"this machine refused: {error}") from error
        finally:
            self._threads.discard(thread)

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Return a problem's tests as numbered checks, after compiling them with its reference, if
        any.

        Raises ProblemError, naming the line, for tests that cannot be used.
        """
        require_size(problem)
        problem = with_frameworks(problem)
        packages(problem.libraries)
        if problem.checker:
            require_checker(self._jail, problem)

        def compute(outside: Outside, code: str) -> ExpectedValues | None:
            with self._at_work():
                request = CheckRequest(
                    code=code,
                    tests=_oracle_tests(outside),
                    libraries=problem.libraries,
                    budget=budget,
                )
                return self._expected_values(request)

        def rewritten(request: bytes) -> list[bytes]:
            folders = map(str, include_folders(problem.libraries))
            answer = self._asked(("prepare", *folders), problem.libraries, budget, request)
            if answer is None:
                raise too_much(problem, budget)
            return answer

        def anew() -> PreparedTests:
            return prepare_tests(
                problem,
                rewrite=rewritten,
                complete=self._completed,
                attempt=self._tried,
                compute=compute,
                check=self.check,
                budget=budget,
            )

        return self._cache.get(problem, budget, anew) if self._cache else anew()

    def _asked(
        self, task: tuple[str, ...], libraries: tuple[str, ...], budget: Budget, fields: bytes
    ) -> list[bytes] | None:
        """Return the helper's answer from the jail, as fields; None if it was too much for it."""
        with self._at_work():
            run = self._jail.run(
                policy("compile", libraries, budget), ("/engine/tool", *task), stdin=fields
            )
        if run.exit_code == 0 and not used_up(run, budget):
            return netstrings(run.stdout)
        if run.signal in _FROM_OUTSIDE and not used_up(run, budget):
            raise EngineFault(f"the helper was killed ({task[0]})")
        return None

    def _completed(self, request: CheckRequest) -> tuple[CheckRequest, tuple[Edit, ...]]:
        """Return a request with the given code in its code, and the edits."""

        def ask(fields: bytes) -> list[bytes]:
            return self._asked(("given",), request.libraries, request.budget, fields) or []

        return completed(request, ask)

    def _tried(self, request: CheckRequest, cases: bool) -> tuple[CheckReport, tuple[Check, ...]]:
        """Compile a request; with `cases` also run it to count its cases."""
        with self._at_work(), workdir() as folder:
            compilation = Compilation(self._jail, request, folder)
            report, _ = compilation.report()
            if not cases or report.stage is not Stage.EXECUTABLE:
                return report, ()
            return report, count_cases(self._program(compilation), request)

    def check(self, request: CheckRequest) -> CheckReport:
        """Compile and run one completion's code."""
        started = time.perf_counter()
        request, put_in = self._completed(with_libraries(request))
        with self._at_work():
            report, compiled = grade_judged(request, self._graded)
        timings = {
            "compile": round((compiled - started) * 1e3, 3),
            "run": round((time.perf_counter() - compiled) * 1e3, 3),
        }
        timings |= report.timings_ms
        return replace(report, timings_ms=timings, put_in=put_in)

    def _graded(self, request: CheckRequest) -> tuple[CheckReport, float]:
        """Return the report of a request, and when its compilation ended."""
        outside = request.tests.outside
        with workdir() as folder:
            compilation = Compilation(self._jail, request, folder)
            report, types = compilation.report()
            broken = compilation.broken_rules() if report.stage in RULED else Broken()
            if broken is None:
                return EXHAUSTED, time.perf_counter()
            report = report.but(forbidden=(*report.forbidden, *broken.uses)[:MOST])
            known = without_broken(request.code, report.unparsed)
            compiled = time.perf_counter()

            def compute(outside: Outside, returned: str) -> ExpectedValues | None:
                code = known if outside.expected is None else ""
                oracle = replace(request, code=code, tests=_oracle_tests(outside))
                return self._expected_values(oracle, returned)

            if report.forbidden:
                retry_without_scan(request.tests, types, self._cached_values, compute)
            if partial_run_wanted(request, report) and (
                partial := compilation.compile_with_holes()
            ):
                judge = (
                    None
                    if outside is None
                    else Judge(outside, partial.types, self._cached_values, compute)
                )
                program = self._program(compilation)
                report = run_partial(
                    program, request, report, partial, judge, output_judge=self._judged
                )
            report = lacking(report, broken.missing)
            done = report.stage is not Stage.EXECUTABLE or report.forbidden
            if done or request.tests.untested:
                return report, compiled
            program = self._program(compilation)
            if request.tests.stdio:
                ran = run_stdio(program, request, judge=self._judged)
            elif outside is None:
                ran = run_checks(program, request)
            else:
                judge = Judge(outside, types, self._cached_values, compute)
                ran = run_checks(program, request, judge, judge.finish)
            report = ran.added_to(report)
            if ran.passes and not request.holes:
                report = report.but(parts=None)
            if branches_wanted(request, report):
                runs = coverage_runs(request, report)
                report = with_branches(program, report, compilation.compile_with_coverage(), runs)
        return report, compiled

    def _judged(self, tests: PreparedTests, printed: Sequence[Printed]) -> Sequence[Judged]:
        """Return the verdicts of a problem's judge on a program's outputs."""
        if tests.checker:
            return judge_outputs_in_cpp(self._jail, tests.checker, printed)
        folder = self._judge(tests.judge)

        def run(stdin: bytes, budget: Budget) -> tuple[JailRun, list[Event]]:
            program = JailedProgram(
                jail=self._jail,
                policy=policy("run", (), budget, folder),
                budget=budget,
            )
            return program.start(
                (),
                trusted_limits(budget),
                stdin=stdin,
                cpu_s=budget.tests_cpu_s,
                wall_s=budget.tests_wall_s,
            )

        return judge_outputs(run, printed)

    def _judge(self, source: str) -> Path:
        """Return the folder of a compiled judge; compile it on first use."""
        request = judge_request(source)
        key = sha256(f"{engine_folder().name}\0{request.code}".encode(errors="replace"))
        target = cache_root() / "judges" / key.hexdigest()[:20]

        def build(scratch: Path) -> None:
            made = scratch / target.name
            made.mkdir()
            with workdir() as folder:
                report, _ = Compilation(self._jail, request, folder).report()
                if report.stage is not Stage.EXECUTABLE:
                    raise JudgeFault("the problem's judge does not compile")
                shutil.copyfile(folder / "prog", made / "prog")
            (made / "prog").chmod(0o755)
            made.chmod(0o755)

        return build_once(target, build)

    def _expected_values(self, request: CheckRequest, returned: str = "") -> ExpectedValues | None:
        """Run a problem's oracle program with the types of some code; return None if that fails.

        `returned` holds the values returned by the code, for predicates to use.
        """
        with workdir() as folder:
            compilation = Compilation(self._jail, request, folder)
            if not compilation.compile_oracle(request.tests.payload):
                return None
            program = self._program(compilation)
            budget = request.budget
            _, events = program.start(
                (),
                trusted_limits(budget),
                stdin=returned.encode(),
                cpu_s=budget.tests_cpu_s,
                wall_s=budget.tests_wall_s,
            )
        return read_expected_values(events)

    @contextmanager
    def _as_written(self, request: CheckRequest) -> Iterator[JailedProgram | None]:
        """Compile some code with the tests as they were written; None if that fails."""
        tests = request.tests
        program = tests.written.program if tests.written else b""
        outside = tests.outside and replace(tests.outside, query_program=program)
        request = replace(request, tests=replace(tests, payload=program, outside=outside))
        with workdir() as folder:
            compilation = Compilation(self._jail, request, folder)
            report, _ = compilation.report()
            runs = report.stage is Stage.EXECUTABLE
            yield self._program(compilation) if runs else None

    def _program(self, compilation: Compilation) -> JailedProgram:
        """Return the compiled program, ready to run in the jail."""
        request = compilation.request
        return JailedProgram(
            jail=self._jail,
            policy=policy(
                "run",
                request.libraries,
                request.budget,
                compilation.folder,
                allow_unsafe=request.allow_unsafe,
            ),
            budget=request.budget,
            written=lambda: self._as_written(request),
        )


def _oracle_tests(outside: Outside) -> PreparedTests:
    return PreparedTests(checks=(), payload=outside.oracle_program)


@dataclass(frozen=True, kw_only=True, slots=True)
class JailedProgram:
    """A linked program, /task/prog; each run has its own jail."""

    jail: Jail
    policy: JailPolicy
    budget: Budget
    written: Callable[[], AbstractContextManager[JailedProgram | None]] | None = None

    def start_as_written(
        self, skip: Sequence[str], limits: RunLimits, *, cpu_s: float, wall_s: float
    ) -> tuple[JailRun, list[Event]] | None:
        """Run the code with the tests as they were written; None if that does not compile."""
        if self.written is None:
            return None
        with self.written() as program:
            if program is None:
                return None
            return program.start(skip, limits, cpu_s=cpu_s, wall_s=wall_s)

    def start(
        self,
        skip: Sequence[str],
        limits: RunLimits,
        *,
        stdin: bytes = b"",
        cpu_s: float,
        wall_s: float,
    ) -> tuple[JailRun, list[Event]]:
        """Run it once."""
        secret = nonce()
        clocked = replace(self.policy.limits, wall_s=max(wall_s, 0.1))
        line = lock_settings(self.budget, secret, skip, limits, cpu_s=cpu_s)
        run = self.jail.run(
            replace(self.policy, limits=clocked),
            ("/engine/run", "/task/prog"),
            stdin=stdin,
            request=line + b"\n",
        )
        events = list(read_events(run.result, secret))
        require_started(run, events, run.log)
        return run, events
