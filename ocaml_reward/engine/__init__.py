"""
The seam that runs OCaml: code and prepared tests in, a report of facts out.

An engine decides nothing about reward.  It is the only part of the library with effects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from ..model import Budget, Check, CheckReport, Problem, Stage, StdioCase

__all__ = [
    "Budget",
    "CheckReport",
    "CheckRequest",
    "Engine",
    "PreparedTests",
    "Stage",
]


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
