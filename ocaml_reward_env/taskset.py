"""
The taskset: problems of a file as tasks, and their reward.
"""

from __future__ import annotations

from collections.abc import Iterator

import verifiers.v1 as vf

from ocaml_reward import InputError
from ocaml_reward_trainers.grading import (
    Grading,
    RewardUnavailable,
    figures,
    grading,
)

__all__ = ["OCamlTaskset"]


class Data(vf.TaskData):
    """
    What a trace keeps of a problem.
    """

    problem_id: str


class Settings(vf.TaskConfig):
    """
    What is graded with; the environment's settings hold for what is not given.
    """

    problems: str | None = None
    engine: str | None = None
    scheme: str | None = None
    deadline_s: float | None = None

    def grading(self) -> Grading:
        """
        Return the process's grading under these settings.
        """
        return grading(
            problems=self.problems,
            engine=self.engine,
            scheme=self.scheme,
            deadline_s=self.deadline_s,
        )


class TasksetSettings(vf.TasksetConfig):
    """
    All of it is the tasks'.
    """

    task: Settings = Settings()


class OCamlTask(vf.Task[Data, vf.State, Settings]):
    """
    One problem.
    """

    @property
    def key(self) -> str:
        """
        The problem's id, which stays the same where its file is edited.
        """
        return str(self.data.problem_id)

    @vf.reward
    async def ocaml(self, trace: vf.Trace) -> float:
        """
        Grade the last reply.
        """
        made = await self._figures(trace.last_reply, truncated=trace.is_truncated)
        trace.record_metrics(
            {name: made[name] for name in ("passed", "tests", "type_errors")}
        )
        return made["score"]

    async def validate(self, runtime: vf.Runtime) -> bool | None:  # noqa: ARG002
        """
        Grade the problem's reference, which has to pass.
        """
        problem = self.config.grading().problems[self.data.problem_id]
        if problem.reference is None:
            return None
        made = await self._figures(problem.reference, truncated=False)
        return made["passed"] == 1.0

    async def _figures(self, text: str, *, truncated: bool) -> dict[str, float]:
        try:
            found = await self.config.grading().breakdown_async(
                self.data.problem_id, text, truncated=truncated
            )
        except RewardUnavailable as error:
            raise vf.SandboxError(str(error)) from error
        return figures(found)


class OCamlTaskset(vf.Taskset[OCamlTask, TasksetSettings]):
    """
    The problems of a file that have a prompt.
    """

    def load(self) -> Iterator[OCamlTask]:
        """
        Yield a task each; raises InputError for a file that cannot be used.
        """
        config = self.config.task
        problems = config.grading().problems
        if not problems:
            raise InputError(
                "no problems: --env.taskset.task.problems names their file"
            )
        for id_, problem in problems.items():
            if problem.prompt:
                data = Data(problem_id=id_, name=id_, prompt=problem.prompt)
                yield OCamlTask(data, config)
