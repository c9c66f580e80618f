"""The command `score`: grades a file of completions, and writes a record for each."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import IO

import click

from ocaml_reward import InputError
from ocaml_reward.formats import (
    Joining,
    count_lines,
    load_problems,
    open_bytes,
    require_writable,
)
from ocaml_reward.formats.files import FORMATS, container_of
from ocaml_reward.formats.grades import grades_of
from ocaml_reward.formats.packing import SUFFIXES, require_packable
from ocaml_reward.formats.results import RESULTS, kind_by_name
from ocaml_reward.scheme import load

from ..terminal.exit_codes import BAD_LINES, BAD_MACHINE
from ..terminal.options import (
    CommandWithAdvancedOptions,
    engine_options,
    grading,
    input_source,
    jobs_option,
    records_output_option,
    scheme_options,
    untested_option,
)
from ..terminal.progress import Screen, progress
from ..terminal.text import counted
from .output import ConvertedOutput, FileOutput, Output, StreamOutput
from .run import Run, Shard, grading_on_ray, parse_shard, refuse_beside_ray
from .summary import Summary, as_dict, print_certificate, print_grades, print_summary


@click.command(
    cls=CommandWithAdvancedOptions,
    advanced=(
        *("--output-format", "--format", "--set", "--engine", "--sandbox", "--jobs"),
        *("--processes", "--ray", "--shard"),
    ),
)
@click.argument("completions", metavar="COMPLETIONS")
@click.option(
    "--problems",
    "problems_name",
    metavar="FILE",
    help="Problems and their tests: JSONL, JSON, CSV, TSV or parquet. Without it, tests stand in"
    " the completions' own lines, or in problems.jsonl beside the file.",
)
@untested_option
@records_output_option
@click.option(
    "--output-format",
    "kind",
    type=click.Choice(RESULTS),
    help="What --output is: jsonl, our own records; a table; or the results of EvalPlus,"
    " MultiPL-E, a folder, or Harbor, a reward.json for one completion, which say less and are"
    " written at the end.  [default: by its name, else jsonl]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="auto",
    show_default=True,
    help="How COMPLETIONS is read; auto goes by its first bytes and its name.",
)
@scheme_options
@engine_options
@jobs_option
@click.option(
    "--processes",
    type=click.IntRange(min=1),
    help="How many processes grade, each with an engine of its own.  [default: one for"
    " every four CPUs]",
)
@click.option(
    "--ray",
    "ray_address",
    metavar="ADDRESS",
    help="Grade on every node of a Ray cluster: its address, auto for the one that this"
    " machine is of, local for one of this machine alone.  Needs the extra ray.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Score only the first N completions.")
@click.option(
    "--problem",
    "ids",
    metavar="ID",
    multiple=True,
    help="Score only the completions of this problem; repeatable.",
)
@click.option(
    "--by",
    type=click.Choice(["file"]),
    help="Show the rewards of a folder of homework below the summary, by file (student) and"
    " problem; --output-format grades writes them as CSV.",
)
@click.option(
    "--regions",
    is_flag=True,
    help="Say in each record which parts of the code are right or wrong.  Code that does"
    " not type or parse is run through holes for that, and once more what passes some"
    " checks only.",
)
@click.option(
    "--shard",
    callback=parse_shard,
    metavar="K/N",
    help="Score only every Nth line, the Kth of each N first; ocaml-reward join puts the"
    " N outputs together.",
)
@click.option(
    "--resume",
    is_flag=True,
    help="Continue the file named by --output: what is scored there stays, what our"
    " machine failed to score is tried again.",
)
@click.option("--overwrite", is_flag=True, help="Replace the file named by --output.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the summary as one JSON object on standard output; records then go to --output"
    " only.",
)
@click.option(
    "-q", "--quiet", is_flag=True, help="Print no progress and no summary, only what went wrong."
)
@click.pass_context
def score(
    ctx: click.Context,
    *,
    completions: str,
    problems_name: str | None,
    untested: bool,
    output_name: str | None,
    kind: str | None,
    form: str,
    scheme_name: str,
    overrides: tuple[str, ...],
    engine_name: str,
    sandbox: str,
    jobs: int | None,
    processes: int | None,
    ray_address: str | None,
    limit: int | None,
    ids: tuple[str, ...],
    by: str | None,
    regions: bool,
    shard: Shard | None,
    resume: bool,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Score completions and write one JSON record for each.

    COMPLETIONS is a file or folder, or - for standard input: JSON Lines such as
    {"problem_id": "add", "completion": "let add x y = x + y"}, gzipped or not, parquet, a
    folder of ID/N.ml, one .ml file where there is one problem, and the shapes that HumanEval, EvalPlus, MultiPL-E, chat APIs and
    their batches, TRL and verifiers write.

    A terminal shows a summary; a bad line is reported and the rest is scored.
    """
    refuse_output(
        output_name,
        kind,
        resume=resume,
        overwrite=overwrite,
        sharded=shard is not None,
        as_json=as_json,
    )
    if by and not is_folder(input_source(completions)):
        raise click.UsageError("--by file is about a folder of files")
    refuse_beside_ray(ray_address, engine_name, jobs, processes)
    scheme = load(scheme_name, overrides)
    source = input_source(completions)
    require_readable(source)
    if shard is not None and is_folder(source):
        raise click.UsageError("--shard takes the lines of one file, not a folder")
    problems = load_problems(Path(problems_name), untested=untested) if problems_name else None
    refuse_same_file(output_name, completions, problems_name)
    summary = Summary(scheme)
    output = open_output(
        output_name, kind, resume=resume, overwrite=overwrite, is_stdout_taken=as_json
    )
    with (
        progress(
            ctx,
            total=None if ids else total_of(source, limit),
            when_stopped=lambda: stopped_message(output),
            is_quiet=quiet,
        ) as screen,
        closing(output),
    ):
        made = (
            grading(
                ctx,
                scheme,
                engine=engine_name,
                sandbox=sandbox,
                jobs=jobs,
                processes=processes,
                regions=regions,
            )
            if ray_address is None
            else grading_on_ray(
                ray_address,
                scheme,
                engine=engine_name,
                sandbox=sandbox,
                regions=regions,
                say=screen.note,
            )
        )
        with made as (grader, engine):
            run = Run(
                grader=grader,
                engine=engine,
                scheme=scheme,
                output=output,
                screen=screen,
                summary=summary,
                shard=shard,
            )
            joining = Joining(
                source=source,
                problems=problems,
                report=lambda bad: screen.list("bad lines", str(bad)),
                note=screen.note,
                check=run.prepare_new,
                foresee=run.foresee,
                form=form,
                untested=untested,
                only=frozenset(ids),
            )
            with closing(run):
                run.grade_all(joining, limit=limit, name_file=is_folder(source))
    tell_untested(joining, screen, is_all=not summary.total and shard is None)
    if not summary.total and shard is None:
        raise InputError(f"nothing to score in {completions}{of_problems(ids)}")
    if isinstance(output, ConvertedOutput) and output.lost and not quiet:
        click.echo(f"{output.target}: {output.lost}", err=True)
    if as_json:
        click.echo(json.dumps(as_dict(summary, engine=engine, bad=joining.bad)))
    elif not quiet:
        to_stderr = isinstance(output, StreamOutput)
        print_summary(
            summary,
            engine=engine,
            bad=joining.bad,
            repaired=joining.repaired,
            to_stderr=to_stderr,
        )
        print_certificate(problems_name, source, problems, to_stderr=to_stderr)
        print_grades(grades_of(summary.by_file), by=by, to_stderr=to_stderr)
    if summary.unscored > summary.misjudged:
        ctx.exit(BAD_MACHINE)
    if joining.bad or summary.misjudged:
        ctx.exit(BAD_LINES)


