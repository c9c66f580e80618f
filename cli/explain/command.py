"""The command `explain`: explains the reward of one completion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from click.core import ParameterSource

from ocaml_reward import Breakdown, Completion, Grader, Problem, ProblemError
from ocaml_reward.engine import PreparedTests
from ocaml_reward.formats import ProblemSet, load_problems, problems_beside
from ocaml_reward.model import MergedError
from ocaml_reward.scheme import RewardScheme, load, shipped

from ..terminal.exit_codes import BAD_MACHINE
from ..terminal.options import engine_options, grading, scheme_options, untested_option
from .explanation import Explanation, print_explanation
from .lookup import (
    CompletionAddress,
    completion_of_file,
    find_completion,
    find_record,
    holds_records,
)
from .reading import reading_notes
from .reasons import check_alone
from .sources import sources_of_prepared, sources_of_record

RECORDED_ONLY: Final = (
    "only the recorded code is graded: what stood around it, and whether the length limit"
    " cut it off, is in no record"
)


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(exists=True, dir_okay=True, path_type=Path))
@click.option(
    "--problem",
    "problem_id",
    metavar="ID",
    help="The problem whose completion it is; else the first of the file.",
)
@click.option(
    "--index",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Which of the problem's completions, counted from 0.",
)
@click.option(
    "--problems",
    "problems_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Problems and their tests, as for score.",
)
@untested_option
@click.option(
    "--tests",
    "tests_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The tests of a lone file of code: OCaml, or cases as JSON.",
)
@click.option(
    "--prompt",
    "prompt_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The prompt of a lone file of code.",
)
@click.option(
    "--regrade",
    is_flag=True,
    help="Grade the code of a record anew, instead of showing what was recorded.",
)
@click.option(
    "--why",
    is_flag=True,
    help="Also the type errors that were found and not counted, with the reason.",
)
@scheme_options
@engine_options
@click.pass_context
def explain(
    ctx: click.Context,
    *,
    file: Path,
    problem_id: str | None,
    index: int,
    problems_path: Path | None,
    untested: bool,
    tests_path: Path | None,
    prompt_path: Path | None,
    scheme_name: str,
    overrides: tuple[str, ...],
    engine_name: str,
    sandbox: str,
    regrade: bool,
    why: bool,
) -> None:
    """Show the code of one completion with its diagnostics, and the account of its reward.

    FILE is a file of completions, the output of score, a training's log of breakdowns,
    or a lone file of code with --tests. A completion is graded now; a record is shown
    as it stands.
    """
    scheme = load(scheme_name, overrides)
    problems = load_problems(problems_path, untested=untested) if problems_path else None
    asked = CompletionAddress(file=file, problem_id=problem_id, index=index)
    notes: tuple[str, ...] = ()

    def merged(found: Breakdown, problem: Problem | None) -> Sequence[MergedError] | None:
        if not (why and found.type_errors):
            return None
        libraries = problem.libraries if problem else ()
        return check_alone(found.code, libraries, engine_name=engine_name, sandbox=sandbox).merged

    if tests_path is not None or file.suffix == ".ml":
        chosen = None if problems is None or problem_id is None else problems.get(problem_id)
        item = completion_of_file(file, tests_path, prompt_path, chosen, untested=untested)
        problem, completion = item.problem, item.line.completion
        title = where = str(file)
    elif file.is_file() and holds_records(file):
        stored = find_record(asked)
        breakdown = stored.breakdown
        title = f"{breakdown.problem_id}, {stored.file or f'completion {stored.index}'}"
        known = find_problem(problems, file, breakdown.problem_id)
        if not regrade:
            given = ctx.get_parameter_source("scheme_name") is not ParameterSource.DEFAULT
            ladders, on_scheme = recorded_scheme(breakdown, scheme, named=given or bool(overrides))
            print_explanation(
                Explanation(
                    title=f"{title}, as recorded",
                    breakdown=breakdown,
                    scheme=ladders,
                    sources=sources_of_record(known, breakdown),
                    on_scheme=on_scheme,
                ),
                merged(breakdown, known),
            )
            return
        if known is None:
            raise click.UsageError("--regrade needs --problems with the tests")
        problem, where = known, f"{file}: {title}"
        # A record has only the code, without fences and end marker.
        completion = Completion(text=breakdown.code)
        title += ", its recorded code graded anew"
        notes = (RECORDED_ONLY,)
    else:
        item = find_completion(asked, problems, untested=untested)
        problem, completion = item.problem, item.line.completion
        title = f"{problem.id}, completion {item.index}, line {item.line.line}"
        where = f"{item.line.file}:{item.line.line}"
    with grading(ctx, scheme, engine=engine_name, sandbox=sandbox, jobs=1, regions=True) as (
        grader,
        _,
    ):
        prepared = prepare(grader, problem, where=where, tests_path=tests_path)
        breakdown = grader.grade(problem, completion)
        extraction = grader.extract(problem, completion)
    notes += tuple(reading_notes(completion.text, extraction, prepared))
    print_explanation(
        Explanation(
            title=title,
            breakdown=breakdown,
            scheme=scheme,
            sources=sources_of_prepared(problem, prepared),
            notes=notes,
        ),
        merged(breakdown, problem),
    )
    if breakdown.fault is not None:
        ctx.exit(BAD_MACHINE)


def prepare(
    grader: Grader, problem: Problem, *, where: str, tests_path: Path | None
) -> PreparedTests:
    """Prepare the tests; raises ProblemError with the file and the line."""
    try:
        return grader.prepare(problem)
    except ProblemError as error:
        if tests_path is None:
            raise ProblemError(f"{where}: {error}") from error
        message = str(error).removeprefix(f"{problem.id}: ")
        placed = re.fullmatch(r"tests, line (\d+): (.*)", message, re.DOTALL)
        if placed is None:
            raise ProblemError(f"{tests_path}: {message}") from error
        # The parser reports an unexpected end of file on the line after the last one.
        last = len(str(problem.tests).rstrip().split("\n"))
        line = min(int(placed[1]), last)
        raise ProblemError(f"{tests_path}:{line}: {placed[2]}") from error


def recorded_scheme(
    breakdown: Breakdown, scheme: RewardScheme, *, named: bool
) -> tuple[RewardScheme | None, str]:
    """Find the scheme of a record: that of the command line, or a shipped one, or None.

    `named` is whether the user gave a scheme. The second result is a remark about it.
    """
    label = breakdown.scheme
    if label == scheme.label:
        return scheme, ""
    other = f", not with {scheme.label}" if named else ""
    for name in shipped():
        if (found := load(name)).label == label:
            regrade = f"as recorded{other}; --regrade scores it with that"
            return found, regrade if named else ""
    return None, f"scored with {label}{other}; give --scheme FILE for its ladders"


def find_problem(problems: ProblemSet | None, file: Path, problem_id: str) -> Problem | None:
    """Find the problem of a record, also in problems.jsonl beside it; None if it is unknown."""
    beside = problems_beside(file)
    if problems is None and beside is not None:
        problems = load_problems(beside)
    if problems is None or problem_id not in problems.problems:
        return None
    return problems.problems[problem_id]
