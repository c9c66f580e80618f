"""
What stops a run before a model is loaded: one line, and the exit code that fits.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def refused(*words: str, **environment: str) -> tuple[int, str]:
    """
    Run `ocaml-reward` and return its exit code and what it said on standard error.
    """
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cli", *words],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [
        line for line in done.stderr.splitlines() if not line.startswith("import time:")
    ]
    return done.returncode, "\n".join(lines)


@pytest.mark.parametrize("command", ["train", "baseline"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--set=grpo.temprature=1"],
            "--set grpo.temprature=1: unknown key grpo.temprature; did you mean"
            " grpo.temperature?",
        ),
        (["no.toml"], "no.toml: No such file or directory"),
        (
            ["--preset=smoke", "--set=grpo.generation_batch_size=9"],
            "grpo.generation_batch_size: 9 completions are no whole groups of"
            " grpo.num_generations=2",
        ),
        (
            ["--preset=smoke", "--set=reward.scheme=nope"],
            "nope: no such file, and no scheme of that name (capped, concise,"
            " curriculum, decisive, seed)",
        ),
    ],
)
def test_refusals(command: str, words: list[str], message: str) -> None:
    """
    One line and exit code 2.
    """
    assert (2, f"ocaml-reward: {message}") == refused(command, *words)


def test_a_variable_reaches_the_run() -> None:
    """
    The environment is read in the process that trains.
    """
    code, said = refused("train", "--preset=smoke", GRPO_TEMPERATURE="hot")

    assert (2, "ocaml-reward: environment: GRPO_TEMPERATURE: expected a number") == (
        code,
        said.partition(", found")[0],
    )


def test_a_model_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    """
    The hub's page of advice stays out of it.
    """
    name = tmp_path / "nowhere"
    settings = [f"model.id={name}", f"grpo.output_dir={tmp_path / 'run'}"]
    words = [f"--set={each}" for each in settings]
    code, said = refused("train", "--preset=smoke", *words, HF_HUB_OFFLINE="1")

    assert 2 == code
    assert said.splitlines()[-1].startswith(f"ocaml-reward: model.id: {name}: ")
    assert 1 == said.count("ocaml-reward:")


def test_help_says_how_to_launch() -> None:
    """
    `ocaml-reward train --help` names the line for several GPUs.
    """
    done = subprocess.run(
        [sys.executable, "-m", "cli", "train", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert "accelerate launch --num_processes 4 -m trainer_plugin" in done.stdout


def test_a_checkpoint_that_does_not_fit_is_one_line(tmp_path: Path) -> None:
    """
    On a disk that fills up the run ends at a checkpoint, and says where it goes on from.
    """
    folder = tmp_path / "small"
    folder.mkdir()
    settings = [
        f"grpo.output_dir={folder / 'run'}",
        "grpo.max_steps=12",
        "grpo.max_completion=8",
        "reward.jobs=1",
    ]
    words = " ".join(f"--set={each}" for each in settings)
    mount = f"mount -t tmpfs -o size=3m tmpfs {folder}"
    train = f"{sys.executable} -m cli train --preset=smoke {words}"
    # Only these processes see the small disk.
    own = "-m" if os.geteuid() == 0 else "-rm"
    done = subprocess.run(
        ["unshare", own, "sh", "-c", f"{mount} && exec {train}"],
        cwd=ROOT,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stderr.splitlines()[-1]

    assert 3 == done.returncode, done.stderr
    assert last.startswith(f"ocaml-reward: grpo.output_dir: {folder / 'run'}: the disk")
    assert f"--resume goes on from {folder / 'run' / 'checkpoint-'}" in last
    assert "Traceback" not in done.stderr