def refuse_output(
    name: str | None,
    kind: str | None,
    *,
    resume: bool,
    overwrite: bool,
    sharded: bool,
    as_json: bool,
) -> None:
    """Raise UsageError for options of the output that exclude each other."""
    if as_json and name == "-":
        raise click.UsageError("--json and --output - both take standard output")
    if resume and name in {None, "-"}:
        raise click.UsageError("--resume needs a file named by --output")
    if resume and overwrite:
        raise click.UsageError("--resume and --overwrite exclude each other")
    if name in {None, "-"}:
        if kind not in {None, RESULTS[0]}:
            raise click.UsageError(f"--output-format {kind} needs an --output")
    elif (resume or sharded) and is_converted(str(name), kind):
        message = f"{name} is written at the end: --resume and --shard need plain .jsonl"
        raise click.UsageError(message)


def is_converted(name: str, kind: str | None) -> bool:
    """Return whether an output is written at the end: results of another tool, packed records."""
    return (kind or kind_by_name(name)) != RESULTS[0] or name.endswith(SUFFIXES)


def open_output(
    name: str | None,
    kind: str | None = None,
    *,
    resume: bool,
    overwrite: bool,
    is_stdout_taken: bool = False,
) -> Output:
    """Open the output of records, of a kind or of that which its name says; raises InputError."""
    if name is not None and name != "-" and is_converted(name, kind):
        target = Path(name)
        if not target.is_dir():
            require_writable(target)
        return ConvertedOutput(target, kind or kind_by_name(name), overwrite=overwrite)
    if name is None and (is_stdout_taken or sys.stdout.isatty()):
        return Output()
    if name is None or name == "-":
        return StreamOutput(sys.stdout.buffer)
    if not Path(name).name:
        raise InputError(f"cannot write {name}: Is a directory")
    require_packable(name)
    return FileOutput(Path(name), resume=resume, overwrite=overwrite)


