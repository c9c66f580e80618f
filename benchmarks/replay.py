"""A real engine's answers, kept, and an engine that gives them again."""

from __future__ import annotations

import pickle
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import BUDGET, Budget, CheckRequest, Engine, PreparedTests
from ocaml_reward.engine.select import engine as real_engine
from ocaml_reward.model import CheckReport

# What tells a copy of a completion from it.
MARK = "\n(* copy "

Recorded = tuple[dict[Problem, PreparedTests], dict[tuple[bytes, str], CheckReport]]


class Replay:
    """An engine that answers with what another one found, at once or after a while."""

    name, sandbox, toolchain = "replay", "none", "ocaml 4.13.1"

    def __init__(self, recorded: Recorded, seconds: float = 0) -> None:
        """Answer from what `record` returned."""
        self.prepared, self.reports = recorded
        self.seconds = seconds

    def prepare(self, problem: Problem, _: Budget = BUDGET) -> PreparedTests:
        """Look the tests up."""
        return self.prepared[problem]

    def check(self, request: CheckRequest) -> CheckReport:
        """Look the report up."""
        if self.seconds:
            time.sleep(self.seconds)
        return self.reports[request.tests.payload, request.code]

    def close(self) -> None:
        """Have nothing to close."""


class Waiting(Replay):
    """Answers, after a while, as for the completion that this is a copy of."""

    def check(self, request: CheckRequest) -> CheckReport:
        """Look the report up."""
        code = request.code.partition(MARK)[0]
        return super().check(replace(request, code=code))


def waiting(reports: Path, seconds: float, jobs: int) -> Grader:
    """Make a grader on an engine that waits, from a file of reports."""
    recorded: Recorded = pickle.loads(reports.read_bytes())  # noqa: S301 (our own)
    return Grader("seed", engine=Waiting(recorded, seconds), jobs=jobs)


class Recorder:
    """An engine that keeps what another one answers."""

    def __init__(self, engine: Engine) -> None:
        """Put itself before `engine`."""
        self.engine = engine
        self.name, self.sandbox = engine.name, engine.sandbox
        self.toolchain = engine.toolchain
        self.recorded: Recorded = ({}, {})

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Prepare, and keep the tests."""
        tests = self.engine.prepare(problem, budget)
        self.recorded[0][problem] = tests
        return tests

    def check(self, request: CheckRequest) -> CheckReport:
        """Check, and keep the report."""
        report = self.engine.check(request)
        self.recorded[1][request.tests.payload, request.code] = report
        return report

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()


def record(work: Sequence[tuple[Problem, Completion]], kept: Path | None) -> Recorded:
    """Return what a real engine finds, from the file `kept` where an earlier run left it."""
    if kept and kept.exists():
        recorded: Recorded = pickle.loads(kept.read_bytes())  # noqa: S301 (our own)
        return recorded
    recorder = Recorder(real_engine())
    with Grader(engine=recorder) as grader:
        for _ in grader.grade_many(work):
            pass
    if kept:
        kept.write_bytes(pickle.dumps(recorder.recorded))
    return recorder.recorded
