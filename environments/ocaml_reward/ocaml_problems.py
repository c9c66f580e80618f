"""OCaml problems made by program as a taskset of verifiers without end, by seed and difficulty.

    vf-eval ocaml-problems -n 20 --env.taskset.task.seed 7 -m MODEL

Every process that grades makes the problems itself, in order, so that no trace holds their tests.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from itertools import islice
from threading import Lock
from typing import Any, Literal

import verifiers.v1 as vf
from ocaml_reward_env import Chat
from ocaml_reward_env.taskset import Data, OCamlTask
from ocaml_reward_env.taskset import Settings as FileSettings
from pydantic import Field, field_validator

from ocaml_reward import InputError, MachineError, OCamlRewardError, Problem
from ocaml_reward.engine.engines.printing import Printing
from ocaml_reward.engine.engines.select import engine
from ocaml_reward_problems import LEVELS, Inspector, Oracle, Order, all_families, endless

__all__ = ["Chat", "GeneratedTaskset", "load_environment"]


class Stream:
    """The problems of an order, each made when it is first asked for."""

    def __init__(self, order: Order) -> None:
        """Remember the order; nothing is started before the first problem."""
        self._order = order
        self._made: list[Problem] = []
        self._lock = Lock()
        self._more = self._problems()
        atexit.register(self.close)

    def problem(self, place: int) -> Problem:
        """Return the problem at a place, from 0 on, from any thread.

        Raises InputError if the order has no more, MachineError if they cannot be made now.
        """
        with self._lock:
            while len(self._made) <= place:
                try:
                    self._made.append(next(self._more))
                except OCamlRewardError:
                    # A generator that has raised is at its end, and the next task asks again.
                    self._more = islice(self._problems(), len(self._made), None)
                    raise
            return self._made[place]

    def close(self) -> None:
        """End the engine that puts problems to the test."""
        del self._more

    def _problems(self) -> Iterator[Problem]:
        with closing(engine(cached=True)) as inspecting:
            inspector = Inspector(inspecting, len(os.sched_getaffinity(0)))
            for each in endless(self._order, Oracle(Printing()), inspector):
                yield each.problem


@cache
def stream(order: Order) -> Stream:
    """Return the stream of this process."""
    return Stream(order)


class Settings(FileSettings):
    """Which problems, and the settings of grading and of an episode.

    `seed` is what they are drawn from, `difficulty` the levels that they have, `families` their
    families (none for all), and `split` the part of each family's combinations.
    """

    problems: None = None
    seed: int = 0
    difficulty: list[Literal["easy", "medium", "hard"]] = Field(default_factory=lambda: [*LEVELS])
    families: list[str] = Field(default_factory=list)
    split: Literal["training", "held-out"] = "training"

    @field_validator("families")
    @classmethod
    def known(cls, names: list[str]) -> list[str]:
        """Return names of families; raises ValueError for one that there is not."""
        if unknown := [name for name in names if name not in all_families()]:
            raise ValueError(f"no family {unknown[0]!r}: ocaml-reward problems generate --list")
        return names

    def stream(self) -> Stream:
        """Return the problems."""
        return stream(
            Order(
                count=1,
                seed=self.seed,
                levels=tuple(self.difficulty),
                families=tuple(self.families),
                split=self.split,
            )
        )


class TasksetSettings(vf.TasksetConfig):
    """Settings of the taskset, which are those of its tasks."""

    task: Settings = Settings()


class GeneratedTask(OCamlTask):
    """One problem, by its place in the stream."""

    config: Settings

    def problem(self) -> Problem:
        """Return the problem.

        Raises InputError if it is not the one that the task was made from, SandboxError if it
        cannot be made now.
        """
        try:
            found = self.config.stream().problem(self.data.idx)
        except MachineError as error:
            raise vf.SandboxError(str(error)) from error
        if found.id != self.data.problem_id:
            raise InputError(
                f"problem {self.data.idx} is {found.id} here and was {self.data.problem_id}:"
                " install one version of ocaml-reward wherever tasks are made and graded"
            )
        return found


class GeneratedTaskset(vf.Taskset[GeneratedTask, TasksetSettings]):
    """Problems without end."""

    INFINITE = True

    def load(self) -> Iterator[GeneratedTask]:
        """Yield a task per problem."""
        config = self.config.task
        config.rules()
        place = 0
        while True:
            problem = config.stream().problem(place)
            yield GeneratedTask(
                Data(problem_id=problem.id, name=problem.id, prompt=problem.prompt), config
            )
            place += 1


def load_environment(**settings: Any) -> vf.Env:
    """Return the environment, with settings of its tasks such as `seed` and `difficulty`."""
    taskset = {"id": "ocaml-problems", "task": settings}
    return vf.load_environment(vf.resolve_env_config({"taskset": taskset}))
