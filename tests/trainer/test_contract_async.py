"""The reward under TRL's asynchronous trainer, whose worker scores groups in threads.

Generation needs a server for it; scoring is the worker's own method, which runs here.
"""

from __future__ import annotations

import asyncio
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from accelerate import PartialState

from tests.trainer.faked import BAD, GOOD, TESTS, reward
from trainer_plugin import OCamlReward
from trainer_plugin.reading import batches

pytestmark = pytest.mark.filterwarnings("default")


def group(number: int, *texts: str) -> SimpleNamespace:
    """Build what the worker has of one problem when all its completions are there."""
    count = len(texts)
    return SimpleNamespace(
        prompts=["Add."] * count,
        completions=list(texts),
        completions_ids=[[1, 2]] * count,
        completions_sequences=[[]] * count,
        reward_kwargs={"id": [f"p{number}"] * count, "tests": [TESTS] * count},
        tool_call_counts=[0] * count,
        tool_failure_counts=[0] * count,
        env_rewards=[None] * count,
        rollout_rewards=[None] * count,
        queue_wait_s=0.0,
    )


def worker(made: OCamlReward) -> Any:
    """Make a worker that has never met its server."""
    from trl.experimental.async_grpo.async_rollout_worker import (  # noqa: PLC0415
        _AsyncRolloutLoop,
    )

    PartialState(cpu=True)  # what its logger asks
    found = _AsyncRolloutLoop.__new__(_AsyncRolloutLoop)
    found.reward_funcs = [made]
    found.reward_func_names = [made.__name__]
    found._env_reward_types = []
    found._provides_rollout_reward = False
    return found


def test_groups_are_scored_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several groups at a time, with less said than by other trainers, lose nothing."""
    scored: list[Any] = []
    made = reward(log_dir=tmp_path)
    call = type(made).__call__

    def noted(self: OCamlReward, *args: Any, **given: Any) -> Any:
        scored.append(call(self, *args, **given))
        return scored[-1]

    monkeypatch.setattr(OCamlReward, "__call__", noted)

    async def score() -> None:
        work = worker(made)
        groups = [group(number, GOOD, BAD) for number in range(8)]
        await asyncio.gather(*map(work._score_group, groups))

    asyncio.run(score())

    assert [[1.0, 0.675]] * 8 == scored
    (row,) = batches(tmp_path)
    assert (16, 0.5) == (row["completions"], row["pass_at_1"])


def test_it_reaches_the_spawned_worker() -> None:
    """The worker gets the reward pickled, and scores with it."""
    made = pickle.loads(pickle.dumps(OCamlReward("concise")))
    found = made(prompts=["Add."], completions=[GOOD], id=["add"], tests=[TESTS])

    assert [1.0] == found
