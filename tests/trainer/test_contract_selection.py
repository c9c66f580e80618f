"""Selection, and what it relies on inside TRL."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
import torch
import trl
from trl import GRPOTrainer

from tests.trainer.training import trainer
from trainer_plugin import OCamlReward
from trainer_plugin.selection import SelectiveGRPOTrainer, selection_mask
from trainer_plugin.supported_trl_versions import TESTED

pytestmark = pytest.mark.filterwarnings("default")

NOTHING = -torch.inf


class Lengths(OCamlReward):
    """Gives each completion of a group another reward, whatever the model writes."""

    def __call__(self, *args: Any, **columns: Any) -> list[float | None]:
        scored = super().__call__(*args, **columns)
        return [place % 4 / 10 for place, _ in enumerate(scored)]


class CoverageRun(SelectiveGRPOTrainer):
    """Keeps what the model is trained on."""

    outputs: list[dict[str, Any]]

    def _generate_and_score_completions(self, inputs: Any) -> Any:
        output = super()._generate_and_score_completions(inputs)
        self.outputs = [*getattr(self, "outputs", []), dict(output)]
        return output


def outputs(model: Path, folder: Path, **selection: Any) -> list[dict[str, Any]]:
    """Train a step on a group of four with rewards 0, 0.1, 0.2 and 0.3."""
    made, logged = trainer(
        model,
        folder,
        Lengths(logs=False),
        kind=CoverageRun,
        max_steps=1,
        num_generations=4,
        selection=selection,
    )
    made.train()
    assert torch.isfinite(torch.tensor(logged.logs[0]["loss"]))
    if selection:
        (first, *_) = made.outputs
        share = (first["completion_mask"].sum(dim=1) > 0).float().mean().item()
        assert share == pytest.approx(logged.logs[0]["selection/kept"])
    return list(made.outputs)


@pytest.mark.parametrize(
    ("selection", "rows"),
    [
        ({}, [True, True, True, True]),
        ({"best_of_group": True}, [False, False, False, True]),
        ({"min_reward": 0.15}, [False, False, True, True]),
        ({"min_reward": 9.0}, [False, False, False, False]),
    ],
    ids=["all", "best", "above", "none"],
)
def test_only_what_is_kept_has_a_gradient(
    tiny_model: Path, tmp_path: Path, selection: dict[str, Any], rows: list[bool]
) -> None:
    """Masks and advantages of the others are 0, and the loss counts the tokens that stay."""
    (output, *_) = outputs(tiny_model, tmp_path, **selection)
    tokens = output["completion_mask"].sum(dim=1)

    assert rows == [bool(count > 0) for count in tokens]
    assert tokens.sum().item() == output["num_items_in_batch"].item()
    dropped = ~torch.tensor(rows)
    assert not output["advantages"][dropped].any()


def test_what_trl_is_relied_on_for() -> None:
    """The private methods have the shape that they are overridden for."""
    loss = inspect.signature(GRPOTrainer._compute_loss)
    assert ["self", "model", "inputs"] == list(loss.parameters)
    rewards = inspect.signature(GRPOTrainer._calculate_rewards)
    scored = inspect.signature(GRPOTrainer._generate_and_score_completions)

    assert trl.__version__.startswith(TESTED)
    assert ["self", "inputs", "prompts", "completions", "completion_ids_list"] == list(
        rewards.parameters
    )
    assert ["self", "inputs"] == list(scored.parameters)


def test_updates_without_a_best_completion_are_refused(tiny_model: Path, tmp_path: Path) -> None:
    """A generation of two micro-batches is learnt from at once, or not by the best only."""
    split: dict[str, Any] = {"num_generations": 4, "generation_batch_size": 8}
    with pytest.raises(ValueError, match=r"2 makes each update of a whole generation"):
        trainer(
            tiny_model,
            tmp_path,
            Lengths(logs=False),
            kind=SelectiveGRPOTrainer,
            selection={"best_of_group": True},
            **split,
        )
    made, logged = trainer(
        tiny_model,
        tmp_path,
        Lengths(logs=False),
        kind=SelectiveGRPOTrainer,
        selection={"best_of_group": True},
        gradient_accumulation_steps=2,
        **split,
    )
    made.train()

    assert [True, True] == [each["grad_norm"] > 0 for each in logged.logs[:2]]
    # Of four rows in a micro-batch two groups' best may leave one without any.
    usual = [each["entropy"] for each in logged.logs[:2]]
    assert [pytest.approx(5.6, abs=0.2)] * 2 == usual


@pytest.mark.parametrize(
    ("best", "least", "expected"),
    [
        (False, None, [[1, 1, 0], [1, 1, 1]]),
        (True, None, [[0, 1, 0], [1, 0, 0]]),
        (False, 0.1, [[0, 1, 0], [1, 1, 1]]),
        (True, 0.3, [[0, 0, 0], [1, 0, 0]]),
    ],
)
def test_which_are_kept(best: bool, least: float | None, expected: list[Any]) -> None:
    """The threshold is to be exceeded; of equals the first is the best; None is no reward."""
    totals = torch.tensor([[0.1, 0.2, NOTHING], [0.5, 0.5, 0.5]])
    keep = selection_mask(totals, best_of_group=best, min_reward=least)

    assert expected == keep.int().tolist()


def test_a_group_without_rewards_keeps_none() -> None:
    """Where the machine scored nothing, there is no best."""
    totals = torch.full((1, 2), NOTHING)

    assert [[False, False]] == selection_mask(totals, best_of_group=True, min_reward=None).tolist()
