"""SkyRL's own registry makes our environment, with a server behind it; its generator and its
trainer give tokens the advantages of TRL's trainer.
"""

# ruff: noqa: E402 (typing is changed before SkyRL is imported)
from __future__ import annotations

import asyncio
import json
import runpy
import typing
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import skyrl_gym
import torch
import typing_extensions

# SkyRL asks for Python 3.12, from which on pydantic reads these.  All else of it works before.
typing.TypedDict = typing_extensions.TypedDict

from skyrl.backends.skyrl_train.utils.ppo_utils import PolicyLossRegistry
from skyrl.train.config import SkyRLTrainConfig
from skyrl.train.generators.base import TrajectoryID

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.adapters.tokens import END, tokenizer
from tests.serving.running import Process, spawned
from tests.trainer import known_group
from tests.trainer.known_group import located_run, token_ids
from trainer_plugin.adapters.grading import RewardUnavailable, close_all
from trainer_plugin.adapters.skyrl_located import LocatedExperiment, LocatedTrainer
from trainer_plugin.run.tiny_models import make_model


@pytest.fixture
def server() -> Iterator[Process]:
    """Serve the real engine."""
    with spawned() as process:
        yield process


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """Register the environment, as a training does."""
    skyrl_gym.register(id="ocaml", entry_point="trainer_plugin.adapters.skyrl:OCamlEnv")
    yield
    del skyrl_gym.envs.registration.registry["ocaml"]


def stepped(server: Process, text: str) -> Any:
    """Make the environment of a row, and take its one step."""
    settings = {"engine": server.url, "problems": str(PROBLEMS), "deadline_s": 4.0}
    extras = {"reward_spec": {"method": "rule", "ground_truth": PROBLEM}}
    made = skyrl_gym.make("ocaml", env_config=settings, extras=extras)
    made.init([{"role": "user", "content": "Write plateaus."}])
    return made.step(text)


def test_a_step_earns_what_the_corpus_records(server: Process) -> None:
    """One step ends the episode with the reward; with a dead server it raises."""
    found = [stepped(server, each.text) for each in (RIGHT, WRONG)]
    server.kill()

    assert [(RIGHT.reward, True), (WRONG.reward, True)] == [
        (each["reward"], each["done"]) for each in found
    ]
    with pytest.raises(RewardUnavailable, match="not graded, "):
        stepped(server, f"(* new *) {RIGHT.text}")


class Client:
    """Stands for vLLM: gives known tokens, one completion a request."""

    def __init__(self, tokenizer: Any, rows: list[list[int]]) -> None:
        self._tokenizer = tokenizer
        self._rows = rows

    async def generate(self, asked: Any, **_: Any) -> dict[str, Any]:
        (session,) = asked["session_ids"]
        ids = list(self._rows[int(session.removeprefix("p_"))])
        text = self._tokenizer.decode(ids, skip_special_tokens=True)
        stop = "stop" if ids[-1] == END else "length"
        return {"responses": [text], "response_ids": [ids], "stop_reasons": [stop]}

    async def finish_session(self, _: str) -> None:
        pass


def generated(config: Any, bytewise: Any, rows: list[list[int]]) -> Any:
    """Have SkyRL's generator make a batch of the known problem."""
    experiment = object.__new__(LocatedExperiment)
    generator = experiment.get_generator(config, bytewise, Client(bytewise, rows))
    prompt = [{"role": "user", "content": known_group.PROBLEM["prompt"]}]
    extras = {"reward_spec": {"method": "rule", "ground_truth": known_group.PROBLEM}}
    batch = {
        "prompts": [prompt] * len(rows),
        "env_classes": ["ocaml"] * len(rows),
        "env_extras": [dict(extras) for _ in rows],
        "sampling_params": None,
        "trajectory_ids": [TrajectoryID("p", at) for at in range(len(rows))],
        "batch_metadata": None,
    }
    return asyncio.run(generator.generate(batch))


def chat_tokenizer(folder: Path) -> Any:
    """Make a tokenizer with a chat template, as SkyRL wants one."""
    made = tokenizer(folder)
    made.chat_template = "{% for each in messages %}{{ each.content }}{% endfor %}"
    return made


