"""Reward functions beside ours, with weights."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from ocaml_reward.testing import FakeEngine, report
from trainer_plugin import OCamlReward
from trainer_plugin.config.checks import check_config
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import Config, ConfigError
from trainer_plugin.run.functions import functions, weights, with_missing_rewards

from .faked import GOOD, batch, reward
from .training import trained


def config(*overrides: str) -> Config:
    """Make the configuration of a run with completions of 100 tokens."""
    settings = ("grpo.max_completion_length=100", *overrides)
    return load_config(preset="smoke", overrides=settings, environment={}).config


def ids(*lengths: int) -> list[list[int]]:
    """Make completions of so many tokens."""
    return [[1] * length for length in lengths]


def test_the_functions_that_have_names() -> None:
    """`overlong` is DAPO's, from four fifths of the limit to all of it; `length` counts all."""
    overlong, length = functions(config("reward.functions=overlong=0.5,length=0.1"))

    assert [0.0, 0.0, -0.5, -1.0] == overlong(completion_ids=ids(1, 80, 90, 100))
    assert [-0.01, -0.8, -1.0] == length(completion_ids=ids(1, 80, 100))
    assert [1.0, 0.5, 0.1] == weights(config("reward.functions=overlong=0.5,length=0.1"))
    assert weights(config()) is None
    assert [0.5] == weights(config("reward.weight=0.5"))


def test_a_function_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dotted path is imported from the current folder too."""
    (tmp_path / "own_rewards.py").write_text(
        "def brief(completions, **_):\n    return [-len(c) / 10 for c in completions]\nnumber = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    (brief,) = functions(config("reward.functions=own_rewards.brief=1"))

    assert [-0.3] == brief(completions=["abc"])
    for path, message in {
        "own_rewards.long": "has no attribute 'long'",
        "own_rewards.number": "own_rewards.number is no function",
        "their_rewards.brief": "No module named 'their_rewards'",
    }.items():
        with pytest.raises(ConfigError, match=message):
            functions(config(f"reward.functions={path}=1"))


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("overlong", "expected NAME=WEIGHT"),
        ("overlong=much", "'much' is no weight"),
        ("overlong=nan", "'nan' is no weight"),
        ("brevity=1", "'brevity' is none of overlong, length, nor a dotted path"),
        ("length=1,length=2", "length twice"),
    ],
)
def test_what_names_no_function_is_refused(told: str, message: str) -> None:
    """Before a model or a module is loaded."""
    with pytest.raises(ConfigError, match=message):
        check_config(config(f"reward.functions={told}"), accelerator=lambda: True)


def test_a_completion_that_was_not_scored_has_no_reward_at_all() -> None:
    """The trainer adds up what is known: 0 from another function would be a reward for what
    our machine failed to do.
    """
    made = reward()

    async def waiting(completions: list[str], **_: Any) -> list[float]:
        return [1.0 for _ in completions]

    plain = with_missing_rewards(made, lambda completions, **_: [1.0 for _ in completions])
    texts = [GOOD, "let add = machine\n(* END *)"]

    assert [1.0, None] == batch(made, *texts)
    assert [1.0, None] == plain(completions=texts)
    assert [1.0, None] == asyncio.run(with_missing_rewards(made, waiting)(completions=texts))
    assert "waiting" == with_missing_rewards(made, waiting).__name__
    batch(made, GOOD, GOOD)
    assert [1.0, 1.0] == plain(completions=[GOOD, GOOD])


@pytest.mark.filterwarnings("default")
def test_the_trainer_adds_them_up(tiny_model: Path, tmp_path: Path) -> None:
    """Each function has figures of its own, and `reward` is the sum by weight."""
    settings = config("reward.functions=length=0.25", "reward.weight=0.5")
    score = OCamlReward(engine=lambda: FakeEngine(lambda _: report("passed")))
    kept = trained(
        tiny_model,
        tmp_path,
        score,
        others=[with_missing_rewards(score, each) for each in functions(settings)],
        reward_weights=weights(settings),
        max_steps=1,
    )
    (first,) = (each for each in kept.logs if "reward" in each)
    ours, length = (
        first[f"rewards/{name}/mean"] for name in ("syntax_aware_reward", "length_reward")
    )

    assert length < 0
    assert 0.5 * ours + 0.25 * length == pytest.approx(first["reward"], abs=1e-6)
