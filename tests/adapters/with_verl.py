"""verl's own reward managers and its workers in Ray, with a server behind the reward."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
import torch
import transfer_queue
import verl
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf
from tensordict import TensorDict
from transfer_queue import KVBatchMeta
from verl import DataProto
from verl.experimental.agent_loop.agent_loop import AgentLoopMetrics, AgentLoopOutput
from verl.experimental.reward_loop import RewardLoopManager
from verl.experimental.reward_loop.reward_manager.limited import (
    RateLimitedRewardManager,
)
from verl.trainer.ppo.core_algos import get_adv_estimator_fn
from verl.trainer.ppo.padding_utils import upsample_batch_to_divisible_size
from verl.trainer.ppo.reward import (
    extract_reward,
    load_reward_manager,
    resolve_reward_manager_cls,
)
from verl.trainer.ppo.v1 import get_trainer_cls
from verl.utils.ray_utils import get_event_loop
from verl.utils.tensordict_utils import list_of_dict_to_tensordict
from verl.workers.reward_manager.batch import BatchRewardManager

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.adapters.tokens import END, PADDING, tokenizer
from tests.serving.running import Process, spawned
from tests.trainer import known_group
from tests.trainer.known_group import WIDTH, located_run, token_ids
from trainer_plugin.adapters import verl_located
from trainer_plugin.adapters.grading import RewardUnavailable
from trainer_plugin.adapters.verl import compute_scores
from trainer_plugin.adapters.verl_manager import OCamlRewardManager

PROMPT = 8
EXAMPLES = (RIGHT, WRONG)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save a tokenizer."""
    made = tmp_path_factory.mktemp("tokenizer")
    tokenizer(made)
    return made


@pytest.fixture(autouse=True)
def loop() -> Iterator[None]:
    """Have a loop for each test, as one that an exception has left goes on with it."""
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield
    made.close()


@pytest.fixture
def server() -> Iterator[Process]:
    """Serve the real engine."""
    with spawned() as process:
        yield process


OURS: dict[str, Any] = {
    "source": "importlib",
    "name": "OCamlRewardManager",
    "module": {"path": "pkg://trainer_plugin.adapters.verl_manager", "name": None},
}


def config_of(folder: Path, server: Process, *, regions: bool = False, **manager: Any) -> Any:
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
                        "regions": regions,
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
    return batch_of_tokens(rows, max(map(len, rows)) + (3 if end else 0), label)


def batch_of_tokens(rows: list[list[int]], width: int, label: Any) -> Any:
    """Build the same of tokens, with padding on the right."""
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
    manager = load_reward_manager(config_of(folder, server, **OURS), tokenizer(folder))
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


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Run Ray."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(
        num_cpus=4,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        object_store_memory=100 * 1024 * 1024,
        runtime_env={"env_vars": {"PYTHONPATH": str(ROOT)}},
    )
    yield
    ray.shutdown()


@pytest.mark.usefixtures("cluster")
def test_workers_in_ray(folder: Path, server: Process) -> None:
    """Verl's own workers score a batch; with the server gone each raises, and none says 0."""
    manager = RewardLoopManager(config_of(folder, server))
    data = batch_of(folder, *(RIGHT.text, WRONG.text) * 8)
    rewards, extra = extract_reward(manager.compute_rm_score(data))
    server.kill()

    assert [each.reward for each in EXAMPLES] * 8 == pytest.approx(rewards.sum(1).tolist())
    assert [1.0, 0.0] * 8 == list(extra["passed"])
    with pytest.raises(ray.exceptions.RayTaskError, match="not graded, Deadline"):
        manager.compute_rm_score(batch_of(folder, f"(* new *) {RIGHT.text}"))