def config_of(**changed: Any) -> Any:
    """Read settings as SkyRL's command does."""
    given = {
        "trainer.policy_mini_batch_size": 1,
        "generator.sampling_params.logprobs": "null",
        **changed,
    }
    return SkyRLTrainConfig.from_cli_overrides([f"{key}={each}" for key, each in given.items()])


def computed(
    config: Any,
    bytewise: Any,
    uids: list[str],
    *,
    shards: int = 1,
    penalty: float = 0.0,
    **settings: Any,
) -> tuple[LocatedTrainer, Any]:
    """Have SkyRL's trainer compute the advantages of the known group, the last of which has a
    penalty.
    """
    output = generated(config, bytewise, token_ids(bytewise))
    trainer = object.__new__(LocatedTrainer)
    trainer.cfg, trainer.tokenizer, trainer.all_metrics = config, bytewise, {}
    trainer.dispatch = SimpleNamespace(get_lcm_dp_size=lambda: shards)
    for name, value in settings.items():
        setattr(trainer, f"located_{name}", value)
    output, uids = trainer.postprocess_generator_output(output, uids)
    data = trainer.convert_to_training_input(output, uids)
    data["values"] = None  # as without a critic
    data["rewards"][7, -1] -= penalty
    return trainer, trainer.compute_advantages_and_returns(data)


