"""
The reference engine: the user's own ocamlc, once per completion, in a jail.

Two jails per completion.  In the first, our helper scans the code and then becomes
ocamlc, which compiles and links it with the harness and the tests.  In the second, the
linked program runs under the lock.  Code that does not type costs one more, in which
every independent type error is counted.
"""

from __future__ import annotations

import math
import time
from functools import cached_property
from pathlib import Path

from ..diagnostics import parse
from ..errors import EngineFault, ProblemError
from ..model import (
    CheckReport,
    CheckResult,
    Diagnostic,
    DiagnosticKind,
    Problem,
    Stage,
)
from ..sandbox import Jail, JailPolicy, JailRun, Limits, Mount, choose, workdir
from . import Budget, CheckRequest, PreparedTests
from .build import UNITS, rootfs
from .execute import Program, count_cases, run_checks, run_stdio
from .prepare import answer, request, stdio_checks
from .protocol import netstrings, nonce, read_events
from .toolchain import locate, packages

__all__ = ["StockEngine"]

# File names in /work: the tests, and the tests with the code in their unit.
_TESTS = "ocaml-reward-tests"
_MERGED = "ocaml-reward-merged"
_ERRORS = (
    DiagnosticKind.ERROR,
    DiagnosticKind.WARNING_AS_ERROR,
    DiagnosticKind.ALERT_AS_ERROR,
)


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
        Do nothing: no process outlives a call, and no file either.
        """

    def prepare(self, problem: Problem) -> PreparedTests:
        """
        Rewrite a problem's tests into numbered checks.

        Raises ProblemError, naming the line, for tests that cannot be used.
        """
        if not isinstance(problem.tests, str):
            return stdio_checks(problem)
        packages(problem.libraries)
        budget = Budget()
        policy = self._policy(
            "compile", problem.libraries, budget, budget.compile_wall_s
        )
        run = self._jail.run(
            policy, ("/engine/tool", "prepare"), stdin=request(problem)
        )
        if run.exit_code != 0:
            raise EngineFault("the helper that prepares tests failed")
        prepared, dynamic = answer(problem, netstrings(run.stdout))
        if dynamic:
            return self._counted(problem, prepared)
        return prepared

    def check(self, request: CheckRequest) -> CheckReport:
        """
        Compile and run one completion's code.
        """
        started = time.perf_counter()
        with workdir() as folder:
            (folder / "solution.ml").write_bytes(
                request.code.encode("utf-8", "replace")
            )
            if request.tests.payload:
                (folder / f"{_TESTS}.ml").write_bytes(request.tests.payload)
            report = self._compile(request, folder)
            compiled = time.perf_counter()
            results: tuple[CheckResult, ...] = ()
            if report.stage is Stage.EXECUTABLE and not report.forbidden:
                program = Program(
                    jail=self._jail,
                    policy=self._run_policy(request.libraries, request.budget, folder),
                    budget=request.budget,
                )
                execute = run_stdio if request.tests.stdio else run_checks
                results = execute(program, request.tests)
        finished = time.perf_counter()
        return CheckReport(
            stage=report.stage,
            type_errors=report.type_errors,
            parsed_share=report.parsed_share,
            diagnostics=report.diagnostics,
            forbidden=report.forbidden,
            results=results,
            timings_ms={
                "compile": round((compiled - started) * 1e3, 3),
                "run": round((finished - compiled) * 1e3, 3),
            },
        )

    def _compile(self, request: CheckRequest, folder: Path) -> CheckReport:
        budget = request.budget
        policy = self._policy(
            "compile", request.libraries, budget, budget.compile_wall_s, folder
        )
        secret = nonce()
        command = ("/engine/tool", "compile", *self._ocamlc(request))
        run = self._jail.run(policy, command, request=f"{secret}\n".encode())
        events = list(read_events(run.result, secret))
        names = {event.name for event in events}
        if "hello" not in names:
            raise EngineFault(f"the compiler did not start in its jail: {_why(run)}")
        # What is unsafe, and where; the detail is our own text, never the code's.
        forbidden = tuple(
            f"{event.detail} (line {event.arguments[0]})"
            for event in events
            if event.name == "forbidden"
        )
        shares = [event.arguments for event in events if event.name == "items"]
        stage = _stage(run, names, folder, has_tests=bool(request.tests.payload))
        diagnostics = parse(run.stderr.decode("utf-8", "replace"))
        if stage is Stage.TYPE_ERROR and self._types_in_use(
            request, policy, folder, run
        ):
            stage, diagnostics = Stage.EXECUTABLE, ()
        type_errors: int | None = None
        if stage in (Stage.EXECUTABLE, Stage.LINK_ERROR):
            type_errors = 0
        elif stage in (Stage.TYPE_ERROR, Stage.INTERFACE_ERROR):
            type_errors, more = self._count(request, policy, stage)
            diagnostics = _merged(diagnostics, more)
        share = None
        if stage is Stage.SYNTAX_ERROR:
            parsed, total = (int(n) for n in shares[0]) if shares else (0, 0)
            share = parsed / total if total else 0.0
        return CheckReport(
            stage=stage,
            type_errors=type_errors,
            parsed_share=share,
            diagnostics=diagnostics,
            forbidden=forbidden,
        )

    def _types_in_use(
        self, request: CheckRequest, policy: JailPolicy, folder: Path, run: JailRun
    ) -> bool:
        """
        Compile code whose one fault is a type left open as part of the tests' unit,
        where its use closes it; tell whether that worked.
        """
        if b"cannot be generalized" not in run.stderr:
            return False
        # An empty interface lets a unit keep open types to itself.
        unit = _MERGED if request.tests.payload else "solution"
        (folder / f"{unit}.mli").write_bytes(b"")
        *command, _ = self._ocamlc(request)
        if request.tests.payload:
            command = ["/engine/tool", "merge", *command[:-1]]
        again = self._jail.run(policy, (*command, f"{unit}.mli", f"{unit}.ml"))
        return again.exit_code == 0

    def _ocamlc(self, request: CheckRequest) -> list[str]:
        harness, pristine, ounit = (f"{unit}.cmo" for unit in UNITS)
        command = [str(self._toolchain.ocamlc), "-use-prims", "/engine/primitives"]
        # Short: a report quotes no source, which we have; and of the tests, which reach
        # ocamlc as a tree, it would quote the wrong file.
        # 24: our own file names are not module names, on purpose.
        command += ["-error-style", "short", "-color", "never", "-w", "-24"]
        command += ["-I", "/engine", "-o", "prog"]
        for package in packages(request.libraries):
            command += ["-I", str(package.folder), *package.archives]
        command += [harness]
        if request.tests.payload:
            return [*command, pristine, ounit, "solution.ml", f"{_TESTS}.ml"]
        return [*command, "solution.ml"]

    def _count(
        self, request: CheckRequest, policy: JailPolicy, stage: Stage
    ) -> tuple[int, tuple[Diagnostic, ...]]:
        names = request.tests.uses if stage is Stage.INTERFACE_ERROR else ()
        includes = [str(package.folder) for package in packages(request.libraries)]
        command = ("/engine/tool", "count", ":".join(includes), stage.value, *names)
        run = self._jail.run(policy, command)
        try:
            count, *reports = netstrings(run.stdout)
            text = b"".join(reports).decode("utf-8", "replace")
            return max(1, int(count)), parse(text)
        except (EngineFault, ValueError):
            # A program that exhausts the counter still has the error ocamlc found.
            return 1, ()

    def _counted(self, problem: Problem, prepared: PreparedTests) -> PreparedTests:
        # The suite is built by code, so only running it tells how many cases it has.
        if problem.reference is None:
            raise ProblemError(
                f"{problem.id}: the tests build their cases in code, so counting them"
                " needs a reference solution"
            )
        budget = Budget()
        request = CheckRequest(
            code=problem.reference,
            tests=prepared,
            libraries=problem.libraries,
            budget=budget,
        )
        with workdir() as folder:
            (folder / "solution.ml").write_text(problem.reference, encoding="utf-8")
            (folder / f"{_TESTS}.ml").write_bytes(prepared.payload)
            report = self._compile(request, folder)
            if report.stage is not Stage.EXECUTABLE:
                raise ProblemError(
                    f"{problem.id}: the tests do not compile against the reference:"
                    f" {_first_error(report)}"
                )
            policy = self._run_policy(problem.libraries, budget, folder)
            program = Program(jail=self._jail, policy=policy, budget=budget)
            checks = count_cases(program)
        if not checks:
            raise ProblemError(f"{problem.id}: tests without a test case")
        return PreparedTests(
            checks=checks, uses=prepared.uses, payload=prepared.payload
        )

    def _run_policy(
        self, libraries: tuple[str, ...], budget: Budget, folder: Path
    ) -> JailPolicy:
        return self._policy("run", libraries, budget, budget.tests_wall_s, folder)

    def _policy(
        self,
        kind: str,
        libraries: tuple[str, ...],
        budget: Budget,
        wall_s: float,
        folder: Path | None = None,
    ) -> JailPolicy:
        compiling = kind == "compile"
        cpu_s = budget.compile_cpu_s if compiling else budget.tests_cpu_s
        words = budget.stack_mb * 1024 * 1024 // 8
        stubs = dict.fromkeys(str(package.folder) for package in packages(libraries))
        return JailPolicy(
            rootfs=rootfs(libraries),
            seccomp=kind,
            limits=Limits(
                wall_s=wall_s,
                # A backstop: the runner's own timer is exact, and fires first.
                cpu_s=math.ceil(cpu_s) + (0 if compiling else 1),
                memory_bytes=budget.memory_mb * 1024 * 1024,
                stack_bytes=budget.stack_mb * 1024 * 1024,
                file_bytes=budget.file_bytes if compiling else 0,
                open_files=32,
                processes=budget.processes,
                output_bytes=64_000_000 if folder is None else budget.output_bytes * 2,
            ),
            mounts=(Mount(source=folder, target="/work", writable=compiling),)
            if folder
            else (),
            environment=(
                ("LC_ALL", "C"),
                ("OCAMLLIB", str(self._toolchain.stdlib)),
                ("OCAMLRUNPARAM", f"l={words}"),
                ("CAML_LD_LIBRARY_PATH", ":".join(stubs)),
            ),
            cwd="/work",
        )


def _stage(run: JailRun, names: set[str], folder: Path, *, has_tests: bool) -> Stage:
    # Which files ocamlc left behind says how far it got.  Its text does not: a line
    # directive in the code can make an error look as if it came from anywhere.
    if run.exit_code == 0:
        return Stage.EXECUTABLE
    if run.exit_code is None or run.wall_exceeded or "too_deep" in names:
        return Stage.COMPILER_LIMIT
    if run.output_exceeded or run.exit_code != 2 or "scanned" not in names:
        return Stage.COMPILER_LIMIT
    if "items" in names:
        return Stage.SYNTAX_ERROR
    if not (folder / "solution.cmo").exists():
        fatal = run.stderr.lstrip().startswith(b"Fatal error: ")
        return Stage.COMPILER_LIMIT if fatal else Stage.TYPE_ERROR
    if has_tests and not (folder / f"{_TESTS}.cmo").exists():
        return Stage.INTERFACE_ERROR
    return Stage.LINK_ERROR


def _merged(
    own: tuple[Diagnostic, ...], more: tuple[Diagnostic, ...]
) -> tuple[Diagnostic, ...]:
    # ocamlc's own first error stands as it was printed; the count adds the others.
    known = {(d.file, d.span) for d in own if d.kind in _ERRORS}
    return own + tuple(d for d in more if (d.file, d.span) not in known)


def _first_error(report: CheckReport) -> str:
    for found in report.diagnostics:
        if found.kind in _ERRORS:
            where = f"{found.file}, line {found.span.line}: " if found.span else ""
            return where + " ".join(found.message.split())[:200]
    return report.stage.value.replace("_", " ")


def _why(run: JailRun) -> str:
    text = run.log or run.stderr.decode("utf-8", "replace")
    ending = f"exit {run.exit_code}" if run.signal is None else f"signal {run.signal}"
    return " ".join(f"{ending} {text}".split())[:300]