ALGORITHM = {
    "adv_estimator": "ocaml_located",
    "use_kl_in_reward": False,
    "gamma": 1.0,
    "lam": 1.0,
}


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(
    ("of_trl", "of_verl"),
    [
        ({}, {}),
        ({"scale_rewards": "none"}, {"norm_adv_by_std_in_grpo": False}),
        ({"group": 4, "scale_rewards": "batch"}, {"located_scale": "batch"}),
    ],
    ids=["group", "none", "batch"],
)
def test_located_credit_is_that_of_trl(
    folder: Path, server: Process, tmp_path: Path, of_trl: dict[str, Any], of_verl: dict[str, Any]
) -> None:
    """Of eight known completions that went by the reward manager, the queue and the trainer."""
    bytewise = tokenizer(folder)
    _, expected = located_run(bytewise, tmp_path, **of_trl)
    rows = token_ids(bytewise)
    manager = load_reward_manager(config_of(folder, server, regions=True, **OURS), bytewise)
    scored = run(manager, batch_of_tokens(rows, WIDTH, known_group.PROBLEM))
    group = of_trl.get("group", 8)
    fields = [
        AgentLoopOutput(
            prompt_ids=[65],
            response_ids=row,
            response_mask=[1] * len(row),
            reward_score=each["reward_score"],
            metrics=AgentLoopMetrics(),
            extra_fields={"reward_extra_info": each["reward_extra_info"]},
        ).as_dict()
        | {"uid": f"p{at // group}", "position_ids": torch.zeros(len(row) + 1)}
        for at, (row, each) in enumerate(zip(rows, scored, strict=True))
    ]
    keys = [f"p{at // group}_{at}_0" for at in range(8)]
    transfer_queue.init()
    transfer_queue.kv_batch_put(
        keys=keys,
        fields=list_of_dict_to_tensordict(fields),
        tags=[{"seq_len": len(row) + 1} for row in rows],
        partition_id="train",
    )
    # In another order than they were put, and filled up to a number that divides.
    batch = KVBatchMeta(
        partition_id="train",
        keys=keys[::-1],
        tags=[{"seq_len": len(row) + 1} for row in rows[::-1]],
    )
    batch = upsample_batch_to_divisible_size(batch, 9, eos_token_id=END)
    trainer = object.__new__(get_trainer_cls("ocaml_located"))
    trainer.config = OmegaConf.create(
        {"algorithm": {**ALGORITHM, **of_verl}, "actor_rollout_ref": {"rollout": {"n": group}}}
    )
    metrics: dict[str, Any] = {}
    trainer._compute_advantage(batch, metrics)
    found = transfer_queue.kv_batch_get(
        keys=batch.keys, partition_id="train", select_fields=["advantages"]
    )["advantages"]
    transfer_queue.kv_clear(keys=batch.keys, partition_id="train")

    given = dict(zip(batch.keys, found.unbind(), strict=True))
    for key, row, mask in zip(
        keys, expected["advantages"], expected["completion_mask"], strict=True
    ):
        assert pytest.approx(row[mask.bool()].tolist(), abs=1e-6, rel=1e-6) == given[key].tolist()
    (padding,) = given.keys() - set(keys)
    assert [0.0] == given[padding].tolist()
    assert {"located/unplaced": 0.0} == metrics


def test_the_estimator_needs_its_trainer() -> None:
    """Another trainer of verl's gives it nothing to place tokens by."""
    rewards = torch.zeros(1, 2)
    estimator = get_adv_estimator_fn("ocaml_located")
    with pytest.raises(RuntimeError, match=r"needs trainer\.v1\.trainer_mode=ocaml_located"):
        estimator(rewards, torch.ones(1, 2), index=["a"], config=None)


def test_several_outputs_of_one_loop_are_refused() -> None:
    """Verl gives all of them what was found out about the last."""
    trainer = object.__new__(get_trainer_cls("ocaml_located"))
    batch = KVBatchMeta(partition_id="train", keys=["p_0_0", "p_0_1"], tags=[{}, {}])
    with pytest.raises(RuntimeError, match="takes one output of each agent loop"):
        trainer._compute_advantage(batch, {})


def test_verl_imports_it_by_a_variable() -> None:
    """As the recipe has it: with verl, before any of verl's modules."""
    script = (
        "from verl.trainer.ppo.core_algos import get_adv_estimator_fn as estimator\n"
        "from verl.trainer.ppo.v1 import get_trainer_cls as trainer\n"
        "print(estimator('ocaml_located').__name__, trainer('ocaml_located').__name__)"
    )
    module = "trainer_plugin.adapters.verl_located"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "VERL_USE_EXTERNAL_MODULES": module, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("located_estimator LocatedPPOTrainer\n")


def test_verl_takes_the_settings_of_the_recipe() -> None:
    """Its own configuration has all of them, or may be extended by them."""
    text = (ROOT / "examples" / "verl-located.sh").read_text("utf-8")
    _, _, command = text.replace("\\\n", " ").partition("verl.trainer.main_ppo ")
    overrides = [each for each in shlex.split(command) if "=" in each]
    folder = str(Path(verl.__file__).parent / "trainer" / "config")
    with initialize_config_dir(folder, version_base=None):
        config = compose("ppo_trainer", overrides=overrides)

    assert len(overrides) > 15
    assert verl_located.LocatedPPOTrainer is get_trainer_cls(config.trainer.v1.trainer_mode)
    assert OCamlRewardManager is resolve_reward_manager_cls(config)
    assert get_adv_estimator_fn(config.algorithm.adv_estimator)
    assert ("batch", True) == (
        config.algorithm.located_scale,
        config.reward.custom_reward_function.reward_kwargs.regions,
    )
    assert config.trainer.use_v1
