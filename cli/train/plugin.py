"""Commands that the trainer plugin carries out: this package neither imports it nor waits for
it, as a run has signals and a terminal to itself.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from ..terminal.exit_codes import BAD_MACHINE

PLUGIN = "trainer_plugin"

Command = TypeVar("Command", bound=Callable[..., Any])


def run_options(command: Command) -> Command:
    """Add what every command about a training run takes."""
    command = click.option(
        "--set",
        "overrides",
        metavar="KEY=VALUE",
        multiple=True,
        help="Change one setting, such as grpo.temperature=1.1; repeatable.",
    )(command)
    command = click.option(
        "--verbose", is_flag=True, help="Print every setting, defaults too."
    )(command)
    command = click.option(
        "--preset",
        metavar="NAME",
        help="What the file builds on: seed, stabilized or smoke.  [default: the file's,"
        " else seed]",
    )(command)
    return click.argument(
        "config", metavar="[CONFIG.toml]", required=False, default=None
    )(command)


def become_plugin(
    command: str,
    config: str | None,
    preset: str | None,
    overrides: Sequence[str],
    flags: Sequence[str],
) -> None:
    """Become `python -m trainer_plugin` with the same words."""
    if importlib.util.find_spec(PLUGIN) is None:
        click.echo(f"ocaml-reward: {PLUGIN} is not installed", err=True)
        raise click.exceptions.Exit(BAD_MACHINE)
    words = [sys.executable, "-m", PLUGIN, command, *flags]
    words += [f"--set={override}" for override in overrides]
    words += [f"--preset={preset}"] if preset is not None else []
    words += ["--", config] if config is not None else []
    sys.stdout.flush()
    os.execv(sys.executable, words)  # noqa: S606 - no shell is what we want
