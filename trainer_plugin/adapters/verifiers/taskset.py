"""The taskset: problems of a file as tasks, and their reward."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import verifiers.v1 as vf
from pydantic import PrivateAttr

from ocaml_reward import FeedbackLevel, InputError
from ocaml_reward.repair import Repair
from trainer_plugin.adapters.grading import (
    Grading,
    RewardUnavailable,
    figures,
    grading,
    with_reward,
)
from trainer_plugin.repair import Episode


class Data(vf.TaskData):
    """What a trace keeps of a problem."""

    problem_id: str


class Settings(vf.TaskConfig):
    """What is graded with; the environment's settings hold for what is not given.  `turns` are the
    tries that a model has, `feedback` is how much it is told after each, and `discount` how much
    less a later improvement counts.
    """

    problems: str | None = None
    engine: str | None = None
    scheme: str | None = None
    deadline_s: float | None = None
    turns: int = 1
    feedback: FeedbackLevel = FeedbackLevel.LOCATED
    discount: float = 1.0

    def rules(self) -> Repair:
        """Return the rules of an episode; raises ValueError for one out of its range."""
        return Repair(turns=self.turns, level=self.feedback, discount=self.discount)

    def grading(self) -> Grading:
        """Return the process's grading under these settings."""
        return grading(
            problems=self.problems,
            engine=self.engine,
            scheme=self.scheme,
            deadline_s=self.deadline_s,
            # Only where something is said of a try is it worth looking for the places.
            regions=self.turns > 1,
        )


class TasksetSettings(vf.TasksetConfig):
    """All of it is the tasks'."""

    task: Settings = Settings()


class Rollout(vf.State):
    """What a rollout keeps in this process alone."""

    _episode: Episode | None = PrivateAttr(default=None)


def episode_of(trace: vf.Trace) -> Episode:
    """Return the tries of a rollout that has been set up."""
    episode: Episode | None = trace.state._episode  # noqa: SLF001 (of this module)
    assert episode is not None, "a task is set up before it is asked"  # noqa: S101
    return episode


class OCamlTask(vf.Task[Data, Rollout, Settings]):
    """One problem."""

    @property
    def key(self) -> str:
        """The problem's id, which stays the same where its file is edited."""
        return str(self.data.problem_id)

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:  # noqa: ARG002
        """Begin with no tries."""
        trace.state._episode = self._episode()  # noqa: SLF001 (of this module)

    @vf.reward
    async def ocaml(self, trace: vf.Trace) -> float:
        """Return what the tries are worth; of a harness that grades none, the last reply."""
        kept: Episode | None = trace.state._episode  # noqa: SLF001 (of this module)
        episode = kept or self._episode()
        if not episode.tries:
            await self._answer(episode, trace.last_reply, truncated=trace.is_truncated)
        made = figures(episode.last)
        trace.record_metrics(
            {name: made[name] for name in ("passed", "tests", "type_errors")}
            | {"tries": float(len(episode.tries))}
        )
        reward = episode.reward
        if reward is None:
            raise vf.SandboxError("the last try could not be graded")
        return reward

    async def validate(self, runtime: vf.Runtime) -> bool | None:  # noqa: ARG002
        """Grade the problem's reference, which has to pass."""
        episode = self._episode()
        if episode.problem.reference is None:
            return None
        await self._answer(episode, episode.problem.reference, truncated=False)
        return figures(episode.last)["passed"] == 1.0

    def _episode(self) -> Episode:
        grading = self.config.grading()
        problem = grading.problems[self.data.problem_id]
        return Episode(problem, self.config.rules(), grading.scored)

    @staticmethod
    async def _answer(episode: Episode, text: str, *, truncated: bool) -> None:
        await asyncio.to_thread(episode.answer, text, truncated=truncated)
        try:
            with_reward(episode.last)
        except RewardUnavailable as error:
            raise vf.SandboxError(str(error)) from error


class OCamlTaskset(vf.Taskset[OCamlTask, TasksetSettings]):
    """The problems of a file that have a prompt."""

    def load(self) -> Iterator[OCamlTask]:
        """Yield a task each; raises InputError for a file that cannot be used."""
        config = self.config.task
        config.rules()
        problems = config.grading().problems
        if not problems:
            raise InputError(
                "no problems: --env.taskset.task.problems names their file"
            )
        for id_, problem in problems.items():
            if problem.prompt:
                data = Data(problem_id=id_, name=id_, prompt=problem.prompt)
                yield OCamlTask(data, config)
