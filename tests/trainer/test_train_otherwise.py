"""Training in other ways than the usual: a selection, two processes, nothing to merge."""

from __future__ import annotations

from pathlib import Path

import pytest

from .forked import two_ranks
from .smoke import COMMON, history, train

pytestmark = pytest.mark.filterwarnings("default")


def test_selection_is_a_setting(tmp_path: Path) -> None:
    """With `best_of_group` one completion of each group is learnt from."""
    code = train(
        tmp_path,
        "--set=reward.selection=best_of_group",
        "--set=grpo.max_steps=2",
        "--set=grpo.eval_steps=none",
    )

    assert 0 == code
    kept = [
        entry["selection/kept"]
        for entry in history(tmp_path / "checkpoint-2")
        if "selection/kept" in entry
    ]
    assert [0.5, 0.5] == kept


def test_two_processes_train_together(tmp_path: Path) -> None:
    """The first reads the problems for both, each generates its half, one says what is done;
    with credit per token, which compares what both generated.
    """
    ours = f"grpo.output_dir={tmp_path}"
    settings = [f"--set={each}" for each in (*COMMON, ours)]
    words = ["--preset=smoke", *settings, "--set=grpo.max_steps=2"]
    with two_ranks(tmp_path / "said", "trainer_plugin", *words) as both:
        done = [each.wait() for each in both]
    printed = "".join(each.stdout for each in done)

    assert [0, 0] == [each.returncode for each in done], done
    assert 1 == printed.count("problems: 12 to train on, 2 to validate on")
    assert 1 == printed.count(f"saved {tmp_path / 'final'}")
    assert any("located/share" in each for each in history(tmp_path / "checkpoint-2"))


def test_two_processes_teach_themselves(tmp_path: Path) -> None:
    """Each shows its own teachers its own feedback; figures are of the whole batch."""
    settings = [f"--set={each}" for each in (*COMMON, f"grpo.output_dir={tmp_path}")]
    more = ("grpo.max_steps=2", "grpo.entropy_coef=0", "reward.algorithm=sdpo")
    words = ["--preset=smoke", *settings, *(f"--set={each}" for each in more)]
    with two_ranks(tmp_path / "said", "trainer_plugin", *words) as both:
        done = [each.wait() for each in both]
    first, *_ = history(tmp_path / "checkpoint-2")
    names = ("taught_group_fraction", "feedback_used_fraction", "reprompt_sample_fraction")

    assert [0, 0] == [each.returncode for each in done], done
    assert [1.0] * 3 == [first[f"self_distillation/{name}"] for name in names]
    assert first["self_distillation/kl"] != 0


def test_nothing_to_merge_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without an adapter is named."""
    assert 2 == train(tmp_path, "--merge-only")
    assert f"{tmp_path} holds no adapter to merge" in capsys.readouterr().err
