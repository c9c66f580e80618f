"""A warm start: supervised steps on the references."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from transformers import AutoModelForCausalLM

from ocaml_reward.testing import problem
from trainer_plugin.__main__ import main
from trainer_plugin.config.value import PromptConfig
from trainer_plugin.data.prompts import prompting
from trainer_plugin.run.sft import reference_rows

pytestmark = pytest.mark.filterwarnings("default")


def test_a_model_learns_from_the_references(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loss falls, the model needs no adapter, and what is held out is left out; another
    run does not write over it by accident.
    """
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    settings = {
        "grpo.output_dir": tmp_path,
        "dataset.check_references": "false",
        "sft.max_steps": 8,
        "sft.gradient_accumulation_steps": 1,
        "sft.learning_rate": 0.02,
        "sft.warmup_steps": 0,
    }
    words = [f"--set={key}={value}" for key, value in settings.items()]

    assert 0 == main(["train", "--preset=smoke", "--sft", *words])
    told = capsys.readouterr().out
    losses = [float(each) for each in re.findall(r"sft loss=([\d.]+)", told)]
    assert 8 == len(losses)
    assert losses[-1] < losses[0] - 0.1
    assert "problems: 11 to train on, 1 to validate on" in told
    assert "references: 11 to learn from" in told
    made = AutoModelForCausalLM.from_pretrained(tmp_path / "sft")
    assert "Qwen2ForCausalLM" == type(made).__name__
    assert 2 == main(["train", "--preset=smoke", "--sft", *words])
    assert "--overwrite makes it anew" in capsys.readouterr().err
    assert 2 == main(["train", "--preset=smoke", "--sft", "--resume", *words])


def test_references_are_put_as_a_training_puts_them() -> None:
    """As text or as a chat, with the marker behind; a problem without a reference teaches
    nothing.
    """
    config = PromptConfig(few_shot=0, system="Write OCaml.")
    given = [problem(prompt="Add.", reference="let add = ( + )\n"), problem()]
    (text,) = reference_rows(given, prompting(config, end="(* END *)", chat=False))
    (chat,) = reference_rows(given, prompting(config, end="(* END *)", chat=True))

    assert text["prompt"].endswith("Add.\n")
    assert "let add = ( + )\n(* END *)" == text["completion"]
    assert ["system", "user"] == [each["role"] for each in chat["prompt"]]
    assert [{"role": "assistant", "content": text["completion"]}] == chat["completion"]
