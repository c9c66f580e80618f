"""
The command `explain`: how one completion came to its reward.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from rich.text import Text

from ocaml_reward import Breakdown, Completion, Problem
from ocaml_reward.formats import ProblemSet, load_problems
from ocaml_reward.scheme import RewardScheme

from .account import checks, credits_read, penalties, total
from .codes import BAD_MACHINE
from .consoles import console
from .finding import Asked, find_completion, find_record, is_scored, lone_file
from .listing import listing
from .options import engine_options, grading, read_scheme, scheme_options
from .text import one_line
from .verdicts import SENTENCES, STYLES

__all__ = ["explain"]

MAX_WIDTH: Final = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """
    What is explained: a breakdown, what to call it, and the source of its checks.
    """

    title: str
    breakdown: Breakdown
    scheme: RewardScheme
    sources: Mapping[int, str]


@click.command()
@click.argument(
    "file", metavar="FILE", type=click.Path(exists=True, dir_okay=True, path_type=Path)
)
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
    tests_path: Path | None,
    prompt_path: Path | None,
    scheme_name: str,
    overrides: tuple[str, ...],
    engine_name: str,
    sandbox: str,
    regrade: bool,
) -> None:
    """
    Show the code of one completion with its diagnostics, and the account of its reward.

    FILE is a file of completions, the output of score, or a lone file of code with
    --tests. A completion is graded now; a record of score is shown as it stands.
    """
    scheme = read_scheme(scheme_name, overrides)
    problems = load_problems(problems_path) if problems_path else None
    asked = Asked(file=file, problem_id=problem_id, index=index)
    title = ""
    if tests_path is not None or file.suffix == ".ml":
        chosen = problems.get(problem_id) if problems and problem_id else None
        item = lone_file(file, tests_path, prompt_path, chosen)
        problem, completion = item.problem, item.line.completion
        title = str(file)
    elif file.is_file() and is_scored(file):
        stored = find_record(asked)
        title = f"{stored.breakdown.problem_id}, completion {stored.index}, as recorded"
        known = known_problem(problems, file, stored.breakdown.problem_id)
        if not regrade:
            sources = lines_of_checks(known, stored.breakdown)
            show(
                Case(
                    title=title,
                    breakdown=stored.breakdown,
                    scheme=scheme,
                    sources=sources,
                )
            )
            return
        if known is None:
            raise click.UsageError("--regrade needs --problems with the tests")
        problem = known
        # A record holds the code alone, so the marker and fences around it are gone.
        completion = Completion(text=stored.breakdown.code)
        title = title.replace("as recorded", "its recorded code graded anew")
    else:
        item = find_completion(asked, problems)
        problem, completion = item.problem, item.line.completion
        title = f"{problem.id}, completion {item.index}, line {item.line.line}"
    with grading(ctx, scheme, engine=engine_name, sandbox=sandbox, jobs=1) as (
        grader,
        _,
    ):
        prepared = grader.prepare(problem)
        breakdown = grader.grade(problem, completion)
    sources = {check.index: check.source for check in prepared.checks}
    show(Case(title=title, breakdown=breakdown, scheme=scheme, sources=sources))
    if breakdown.fault is not None:
        ctx.exit(BAD_MACHINE)


def known_problem(
    problems: ProblemSet | None, file: Path, problem_id: str
) -> Problem | None:
    """
    Find the problem of a record, whose tests are not in the record, if there is one.
    """
    beside = file.parent / "problems.jsonl"
    if problems is None and beside.is_file():
        problems = load_problems(beside)
    if problems is None or problem_id not in problems.problems:
        return None
    return problems.problems[problem_id]


def lines_of_checks(problem: Problem | None, breakdown: Breakdown) -> dict[int, str]:
    """
    Return the source line of each check, from the text of the tests.
    """
    if problem is None or not isinstance(problem.tests, str):
        return {}
    lines = problem.tests.split("\n")
    return {
        result.index: lines[result.line - 1]
        for result in breakdown.tests.results
        if 1 <= result.line <= len(lines)
    }


def show(case: Case) -> None:
    """
    Print an explanation, as wide as the terminal, or 80 columns where there is none.
    """
    screen = console()
    width = min(screen.width, MAX_WIDTH)
    for line in page(case, width=width):
        screen.print(line)


def page(case: Case, *, width: int) -> Iterator[Text]:
    """
    Yield the explanation, section by section.
    """
    breakdown = case.breakdown
    verdict = breakdown.verdict
    yield Text(one_line(case.title), style="bold")
    style = STYLES.get(verdict, "yellow")
    yield Text(verdict.value, style=style).append(
        f": {SENTENCES[verdict]}", style="default"
    )
    made_by = f"{breakdown.engine} engine, {breakdown.sandbox}, {breakdown.toolchain}"
    yield Text(one_line(made_by), style="dim")
    yield from section("code")
    yield from listing(breakdown.code, breakdown.diagnostics, width=width)
    if not breakdown.code.strip():
        yield Text("  (none)", style="dim")
    if breakdown.forbidden:
        yield from section("forbidden")
        for construct in breakdown.forbidden:
            yield Text(f"  {one_line(construct)}", style="red")
    tally = breakdown.tests
    yield from section(f"checks: {tally.passed} of {tally.total} passed")
    yield from checks(breakdown, case.sources, width=width)
    yield from section(f"credits, scheme {one_line(breakdown.scheme)}")
    if breakdown.scheme == case.scheme.label:
        yield from credits_read(breakdown, case.scheme, width=width)
    else:
        label = case.scheme.label
        yield Text(f"  its ladders are not those of {label}; name it with --scheme")
    if breakdown.penalties:
        yield from section("penalties")
        yield from penalties(breakdown, width=width)
    yield from section("reward")
    yield from total(breakdown)


def section(title: str) -> Iterator[Text]:
    """
    Yield the heading of a section, after a blank line.
    """
    yield Text()
    yield Text(title, style="bold")
