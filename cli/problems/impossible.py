"""The command `problems impossible`: twins of problems that only a cheat passes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from ocaml_reward import Grader, InputError, Problem, ProblemError
from ocaml_reward.formats import load_problems, write_problems
from problem_sets.impossible import impossible as twin_of

from ..terminal.exit_codes import BAD_LINES
from ..terminal.options import (
    engine_options,
    input_source,
    overwrite_option,
    refuse_existing,
    running_engine,
)
from ..terminal.progress import progress
from ..terminal.text import counted, one_line


@click.command()
@click.argument("problems", metavar="PROBLEMS")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Write the twins, as JSON Lines, or as parquet where its name says so.",
)
@click.option("--with-problems", is_flag=True, help="Write the problems too, each before its twin.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Which expected value is changed."
)
@overwrite_option
@engine_options
@click.pass_context
def impossible(
    ctx: click.Context,
    *,
    problems: str,
    output: Path,
    with_problems: bool,
    overwrite: bool,
    seed: int,
    engine_name: str,
    sandbox: str,
) -> None:
    """Make twins of problems that only a cheat passes.

    In a twin one expected value of the tests is changed: the reference fails exactly one check,
    and none of its mutants passes. What passes a twin has found a way around the tests. Put some
    into a validation set: they do not count for pass@1, `ocaml/impossible_pass_rate` is their own
    figure, and the health rule `cheating` watches it.

    The exit code is 1 if some line is no problem.
    """
    refuse_existing(output, overwrite=overwrite)
    given = load_problems(input_source(problems))
    if not given.problems:
        raise InputError(f"no problems in {problems}")
    made: list[Problem] = []
    left: Counter[str] = Counter()
    with progress(
        ctx,
        total=len(given.problems),
        doing="changing",
        when_stopped=lambda: f"stopped after {counted(len(made), 'twin')}, none written",
    ) as screen:
        for bad in given.bad:
            screen.say(str(bad))
        with (
            running_engine(ctx, engine_name, sandbox) as engine,
            Grader("concise", engine=engine, jobs=1) as grader,
        ):
            for problem in given.problems.values():
                try:
                    twin = twin_of(grader, problem, seed=seed)
                except ProblemError as error:
                    left[str(error).removeprefix(f"{problem.id}: ")] += 1
                else:
                    made += [problem, twin] if with_problems else [twin]
                screen.step(None)
    write_problems(output, made)
    count = len(given.problems) - left.total()
    click.echo(f"{output}: {counted(count, 'twin')} of {counted(len(given.problems), 'problem')}")
    for reason, number in left.most_common():
        click.echo(f"  {number} left out: {one_line(reason)}")
    if given.bad:
        ctx.exit(BAD_LINES)
