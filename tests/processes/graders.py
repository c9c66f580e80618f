"""Graders that children make by name, and that die of some completions."""

from __future__ import annotations

import os
import signal

from ocaml_reward import Breakdown, Completion, Grader, MachineError, Problem
from ocaml_reward.engine.engines.select import engine

DEADLY = "the death of a process"


class Mortal(Grader):
    """A grader whose process is killed by one text."""

    def quick_attempt(self, problem: Problem, completion: Completion | str) -> Breakdown | None:
        """Grade, or die."""
        if DEADLY in Completion.of(completion).text:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().quick_attempt(problem, completion)


def mortal() -> Grader:
    """Make one with an engine that works."""
    return Mortal("seed", engine=engine("warm"), jobs=2)


def stillborn() -> Grader:
    """Die before anything is made."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def toolless() -> Grader:
    """Fail as on a machine that cannot score."""
    raise MachineError("no compiler here")