def require_readable(source: Path | IO[bytes]) -> None:
    """Raise InputError for an unreadable file, before anything is started or created."""
    if isinstance(source, Path) and not is_folder(source):
        with open_bytes(source):
            pass


def is_folder(source: Path | IO[bytes]) -> bool:
    """Return whether completions come from a folder of files."""
    return isinstance(source, Path) and source.is_dir()


def refuse_same_file(output_name: str | None, *input_names: str | None) -> None:
    """Raise InputError if the output is one of the inputs."""
    if output_name is None:
        return
    output = Path(output_name)
    for name in input_names:
        try:
            same = name is not None and Path(name).samefile(output)
        except (OSError, ValueError):
            continue
        if same:
            raise InputError(f"{output_name} is read and cannot be the output too")


def tell_untested(joining: Joining, screen: Screen, *, is_all: bool) -> None:
    """Say once that tests are missing; raises InputError if that `is_all` that can be said."""
    if not joining.without_tests:
        return
    first, *others = joining.without_tests.values()
    more = f" ({counted(len(others), 'other problem')} likewise)" if others else ""
    message = f"{first}{more}"
    if is_all:
        raise InputError(message)
    screen.say(message)


def of_problems(ids: tuple[str, ...]) -> str:
    """Return the problems asked for, in words."""
    return f" of problem {' or '.join(map(repr, ids))}" if ids else ""


def total_of(source: Path | IO[bytes], limit: int | None) -> int | None:
    """Return the number of completions for the progress bar.

    It is `limit` if the lines of the input cannot be counted.
    """
    if not isinstance(source, Path) or not source.is_file():
        return limit
    if container_of(source.name) == "json":
        return limit
    lines = count_lines(source)
    return lines if limit is None else min(lines, limit)


def stopped_message(output: Output) -> str:
    """Return the message of a stopped run: its progress, and how to continue."""
    verb = "is" if output.written == 1 else "are"
    message = f"stopped; {counted(output.written, 'new record')} {verb} written"
    if output.path is not None:
        message += f" to {output.path}; the same command with --resume continues"
    return message
