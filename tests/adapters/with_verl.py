"""verl's own reward managers and its workers in Ray, with a server behind the reward."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
from omegaconf import OmegaConf
from tensordict import TensorDict
from verl import DataProto
from verl.experimental.reward_loop import RewardLoopManager
from verl.experimental.reward_loop.reward_manager.limited import (
    RateLimitedRewardManager,
)
from verl.trainer.ppo.reward import extract_reward, load_reward_manager
from verl.utils.ray_utils import get_event_loop
from verl.workers.reward_manager.batch import BatchRewardManager

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.adapters.tokens import END, PADDING, tokenizer
from tests.serving.running import Process, spawned
from trainer_plugin.adapters.grading import RewardUnavailable
from trainer_plugin.adapters.verl import compute_scores

PROMPT = 8
EXAMPLES = (RIGHT, WRONG)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a tokenizer."""
    made = tmp_path_factory.mktemp("tokenizer")
    tokenizer(made)
    return made


@pytest.fixture
def server() -> Iterator[Process]:
    """Serve the real engine."""
    with spawned() as process:
        yield process


def config_of(folder: Path, server: Process, **manager: Any) -> Any:
    """Write verl's configuration, as its files have it."""
    chosen = {
        "source": "register",
        "name": "naive",
        "module": {"path": None, "name": None},
    }
    return OmegaConf.create(
        {
            "actor_rollout_ref": {"model": {"path": str(folder), "tokenizer_path": None}},
            "trainer": {"experiment_name": "x"},
            "reward": {
                "num_workers": 2,
                "custom_reward_function": {
                    "path": "pkg://trainer_plugin.adapters.verl",
                    "name": "compute_score",
                    "reward_kwargs": {
                        "engine": server.url,
                        "deadline_s": 4.0,
                        "problems": str(PROBLEMS),
                    },
                },
                "reward_manager": {**chosen, **manager},
                "reward_model": {"enable": False, "enable_resource_pool": False},
                "sandbox_fusion": {
                    "url": None,
                    "max_concurrent": 64,
                    "memory_limit_mb": 1024,
                },
            },
        }
    )


def batch_of(folder: Path, *texts: str, end: bool = True, label: Any = PROBLEM) -> Any:
    """Build what a rollout hands over; without `end` all responses fill the space there is."""
    encode = tokenizer(folder).encode
    rows = [encode(text) + ([END] if end else []) for text in texts]
    width = max(map(len, rows)) + (3 if end else 0)
    responses = torch.tensor([row + [PADDING] * (width - len(row)) for row in rows])
    mask = [[1] * (PROMPT + len(row)) + [0] * (width - len(row)) for row in rows]
    prompts = torch.full((len(rows), PROMPT), 65)

    def column(value: Any) -> Any:
        filled: Any = np.empty(len(rows), dtype=object)
        filled[:] = [value for _ in rows]
        return filled

    return DataProto(
        batch=TensorDict(
            {
                "prompts": prompts,
                "responses": responses,
                "attention_mask": torch.tensor(mask),
                "input_ids": torch.cat([prompts, responses], 1),
            },
            batch_size=len(rows),
        ),
        non_tensor_batch={
            "data_source": column("ocaml"),
            "reward_model": column({"style": "rule", "ground_truth": label}),
            "extra_info": column({}),
        },
    )


def run(manager: Any, data: Any) -> list[Any]:
    """Have a manager score each row, as a worker of verl's does."""

    async def all_rows() -> list[Any]:
        rows = [data[at : at + 1] for at in range(len(data))]
        return await asyncio.gather(*map(manager.run_single, rows))

    found: list[Any] = get_event_loop().run_until_complete(all_rows())
    return found


def test_naive_gives_what_the_corpus_records(folder: Path, server: Process) -> None:
    """Loaded by its name, it earns what is recorded; with its server dead it raises."""
    manager = load_reward_manager(config_of(folder, server), tokenizer(folder))
    data = batch_of(folder, RIGHT.text, WRONG.text)
    found = run(manager, data)
    server.kill()

    assert [each.reward for each in EXAMPLES] == [each["reward_score"] for each in found]
    assert [each.tests for each in EXAMPLES] == [
        each["reward_extra_info"]["tests"] for each in found
    ]
    # What was graded before is remembered, and needs no server.
    assert found == run(manager, data)
    with pytest.raises(RewardUnavailable, match="not graded, Deadline"):
        run(manager, batch_of(folder, f"(* new *) {RIGHT.text}"))


def test_a_problem_may_travel_through_parquet(folder: Path, server: Process) -> None:
    """A ground truth is an object too, with numpy's arrays and other rows' empty columns."""
    problem = json.loads(PROBLEMS.read_text("utf-8").splitlines()[0])
    label = {**problem, "libraries": np.array([], dtype=object), "budget": None}
    manager = load_reward_manager(config_of(folder, server), tokenizer(folder))
    (found,) = run(manager, batch_of(folder, problem["reference"], label=label))

    assert 1.0 == found["reward_extra_info"]["passed"]


def test_our_manager_knows_what_was_cut_off(folder: Path, server: Process) -> None:
    """A response that fills its space without an end is truncated, any other is not."""
    manager = load_reward_manager(
        config_of(
            folder,
            server,
            source="importlib",
            name="OCamlRewardManager",
            module={"path": "pkg://trainer_plugin.adapters.verl_manager", "name": None},
        ),
        tokenizer(folder),
    )
    # Without its end marker, so that only the tokens tell.
    text = RIGHT.text.replace("(* END *)", "")
    (whole,) = run(manager, batch_of(folder, text))
    (cut,) = run(manager, batch_of(folder, text, end=False))

    assert 1.0 == whole["reward_extra_info"]["passed"]
    assert cut["reward_score"] < whole["reward_score"]


def test_the_older_batch_manager(folder: Path, server: Process) -> None:
    """`compute_scores` serves `batch`, which calls once for all rows."""
    function = partial(compute_scores, engine=server.url, problems=str(PROBLEMS), deadline_s=4.0)
    manager = BatchRewardManager(tokenizer(folder), 0, function)
    found = manager(batch_of(folder, RIGHT.text, WRONG.text))

    assert [each.reward for each in EXAMPLES] == pytest.approx(found.sum(1).tolist())


def test_rate_limited_is_refused(
    folder: Path, server: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manager that makes 0 of an exception ends the run at its first completion."""
    # It marks its class for the life of the process.
    monkeypatch.setattr(RateLimitedRewardManager, "_class_initialized", False)
    config = config_of(folder, server, name="rate_limited")
    manager = load_reward_manager(config, tokenizer(folder))

    with pytest.raises(SystemExit, match="rate_limited makes 0"):
        run(manager, batch_of(folder, RIGHT.text))


def test_workers_in_ray(folder: Path, server: Process) -> None:
    """Verl's own workers score a batch; with the server gone each raises, and none says 0."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(
        num_cpus=4,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        object_store_memory=100 * 1024 * 1024,
        runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
    )
    try:
        manager = RewardLoopManager(config_of(folder, server))
        data = batch_of(folder, *(RIGHT.text, WRONG.text) * 8)
        rewards, extra = extract_reward(manager.compute_rm_score(data))
        server.kill()

        assert [each.reward for each in EXAMPLES] * 8 == pytest.approx(rewards.sum(1).tolist())
        assert [1.0, 0.0] * 8 == list(extra["passed"])
        with pytest.raises(ray.exceptions.RayTaskError, match="not graded, Deadline"):
            manager.compute_rm_score(batch_of(folder, f"(* new *) {RIGHT.text}"))
    finally:
        ray.shutdown()
