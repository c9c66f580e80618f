"""Whether a completion was cut off: one answer for the training and for the baseline."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from ocaml_reward.testing import problem
from trainer_plugin.config.reading import load_config
from trainer_plugin.endings import cut_off, end_tokens, final_tokens
from trainer_plugin.run.baseline import generate_completions
from trainer_plugin.run.preparing import prepare
from trainer_plugin.run.tiny_models import make_random

TOKENIZER = SimpleNamespace(eos_token_id=9, pad_token_id=0)
MODEL = SimpleNamespace(generation_config=SimpleNamespace(eos_token_id=[7, 8]))


def test_every_end_token_counts() -> None:
    """The tokenizer's end token, each of the model's and padding stand after an end."""
    ends = final_tokens(TOKENIZER, MODEL)
    rows = [[1, 9], [1, 8], [1, 7], [1, 9, 0, 0], [1, 2], [9, 2], []]

    assert {7, 8, 9} == end_tokens(TOKENIZER, MODEL)
    assert [False, False, False, False, True, True, False] == [
        cut_off(row, ends=ends) for row in rows
    ]


@pytest.mark.parametrize("named", [None, 8, [8], (8, 8)])
def test_settings_of_generation_name_one_several_or_no_end(named: object) -> None:
    """What either leaves out, the other says."""
    model = SimpleNamespace(generation_config=SimpleNamespace(eos_token_id=named))
    bare = SimpleNamespace(eos_token_id=None)

    assert ({8} if named else set()) == end_tokens(bare, model)
    assert {9, *end_tokens(bare, model)} == end_tokens(TOKENIZER, model)


def test_without_end_tokens_the_limit_tells() -> None:
    """Only where there is neither, nobody knows."""
    assert [False, True] == [cut_off(row, ends=(), longest=2) for row in ([1], [1, 2])]
    assert cut_off([1, 2], ends=()) is None


def test_a_baseline_goes_by_all_end_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the model's settings let every token end a completion, none is cut off."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = make_random(tmp_path / "model", seed=0)
    path = folder / "generation_config.json"
    about = json.loads(path.read_text("utf-8"))
    size = json.loads((folder / "config.json").read_text("utf-8"))["vocab_size"]
    path.write_text(json.dumps(about | {"eos_token_id": list(range(size))}), "utf-8")
    settings = [f"model.id={folder}", f"grpo.output_dir={tmp_path}", "dataset.limit=2"]
    config = load_config(preset="smoke", overrides=settings, environment={}).config
    groups = list(generate_completions(config, prepare(config), [problem()]))

    assert {False} == {one.truncated for group in groups for one in group}
