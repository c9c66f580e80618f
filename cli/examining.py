"""Examines the problems of a file: what `certify`, `audit` and `problems strengthen` share."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from ocaml_reward import InputError
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.parallel import jobs_of
from ocaml_reward.formats import (
    BadLine,
    ProblemSet,
    load_problems,
    read_completions,
    require_writable,
    write_whole,
)
from ocaml_reward.model import Problem

from .terminal.groups import combined
from .terminal.options import input_source, running_engine
from .terminal.progress import progress
from .terminal.text import counted

Found = TypeVar("Found")
records_options: Final = combined(
    click.option(
        "-o",
        "--output",
        "output_name",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Write a JSON record for each problem, as soon as it is known.",
    ),
    click.option(
        "--resume", is_flag=True, help="Continue the file named by --output after a stop."
    ),
)
answers_options: Final = combined(
    click.option(
        "--right",
        metavar="FILE",
        help="Completions that are known to be right: no check is added that one fails.",
    ),
    click.option(
        "--wrong",
        metavar="FILE",
        help="Completions that are known to be wrong, of any of these problems.",
    ),
    click.option(
        "--seed",
        type=int,
        default=0,
        show_default=True,
        help="Which calls are drawn where there are more than can be tried.",
    ),
)


def problems_of(name: str) -> ProblemSet:
    """Load the problems of a file; raises InputError if there is none."""
    given = load_problems(input_source(name))
    if not given.problems:
        raise InputError(f"no problems in {name}")
    return given


def known_answers(name: str | None) -> Mapping[str, list[str]]:
    """Return the completions in a file, by their problems."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    if name is None:
        return found
    for line in read_completions(input_source(name)):
        if isinstance(line, BadLine):
            raise InputError(str(line))
        found[line.problem_id].append(line.completion.text)
    return found


def examine_all(
    ctx: click.Context,
    problems: Iterable[Problem],
    look: Callable[[Engine, Problem], Found],
    done: Callable[[Found], None],
    *,
    doing: str,
    bad: Iterable[BadLine],
    engine_name: str,
    sandbox: str,
) -> None:
    """Look at problems, some at a time, with a progress bar.

    Args:
        ctx: The context of the command.
        problems: The problems.
        look: Looks at one, in a thread.
        done: Called with what comes of each, in order.
        doing: What is done, as a word of the bar.
        bad: Lines that are no problems, which are told first.
        engine_name: The engine.
        sandbox: The jail.
    """
    left = list(problems)
    count = 0
    with (
        progress(
            ctx,
            total=len(left),
            doing=doing,
            when_stopped=lambda: f"stopped after {counted(count, 'problem')}",
        ) as screen,
        running_engine(ctx, engine_name, sandbox) as engine,
    ):
        for line in bad:
            screen.say(str(line))
        threads = ThreadPoolExecutor(jobs_of(engine, len(os.sched_getaffinity(0))))
        try:
            for found in threads.map(partial(look, engine), left):
                count += 1
                done(found)
                screen.step(None)
        finally:
            threads.shutdown(cancel_futures=True)


class RecordFile:
    """A file of JSON records, one for each problem, that grows while problems are examined."""

    def __init__(self, path: Path | None, *, resume: bool, overwrite: bool = False) -> None:
        """Take the file, if one is wanted.

        Raises InputError if it exists and is neither resumed nor overwritten.
        """
        if resume and path is None:
            raise click.UsageError("--resume needs a file named by --output")
        if path and path.exists() and not (resume or overwrite):
            raise InputError(f"{path} exists already: --resume continues it")
        if path:
            require_writable(path)
        self._path = path
        self._resumed = resume

    def stored(self, usable: Callable[[Any], str | None]) -> dict[str, Any]:
        """Return the records of an earlier run by the problem, which `usable` names.

        What is not resumed is removed, now that all that is needed besides has been read.
        Raises InputError for a record that is not usable.
        """
        path, found = self._path, dict[str, Any]()
        if path is None or not path.exists():
            return found
        if not self._resumed:
            path.unlink()
            return found
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
                name = usable(record)
            except (ValueError, LookupError, TypeError):
                name = None
            if name is not None:
                found[name] = record
            elif number < len(lines) or line.endswith("}"):
                raise InputError(f"{path}:{number}: no record of this run")
        # Rewritten, to remove an incomplete last line.
        write_whole(path, [f"{json.dumps(record)}\n" for record in found.values()])
        return found

    def add(self, record: Mapping[str, Any]) -> None:
        """Add a record, if a file is wanted."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(record)}\n")
