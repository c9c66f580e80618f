"""Options shared by several commands, and the objects that they configure."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO, Any, Final

import click

from ocaml_reward import Grader, InputError
from ocaml_reward.engine import Engine
from ocaml_reward.engine.remote.urls import is_address
from ocaml_reward.formats import require_writable
from ocaml_reward.sandbox import BACKENDS
from ocaml_reward.scheme import RewardScheme
from ocaml_reward.shared import SharedGrader, processes_for

from .building import say_if_building
from .groups import combined

SANDBOXES: Final = ("auto", *BACKENDS)


def _check_engine_name(_: click.Context, __: click.Parameter, value: str) -> str:
    """Check that a value names an engine, or addresses of servers."""
    from ocaml_reward.engine.engines.select import check_name  # noqa: PLC0415

    try:
        check_name(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return value


scheme_options: Final = combined(
    click.option(
        "--scheme",
        "scheme_name",
        metavar="NAME|FILE",
        default="seed",
        show_default=True,
        help="The reward scheme: one that ships, or a TOML file.",
    ),
    click.option(
        "--set",
        "overrides",
        metavar="KEY=VALUE",
        multiple=True,
        help="Change one number of the scheme, such as runaway.factor=0.2; repeatable.",
    ),
)
engine_options: Final = combined(
    click.option(
        "--engine",
        "engine_name",
        metavar="[auto|warm|stock|URL,...]",
        callback=_check_engine_name,
        default="auto",
        show_default=True,
        help="What compiles and runs the code: warm keeps compilers loaded, stock runs"
        " ocamlc for each completion; auto is warm, or stock where that is all there is."
        " Addresses such as http://a:8700,http://b:8700 are servers that do it.",
    ),
    click.option(
        "--sandbox",
        type=click.Choice(SANDBOXES),
        default="auto",
        show_default=True,
        help="The jail. auto takes nsjail or bubblewrap, or refuses; rlimits and none"
        " keep no one out and are for completions that you trust.",
    ),
)
records_output_option: Final = click.option(
    "-o",
    "--output",
    "output_name",
    metavar="FILE",
    help="Where the records go, in the form of its name (.csv, .tsv, .parquet, packed .gz); without"
    " it to standard output, unless that is a terminal, and the summary to standard error.",
)
untested_option: Final = click.option(
    "--untested",
    is_flag=True,
    help="Grade also what has no tests: structure, types and compiling; nothing of it passes.",
)
jobs_option: Final = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    help="How many completions to grade at a time.  [default: what keeps the CPUs at work]",
)
overwrite_option: Final = click.option(
    "--overwrite", is_flag=True, help="Replace what --output names."
)


def start_engine(name: str, sandbox: str) -> Engine:
    """Start an engine by name; raises MachineError."""
    if not is_address(name):
        say_if_building()
    from ocaml_reward.engine.engines.select import engine  # noqa: PLC0415

    return engine(name, sandbox, cached=True)


@contextmanager
def running_engine(ctx: click.Context, name: str, sandbox: str) -> Iterator[Engine]:
    """Start an engine, and stop it at the end; tests replace `start_engine` by `ctx.obj`."""
    start: Callable[[str, str], Engine] = ctx.obj or start_engine
    with closing(start(name, sandbox)) as engine:
        yield engine


@contextmanager
def grading(
    ctx: click.Context,
    scheme: RewardScheme,
    *,
    engine: str,
    sandbox: str,
    jobs: int | None = None,
    processes: int | None = 1,
    regions: bool = False,
) -> Iterator[tuple[Grader, Engine]]:
    """Start an engine and a grader, and stop both at the end.

    If `processes` is None, their number depends on the CPUs; it is 1 for remote engines.
    """
    if processes is None:
        is_here = ctx.obj is None and not is_address(engine)
        processes = processes_for(len(os.sched_getaffinity(0))) if is_here else 1
    with running_engine(ctx, engine, sandbox) as running:
        made: Grader
        if processes == 1:
            made = Grader(scheme, engine=running, jobs=jobs, regions=regions)
        else:
            made = SharedGrader(
                scheme,
                engine=running,
                name=engine,
                sandbox=sandbox,
                processes=processes,
                jobs=jobs,
                regions=regions,
            )
        with made as grader:
            yield grader, running


def input_source(name: str) -> Path | IO[bytes]:
    """Return the path of a file, or standard input for `-`."""
    return sys.stdin.buffer if name == "-" else Path(name)


def refuse_existing(output: Path | None, *, overwrite: bool) -> None:
    """Raise InputError if the output is a file, without `overwrite`, or cannot be written."""
    if output is None:
        return
    if output.is_file() and not overwrite:
        raise InputError(f"{output} exists; replace it with --overwrite")
    require_writable(output)


class CommandWithAdvancedOptions(click.Command):
    """A command whose help lists advanced options separately."""

    def __init__(self, *args: Any, advanced: Collection[str] = (), **extra: Any) -> None:
        """Set the advanced options.

        Args:
            *args: As for click.Command.
            advanced: The names of the advanced options, such as "--shard".
            **extra: As for click.Command.
        """
        super().__init__(*args, **extra)
        self._advanced = frozenset(advanced)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options and the advanced options."""
        rows: dict[str, list[tuple[str, str]]] = {"Options": [], "Advanced options": []}
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        for option in options:
            record = option.get_help_record(ctx)
            is_advanced = not self._advanced.isdisjoint(option.opts)
            if record is not None:
                rows["Advanced options" if is_advanced else "Options"].append(record)
        for heading, records in rows.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
