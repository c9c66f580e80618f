"""
What tests of code that uses this library need: an engine without OCaml, and builders.

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

__all__ = [
    "Answer",
    "FakeEngine",
    "completion",
    "diagnostic",
    "problem",
    "report",
]

Answer = CheckReport | Exception
"""
What a fake engine does with a completion: report it, or raise.
"""


class FakeEngine:
    """
    An engine that answers from a mapping of code to answers, or from a function.

    Code is looked up without the blanks around it.  Code that the mapping lacks is
    answered with `otherwise`.  An answer that is an exception is raised, which is how a
    failing machine is played.  `requests` holds what was asked, and `budgets` what was for
    each preparation, in the order of asking; `closed` counts the calls of `close`.
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
        """
        Program the engine; without `otherwise`, unknown code passes every check.
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
        """
        Take each line of the tests with an `assert`, or each stdio case, for a check.

        Raises ProblemError if there is none, as the real engines do.
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
        if not sources:
            raise ProblemError(f"problem {problem.id!r}: its tests hold no check")
        checks = tuple(
            Check(index=index, line=line, source=source)
            for index, (line, source) in enumerate(sources, 1)
        )
        return PreparedTests(checks=checks, stdio=stdio)

    def check(self, request: CheckRequest) -> CheckReport:
        """
        Answer as programmed.
        """
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
        """
        Count the call.
        """
        self.closed += 1


def all_passed(request: CheckRequest) -> CheckReport:
    """
    Build the report of code that passes every check of its request.
    """
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
    """
    Build a report; `outcomes` are those of the checks, check n standing on line n.

    `type_errors` is 0 for code that types, 1 for a type error and None for a syntax
    error, unless given.
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
    """
    Build a diagnostic; `columns` are the first and the one after the last, in bytes.
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
    """
    Build a problem; the default one asks for `add` and has one check.
    """
    return Problem(
        id=id,
        tests=tests,
        prompt=prompt,
        reference=reference,
        signature=signature,
        libraries=tuple(libraries),
    )


def completion(
    text: str = "let add x y = x + y", *, truncated: bool | None = None
) -> Completion:
    """
    Build a completion; the default one solves the default problem.
    """
    return Completion(text=text, truncated=truncated)
