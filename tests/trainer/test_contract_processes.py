"""Training in processes of its own: by TRL's script, and in two ranks."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from tests.trainer.forked import ran, start, together
from tests.trainer.lines import step_lines
from tests.trainer.training import PROMPT, SETTINGS, TESTS, trainer
from trainer_plugin import OCamlReward
from trainer_plugin.reading import batches, completions, ranks
from trainer_plugin.run.checkpoints import last_checkpoint

pytestmark = pytest.mark.filterwarnings("default")

TRAINING = "tests.trainer.training"


def test_the_dotted_path_of_the_command(tiny_model: Path, tmp_path: Path) -> None:
    """What `trl grpo` launches trains with `--reward_funcs trainer_plugin.ocaml_reward`, and
    writes every log.
    """
    data = tmp_path / "data"
    data.mkdir()
    rows = [{"id": f"p{n}", "prompt": PROMPT, "tests": TESTS} for n in range(4)]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (data / "train.jsonl").write_text(lines, encoding="utf-8")
    options = {
        "model_name_or_path": str(tiny_model),
        "dataset_name": str(data),
        "reward_funcs": "trainer_plugin.ocaml_reward",
        "output_dir": str(tmp_path / "out"),
        "use_cpu": "true",
        "bf16": "false",
        "gradient_checkpointing": "false",
        "max_steps": "1",
        "per_device_train_batch_size": "4",
        "num_generations": "2",
        "max_completion_length": "8",
        "report_to": "none",
        "save_strategy": "no",
        "logging_steps": "1",
    }
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    done = ran(tmp_path / "said", "trl.scripts.grpo", *words, OCAML_REWARD_SCHEME="concise")
    assert 0 == done.returncode, done.stderr[-3000:]
    (row,) = batches(tmp_path / "out")

    assert "rewards/syntax_aware_reward/mean" in done.stdout + done.stderr
    assert 1 == len(step_lines(tmp_path / "out"))
    assert (1, "train", 4, 0.0) == tuple(
        row[key] for key in ("step", "split", "completions", "fault_rate")
    )


def test_a_training_run_that_is_killed(tiny_model: Path, tmp_path: Path) -> None:
    """What it had scored is on the disk, and the run that resumes has no step twice."""
    log = tmp_path / "batch_metrics.jsonl"
    running = start(tmp_path / "said", TRAINING, str(tiny_model), str(tmp_path), "500")
    while not running.ended and len(list(batches(tmp_path))) < 4:
        time.sleep(0.05)
    running.process.kill()
    killed = running.wait()
    before = [row["step"] for row in batches(tmp_path)]
    checkpoint = last_checkpoint(tmp_path)
    assert checkpoint is not None
    last = int(checkpoint.name.removeprefix("checkpoint-"))
    made, _ = trainer(
        tiny_model,
        tmp_path,
        OCamlReward(),
        max_steps=last + 2,
        **SETTINGS,
    )
    made.train(resume_from_checkpoint=str(checkpoint))

    assert -signal.SIGKILL == killed.returncode, killed.stderr
    assert list(range(1, len(before) + 1)) == before
    assert len(before) >= 4
    # Each step was saved before the next was scored.
    assert last >= len(before) - 1
    assert list(range(1, last + 3)) == [row["step"] for row in batches(tmp_path)]
    lines = step_lines(tmp_path)
    assert last + 2 == len(lines) == len(set(lines))
    assert log.read_text().count("\n") == last + 2


def test_two_ranks(tiny_model: Path, tmp_path: Path) -> None:
    """Two processes (gloo) that share each group train together; readers see whole groups."""
    steps = 2
    together(tmp_path / "said", TRAINING, str(tiny_model), str(tmp_path), str(steps))
    rows = list(batches(tmp_path))
    lines = (tmp_path / "batch_metrics.jsonl").read_text("utf-8").splitlines()
    file = tmp_path / "reward_logs" / "completions.jsonl"
    groups = [
        {row["problem_id"] for row in completions(tmp_path) if row["step"] == step}
        for step in range(1, steps + 1)
    ]

    assert [0, 1] == ranks(file)
    assert [0] == ranks(tmp_path / "batch_metrics.jsonl")
    assert [4] * steps == [json.loads(line)["completions"] for line in lines]
    assert [(step, 4) for step in range(1, steps + 1)] == [
        (row["step"], row["completions"]) for row in rows
    ]
    assert [1] * steps == [len(group) for group in groups]
    assert steps == len(step_lines(tmp_path))


def test_a_rank_that_cannot_score(tiny_model: Path, tmp_path: Path) -> None:
    """The figures of a batch are those of the other rank, and none is lost to the faults."""
    together(tmp_path / "said", TRAINING, str(tiny_model), str(tmp_path), "2", "1")
    state = (tmp_path / "checkpoint-2" / "trainer_state.json").read_text("utf-8")
    (row, _) = batches(tmp_path)

    for logged in json.loads(state)["log_history"]:
        assert 0.5 == logged["ocaml/fault_rate"]
        assert (0.0, 0.0) == (logged["ocaml/pass_at_1"], logged["ocaml/compile_rate"])
        assert 0.0 == logged["reward"]
    assert (4, 0.5, 0.0) == tuple(
        row[name] for name in ("completions", "fault_rate", "compile_rate")
    )


def test_the_figures_of_uneven_slices(tmp_path: Path) -> None:
    """What the first process writes, and what each tells the trainer, is of whole groups."""
    together(tmp_path / "said", "tests.trainer.slices", str(tmp_path))
    (line,) = (tmp_path / "batch_metrics.jsonl").read_text("utf-8").splitlines()
    row = json.loads(line)
    told = [json.loads((tmp_path / f"told{rank}.json").read_text("utf-8")) for rank in (0, 1)]
    names = ("pass_at_1", "pass_at_all", "best_of_n", "fault_rate", "compile_rate")
    expected = [1 / 3, 0.5, (0.675 + 1.0) / 2, 1 / 7, 1.0]

    assert expected == pytest.approx([row[name] for name in names])
    for figures in told:
        assert expected == pytest.approx([figures[f"ocaml/{name}"] for name in names])
    assert (7, "train", 2) == (row["completions"], row["split"], row["step"])
    assert not (tmp_path / "batch_metrics.rank1.jsonl").exists()
