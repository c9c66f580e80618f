"""
A real engine's answers, kept, and an engine that gives them again.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Sequence
from pathlib import Path

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import BUDGET, Budget, CheckRequest, Engine, PreparedTests
from ocaml_reward.engine.select import engine as real_engine
from ocaml_reward.model import CheckReport

__all__ = ["Recorded", "Replay", "record"]

Recorded = tuple[dict[Problem, PreparedTests], dict[tuple[bytes, str], CheckReport]]


class Replay:
    """
    An engine that answers with what another one found, at once or after a while.
    """

    name, sandbox, toolchain = "replay", "none", "ocaml 4.13.1"

    def __init__(self, recorded: Recorded, seconds: float = 0) -> None:
        """
        Answer from what `record` returned.
        """
        self.prepared, self.reports = recorded
        self.seconds = seconds

    def prepare(self, problem: Problem, _: Budget = BUDGET) -> PreparedTests:
        """
        Look the tests up.
        """
        return self.prepared[problem]

    def check(self, request: CheckRequest) -> CheckReport:
        """
        Look the report up.
        """
        if self.seconds:
            time.sleep(self.seconds)
        return self.reports[request.tests.payload, request.code]

    def close(self) -> None:
        """
        Have nothing to close.
        """


class Recorder:
    """
    An engine that keeps what another one answers.
    """

    def __init__(self, engine: Engine) -> None:
        """
        Put itself before `engine`.
        """
        self.engine = engine
        self.name, self.sandbox = engine.name, engine.sandbox
        self.toolchain = engine.toolchain
        self.recorded: Recorded = ({}, {})

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """
        Prepare, and keep the tests.
        """
        tests = self.engine.prepare(problem, budget)
        self.recorded[0][problem] = tests
        return tests

    def check(self, request: CheckRequest) -> CheckReport:
        """
        Check, and keep the report.
        """
        report = self.engine.check(request)
        self.recorded[1][request.tests.payload, request.code] = report
        return report

    def close(self) -> None:
        """
        Close the engine.
        """
        self.engine.close()


def record(work: Sequence[tuple[Problem, Completion]], kept: Path | None) -> Recorded:
    """
    Return what a real engine finds, from the file `kept` where an earlier run left it.
    """
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
