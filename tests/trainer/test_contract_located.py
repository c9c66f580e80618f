"""Credit per token under real trainers, and what it relies on inside TRL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.trainer.forked import together
from tests.trainer.located_runs import Marked, located
from tests.trainer.training import trainer
from trainer_plugin import OCamlReward

pytestmark = pytest.mark.filterwarnings("default")

# Of rewards 0, 0.1, 0.2 and 0.3, and of two that are right beside two that are wrong.
OWN = [(place - 1.5) / 10 / (0.129099 + 1e-4) for place in range(4)]
WORTH = [value / (0.577350 + 1e-4) for value in (0.5, 0.5, -0.5, -0.5)]


def expected(row: torch.Tensor, place: int, first: int) -> None:
    """Check the advantages of a completion of which `first` tokens make the first character."""
    mixed = 0.5 * OWN[place] + 0.5 * WORTH[place]
    told = [mixed] * first + [OWN[place]] * (len(row) - first)
    assert pytest.approx(told, abs=1e-4) == row.tolist()


def first_tokens(made: Any, ids: list[int]) -> int:
    """Count the tokens that the first character takes, by decoding ever more of them."""
    tokenizer = made.processing_class
    texts = [
        tokenizer.decode(ids[:count], skip_special_tokens=True) for count in range(len(ids) + 1)
    ]
    whole = texts[-1]
    return next(at for at, text in enumerate(texts) if text and text[0] == whole[0])


@pytest.mark.parametrize(
    ("conversational", "settings"),
    [
        (True, {}),
        # Two updates a generation, twice; and two micro-batches an update.
        (False, {"num_iterations": 2, "generation_batch_size": 8, "max_steps": 4}),
        (True, {"gradient_accumulation_steps": 2, "generation_batch_size": 8}),
    ],
    ids=["chat", "iterations", "accumulation"],
)
def test_tokens_have_their_own_advantages(
    tiny_model: Path, tmp_path: Path, conversational: bool, settings: dict[str, Any]
) -> None:
    """The tokens of a marked part have half of its credit, the others their completion's;
    batches that are shuffled and cut keep each with its tokens.
    """
    made, logged = located(tiny_model, tmp_path, conversational=conversational, **settings)
    made.train()
    (output, *_) = made.outputs
    ids = [
        [token for token, there in zip(row, mask, strict=True) if there]
        for row, mask in zip(
            output["completion_ids"].tolist(),
            output["completion_mask"].tolist(),
            strict=True,
        )
    ]
    generated = {}
    for place, row in enumerate(ids):
        given = output["advantages"][place]
        expected(given, place % 4, first_tokens(made, row))
        generated[tuple(output["completion_ids"][place].tolist())] = given
    tokens = sum(map(len, ids))
    marked = sum(first_tokens(made, row) for row in ids)

    for row, given in made.learnt[: settings.get("num_iterations", 1) * len(ids)]:
        assert torch.equal(generated[row], given)
    told = logged.logs[0]
    assert marked / tokens == pytest.approx(told["located/share"])
    assert told["located/share"] == pytest.approx(told["located/passing"] + told["located/failing"])
    assert 0.0 == told["located/unplaced"] == told["located/error"]
    assert told["grad_norm"] > 0


def test_without_a_share_it_is_the_usual_trainer(tiny_model: Path, tmp_path: Path) -> None:
    """Weights and logged numbers are those of TRL's own, bit for bit."""
    settings: dict[str, Any] = {
        "num_generations": 4,
        "num_iterations": 2,
        "generation_batch_size": 8,
        "gradient_accumulation_steps": 2,
        "beta": 0.04,
        "max_steps": 2,
    }
    usual, theirs = trainer(tiny_model, tmp_path / "a", Marked(), **settings)
    usual.train()
    made, ours = located(tiny_model, tmp_path / "b", selection={"located_share": 0.0}, **settings)
    made.train()
    pairs = zip(usual.model.parameters(), made.model.parameters(), strict=True)

    assert all(torch.equal(one, other) for one, other in pairs)
    assert (8, 8) == tuple(made.outputs[0]["advantages"].shape)
    for told, same in zip(theirs.logs[:2], ours.logs[:2], strict=True):
        for name in ("loss", "grad_norm", "kl", "entropy"):
            assert told[name] == same[name]


