"""The command `problems import`: converts problems of other projects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from ocaml_reward import Problem
from ocaml_reward.auditing import Validator, disagreements, known_answers
from ocaml_reward.engine import Engine
from ocaml_reward.formats import BadLine, ProblemLine, write_problems, write_rows
from ocaml_reward.formats.files import FORMATS
from ocaml_reward.formats.folders.icpc import ICPC
from ocaml_reward.formats.importing import Imported, import_problems
from ocaml_reward.formats.sameness import content

from ..terminal.exit_codes import BAD_LINES
from ..terminal.options import (
    engine_options,
    input_source,
    overwrite_option,
    refuse_existing,
    running_engine,
)
from ..terminal.progress import Screen
from ..terminal.stopping import stoppable
from ..terminal.text import counted, one_line


@click.command(name="import")
@click.argument("source", metavar="SOURCE")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="Where the problems go, as JSON Lines, or as parquet where its name says so.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="auto",
    show_default=True,
    help="How a file is read; auto goes by its first bytes and its name.",
)
@click.option("--config", metavar="NAME", help="The data set's configuration on the hub.")
@click.option("--split", default="train", show_default=True, help="Its split on the hub.")
@click.option(
    "--validate",
    is_flag=True,
    help="Leave out what ocaml-reward validate finds broken, and say why.",
)
@click.option(
    "--right",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the accepted submissions of Kattis packages, for ocaml-reward certify --right.",
)
@click.option(
    "--wrong",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write their other submissions, and wrong_solution*.ml of learn-ocaml, for --wrong.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what is lost as JSON Lines.")
@overwrite_option
@engine_options
@click.pass_context
def import_(
    ctx: click.Context,
    *,
    source: str,
    output: Path,
    form: str,
    config: str | None,
    split: str,
    validate: bool,
    right: Path | None,
    wrong: Path | None,
    as_json: bool,
    overwrite: bool,
    engine_name: str,
    sandbox: str,
) -> None:
    """Turn what other projects have into problems, and say what is lost.

    SOURCE is a file (JSON Lines, JSON, CSV, TSV or parquet), - for standard input, a folder, or
    a data set on the hub, ORG/NAME. Read are, besides our own, the OCaml sets of MultiPL-E
    and programs judged by what they print: Agnostics, APPS, CodeContests, Codeforces,
    LiveCodeBench, NeMo Gym, Prime Intellect, SandboxFusion, SkyRL, TACO, verl, xCodeEval. A
    folder holds such files, or folders with one exercise of Exercism or learn-ocaml or one
    problem of DMOJ or ICPC. Their kinds, how outputs are compared and what limits are taken
    over are said.

    The exit code is 1 if something could not be imported.
    """
    for path in (output, right, wrong):
        refuse_existing(path, overwrite=overwrite)
    given = input_source(source) if source == "-" else source
    found = list(
        _refuse_repeated_ids(import_problems(given, form=form, config=config, split=split))
    )
    reasons: dict[str, list[str]] = {}
    with stoppable():
        if validate:
            with (
                running_engine(ctx, engine_name, sandbox) as engine,
                Screen(total=None) as screen,
            ):
                lines = [each.found for each in found if isinstance(each.found, ProblemLine)]
                for one in Validator(engine).validate(lines):
                    screen.step(None)
                    if one.broken:
                        reasons[one.id] = [c.message for c in one.complaints if c.broken]
                found = [_with_submissions(each, engine, reasons) for each in found]
    kept = [
        each.found.problem
        for each in found
        if isinstance(each.found, ProblemLine) and each.found.problem.id not in reasons
    ]
    write_problems(output, kept)
    _write_answers(found, reasons, right, wrong)
    lost = 0
    for each in found:
        lost += _report_row(each, reasons, as_json=as_json)
    if not as_json:
        click.echo(f"{counted(len(kept), 'problem')} written to {output}, {lost} left out")
        kinds = Counter(each.kind for each in found if each.kind)
        for kind, count in sorted(kinds.items()):
            click.echo(f"{counted(count, 'folder')} of {kind}")
        notes = Counter(note for each in found for note in each.said)
        for note, count in sorted(notes.items()):
            click.echo(f"{counted(count, 'problem')}: {one_line(note)}")
    if lost:
        ctx.exit(BAD_LINES)


def _refuse_repeated_ids(found: Iterator[Imported]) -> Iterator[Imported]:
    """Replace problems with a repeated id by bad lines."""
    seen: dict[str, Problem] = {}
    for each in found:
        if isinstance(each.found, ProblemLine):
            problem = each.found.problem
            first = seen.setdefault(problem.id, problem)
            if first is not problem:
                same = "the same problem" if content(first) == content(problem) else "another"
                message = f"problem {problem.id!r} again: {same}"
                bad = BadLine(file=each.found.file, line=each.found.line, message=message)
                yield replace(each, found=bad, said=())
                continue
        yield each


def _with_submissions(
    each: Imported, engine: Engine, broken: Mapping[str, Sequence[str]]
) -> Imported:
    """Return what was imported of a package, with what its own submissions say of it."""
    line = each.found
    if isinstance(line, BadLine) or each.kind != ICPC.name or line.problem.id in broken:
        return each
    told = disagreements(engine, line.problem, Path(line.file).parent)
    return replace(each, said=(*each.said, *(f"{line.problem.id}: {one}" for one in told)))


def _write_answers(
    found: Sequence[Imported],
    broken: Mapping[str, Sequence[str]],
    right: Path | None,
    wrong: Path | None,
) -> None:
    """Write the answers that are known to be right and wrong, if that is wanted."""
    rows: tuple[list[dict[str, object]], list[dict[str, object]]] = ([], [])
    for each in found:
        line = each.found
        if each.kind and isinstance(line, ProblemLine) and line.problem.id not in broken:
            answers = known_answers(Path(line.file).parent)
            for kept, texts in zip(rows, answers, strict=True):
                kept.extend({"problem_id": line.problem.id, "completion": each} for each in texts)
    for path, some in zip((right, wrong), rows, strict=True):
        if path is not None:
            write_rows(path, some)


def _report_row(each: Imported, reasons: dict[str, list[str]], *, as_json: bool) -> bool:
    """Print the losses of a row; return whether it is left out."""
    line = each.found
    id_ = line.problem.id if isinstance(line, ProblemLine) else ""
    why = reasons.get(id_, [])
    if isinstance(line, BadLine):
        why = [line.message]
    if as_json:
        record = {"file": line.file, "line": line.line, "kind": each.kind, "id": id_}
        click.echo(json.dumps({**record, "left_out": why, "said": list(each.said)}))
    elif why:
        where = f"{line.file}:{line.line}" if line.line else line.file
        name = f" {id_}:" if id_ else ""
        click.echo(one_line(f"{where}:{name} {'; '.join(why)}"), err=True)
    return bool(why)
