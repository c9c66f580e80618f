"""Training for real, small: a random model, the real trainer, the real reward in its jail."""

from __future__ import annotations

import io
import json
import shutil
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM, AutoTokenizer

from trainer_plugin.logs.remarks import LEGEND
from trainer_plugin.run.checkpoints import last_checkpoint

from .lines import remarks, step_lines
from .smoke import ROOT, figures, history, train

pytestmark = pytest.mark.filterwarnings("default")


@dataclass(frozen=True, kw_only=True, slots=True)
class Whole:
    """The folder of a run that went to its end, and what it printed."""

    folder: Path
    printed: str


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Run a whole training with everything it writes."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    with redirect_stdout(io.StringIO()) as printed:
        assert 0 == train(folder, "--merge")
    return Whole(folder=folder, printed=printed.getvalue())


def test_the_run_says_what_it_does(whole: Whole) -> None:
    """The table of settings, the account of the problems, and where the result is."""
    lines = whole.printed.splitlines()

    assert ["grpo.max_steps", "4", "--set"] in [line.split() for line in lines]
    assert "problems: 12 to train on, 2 to validate on" in lines
    assert f"saved {whole.folder / 'final'}" in lines


def test_the_run_writes_its_settings_and_problems(whole: Whole) -> None:
    told = json.loads((whole.folder / "config.json").read_text(encoding="utf-8"))
    rows = (whole.folder / "problems.jsonl").read_text(encoding="utf-8").splitlines()

    assert {"value": 4, "from": "--set"} == told["settings"]["grpo.max_steps"]
    assert 14 == len(rows)


def test_the_reward_and_the_validation_were_logged(whole: Whole) -> None:
    """Training and validation steps carry the reward's own figures."""
    entries = history(whole.folder / "checkpoint-4")

    assert any("rewards/syntax_aware_reward/mean" in entry for entry in entries)
    assert [2, 4] == [e["step"] for e in entries if "eval_ocaml/pass_at_1" in e]
    # Two updates learn from each generation.
    assert [1, 3] == [e["step"] for e in entries if "reward" in e]
    assert 2 == len(step_lines(whole.folder))


def test_the_log_explains_itself(whole: Whole) -> None:
    """Its columns first, each evaluation where it was made, and at the end a summary."""
    log = (whole.folder / "learning.log").read_text(encoding="utf-8").splitlines()
    held_out = "pass@1 0.00, reward 0.000"

    assert [
        *LEGEND,
        "# step 1, scheme: 0.80 of a reward is kept for solved problems, the rest is for parts",
        f"# step 2, held-out: {held_out}",
        f"# step 4, held-out: {held_out}",
        "# end: update 4 of 4",
        "# end: reward 0.000 in the first 1 logged updates, 0.000 in the last 1:"
        " too little to tell",
        "# end: held-out pass@1 0.00 at step 2, pass@1 0.00 at step 4: no change beyond chance",
        "# end: held-out reward 0.000 at step 2, reward 0.000 at step 4: no change beyond chance",
        "# end: findings: none",
        "# end: too short to tell",
    ] == remarks(whole.folder)
    assert list(LEGEND) == log[: len(LEGEND)]


def test_every_figure_of_the_trainer_is_kept(whole: Whole) -> None:
    """Those that no line shows: KL, lengths, the time of a step."""
    found = figures(whole.folder)
    kept = {"kl", "step_time", "completions/mean_length", "reward", "ocaml/pass_at_1"}

    assert kept <= found[0].keys()
    # Credit is by place unless something else is asked for.
    assert "located/share" in found[0]
    assert {"eval_ocaml/pass_at_1", "train_runtime"} <= {key for row in found for key in row}


def test_the_model_card_says_what_was_done(whole: Whole) -> None:
    """It stands beside the adapter, with the figures of this run's evaluations."""
    told = (whole.folder / "final" / "README.md").read_text(encoding="utf-8")
    last = [each for each in figures(whole.folder) if "eval_ocaml/pass_at_1" in each][-1]

    assert "A random model after 4 updates of GRPO." in told
    assert "Problems of `problems.jsonl`: 12 to learn from, 2 held out." in told
    assert f"| 4 | {last['eval_ocaml/pass_at_1']:.3f} |" in told
    assert str(ROOT) not in told


