"""A run by self-distillation, from its settings."""

from __future__ import annotations

from pathlib import Path

import pytest
import trl

from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import ConfigError
from trainer_plugin.run import algorithm
from trainer_plugin.run.algorithm import sdpo_trainer_class
from trainer_plugin.run.parts import check_options
from trainer_plugin.supported_trl_versions import difference_of

from .lines import step_lines
from .smoke import figures, train

pytestmark = pytest.mark.filterwarnings("default")


CHOSEN = ("--set=reward.algorithm=sdpo", "--set=grpo.entropy_coef=0")
KL = "self_distillation/kl"


def test_a_run_by_self_distillation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An adapter is trained on feedback alone and evaluated; a run that goes on with its teacher
    ends where the whole one did.
    """
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    code = train(whole, *CHOSEN)
    printed = capsys.readouterr().out
    codes = [
        code,
        train(parts, *CHOSEN, "--set=grpo.max_steps=2"),
        train(parts, *CHOSEN, "--resume"),
    ]
    steps = [[each for each in figures(folder) if KL in each] for folder in (whole, parts)]

    assert [0, 0, 0] == codes
    assert (
        "sdpo: the teacher's log ratio is each token's credit; TRL's trainer has no KL" in printed
    )
    assert [1, 2, 3, 4] == [each["step"] for each in steps[0]]
    # A generation is two updates.
    fresh = [each for each in steps[0] if "reward" in each]
    assert [1, 3] == [each["step"] for each in fresh]
    assert [1.0, 1.0] == [each["self_distillation/feedback_used_fraction"] for each in fresh]
    assert all(each["grad_norm"] > 0 for each in steps[0])
    assert 2 == len(step_lines(parts))
    assert any("eval_ocaml/pass_at_1" in each for each in figures(whole))
    assert "updates of SDPO." in (whole / "final" / "README.md").read_text(encoding="utf-8")
    assert [each[KL] for each in steps[0]] == pytest.approx([each[KL] for each in steps[1]])
    assert steps[0][-1]["grad_norm"] == pytest.approx(steps[1][-1]["grad_norm"])


def test_a_version_that_differs_is_an_error_of_the_configuration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In one line, before a model is loaded; GRPO is not taken in its place."""
    sdpo_trainer_class()
    difference_of.cache_clear()
    monkeypatch.setattr(trl, "__version__", "1.17.0")
    monkeypatch.setattr("trainer_plugin.sdpo.trainer.CHECK", ("false",))
    config = load_config(overrides=["reward.algorithm=sdpo"], environment={}).config
    with pytest.raises(ConfigError) as caught:
        check_options(config)
    difference_of.cache_clear()

    assert str(caught.value).startswith("reward.algorithm: sdpo relies on the inside of trl 1.16")
    assert str(caught.value).endswith('take "grpo", or install that one')
    assert "\n" not in str(caught.value)


def test_a_trl_without_it_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "trainer_plugin.sdpo.trainer", None)
    monkeypatch.delattr("trainer_plugin.sdpo.trainer", raising=False)
    with pytest.raises(ConfigError, match=r'sdpo is not in trl 1\.16\.0 \(.*\): take "grpo"'):
        algorithm.sdpo_trainer_class()