def test_the_best_of_a_group_has_its_credit(tiny_model: Path, tmp_path: Path) -> None:
    """What is not selected has no gradient, and its parts still count in the group's mean."""
    made, _ = located(
        tiny_model,
        tmp_path,
        selection={"located_share": 0.5, "best_of_group": True},
    )
    made.train()
    output = made.outputs[0]

    assert not output["advantages"][:3].any()
    assert [0, 0, 0] == output["completion_mask"][:3].sum(dim=1).tolist()
    expected(output["advantages"][3], 3, 1)


def test_evaluations_have_the_usual_advantages(tiny_model: Path, tmp_path: Path) -> None:
    """Nothing is learnt there."""
    made, _ = located(tiny_model, tmp_path, evaluates=True)
    made.train()

    first, *evaluated = (each["advantages"].dim() for each in made.outputs)
    assert 2 == first
    assert {1} == set(evaluated)


@pytest.fixture(scope="module")
def gradients(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Tell, by loss and what it weighs, which tokens of a completion learn when one has an
    advantage.
    """
    made, _ = located(tiny_model, tmp_path_factory.mktemp("losses"))
    made.train()
    inputs = {name: value[:1] if value.dim() else value for name, value in made.outputs[0].items()}
    there = int(inputs["completion_mask"].sum())
    inputs["advantages"] = torch.zeros(inputs["completion_ids"].shape)
    inputs["advantages"][0, 2] = 1.0
    plain = made._get_per_token_logps_and_entropies
    kept: list[torch.Tensor] = []

    def keeping(*args: Any, **more: Any) -> Any:
        logps, *others = plain(*args, **more)
        logps.retain_grad()
        kept.append(logps)
        return logps, *others

    made._get_per_token_logps_and_entropies = keeping
    made.current_gradient_accumulation_steps = 1

    def told(loss: str, weighed: str) -> list[int]:
        made.loss_type, made.importance_sampling_level = loss, weighed
        made._compute_loss(made.model, inputs).backward()
        (gradient,) = kept.pop().grad
        assert there > 3
        return [int(at) for at in gradient.nonzero().flatten()]

    return told


@pytest.mark.parametrize(
    "loss",
    ["grpo", "dr_grpo", "dapo", "bnpo", "cispo", "sapo", "luspo", "vespo"],
)
def test_every_loss_takes_it(gradients: Any, loss: str) -> None:
    """Where one token has an advantage, that token learns and no other."""
    assert [2] == gradients(loss, "token")


def test_weights_of_whole_completions_would_mix_it(gradients: Any) -> None:
    """With a ratio of the whole completion every token learns from the one: it is refused."""
    assert len(gradients("grpo", "sequence")) > 1


@pytest.mark.parametrize(
    ("reward", "settings", "words"),
    [
        (OCamlReward(logs=False), {}, r"one OCamlReward\(regions=True\).*found 0"),
        (Marked(), {"selection": {"located_share": 1.5}}, "from 0 to 1, found 1.5"),
        (
            Marked(),
            {"importance_sampling_level": "sequence"},
            "'sequence' weighs a completion as a whole.*takes 'token'",
        ),
    ],
    ids=["regions", "share", "weights"],
)
def test_what_cannot_be(
    tiny_model: Path,
    tmp_path: Path,
    reward: OCamlReward,
    settings: dict[str, Any],
    words: str,
) -> None:
    """It is refused in one line, before the first step."""
    with pytest.raises(ValueError, match=words) as caught:
        located(tiny_model, tmp_path, reward, **settings)

    assert "\n" not in str(caught.value)


def test_ranks_that_share_a_group(tiny_model: Path, tmp_path: Path) -> None:
    """Each of two processes has parts of one kind only; compared with the other's they differ."""
    program = "tests.trainer.located_runs"
    together(tmp_path / "said", program, str(tiny_model), str(tmp_path))
    told = [json.loads((tmp_path / f"told{rank}.json").read_text("utf-8")) for rank in (0, 1)]
    rows = [row for each in told for row in each["advantages"]]
    mixed = [0.5 * OWN[place] + 0.5 * WORTH[place] for place in range(4)]

    # One of them is empty, and has no first character.
    for row, own, other in zip(rows[:3], OWN, mixed, strict=False):
        assert pytest.approx(sorted([own, other]), abs=1e-4) == [min(row), max(row)]
    assert [pytest.approx(OWN[3], abs=1e-4)] * len(rows[3]) == rows[3]
    assert told[0]["share"] > 0
