"""
The seam that runs OCaml: code and prepared tests in, a report of facts out.

An engine decides nothing about reward.  It is the only part of the library with effects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from ..model import Check, CheckResult, Diagnostic, Problem, StdioCase

__all__ = [
    "Budget",
    "CheckReport",
    "CheckRequest",
    "Engine",
    "PreparedTests",
    "Stage",
]


class Stage(StrEnum):
    """
    How far the code got.
    """

    SYNTAX_ERROR = "syntax_error"
    TYPE_ERROR = "type_error"
    INTERFACE_ERROR = "interface_error"
    LINK_ERROR = "link_error"
    COMPILER_LIMIT = "compiler_limit"
    EXECUTABLE = "executable"


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """
    What one completion may spend.  CPU seconds decide; wall seconds only catch a process
    that sleeps, and are generous so that a loaded machine changes no reward.
    """

    compile_cpu_s: float = 5.0
    compile_wall_s: float = 20.0
    check_cpu_s: float = 1.0
    tests_cpu_s: float = 5.0
    tests_wall_s: float = 30.0
    memory_mb: int = 512
    stack_mb: int = 8
    output_bytes: int = 1_000_000
    file_bytes: int = 16_000_000
    processes: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class PreparedTests:
    """
    A problem's tests after their one trusted rewriting.

    `payload` is the engine's own form of them (a serialised parse tree, or b"" for
    stdio problems).  `uses` are the names that the tests need from the code, sorted.
    """

    checks: tuple[Check, ...]
    uses: tuple[str, ...] = ()
    payload: bytes = field(default=b"", repr=False)
    stdio: tuple[StdioCase, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckRequest:
    """
    One completion's code against one problem's prepared tests.
    """

    code: str
    tests: PreparedTests
    libraries: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckReport:
    """
    What happened, as facts.  `results` is empty unless `stage` is EXECUTABLE and nothing
    is forbidden; then it holds every check in order.
    """

    stage: Stage
    type_errors: int | None
    parsed_share: float | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    forbidden: tuple[str, ...] = ()
    results: tuple[CheckResult, ...] = ()
    timings_ms: dict[str, float] = field(compare=False, default_factory=dict)


class Engine(Protocol):
    """
    Anything that can prepare tests and check code against them, from several threads.

    `prepare` raises ProblemError for tests that cannot be used; both methods raise
    MachineError when the machine fails, and nothing else.
    """

    @property
    def name(self) -> str:
        """
        "stock" or "warm", as written in each record.
        """
        ...

    @property
    def sandbox(self) -> str:
        """
        The jail in use, as written in each record.
        """
        ...

    @property
    def toolchain(self) -> str:
        """
        "ocaml 4.13.1", as written in each record.
        """
        ...

    def prepare(self, problem: Problem) -> PreparedTests:
        """
        Rewrite a problem's tests into numbered checks.
        """
        ...

    def check(self, request: CheckRequest) -> CheckReport:
        """
        Compile and run one completion.
        """
        ...

    def close(self) -> None:
        """
        Stop every process and remove every file of this engine.
        """
        ...
