"""The command `ocaml-reward`: a group whose commands are imported when they are called.

`--help` and `--version` are fast, as they import neither the library nor rich. Errors of the
library, and failed writes to standard output, become one line and an exit code.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from .terminal.exit_codes import BAD_INPUT, BAD_MACHINE, BROKEN_PIPE, STOPPED
from .terminal.groups import LazyGroup
from .terminal.stopping import abandon_output

COMMANDS: Final = {
    "audit": "Find out how cheatable problems are.",
    "baseline": "Measure a model before it is trained.",
    "certify": "Measure how well tests tell right from wrong, and mend them.",
    "compare": "Compare gradings of the same problems: who passes more?",
    "diagnostics": "Read compiler or dune output as JSON Lines or a table.",
    "doctor": "Check the toolchain and the sandboxes of this machine.",
    "engine": "Build the engine's helpers ahead of time.",
    "evaluate": "Measure a model: pass@k of its completions, with intervals.",
    "explain": "Show how one completion came to its reward.",
    "health": "Say what went wrong in a training, with the lines that show it.",
    "join": "Put the outputs of score --shard together.",
    "problems": "Make problems, or strengthen, filter and convert your own.",
    "report": "Show a training or scored files as a page for a browser.",
    "rescore": "Score again under another scheme, from records alone.",
    "scheme": "Show reward schemes, or check one of your own.",
    "score": "Score a file of completions.",
    "serve": "Grade for other machines, over HTTP.",
    "train": "Train a model with GRPO and the reward.",
    "validate": "Check that problems can be graded fairly.",
}
SECTIONS: Final = {
    "Score completions": ("score", "rescore", "join", "evaluate"),
    "Look at results": ("explain", "report", "compare", "diagnostics"),
    "Prepare problems and schemes": ("problems", "certify", "validate", "audit", "scheme"),
    "Train": ("train", "baseline", "health"),
    "This machine": ("doctor", "engine", "serve"),
}
# The module of each command, if it is not named like the command.
MODULES: Final = {
    "baseline": "train",
    "evaluate": "evaluate.command",
    "explain": "explain.command",
    "report": "report.command",
    "score": "score.command",
}
RENAMED_COMMANDS: Final = {"monitor": "health --follow"}
# Errors of writes to a full or failing disk.
WRITE_ERRORS: Final = {errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC}


STREAMS: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


class Commands(LazyGroup):
    """The group of all commands; errors of the library become one line and an exit code."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Parse the options; `--help` and `--version` already print here."""
        open_missing_streams()
        with writing():
            return super().make_context(*args, **extra)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; for a renamed one, fail with its new name."""
        if cmd_name in RENAMED_COMMANDS:
            ctx.fail(f"{cmd_name} is now: ocaml-reward {RENAMED_COMMANDS[cmd_name]}")
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an error of the library becomes one line and an exit code."""
        try:
            with writing():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(STOPPED + signal.SIGINT)
        except click.exceptions.Exit:
            raise
        except OSError as error:
            # Any use of a path by any command.
            if error.filename is None:
                raise
            print_error(f"cannot use {os.fsdecode(error.filename)}: {error.strerror}")
            ctx.exit(BAD_MACHINE if error.errno in WRITE_ERRORS else BAD_INPUT)
        except Exception as error:
            code = exit_code_of(error)
            if code is None:
                raise
            print_error(str(error))
            ctx.exit(code)


@contextmanager
def writing() -> Iterator[None]:
    """Exit with a message if standard output cannot be written, silently if its reader is gone."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        abandon_output()
        raise click.exceptions.Exit(BROKEN_PIPE) from None
    except OSError as error:
        # Errors with a file name are not about standard output.
        if error.errno not in WRITE_ERRORS or error.filename is not None:
            raise
        abandon_output()
        print_error(f"cannot write standard output: {error.strerror}")
        raise click.exceptions.Exit(BAD_MACHINE) from None


def exit_code_of(error: Exception) -> int | None:
    """Return the exit code of an error of the library; None for other errors."""
    from ocaml_reward.errors import InputError, OCamlRewardError  # noqa: PLC0415

    if isinstance(error, InputError):
        return BAD_INPUT
    return BAD_MACHINE if isinstance(error, OCamlRewardError) else None


def print_error(message: str) -> None:
    """Print an error on one line; untrusted text in it is made safe."""
    from .terminal.text import one_line  # noqa: PLC0415

    click.echo(f"ocaml-reward: {one_line(message)}", err=True)


def show_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the version and exit."""
    if not value or ctx.resilient_parsing:
        return
    from ocaml_reward import __version__  # noqa: PLC0415

    click.echo(f"ocaml-reward {__version__}")
    ctx.exit()


@click.group(
    cls=Commands,
    package=__package__,
    summaries=COMMANDS,
    modules=MODULES,
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Graduated, sandboxed rewards for OCaml completions.

    Exit codes: 0 all is well; 1 some lines could not be used, the rest is scored; 2 an
    option or a file cannot be used; 3 this machine could not do it, which says nothing
    about any completion; 4 and 5 what is wrong with a training, as a warning or critical.
    """


def open_missing_streams() -> None:
    """Open /dev/null for each standard stream that the caller has closed.

    Python sets such a stream to None, and the next file opened gets its descriptor: messages on
    standard error would go to a file of records. A new file gets the lowest free descriptor, so
    the order of the streams matters.
    """
    for name, mode in STREAMS:
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
