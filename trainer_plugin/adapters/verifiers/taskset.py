"""The taskset: problems of a file as tasks, and their reward."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import verifiers.v1 as vf
from pydantic import PrivateAttr

from ocaml_reward import FeedbackLevel, InputError, Problem
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
    """The part of a problem that a trace keeps."""

    problem_id: str


class Settings(vf.TaskConfig):
    """Settings of grading, by default the environment's, and rules of an episode.

    `turns` is the number of tries, `feedback` the amount of feedback after each, and `discount` the
    factor for later improvements.
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
        """Return the grading of the process with these settings."""
        return grading(
            problems=self.problems,
            engine=self.engine,
            scheme=self.scheme,
            deadline_s=self.deadline_s,
            # Regions are needed for feedback only.
            regions=self.turns > 1,
        )


class TasksetSettings(vf.TasksetConfig):
    """Settings of the taskset, which are those of its tasks."""

    task: Settings = Settings()


class Rollout(vf.State):
    """State of a rollout that only this process has."""

    _episode: Episode | None = PrivateAttr(default=None)


def episode_of(trace: vf.Trace) -> Episode:
    """Return the episode of a rollout that has been set up."""
    episode: Episode | None = trace.state._episode  # noqa: SLF001 (of this module)
    assert episode is not None, "a task is set up before it is asked"  # noqa: S101
    return episode


class OCamlTask(vf.Task[Data, Rollout, Settings]):
    """One problem."""

    @property
    def key(self) -> str:
        """Return the problem's id, which does not change if its file is edited."""
        return str(self.data.problem_id)

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:  # noqa: ARG002
        """Begin an episode."""
        trace.state._episode = await asyncio.to_thread(self._episode)  # noqa: SLF001 (of this module)

    @vf.reward
    async def ocaml(self, trace: vf.Trace) -> float:
        """Return the reward of the episode; if the harness graded nothing, of the last reply."""
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
        """Return whether the problem's reference passes; None without one."""
        episode = self._episode()
        if episode.problem.reference is None:
            return None
        await self._answer(episode, episode.problem.reference, truncated=False)
        return figures(episode.last)["passed"] == 1.0

    def _episode(self) -> Episode:
        return Episode(self.problem(), self.config.rules(), self.config.grading().scored)

    def problem(self) -> Problem:
        """Return the problem, of which a trace only has the id."""
        graded: Grading = self.config.grading()
        return graded.problems[self.data.problem_id]

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
        """Yield a task per problem; raises InputError for a file that cannot be used."""
        config = self.config.task
        config.rules()
        problems = config.grading().problems
        if not problems:
            raise InputError("no problems: --env.taskset.task.problems names their file")
        for id_, problem in problems.items():
            if problem.prompt:
                data = Data(problem_id=id_, name=id_, prompt=problem.prompt)
                yield OCamlTask(data, config)
