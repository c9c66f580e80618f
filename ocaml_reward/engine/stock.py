"""
The reference engine: the user's own ocamlc, once per completion, in a jail.

Two jails per completion: in the first the code is scanned, compiled and linked with the
harness and the tests; in the second the linked program runs under the lock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property

from ..errors import EngineFault, ProblemError
from ..extraction import extract
from ..model import Budget, CheckReport, CheckResult, Problem, Stage
from ..sandbox import Jail, choose, stop, workdir
from . import CheckRequest, PreparedTests
from .build import rootfs
from .compilation import Compilation
from .execute import Program, count_cases, run_checks, run_stdio
from .policies import policy
from .prepare import answer, request, stdio_checks
from .protocol import netstrings
from .reports import first_error
from .toolchain import locate, packages

__all__ = ["StockEngine"]


class StockEngine:
    """
    Checks code with `ocamlc`, as found on PATH, inside the jail named `sandbox`.

    Raises SandboxUnavailable or ToolchainError when made on a machine that cannot score.
    """

    name = "stock"

    def __init__(self, sandbox: str = "auto") -> None:
        """
        Find the toolchain and a jail, and build what is missing.
        """
        self._jail: Jail = choose(sandbox)
        self._toolchain = locate()
        self._threads: set[int] = set()
        self._closed = False
        rootfs()

    @property
    def sandbox(self) -> str:
        """
        The name of the jail in use.
        """
        return self._jail.name

    @cached_property
    def toolchain(self) -> str:
        """
        The compiler in use, "ocaml 4.13.1".
        """
        return self._toolchain.label

    def close(self) -> None:
        """
        End what is running, in whatever thread; nothing starts any more.
        """
        self._closed = True
        stop(tuple(self._threads))

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """
        Know this thread for one that may have to be stopped.

        Raises EngineFault when the engine is closed, or the host refuses (a full disk,
        no more processes).
        """
        if self._closed:
            raise EngineFault("the engine is closed")
        thread = threading.get_ident()
        self._threads.add(thread)
        try:
            yield
        except OSError as error:
            raise EngineFault(f"this machine refused: {error}") from error
        finally:
            self._threads.discard(thread)

    def prepare(self, problem: Problem) -> PreparedTests:
        """
        Rewrite a problem's tests into numbered checks, and compile them against its
        reference if it has one.

        Raises ProblemError, naming the line, for tests that cannot be used.
        """
        packages(problem.libraries)
        if not isinstance(problem.tests, str):
            return stdio_checks(problem)
        prepared, dynamic = self._rewritten(problem)
        if problem.reference is None:
            if dynamic:
                raise ProblemError(
                    f"{problem.id}: the tests build their cases in code, so counting"
                    " them needs a reference solution"
                )
            return prepared
        # A reference comes as completions do: fenced, or as the prompt's continuation.
        prompt, uses = problem.prompt, prepared.uses
        code = extract(problem.reference, uses=uses, prompt=prompt).code
        if code.strip() != problem.reference.strip():
            problem = replace(problem, reference=code)
            prepared, dynamic = self._rewritten(problem)
        return self._tried(problem, code, prepared, dynamic=dynamic)

    def _rewritten(self, problem: Problem) -> tuple[PreparedTests, bool]:
        with self._at_work():
            run = self._jail.run(
                policy("compile", problem.libraries, Budget()),
                ("/engine/tool", "prepare"),
                stdin=request(problem),
            )
        if run.exit_code != 0:
            raise EngineFault("the helper that prepares tests failed")
        return answer(problem, netstrings(run.stdout))

    def _tried(
        self, problem: Problem, code: str, prepared: PreparedTests, *, dynamic: bool
    ) -> PreparedTests:
        request = CheckRequest(code=code, tests=prepared, libraries=problem.libraries)
        with self._at_work(), workdir() as folder:
            compilation = Compilation(self._jail, request, folder)
            report = compilation.report()
            # A reference that is itself broken says nothing about the tests.
            if report.stage is Stage.INTERFACE_ERROR or (
                dynamic and report.stage is not Stage.EXECUTABLE
            ):
                raise ProblemError(
                    f"{problem.id}: the tests do not compile against the reference:"
                    f" {first_error(report)}"
                )
            if not dynamic:
                return prepared
            # The suite is built by code: only running it tells how many cases it has.
            checks = count_cases(self._program(compilation))
        if not checks:
            raise ProblemError(f"{problem.id}: tests without a test case")
        return replace(prepared, checks=checks)

    def check(self, request: CheckRequest) -> CheckReport:
        """
        Compile and run one completion's code.
        """
        started = time.perf_counter()
        with self._at_work(), workdir() as folder:
            compilation = Compilation(self._jail, request, folder)
            report = compilation.report()
            compiled = time.perf_counter()
            results: tuple[CheckResult, ...] = ()
            if report.stage is Stage.EXECUTABLE and not report.forbidden:
                execute = run_stdio if request.tests.stdio else run_checks
                results = execute(self._program(compilation), request.tests)
        timings = {
            "compile": round((compiled - started) * 1e3, 3),
            "run": round((time.perf_counter() - compiled) * 1e3, 3),
        }
        return replace(report, results=results, timings_ms=timings)

    def _program(self, compilation: Compilation) -> Program:
        request = compilation.request
        return Program(
            jail=self._jail,
            policy=policy("run", request.libraries, request.budget, compilation.folder),
            budget=request.budget,
        )