@pytest.mark.parametrize(
    ("of_trl", "of_skyrl", "scale"),
    [
        ({}, {}, None),
        ({"scale_rewards": "none"}, {"trainer.algorithm.grpo_norm_by_std": "false"}, None),
        ({"group": 4, "scale_rewards": "batch"}, {}, "batch"),
    ],
    ids=["group", "none", "batch"],
)
@pytest.mark.parametrize("shards", [1, 3], ids=["whole", "filled"])
def test_located_credit_is_that_of_trl(  # noqa: PLR0917
    server: Process,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    of_trl: dict[str, Any],
    of_skyrl: dict[str, Any],
    scale: str | None,
    shards: int,
) -> None:
    """Eight known completions go by the environment, the generator and the trainer, also in a batch
    that is filled up to a number that three divides.
    """
    monkeypatch.setenv("OCAML_REWARD_ENGINE", server.url)
    bytewise = chat_tokenizer(tmp_path)
    _, expected = located_run(bytewise, tmp_path, **of_trl)
    group = of_trl.get("group", 8)
    sizes = {"generator.n_samples_per_prompt": group, "trainer.train_batch_size": 8 // group}
    config = config_of(**of_skyrl, **sizes)
    uids = [f"p{at // group}" for at in range(8)]
    trainer, data = computed(config, bytewise, uids, shards=shards, scale=scale)
    close_all()

    assert (9 if shards == 3 else 8) == len(data["advantages"])
    for row, mask, of_them, of_theirs in zip(
        data["advantages"],
        data["response_mask"],
        expected["advantages"],
        expected["completion_mask"],
        strict=False,
    ):
        wanted = pytest.approx(of_them[of_theirs.bool()].tolist(), abs=1e-6, rel=1e-6)
        assert wanted == row[mask.bool()].tolist()
        assert not row[~mask.bool()].any()
    assert not data["advantages"][8:].any()
    assert 0.0 == trainer.all_metrics["located/unplaced"]
    assert 1 / 8 == trainer.all_metrics["reward/avg_raw_reward"]


def test_skyrls_own_penalties_count(
    server: Process, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that for a KL divergence, which SkyRL takes from the rewards of tokens."""
    monkeypatch.setenv("OCAML_REWARD_ENGINE", server.url)
    bytewise = chat_tokenizer(tmp_path)
    sizes = {"generator.n_samples_per_prompt": 8, "trainer.train_batch_size": 1}
    config = config_of(**sizes, **{"trainer.algorithm.grpo_norm_by_std": "false"})
    _, data = computed(config, bytewise, ["p"] * 8, penalty=1.0)
    close_all()
    # Text before the code of the only right one, in a group whose mean is now 1 / 8 - 1 / 8.
    advantages = data["advantages"][0][data["response_mask"][0].bool()]

    assert pytest.approx(1.0, abs=1e-6) == float(advantages[0])


def test_ten_updates_with_skyrls_loss(
    server: Process, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In code that is wrong in `f`, `g`, which is right, gains on it by more than without credit by
    place.  The model is called here, as SkyRL's own call needs flash-attn.
    """
    monkeypatch.setenv("OCAML_REWARD_ENGINE", server.url)
    bytewise = chat_tokenizer(tmp_path)
    sizes = {"generator.n_samples_per_prompt": 8, "trainer.train_batch_size": 1}
    config = config_of(**sizes)
    text = known_group.TEXTS[1].encode()
    wrong, right, end = (text.index(each) for each in (b"x +. 2.", b"let g", b"\n```\n"))
    gains = {}
    for share in (0.0, 0.5):
        trainer, data = computed(config, bytewise, ["p"] * 8, share=share)
        data = trainer._normalize_advantages(data, [(0, 8)])
        model = make_model(bytewise, seed=0, hidden=16, layers=1, positions=256)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
        width = data["response_mask"].shape[1]
        found = []
        for _ in range(11):
            places = (data["attention_mask"].cumsum(-1) - 1).clamp(min=0)
            logits = model(
                data["sequences"], attention_mask=data["attention_mask"], position_ids=places
            ).logits
            chosen = data["sequences"][:, 1:].unsqueeze(-1)
            likelihood = logits[:, :-1].log_softmax(-1).gather(2, chosen).squeeze(-1)[:, -width:]
            response = likelihood[1][data["response_mask"][1].bool()].detach()
            found.append(float(response[right:end].mean() - response[wrong:right].mean()))
            loss, _ = PolicyLossRegistry.get("regular")(
                likelihood,
                likelihood.detach(),
                data["advantages"],
                config=config.trainer.algorithm,
                loss_mask=data["loss_mask"],
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        gains[share] = found[-1] - found[0]
    close_all()

    assert gains[0.0] + 0.1 < gains[0.5]


def test_what_was_cut_off(server: Process, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The generator knows it, and corrects the reward of the environment, which does not."""
    monkeypatch.setenv("OCAML_REWARD_ENGINE", server.url)
    bytewise = chat_tokenizer(tmp_path)
    # Without an end marker, so that only the tokens tell.
    ids = bytewise.encode(known_group.TEXTS[0].replace("(* END *)", ""))
    output = generated(config_of(), bytewise, [[*ids, END], ids])
    close_all()
    whole, cut = output["rewards"]

    assert (len(ids) + 1, len(ids)) == (len(whole), len(cut))
    assert 0.0 < cut[-1] < whole[-1]
    assert cut[-1] == json.loads(output["env_metrics"][1]["located"])["reward"]


def test_what_cannot_be(tmp_path: Path) -> None:
    """Several steps have one advantage in SkyRL, a batch is generated without tokens' places, and
    other estimators have other advantages.
    """
    bytewise = chat_tokenizer(tmp_path)
    for name in ("step_wise_trajectories", "batched"):
        with pytest.raises(ValueError, match=f"takes generator.{name}=false"):
            generated(config_of(**{f"generator.{name}": "true"}), bytewise, [[65, END]])
    with pytest.raises(ValueError, match="advantage_estimator=grpo, found rloo"):
        LocatedTrainer(cfg=config_of(**{"trainer.algorithm.advantage_estimator": "rloo"}))


def test_the_example_is_of_this_version() -> None:
    """Its imports are there, and its experiment overrides the methods that SkyRL calls."""
    found = runpy.run_path(str(ROOT / "examples" / "skyrl_located.py"))
    assert LocatedExperiment is found["LocatedExperiment"]
    (base,) = LocatedExperiment.__bases__
    assert {"get_generator", "get_trainer"} <= vars(base).keys()
    trainer = LocatedTrainer.__bases__[0]
    assert {"convert_to_training_input", "compute_advantages_and_returns"} <= vars(trainer).keys()
