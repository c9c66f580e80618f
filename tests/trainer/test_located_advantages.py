"""Advantages of tokens without a trainer: those of TRL's, and what is placed where."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from ocaml_reward import Completion, Grader, Problem
from tests.adapters.tokens import tokenizer
from tests.trainer.known_group import PROBLEM, TEXTS, located_run, located_trainer, token_ids
from trainer_plugin.located.advantages import (
    PlacedCompletion,
    group_advantages,
    located_advantages,
    place,
)
from trainer_plugin.located.spans import TokenReader

pytestmark = pytest.mark.filterwarnings("default")


@pytest.mark.parametrize(
    ("group", "scale"), [(8, "group"), (4, "group"), (4, "batch"), (4, "none")]
)
def test_they_are_those_of_the_trainer(tmp_path: Path, group: int, scale: str) -> None:
    """Of eight known completions, with their own advantages computed here."""
    bytewise = tokenizer(tmp_path)
    trainer, output = located_run(bytewise, tmp_path, group=group, scale_rewards=scale)
    reader = TokenReader(bytewise)
    batch = trainer._located_reward.last
    placed = []
    for ids, sample, breakdown in zip(
        token_ids(bytewise), batch.samples, batch.breakdowns, strict=True
    ):
        decoded = reader.text(ids)
        spans = reader.spans(ids, decoded)
        assert spans is not None
        placed.append(place(breakdown, spans, text=sample.completion.text, decoded=decoded))
    found = located_advantages(placed, [at // group for at in range(8)], scale=scale)

    for row, mask, told in zip(
        output["advantages"], output["completion_mask"], found.advantages, strict=True
    ):
        assert pytest.approx(row[mask.bool()].tolist(), abs=1e-6, rel=1e-6) == told
    assert {"passing", "failing", "error", "unparsed", None} <= {
        cause for each in found.causes for cause in each
    }
    # More than one number in a completion, and each number by way of JSON.
    assert all(len(set(each)) > 1 for each in found.advantages[1:6])
    again = [PlacedCompletion.from_json(each.to_json()) for each in placed]
    assert placed == again
    assert max(len(each.to_json()) for each in placed) < 400


def likelihood(model: Any, ids: list[int], span: slice) -> float:
    """Return the mean log probability of some tokens of a completion."""
    model.eval()
    with torch.no_grad():
        logits = model(torch.tensor([[65, *ids]])).logits[0, :-1]
    chosen = logits.log_softmax(-1).gather(1, torch.tensor(ids).unsqueeze(1))
    return float(chosen[span].mean())


def test_ten_updates_end(tmp_path: Path) -> None:
    """Each has credit by place: in code that is wrong in `f`, `g`, which is right, gains on it by more
    than without such credit.
    """
    bytewise = tokenizer(tmp_path)
    ids = token_ids(bytewise)[1]
    text = bytewise.decode(ids)
    wrong, right, end = text.index("x +. 2."), text.index("let g"), text.index("\n```\n")
    parts = slice(wrong, right), slice(right, end)
    gains = {}
    for share in (0.0, 0.5):
        trainer = located_trainer(
            bytewise,
            tmp_path,
            share=share,
            max_steps=10,
            learning_rate=1e-2,
            logging_steps=1,
            save_strategy="no",
        )
        before = [likelihood(trainer.model, ids, each) for each in parts]
        trainer.train()
        after = [likelihood(trainer.model, ids, each) for each in parts]
        lost, gained = (new - old for new, old in zip(after, before, strict=True))
        gains[share] = gained - lost
        logged = [each["located/share"] for each in trainer.state.log_history if "loss" in each]
        assert 10 == trainer.state.global_step == len(logged)
        assert all(each > 0 for each in logged)

    assert gains[0.0] + 0.1 < gains[0.5]


def placed(text: str, tokens: Any, **named: Any) -> PlacedCompletion:
    """Grade a completion and place its tokens."""
    with Grader(jobs=1, regions=True) as grader:
        problem = Problem(id="two", tests=PROBLEM["tests"])
        return place(grader.grade(problem, Completion(text=text)), tokens, text=text, **named)


def characters(text: str) -> list[tuple[int, int]]:
    """Make a token of each character."""
    return [(at, at + 1) for at in range(len(text))]


def test_the_scored_text_may_be_a_part_of_the_decoded_one() -> None:
    """Its last occurrence: thoughts may quote it."""
    decoded = f"<think>{TEXTS[1]}</think>{TEXTS[1]}"
    alone = placed(TEXTS[1], characters(TEXTS[1]))
    part = placed(TEXTS[1], characters(decoded), decoded=decoded)
    before = len(decoded) - len(TEXTS[1])

    assert alone.tokens == part.tokens[before:]
    assert {None} == {each.part for each in part.tokens[:before]}


@pytest.mark.parametrize(
    ("tokens", "named"),
    [(5, {}), ([(0, 1)] * 5, {"decoded": "another"})],
    ids=["unknown", "another"],
)
def test_what_cannot_be_placed_keeps_its_advantage(tokens: Any, named: dict[str, Any]) -> None:
    """Each of its tokens, and it still counts in its group."""
    wrong = placed(TEXTS[1], tokens, **named)
    right = placed(TEXTS[0], characters(TEXTS[0]))
    found = located_advantages([wrong, right], "aa", own=[-2.0, 2.0])

    assert not wrong.is_placed
    assert [-2.0] * 5 == found.advantages[0]
    assert [None] * 5 == found.causes[0]
    assert {2.0} < set(found.advantages[1])


def test_a_completion_without_a_reward_is_in_no_mean() -> None:
    """It has no advantage, and others have those that they have without it."""
    found = group_advantages([None, 0.0, 1.0, 0.5, None], "aaabb")

    assert [0.0, 0.0, 0.0] == [found[0], found[3], found[4]]
    assert group_advantages([0.0, 1.0], "aa") == found[1:3]
    assert [pytest.approx(-0.5 / (0.5**0.5 + 1e-4)), pytest.approx(0.5 / (0.5**0.5 + 1e-4))] == (
        found[1:3]
    )


def test_it_needs_no_torch() -> None:
    """Others compute advantages where there is none."""
    script = "import sys, trainer_plugin.located.advantages; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_what_cannot_be() -> None:
    one = replace(placed("", 0), reward=1.0)

    with pytest.raises(ValueError, match=r"share: from 0 to 1, found 1\.5"):
        located_advantages([one], "a", share=1.5)
    with pytest.raises(ValueError, match="scale: group, batch, none, found std"):
        located_advantages([one], "a", scale="std")
