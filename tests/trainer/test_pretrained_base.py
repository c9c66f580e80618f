"""The base of the experiment with a pretrained model: an adapter that is taught, and merged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from peft import get_peft_model, get_peft_model_state_dict
from transformers import AutoModelForCausalLM, AutoTokenizer

from experiments.pretrained.model import based
from experiments.pretrained.warming import batch, learn
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import Config
from trainer_plugin.run.parts import adapter
from trainer_plugin.run.tiny_models import make_random

ROWS = [([5, 6, 7], [8, 9]), ([5], [10, 11, 12, 13]), ([6, 7], [9]), ([8], [5, 6])]


def settings(folder: Path, steps: int) -> Config:
    """Give the settings of so many steps."""
    return load_config(
        overrides=[
            f"grpo.output_dir={folder}", f"sft.max_steps={steps}", "sft.warmup_steps=2",
            "sft.per_device_train_batch_size=2", "sft.learning_rate=1e-2", "lora.dropout=0",
            "lora.r=2",
        ],
        environment={},
    ).config  # fmt: skip


def taught(tiny: Path, folder: Path, *steps: int) -> Any:
    """Teach a fresh adapter, in as many calls as there are numbers of steps to stop at."""
    folder.mkdir()
    for last in steps:
        config = settings(folder, last)
        torch.manual_seed(0)
        model: Any = get_peft_model(AutoModelForCausalLM.from_pretrained(tiny), adapter(config))
        assert [last] == list(learn(model, ROWS, config, 0, 100))
    return model


def test_answers_alone_are_learned_wherever_they_begin() -> None:
    """All begin in one column, behind prompts of any length; what pads is not read."""
    inputs, labels = batch(ROWS[:2], 0)

    assert [[5, 6, 7, 8, 9, 0, 0], [0, 0, 5, 10, 11, 12, 13]] == inputs["input_ids"].tolist()
    assert [[1, 1, 1, 1, 1, 0, 0], [0, 0, 1, 1, 1, 1, 1]] == inputs["attention_mask"].tolist()
    assert [[8, 9, -100, -100], [10, 11, 12, 13]] == labels.tolist()


def test_what_was_cut_off_goes_on(tmp_path: Path) -> None:
    """To the same weights as without a stop: with its optimizer, and with the references that come."""
    tiny = make_random(tmp_path / "tiny", seed=1)
    whole = get_peft_model_state_dict(taught(tiny, tmp_path / "whole", 5))
    again = get_peft_model_state_dict(taught(tiny, tmp_path / "again", 3, 5))
    less = get_peft_model_state_dict(taught(tiny, tmp_path / "less", 3))

    for name, each in whole.items():
        assert torch.equal(each, again[name])
    assert any(not torch.equal(each, less[name]) for name, each in whole.items())


def test_steps_teach_the_references(tmp_path: Path) -> None:
    """After some of them the answers are likelier."""
    tiny = make_random(tmp_path / "tiny", seed=1)
    before = AutoModelForCausalLM.from_pretrained(tiny)
    after = taught(tiny, tmp_path / "taught", 90)
    inputs, _ = batch(ROWS[:1], 0)
    labels = torch.tensor([[-100, -100, -100, 8, 9]])
    losses = [model(**inputs, labels=labels).loss.item() for model in (before, after)]

    assert losses[1] < losses[0] - 0.5


def test_the_base_is_the_model_with_its_adapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merged, with its tokenizer; without an adapter the error says how to make one."""
    tiny, folder = make_random(tmp_path / "tiny", seed=1), tmp_path / "adapter"
    monkeypatch.setattr("experiments.pretrained.model.ADAPTER", folder)
    with pytest.raises(FileNotFoundError, match="--warm makes one"):
        based(tiny, tmp_path / "base")
    model = taught(tiny, folder, 4)
    model.save_pretrained(folder)
    base = based(tiny, tmp_path / "base")
    ids = torch.tensor([[5, 6, 7]])
    found, expected, plain = (
        each.eval()(input_ids=ids).logits
        for each in (
            AutoModelForCausalLM.from_pretrained(base),
            model,
            AutoModelForCausalLM.from_pretrained(tiny),
        )
    )

    assert torch.allclose(found, expected, atol=1e-4)
    assert not torch.allclose(found, plain, atol=1e-2)
    assert AutoTokenizer.from_pretrained(base)("let f") == AutoTokenizer.from_pretrained(tiny)(
        "let f"
    )
