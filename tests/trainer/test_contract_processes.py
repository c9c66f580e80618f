"""
Training in processes of its own: by TRL's command, and in two ranks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.trainer.training import PROMPT, TESTS
from trainer_plugin.reading import batches, completions, ranks

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def run(*command: str, **variables: str) -> str:
    """
    Run a command of the environment; return what it said.
    """
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | variables,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = done.stdout + done.stderr
    assert 0 == done.returncode, said[-3000:]
    return said


def test_the_dotted_path_of_the_command(tiny_model: Path, tmp_path: Path) -> None:
    """
    `trl grpo --reward_funcs trainer_plugin.ocaml_reward` trains and logs.
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
    said = run(str(BIN / "trl"), "grpo", *words, OCAML_REWARD_SCHEME="concise")
    (row,) = batches(tmp_path / "out")

    assert "rewards/syntax_aware_reward/mean" in said
    assert (0, "train", 4, 0.0) == tuple(
        row[key] for key in ("step", "split", "completions", "fault_rate")
    )


def test_two_ranks(tiny_model: Path, tmp_path: Path) -> None:
    """
    Two processes (gloo) that share each group train together; readers see whole groups.
    """
    steps = 2
    launch = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc_per_node",
        "2",
    ]
    words = [str(tiny_model), str(tmp_path), str(steps)]
    run(*launch, "-m", "tests.trainer.training", *words)
    rows = list(batches(tmp_path))
    file = tmp_path / "reward_logs" / "completions.jsonl"
    groups = [
        {row["problem_id"] for row in completions(tmp_path) if row["step"] == step}
        for step in range(steps)
    ]

    assert [0, 1] == ranks(file)
    assert [(step, 4) for step in range(steps)] == [
        (row["step"], row["completions"]) for row in rows
    ]
    assert [1] * steps == [len(group) for group in groups]
    assert steps == len((tmp_path / "learning.log").read_text().splitlines())
