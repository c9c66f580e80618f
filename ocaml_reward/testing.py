"""Helpers for tests of code that uses this library: an engine without OCaml, and builders.

    engine = FakeEngine({"let f x = x": report("passed", "failed")})
    with Grader(scheme, engine=engine, jobs=2) as grader:
        breakdown = grader.grade(problem(), completion("let f x = x"))

Everything above the engine is real: extraction, credits, penalties and the record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import Lock

from .engine import BUDGET, Budget, CheckRequest, PreparedTests
from .errors import ProblemError
from .model import (
    CODE_FILE,
    Check,
    CheckReport,
    CheckResult,
    Completion,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Outcome,
    Problem,
    Span,
    Stage,
    StdioCase,
)

Answer = CheckReport | Exception
"""The result of a fake engine for one completion: a report, or an exception to raise."""


class FakeEngine:
    """An engine that returns its results from a mapping of code, or from a function.

    `requests` holds the requests and `budgets` the budget of each preparation, in the order
    of the calls; `closed` counts the calls of `close`.
    """

    def __init__(
        self,
        answers: Mapping[str, Answer] | Callable[[CheckRequest], Answer] | None = None,
        *,
        otherwise: Answer | None = None,
        name: str = "fake",
        sandbox: str = "none",
        toolchain: str = "ocaml 4.13.1",
    ) -> None:
        """Program the engine.

        Args:
            answers: The result for each code, looked up by the stripped code; or a function of
                the request.  An exception is raised instead of returned, which simulates a
                failing machine.
            otherwise: The result for code that is not in the mapping; by default such code
                passes every check.
            name: The engine's name in records.
            sandbox: The jail's name in records.
            toolchain: The compiler in records.
        """
        self.answers = answers if answers is not None else {}
        self.otherwise = otherwise
        self.name = name
        self.sandbox = sandbox
        self.toolchain = toolchain
        self.requests: list[CheckRequest] = []
        self.budgets: list[Budget] = []
        self.closed = 0
        self._lock = Lock()

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Make one check per line of the tests with an `assert`, or per stdio case.

        Args:
            problem: The problem; its reference is not run.
            budget: Kept in `budgets`.

        Returns:
            The checks, without a payload.

        Raises:
            ProblemError: The tests hold no check, as with the real engines.
        """
        with self._lock:
            self.budgets.append(budget)
        if isinstance(problem.tests, str):
            sources = [
                (number, line.strip())
                for number, line in enumerate(problem.tests.splitlines(), 1)
                if "assert" in line
            ]
            stdio: tuple[StdioCase, ...] = ()
        else:
            stdio = problem.tests
            sources = [(number, case.stdin) for number, case in enumerate(stdio, 1)]
        if not (sources or problem.untested):
            raise ProblemError(f"problem {problem.id!r}: its tests hold no check")
        checks = tuple(
            Check(index=index, line=line, source=source)
            for index, (line, source) in enumerate(sources, 1)
        )
        return PreparedTests(checks=checks, stdio=stdio)

    def check(self, request: CheckRequest) -> CheckReport:
        """Return, or raise, the programmed result."""
        with self._lock:
            self.requests.append(request)
        if callable(self.answers):
            answer = self.answers(request)
        else:
            default = self.otherwise or all_passed(request)
            answer = self.answers.get(request.code.strip(), default)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self) -> None:
        """Count the call."""
        self.closed += 1


def all_passed(request: CheckRequest) -> CheckReport:
    """Build the report of code that passes every check of its request."""
    return CheckReport(
        stage=Stage.EXECUTABLE,
        type_errors=0,
        results=tuple(
            CheckResult(index=check.index, line=check.line, outcome=Outcome.PASSED)
            for check in request.tests.checks
        ),
    )


def report(
    *outcomes: str,
    stage: str = "executable",
    type_errors: int | None = None,
    parsed_share: float | None = None,
    diagnostics: Sequence[Diagnostic] = (),
    forbidden: Sequence[str] = (),
) -> CheckReport:
    """Build an engine's report.

    Args:
        *outcomes: The outcomes of the checks, as words; check n stands on line n.
        stage: How far the code got, a word of `Stage`.
        type_errors: The number of type errors; by default 1 for a type or interface error,
            None for a syntax error, else 0.
        parsed_share: The share of top-level items that parse, between 0 and 1.
        diagnostics: The compiler's messages.
        forbidden: The unsafe constructs found.

    Returns:
        The report.
    """
    counts = {Stage.TYPE_ERROR: 1, Stage.INTERFACE_ERROR: 1, Stage.SYNTAX_ERROR: None}
    if type_errors is None:
        type_errors = counts.get(Stage(stage), 0)
    return CheckReport(
        stage=Stage(stage),
        type_errors=type_errors,
        parsed_share=parsed_share,
        diagnostics=tuple(diagnostics),
        forbidden=tuple(forbidden),
        results=tuple(
            CheckResult(index=number, line=number, outcome=Outcome(outcome))
            for number, outcome in enumerate(outcomes, 1)
        ),
    )


def diagnostic(
    message: str,
    *,
    line: int = 1,
    columns: tuple[int, int] | None = (0, 1),
    end_line: int | None = None,
    kind: str = "error",
    source: str = "typer",
    hint: str | None = None,
) -> Diagnostic:
    """Build a diagnostic of the code.

    Args:
        message: The compiler's text.
        line: The first line, from 1.
        columns: The first column and the one after the last, from 0, in bytes; None where
            the compiler gave only lines.
        end_line: The last line; the first one if not given.
        kind: A word of `DiagnosticKind`.
        source: A word of `DiagnosticSource`.
        hint: The compiler's hint.

    Returns:
        The diagnostic.
    """
    column, end_column = columns or (None, None)
    return Diagnostic(
        kind=DiagnosticKind(kind),
        source=DiagnosticSource(source),
        message=message,
        file=CODE_FILE,
        span=Span(
            line=line,
            end_line=end_line or line,
            column=column,
            end_column=end_column,
        ),
        hint=hint,
    )


def problem(
    id: str = "add",  # noqa: A002 - the word for it everywhere
    tests: str | tuple[StdioCase, ...] = "let () = assert (add 1 2 = 3)",
    *,
    prompt: str = "",
    reference: str | None = None,
    signature: str | None = None,
    libraries: Sequence[str] = (),
) -> Problem:
    """Build a problem; the default one is to write `add`, with one check.

    Args:
        id: Its identifier.
        tests: OCaml source, or the cases of a program judged on stdin and stdout.
        prompt: The prompt for the model.
        reference: A solution.
        signature: The signature of the solution, as `val f : int -> int`.
        libraries: Names of the libraries that it may use.

    Returns:
        The problem.
    """
    return Problem(
        id=id,
        tests=tests,
        prompt=prompt,
        reference=reference,
        signature=signature,
        libraries=tuple(libraries),
    )


def completion(text: str = "let add x y = x + y", *, truncated: bool | None = None) -> Completion:
    """Build a completion; the default one solves the default problem.

    Args:
        text: The model's text.
        truncated: Whether it hit its length limit; None if unknown.

    Returns:
        The completion.
    """
    return Completion(text=text, truncated=truncated)
