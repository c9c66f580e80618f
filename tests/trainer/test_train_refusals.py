"""What stops a run before a model is loaded: one line, and the exit code that fits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main as cli
from trainer_plugin import __main__ as plugin

from .forked import ran

pytestmark = pytest.mark.filterwarnings("default")

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("command", ["train", "baseline"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--set=grpo.temprature=1"],
            "--set grpo.temprature=1: unknown key grpo.temprature; did you mean grpo.temperature?",
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
            " curriculum, decisive, letter, seed)",
        ),
        (
            ["--preset=smoke", "--set=grpo.output_dir=/dev/null"],
            "grpo.output_dir: /dev/null is a file, not a folder",
        ),
        (
            ["--preset=smoke", "--set=grpo.output_dir=/dev/null/run"],
            "grpo.output_dir: /dev/null is a file, not a folder",
        ),
        (
            ["--preset=smoke", f"--set=grpo.output_dir={'x' * 300}"],
            f"grpo.output_dir: File name too long: {'x' * 300}",
        ),
        (["/dev/null/run.toml"], "/dev/null/run.toml: Not a directory"),
        (["/"], "/: Is a directory"),
    ],
)
def test_refusals(
    command: str, words: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """One line and exit code 2."""
    code = plugin.main([command, *words])

    assert (2, f"ocaml-reward: {message}\n") == (code, capfd.readouterr().err)


@pytest.mark.parametrize("command", ["train", "baseline"])
def test_a_folder_that_cannot_be_made_is_one_line(
    command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Found where the folder is made, as nothing tells before: nobody makes one in /proc."""
    code = plugin.main([command, "--preset=smoke", "--set=grpo.output_dir=/proc/no/run"])

    said = capfd.readouterr().err

    assert 2 == code
    # A user without the right to write there gets this earlier message.
    own = "ocaml-reward: grpo.output_dir: /proc cannot be written to\n"
    assert "ocaml-reward: cannot use /proc/no" in said or own == said


@pytest.mark.parametrize("command", ["train", "baseline"])
def test_a_variable_reaches_the_run(command: str) -> None:
    """The environment is read in the process that the command becomes."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", command, "--preset=smoke"],
        cwd=ROOT,
        env={**os.environ, "GRPO_TEMPERATURE": "hot"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (2, "ocaml-reward: environment: GRPO_TEMPERATURE: expected a number") == (
        done.returncode,
        done.stderr.partition(", found")[0],
    )


def test_a_model_that_is_not_there_is_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The hub's page of advice stays out of it."""
    name = tmp_path / "nowhere"
    settings = [f"model.id={name}", f"grpo.output_dir={tmp_path / 'run'}"]
    words = [f"--set={each}" for each in settings]
    code = plugin.main(["train", "--preset=smoke", *words])
    said = capfd.readouterr().err

    assert 2 == code
    assert said.splitlines()[-1].startswith(f"ocaml-reward: model.id: {name}: no such folder; ")
    assert 1 == said.count("ocaml-reward:")


def test_help_says_how_to_launch() -> None:
    """`ocaml-reward train --help` names the line for several GPUs."""
    done = CliRunner().invoke(cli.main, ["train", "--help"])

    assert "accelerate launch --num_processes 4 -m trainer_plugin" in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="where users mount a disk, they have no sandbox")
def test_a_checkpoint_that_does_not_fit_is_one_line(tmp_path: Path) -> None:
    """On a disk that fills up the run ends at a checkpoint, and says where it goes on from."""
    folder = tmp_path / "small"
    folder.mkdir()
    settings = [
        f"grpo.output_dir={folder / 'run'}",
        "grpo.max_steps=12",
        "grpo.max_completion_length=8",
        "reward.jobs=1",
    ]
    words = ["--preset=smoke", *(f"--set={each}" for each in settings)]
    done = ran(tmp_path / "said", "tests.trainer.small_disk", str(folder), *words)
    last = done.stderr.splitlines()[-1]

    assert 3 == done.returncode, done.stderr
    assert last.startswith(f"ocaml-reward: grpo.output_dir: {folder / 'run'}: the disk")
    assert f"--resume goes on from {folder / 'run' / 'checkpoint-'}" in last
    assert "Traceback" not in done.stderr
