"""The grader: problems and completions in, breakdowns out.

It combines the pure parts with the one effect, `Engine.check`, and separates three kinds of
failure: a bad completion gets a verdict, a bad problem raises when it is prepared, and a machine
that keeps failing leaves a breakdown without a reward.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import Self

from .engine import CheckRequest, Engine, PreparedTests, allowance, replaced_in
from .engine.engines.parallel import jobs_of
from .errors import Abandoned, MachineError
from .model import (
    Breakdown,
    Budget,
    CaseGroup,
    CheckReport,
    Completion,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Fault,
    Problem,
    Stage,
    groups_of,
)
from .reading.definitions import outermost
from .reading.extraction import MOST_CHARACTERS, Extraction, How, extract
from .reading.source_map import Edit
from .report_cache import ReportCache, Slow, retried
from .scheme import RewardScheme, load
from .scoring import located
from .scoring.rewards import graded, score, ungraded
from .single_flight import SingleFlightCache
from .two_pass_scheduler import Task, Threads, in_order

_PROBLEMS_KEPT = 16384
# The report on a completion that is too long; no engine is called.
_TOO_LONG = CheckReport(
    stage=Stage.COMPILER_LIMIT,
    type_errors=None,
    diagnostics=(
        Diagnostic(
            kind=DiagnosticKind.ERROR,
            source=DiagnosticSource.ENVIRONMENT,
            message=f"The completion has more than {MOST_CHARACTERS:,} characters.",
        ),
    ),
)


@dataclass(frozen=True, eq=False, kw_only=True, slots=True)
class _Prepared:
    """What all completions of a problem share.

    `uses` are the names that the tests and the problem need from the code itself, `budget` is that of a completion.
    """

    tests: PreparedTests
    uses: tuple[str, ...]
    budget: Budget
    groups: tuple[CaseGroup, ...]


class Grader:
    """Grades completions under one reward scheme, several at a time.

    The engine is closed with the grader.
    """

    def __init__(
        self,
        scheme: RewardScheme | str | Path = "seed",
        *,
        engine: Engine | str | None = None,
        jobs: int | None = None,
        regions: bool = False,
    ) -> None:
        """Load the scheme and start the engine.

        Args:
            scheme: A RewardScheme, the name of a shipped one, or the path of a TOML file.
            engine: What runs OCaml: an engine, or the name of one to start, "warm" or "stock", or
                a server's address; the default is the fastest that works here, in the best jail
                that works here.
            jobs: The number of completions graded at a time; the default suits the processors
                that this process may use, or a remote engine's servers.
            regions: Whether each breakdown lists which parts of its code are right or wrong.

        Raises:
            SchemeError: The scheme cannot be read, or breaks a law of schemes.
            ToolchainError: No engine was given, and there is no OCaml compiler to use.
            SandboxUnavailable: No engine was given, and no jail works here.
            ValueError: `jobs` is less than 1, or no engine has that name.
        """
        if jobs is not None and jobs < 1:
            raise ValueError(f"jobs: at least 1, found {jobs}")
        self.scheme = load(scheme)
        self.engine = _started(engine or "auto")
        self.jobs = jobs or jobs_of(self.engine, len(os.sched_getaffinity(0)))
        self.regions = regions
        self._label = self.scheme.label
        self._prepared: SingleFlightCache[_Prepared] = SingleFlightCache(_PROBLEMS_KEPT)
        self._latest: tuple[Problem | None, _Prepared | None] = (None, None)
        self._reports = ReportCache(self.engine)
        self._threads = Threads(self.jobs, "ocaml-reward")
        self._closed = Event()

    def __enter__(self) -> Self:
        """Return the grader itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the engine."""
        self.close()

    @property
    def replaced(self) -> Mapping[str, int]:
        """How many processes of the engine were replaced, by the reason: they answered wrongly, or
        not at all.  Their requests were sent again.
        """
        return replaced_in(self.engine)

    def close(self) -> None:
        """Stop the engine: every process it started ends. Nothing can be graded any more."""
        self._closed.set()
        self.engine.close()
        self._threads.close()

    def _require_open(self) -> None:
        if self._closed.is_set():
            raise ValueError(
                "this grader is closed: grade before close(), or inside its with block"
            )

    def under(self, scheme: RewardScheme) -> Grader:
        """Return a grader under another scheme that shares this one's engine and, if the budgets
        are equal, its caches of prepared problems and of reports.
        """
        other = Grader(scheme, engine=self.engine, jobs=self.jobs, regions=self.regions)
        other._closed = self._closed
        if scheme.budget == self.scheme.budget:
            other._prepared, other._reports = self._prepared, self._reports
        return other

    def prepare(self, problem: Problem) -> PreparedTests:
        """Rewrite a problem's tests into checks, once per problem.

        Raises ProblemError if they cannot be used, MachineError if the machine fails.
        """
        return self._prepared_once(problem).tests

    def _prepared_once(self, problem: Problem) -> _Prepared:
        """Return what all completions of a problem share."""
        self._require_open()
        # A group's completions come one after the other: their problem need not be hashed.
        known, prepared = self._latest
        if problem is known and prepared is not None:
            return prepared
        if not isinstance(problem, Problem):
            raise TypeError(f"expected a Problem, found {type(problem).__name__}")
        prepared = self._prepared.get(problem, lambda: self._prepare(problem))
        self._latest = (problem, prepared)
        return prepared

    def _prepare(self, problem: Problem) -> _Prepared:
        """Prepare a problem's tests, and compute what follows from them."""
        budget = allowance(problem, self.scheme.budget)
        groups = groups_of(problem.tests)
        tests = retried(lambda: self.engine.prepare(problem, budget))
        return _Prepared(
            tests=tests,
            uses=(*outermost(tests.uses, problem.reference), *_outer(problem.required)),
            budget=allowance(problem, self.scheme.budget, tests.costs),
            groups=groups,
        )

    def extract(self, problem: Problem, completion: Completion | str) -> Extraction:
        """Extract the code of a completion, as `grade` does, without running anything.

        Args:
            problem: The problem, whose tests are prepared the first time it is seen.
            completion: The model's text.

        Returns:
            The code, and where it stood.

        Raises:
            ProblemError: The problem's tests cannot be used.
            MachineError: The machine failed to prepare them.
        """
        return self._extracted(problem, self._prepared_once(problem), Completion.of(completion))

    def _extracted(
        self, problem: Problem, prepared: _Prepared, completion: Completion
    ) -> Extraction:
        """Extract the code of a completion of a prepared problem."""
        return extract(
            completion.text[:MOST_CHARACTERS],
            uses=prepared.uses,
            files=prepared.tests.files,
            prompt=problem.prompt,
            end_marker=self.scheme.end_marker,
        )

    def grade(self, problem: Problem, completion: Completion | str) -> Breakdown:
        """Grade one completion.

        If the machine fails, grading is tried again; if it keeps failing, the breakdown has a
        `fault` and no reward.

        Args:
            problem: The problem, whose tests are prepared the first time it is seen.
            completion: The model's text; at most its first 2,000,000 characters are read.

        Returns:
            The breakdown; its reward is between 0 and 1, None exactly with a fault.

        Raises:
            ProblemError: The problem's tests cannot be used.
            ValueError: The grader is closed.
        """
        while True:
            try:
                return self._graded(problem, completion, quick=False)
            except Slow:
                # Another thread's quick attempt at the same code has run out of time.
                continue

    def quick_attempt(self, problem: Problem, completion: Completion | str) -> Breakdown | None:
        """Grade one completion in a short time, or return None.

        Each check, and a warm compiler, gets only a share of its CPU time (0.1).

        Args:
            problem: The problem.
            completion: The model's text.

        Returns:
            The result of `grade`, or None for a completion that needs more time.

        Raises:
            ProblemError: The problem's tests cannot be used.
        """
        try:
            return self._graded(problem, completion, quick=True)
        except Slow:
            return None

    def _graded(self, problem: Problem, given: Completion | str, *, quick: bool) -> Breakdown:
        """Return the breakdown of a completion; of one that this machine failed to grade, too."""
        completion = Completion.of(given)
        started = time.perf_counter()
        tests = extraction = None
        try:
            prepared = self._prepared_once(problem)
            tests = prepared.tests
            extraction = self._extracted(problem, prepared, completion)
            report = self._report(problem, prepared, extraction, completion, quick=quick)
        except Abandoned:
            raise
        except MachineError as error:
            return ungraded(
                problem.id,
                Fault(kind=type(error).__name__, message=str(error)),
                self.scheme,
                self.engine,
                code=extraction.code if extraction else "",
                checks=len(tests.checks) if tests else 0,
            )
        if report is not None:
            extraction = extraction.with_given([Edit(*each) for each in report.put_in])
        regions = None
        if self.regions:
            regions = located(
                report,
                extraction.code,
                tests.checks,
                uses=tests.uses,
                origins=extraction.origins(),
            )
        checks = len(tests.checks)
        return graded(
            problem,
            score(report, extraction, completion, checks, self.scheme, groups=prepared.groups),
            extraction=extraction,
            truncated=completion.truncated,
            report=report,
            checks=checks,
            label=self._label,
            engine=self.engine,
            regions=regions,
            total_ms=(time.perf_counter() - started) * 1e3,
            groups=prepared.groups,
        )

    def grade_many(
        self, pairs: Iterable[tuple[Problem, Completion | str]]
    ) -> Generator[Breakdown, None, None]:
        """Grade a stream, in order, reading only a little ahead of the results.

        Equal code for the same problem is checked once.  Code that takes long is checked when no
        other completion is waiting.  Raises ProblemError for a problem that cannot be graded:
        prepare doubtful problems first; ValueError if the grader is closed.
        """
        self._require_open()
        yield from in_order(
            (
                Task(
                    partial(self.quick_attempt, *pair),
                    partial(self.grade, *pair),
                    pair[0].id,
                )
                for pair in pairs
            ),
            threads=self._threads,
            stop=self.close,
        )

    def _report(
        self,
        problem: Problem,
        prepared: _Prepared,
        extraction: Extraction,
        completion: Completion,
        *,
        quick: bool,
    ) -> CheckReport | None:
        """Return the engine's report; None if the completion has no code."""
        if not extraction.has_code:
            return None
        if len(completion.text) > MOST_CHARACTERS:
            return _TOO_LONG
        request = CheckRequest(
            code=extraction.code,
            tests=prepared.tests,
            continues=extraction.how is How.CONTINUATION,
            libraries=problem.libraries,
            forbidden=problem.forbidden,
            required=problem.required,
            budget=prepared.budget,
            quick=quick,
            holes=self.regions,
            branches=self.regions,
        )
        return self._reports.get(prepared, request)


def grade(
    problem: Problem,
    completion: Completion | str,
    *,
    scheme: RewardScheme | str | Path = "seed",
) -> Breakdown:
    """Grade one completion with a new grader.  For more than a few completions, keep a Grader.

    Args:
        problem: The problem.
        completion: What the model wrote.
        scheme: A RewardScheme, the name of a shipped one, or the path of a TOML file.

    Returns:
        The breakdown; its reward is between 0 and 1, None exactly with a fault.

    Raises:
        OCamlRewardError: As `Grader` and `Grader.grade` do.
    """
    with Grader(scheme, jobs=1) as grader:
        return grader.grade(problem, completion)


def _outer(required: tuple[str, ...]) -> Iterator[str]:
    """Yield the names at the top of the code that a problem requires."""
    return (name.partition(".")[0] for name in required)


def _started(given: Engine | str) -> Engine:
    """Return the engine given, or the one of this name."""
    if not isinstance(given, str):
        return given
    from .engine.engines.select import engine  # noqa: PLC0415 (needs a toolchain)

    return engine(given, cached=True)
