"""An environment for OpenEnv: problems of a file, with several tries and feedback for each.

    OCAML_REWARD_PROBLEMS=problems.jsonl uvicorn --factory trainer_plugin.adapters.openenv:app

The server is OpenEnv's: each WebSocket is a session, and every OpenEnv client works. Tested with
openenv 0.10.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import uuid4

from openenv.core.env_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from ocaml_reward import InputError, Problem
from ocaml_reward.repair import Repair

from ..repair import Episode
from .grading import PROBLEMS_VARIABLE, Grading, grading, with_reward

VARIABLES: Final[Mapping[str, tuple[str, Any]]] = {
    "OCAML_REWARD_TURNS": ("turns", int),
    "OCAML_REWARD_FEEDBACK": ("level", str),
    "OCAML_REWARD_DISCOUNT": ("discount", float),
}
"""The environment variables of the rules."""

SESSIONS: Final = 4096
"""Maximum number of sessions; an idle one needs some kilobytes."""


class Program(Action):
    """A try: a program, or a reply that contains one."""

    program: str


class Reply(Observation):
    """The next message to the model: the prompt, or the feedback on its try."""

    problem_id: str
    text: str
    verdict: str | None = None


class OCamlEnvironment(Environment[Program, Reply, State]):
    """A session: one problem after the other."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    # OpenEnv creates it in one thread; grading uses threads of its own.
    REQUIRES_SINGLE_THREAD_EXECUTOR = True

    def __init__(self) -> None:
        """Start without an episode; `reset` begins one."""
        super().__init__()
        self._rules = rules_of(os.environ)
        self._grading: Grading = grading(regions=True)
        self._episode: Episode | None = None
        self._state = State()

    async def reset_async(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        problem: Any = None,
        index: int | None = None,
        split: str | None = None,
    ) -> Reply:
        """Begin an episode.

        Args:
            seed: Selects a problem of the file, if nothing else does.
            episode_id: The id of the episode.
            problem: The id of a problem of the file, or a problem as an object.
            index: The index of a problem in the file.
            split: Ignored; there is only one.

        Returns:
            The prompt.

        Raises:
            InputError: There is no such problem.
        """
        del split
        chosen = self._chosen(problem, index, seed)
        score = self._grading.scored
        self._episode = Episode(chosen, self._rules, score)
        self._state = State(episode_id=episode_id or str(uuid4()))
        return Reply(problem_id=chosen.id, text=chosen.prompt)

    def _chosen(self, problem: Any, index: int | None, seed: int | None) -> Problem:
        if problem is not None:
            return self._grading.problem(problem)
        there = list(self._grading.problems.values())
        if not there:
            raise InputError(f"no problems: {PROBLEMS_VARIABLE} names their file")
        place = seed or 0 if index is None else index
        if index is not None and not 0 <= index < len(there):
            raise InputError(f"index: there are {len(there)} problems")
        return there[place % len(there)]

    async def step_async(self, action: Program, timeout_s: float | None = None, **_: Any) -> Reply:
        """Grade a try.

        Returns:
            The feedback. The reward is 0 until the episode is over, so that the sum over its steps
            is the episode's.

        Raises:
            InputError: No episode has begun, or it is over.
            RewardUnavailable: It could not be graded; the try does not count and may be repeated.
        """
        del timeout_s
        episode = self._episode
        if episode is None:
            raise InputError("reset comes before step")
        if episode.is_over:
            raise InputError("the episode is over: reset begins another")
        told = await asyncio.to_thread(episode.answer, action.program)
        found = with_reward(episode.last)
        self._state.step_count = len(episode.tries)
        return Reply(
            problem_id=episode.problem.id,
            text=told,
            verdict=found.verdict.value,
            done=episode.is_over,
            reward=episode.reward if episode.is_over else 0.0,
        )

    def reset(self, *args: Any, **named: Any) -> Reply:
        """Begin an episode outside an event loop, as `reset_async` does."""
        return asyncio.run(self.reset_async(*args, **named))

    def step(self, *args: Any, **named: Any) -> Reply:
        """Grade a try outside an event loop, as `step_async` does."""
        return asyncio.run(self.step_async(*args, **named))

    @property
    def state(self) -> State:
        """Return the id of the episode and the number of its tries."""
        return self._state

    def list_splits(self) -> list[str]:
        """Return the names of the splits."""
        return ["train"]

    def num_tasks(self, split: str) -> int:
        """Return the number of problems."""
        del split
        return len(self._grading.problems)

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return the id of the problem at an index; raises IndexError."""
        del split
        (found,) = self.get_task_range("train", index, index + 1) or (None,)
        if found is None:
            raise IndexError(index)
        return found

    def list_tasks(self, split: str) -> Sequence[dict[str, Any]]:
        """Return the ids of all problems."""
        return self.get_task_range(split)

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Return the ids of the problems in a range."""
        del split
        names = list(enumerate(self._grading.problems))
        return [{"id": id_, "index": place} for place, id_ in names[start:stop]]


def rules_of(environment: Mapping[str, str]) -> Repair:
    """Read the rules from environment variables; raises ValueError with the name of a bad one."""
    given = {}
    for variable, (name, kind) in VARIABLES.items():
        if text := environment.get(variable):
            try:
                given[name] = kind(text)
                Repair(**{name: given[name]})
            except ValueError as error:
                raise ValueError(f"{variable}: {error}") from None
    return Repair(**given)


def app() -> Any:
    """Create the application of the server; raises ValueError or InputError for bad variables."""
    rules_of(os.environ)
    len(grading(regions=True).problems)
    return create_app(
        OCamlEnvironment,
        Program,
        Reply,
        env_name="ocaml",
        max_concurrent_envs=SESSIONS,
    )
