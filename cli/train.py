"""`ocaml-reward train` and `baseline`: replaces this process with the trainer plugin."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Sequence
from typing import Final

import click

from ocaml_reward.errors import MachineError

from .terminal.groups import combined

run_options: Final = combined(
    click.argument("config", metavar="[CONFIG.toml]", required=False, default=None),
    click.option(
        "--preset",
        metavar="NAME",
        help="What the file builds on: seed, stabilized or smoke.  [default: the file's,"
        " else seed]",
    ),
    click.option("--verbose", is_flag=True, help="Print every setting, defaults too."),
    click.option(
        "--set",
        "overrides",
        metavar="KEY=VALUE",
        multiple=True,
        help="Change one setting, such as grpo.temperature=1.1; repeatable.",
    ),
)


def plugin_command(module: str = "") -> list[str]:
    """Return the command that runs the trainer plugin, which the CLI does not import.

    Raises MachineError if it is not installed.
    """
    if importlib.util.find_spec("trainer_plugin") is None:
        raise MachineError("trainer_plugin is not installed")
    return [sys.executable, "-m", f"trainer_plugin{module}"]


def become_plugin(
    command: str,
    config: str | None,
    preset: str | None,
    overrides: Sequence[str],
    flags: Sequence[str],
) -> None:
    """Replace this process with `python -m trainer_plugin`, with the same arguments.

    A run handles signals and the terminal itself, so it is not a child process.
    """
    words = [*plugin_command(), command, *flags]
    words += [f"--set={override}" for override in overrides]
    words += [f"--preset={preset}"] if preset is not None else []
    words += ["--", config] if config is not None else []
    sys.stdout.flush()
    os.execv(sys.executable, words)  # noqa: S606 - no shell is what we want


@click.command()
@run_options
def baseline(
    *,
    config: str | None,
    preset: str | None,
    overrides: tuple[str, ...],
    verbose: bool,
) -> None:
    """Measure a model before it is trained.

    CONFIG.toml is a training run's: completions of its model for some of its problems
    are scored, and pass@1, pass@k and the verdicts reported, with advice where too few
    pass for a training to start from.
    """
    become_plugin("baseline", config, preset, overrides, ["--verbose"] * verbose)


@click.command()
@run_options
@click.option("--resume", is_flag=True, help="Go on from the last checkpoint, if there is one.")
@click.option(
    "--overwrite",
    is_flag=True,
    help="Start again where an earlier run left checkpoints.",
)
@click.option("--merge", is_flag=True, help="Write the merged model when the training is done.")
@click.option(
    "--sft",
    is_flag=True,
    help="Learn from the references instead, for a warm start: the model goes to sft in"
    " the run's folder.",
)
@click.option("--merge-only", is_flag=True, help="Only merge what an earlier run has come to.")
def train(
    *,
    config: str | None,
    preset: str | None,
    overrides: tuple[str, ...],
    verbose: bool,
    resume: bool,
    overwrite: bool,
    merge: bool,
    sft: bool,
    merge_only: bool,
) -> None:
    """Train a model with GRPO and the reward.

    CONFIG.toml describes the run; without it the preset alone does. What differs from the
    defaults is printed with where it came from, and mistakes are found before a model is
    loaded.

    For several GPUs, launch the same with accelerate:

    \b
        accelerate launch --num_processes 4 -m trainer_plugin CONFIG.toml
    """
    flags = {
        "--verbose": verbose,
        "--resume": resume,
        "--overwrite": overwrite,
        "--merge": merge,
        "--sft": sft,
        "--merge-only": merge_only,
    }
    given = [flag for flag, is_given in flags.items() if is_given]
    become_plugin("train", config, preset, overrides, given)
