"""The command `certify`: how well the tests of problems tell right answers from wrong ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import click
from rich.table import Table
from rich.text import Text

from ocaml_reward.auditing import Validator
from ocaml_reward.comparing.certificate import (
    LEAST_J,
    Certificate,
    digest_of,
    j_of,
    partial_credit,
    read_certificate,
)
from ocaml_reward.engine import Engine
from ocaml_reward.formats import ProblemSet, write_problems, write_whole
from ocaml_reward.formats.sameness import content
from ocaml_reward.model import Problem
from problem_sets.certifying import Examination, Examiner, Strengthened, certificate, fixed

from .certificate_page import page
from .examining import (
    RecordFile,
    answers_options,
    examine_all,
    known_answers,
    problems_of,
    records_options,
)
from .terminal.consoles import console
from .terminal.exit_codes import BAD_LINES
from .terminal.options import engine_options, overwrite_option, refuse_existing
from .terminal.text import counted, figure_text, one_line, shortened

NAMED: Final = 5
"""Number of problems that a sentence names."""
ROWS: Final = 40


@click.command()
@click.argument("problems", metavar="PROBLEMS")
@records_options
@answers_options
@click.option(
    "--fix",
    "fix_name",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write all problems with checks added that catch wrong answers and that no right one fails."
    " What is shown is about the problems as they are.",
)
@click.option(
    "--page",
    "page_name",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write a page for a browser.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, no table.")
@overwrite_option
@engine_options
@click.pass_context
def certify(
    ctx: click.Context,
    *,
    problems: str,
    output_name: Path | None,
    resume: bool,
    right: str | None,
    wrong: str | None,
    fix_name: Path | None,
    page_name: Path | None,
    seed: int,
    as_json: bool,
    overwrite: bool,
    engine_name: str,
    sandbox: str,
) -> None:
    """Measure how well tests tell right answers from wrong ones, and mend them.

    J is the share of right answers that pass minus that of wrong ones that do: 1 for perfect
    tests, 0 where a policy can learn nothing. Right are the reference, it in other words, and
    --right. Wrong are the reference with one thing changed, where it fails or some call or input
    shows a difference, programs that solve nothing, cheats, and --wrong; the kind that passes
    most counts. validate, audit and problems strengthen show parts of the same. Beside x.jsonl, as
    x.certificate.jsonl, score, train and report show what --output wrote.

    The exit code is 1 if some line is no problem, or J is below 0.9.
    """
    for path in (fix_name, page_name):
        refuse_existing(path, overwrite=overwrite)
    if fix_name and resume:
        raise click.UsageError("--fix needs all problems, so it does not go with --resume")
    file = RecordFile(output_name, resume=resume, overwrite=overwrite)
    given = problems_of(problems)
    digests = {each.id: digest_of(each) for each in given.problems.values()}

    def usable(record: Any) -> str | None:
        same = record["digest"] == digests.get(record["id"]) and record["seed"] == seed
        return record["id"] if same else None

    certifying = _Certifying(
        given, known_answers(right), known_answers(wrong), seed, sandbox, fix=bool(fix_name)
    )
    records = file.stored(usable)
    found = {name: read_certificate(record) for name, record in records.items()}
    results: list[_Result] = []

    def done(result: _Result) -> None:
        results.append(result)
        found[result.before.id] = result.before
        file.add(result.before.to_record())

    examine_all(
        ctx,
        [each for each in given.problems.values() if each.id not in found],
        certifying.look,
        done,
        doing="certifying",
        bad=given.bad,
        engine_name=engine_name,
        sandbox=sandbox,
    )
    ordered = [found[name] for name in given.problems]
    fixes = results if fix_name else []
    if fix_name:
        write_problems(fix_name, (each.fixed.problem for each in results))
    if page_name:
        write_whole(page_name, page(Path(problems).name, ordered, list(sentences(ordered))))
    if as_json:
        click.echo(json.dumps(_summary(ordered, fixes), indent=2))
    else:
        _print(ordered, fixes)
    j = j_of(ordered).value
    if given.bad or j is None or j < LEAST_J:
        ctx.exit(BAD_LINES)


@dataclass(frozen=True, slots=True)
class _Result:
    """What comes of a problem: its certificate, and the same answers with the checks added."""

    before: Certificate
    now: Certificate
    fixed: Strengthened


class _Certifying:
    """Certifies single problems of a set."""

    def __init__(
        self,
        given: ProblemSet,
        right: Mapping[str, list[str]],
        wrong: Mapping[str, list[str]],
        seed: int,
        sandbox: str,
        *,
        fix: bool,
    ) -> None:
        self._right, self._wrong = right, wrong
        self._seed, self._sandbox, self._fix = seed, sandbox, fix
        self._repeats = _repeats(given.problems.values())

    def look(self, engine: Engine, problem: Problem) -> _Result:
        """Certify a problem, and add checks if that is wanted."""
        complaints = list(Validator(engine).complaints(problem))
        examined = Examiner(engine, sandbox=self._sandbox, seed=self._seed).examine(
            problem,
            right=self._right[problem.id],
            wrong=self._wrong[problem.id],
            search=self._fix,
        )

        def certified(these: Examination) -> Certificate:
            made = certificate(these, seed=self._seed, complaints=complaints)
            return replace(made, repeats=self._repeats.get(problem.id, ""))

        before = certified(examined)
        if not self._fix:
            return _Result(before, before, Strengthened(problem=problem))
        mended, after = fixed(examined)
        return _Result(before, certified(after), mended)


def _repeats(problems: Iterable[Problem]) -> dict[str, str]:
    """Return for each problem that repeats an earlier one the id of that."""
    first: dict[Any, str] = {}
    found = {}
    for each in problems:
        earlier = first.setdefault(content(each), each.id)
        if earlier != each.id:
            found[each.id] = earlier
    return found


def _summary(ordered: Sequence[Certificate], fixes: Sequence[_Result]) -> dict[str, object]:
    """Return the certificates of a set as one JSON object."""
    j = j_of(ordered)
    found: dict[str, object] = {
        "schema": 1,
        "problems": len(ordered),
        "j": j.value,
        "j_interval": None if j.low is None else [j.low, j.high],
        "partial_credit": partial_credit(ordered),
        "meaning": list(sentences(ordered)),
        "certificates": [each.to_record() for each in ordered],
    }
    if fixes:
        found["fixed"] = {
            "checks": sum(len(each.fixed.checks) for each in fixes),
            "j_of_the_same_answers": j_of(each.now for each in fixes).value,
            "unseen": sum(each.fixed.unseen for each in fixes),
            "unseen_caught": sum(each.fixed.unseen_caught for each in fixes),
        }
    return found


def sentences(ordered: Sequence[Certificate]) -> Iterator[str]:
    """Yield what certificates mean for a training."""
    j = j_of(ordered)
    if j.value is not None:
        between = "" if j.low is None else f" ({figure_text(j.low)} to {figure_text(j.high)})"
        yield f"J {figure_text(j.value)}{between}: {_meaning(j.value)}"
    paying = [each for each in ordered if each.paid]
    losing = [each for each in ordered if each.lost]
    untold = [each for each in ordered if each.j is None]
    broken = [each for each in ordered if each.complaints]
    again = [each for each in ordered if each.repeats]
    for some, what, advice in (
        (paying, "pay wrong answers", "a policy learns them; --fix adds checks"),
        (losing, "lose right answers", "a policy is punished for them; mend their tests"),
        (broken, "cannot be graded fairly", "validate says why; leave them out"),
        (untold, "cannot be told", "no reference that passes; add one"),
        (again, "repeat another problem", "leave them out"),
    ):
        if some:
            names = ", ".join(one_line(each.id) for each in some[:NAMED])
            more = f" and {len(some) - NAMED} more" if len(some) > NAMED else ""
            yield f"{counted(len(some), 'problem')} {what} ({names}{more}): {advice}"
    share = partial_credit(ordered)
    if share is not None:
        yield f"wrong answers that fail pass {share:.0%} of the checks"
    idle = [each for each in ordered if each.unfailed]
    if idle:
        yield f"in {counted(len(idle), 'problem')} some check fails no wrong answer"


def _meaning(j: float) -> str:
    """Return what a mean J means for a training."""
    if j >= LEAST_J:
        return "what passes is nearly always right, and what is right passes"
    if j > 0.5:
        return "the reward is noisy: a policy learns more slowly, and learns some of what is wrong"
    return "the reward says little about what is right: mend the problems first"


def _print(ordered: Sequence[Certificate], fixes: Sequence[_Result]) -> None:
    """Print the problems whose tests err, worst first, and what all mean."""
    screen = console()
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("problem", overflow="fold")
    for name in ("right", "nearly right", "empty", "given", "J"):
        table.add_column(name, justify="right")
    table.add_column("passes though wrong, on", overflow="fold")
    erring = [each for each in ordered if each.j != 1]
    erring.sort(key=lambda each: -2 if each.j is None else each.j)
    for each in erring[:ROWS]:
        rates = (each.right, each.near, each.empty, each.given)
        shown = [f"{rate.passed}/{rate.tried}" if rate.tried else "" for rate in rates]
        table.add_row(Text(one_line(each.id)), *shown, figure_text(each.j), Text(_first(each)))
    if table.row_count:
        screen.print(table)
        if len(erring) > ROWS:
            screen.print(Text(f"and {len(erring) - ROWS} more"))
        screen.print()
    for made in (result.fixed for result in fixes):
        is_code = isinstance(made.problem.tests, str)
        for check in made.checks:
            text = f"assert ({check})" if is_code else f"case {check}"
            screen.print(Text(one_line(f"{made.problem.id}: + {text}")))
    screen.print(Text(counted(len(ordered), "problem")))
    for line in sentences(ordered):
        screen.print(Text(line))
    if fixes:
        checks = sum(len(each.fixed.checks) for each in fixes)
        unseen, caught = (
            sum(getattr(each.fixed, name) for each in fixes) for name in ("unseen", "unseen_caught")
        )
        screen.print(
            Text(
                f"{counted(checks, 'check')} added: J {figure_text(j_of(e.now for e in fixes).value)}"
                f" of the same answers; of {unseen} wrong answers that passed, {caught} are caught by"
                " checks that the others chose"
            )
        )


def _first(each: Certificate) -> str:
    """Return the most telling thing about a problem whose tests err."""
    if each.skipped:
        return one_line(each.skipped)
    if each.lost:
        return f"lost: {one_line(', '.join(each.lost[:3]))}"
    if not each.paid:
        return ""
    paid = max(each.paid, key=lambda one: bool(one.tells))
    where = f"line {paid.line}: " if paid.line else ""
    on = f", on {shortened(one_line(paid.tells[0]), 50)}" if paid.tells else ""
    return f"{where}{shortened(one_line(paid.what), 60)}{on}"