def test_the_adapter_learns_and_only_it_is_saved(whole: Whole) -> None:
    """A checkpoint holds LoRA weights, which have moved from zero."""
    weights = load_file(whole.folder / "checkpoint-4" / "adapter_model.safetensors")

    assert all("lora" in name for name in weights)
    assert any(bool(weight.any()) for name, weight in weights.items() if "lora_B" in name)


def test_the_merged_model_needs_no_adapter(whole: Whole) -> None:
    """It loads by itself, and differs from the base by what the adapter learnt."""
    merged = AutoModelForCausalLM.from_pretrained(whole.folder / "merged")
    base = AutoModelForCausalLM.from_pretrained(whole.folder / "base")
    tokenizer = AutoTokenizer.from_pretrained(whole.folder / "merged")
    ids = torch.tensor([tokenizer("let f x =")["input_ids"]])
    with torch.inference_mode():
        difference = (merged(ids).logits - base(ids).logits).abs().max()

    assert "Qwen2ForCausalLM" == type(merged).__name__
    assert float(difference) > 0


@pytest.fixture(scope="module")
def broken_off(whole: Whole, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Take the whole run back to its second step, as if it had died while saving the
    fourth.
    """
    folder = tmp_path_factory.mktemp("resumed") / "run"
    shutil.copytree(whole.folder, folder)
    (folder / "checkpoint-4" / "trainer_state.json").write_text('{"log_his')
    shutil.rmtree(folder / "final")
    return folder


def test_a_half_written_checkpoint_is_passed_over(broken_off: Path) -> None:
    assert broken_off / "checkpoint-2" == last_checkpoint(broken_off)


def test_checkpoints_are_not_overwritten_by_accident(
    broken_off: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder with checkpoints needs a word about them."""
    assert 2 == train(broken_off)
    assert "--resume goes on from it, --overwrite starts again" in (capsys.readouterr().err)


def test_a_resumed_run_ends_where_the_whole_one_did(whole: Whole, broken_off: Path) -> None:
    """In the middle of an epoch: the same problems in the same order, the same completions,
    and the same adapter in the end.
    """
    assert 0 == train(broken_off, "--resume")

    assert history(whole.folder / "checkpoint-4") == history(broken_off / "checkpoint-4")
    assert not float(history(broken_off / "checkpoint-4")[-1]["epoch"]).is_integer()
    steps = [
        [(row["step"], sorted(row)) for row in figures(each)] for each in (whole.folder, broken_off)
    ]
    assert steps[0] == steps[1]
    assert step_lines(whole.folder) == step_lines(broken_off)
    assert remarks(whole.folder) == remarks(broken_off)
    name = "checkpoint-4/adapter_model.safetensors"
    expected, found = load_file(whole.folder / name), load_file(broken_off / name)
    assert expected.keys() == found.keys()
    for key, weight in expected.items():
        torch.testing.assert_close(weight, found[key])


def test_starting_again_forgets_the_earlier_run(
    whole: Whole, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--overwrite` leaves no later checkpoint of the earlier run to resume from."""
    folder = tmp_path / "run"
    shutil.copytree(whole.folder, folder)

    short = ("--set=grpo.max_steps=2", "--set=grpo.eval_steps=none")
    code = train(folder, "--overwrite", *short)

    assert 0 == code, capsys.readouterr().err
    assert ["checkpoint-2"] == [path.name for path in folder.glob("checkpoint-*")]
    assert not (folder / "merged").exists()


def test_merging_later(whole: Whole) -> None:
    before = load_file(whole.folder / "merged" / "model.safetensors")
    shutil.rmtree(whole.folder / "merged")

    assert 0 == train(whole.folder, "--merge-only")
    after = load_file(whole.folder / "merged" / "model.safetensors")
    assert all(bool((before[key] == after[key]).all()) for key in before)
