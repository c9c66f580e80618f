"""`ocaml-reward train`: hands over to the trainer plugin, in a process of its own."""

from __future__ import annotations

import click

from .plugin import become_plugin, run_options


@click.command()
@run_options
@click.option(
    "--resume", is_flag=True, help="Go on from the last checkpoint, if there is one."
)
@click.option(
    "--overwrite",
    is_flag=True,
    help="Start again where an earlier run left checkpoints.",
)
@click.option(
    "--merge", is_flag=True, help="Write the merged model when the training is done."
)
@click.option(
    "--sft",
    is_flag=True,
    help="Learn from the references instead, for a warm start: the model goes to sft in"
    " the run's folder.",
)
@click.option(
    "--merge-only", is_flag=True, help="Only merge what an earlier run has come to."
)
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
