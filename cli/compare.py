"""`ocaml-reward compare`: compares gradings of the same problems."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ocaml_reward import FormatError, InputError, Verdict
from ocaml_reward.comparing import Comparison, Figure, Graded, SourceCounts
from ocaml_reward.comparing import compare as compared
from ocaml_reward.formats import open_bytes, write_whole
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.formats.problems import REWARD_LOGS
from ocaml_reward.formats.rows import first_of, json_rows
from ocaml_reward.metrics import mean
from ocaml_reward.model import SCHEMA
from trainer_plugin.reading import rows

from .terminal.consoles import console
from .terminal.text import counted, figure_text, one_line, shortened

IDS: Final = ("id", "problem_id", "task_id", "name")
VERDICT_BY_WORD: Final = {each.value: each for each in Verdict}

ProblemIdsByGroup = dict[str, set[str]]


MOST_TRANSITIONS = 12
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ margin: 2em }}
pre {{ font: 14px/1.5 ui-monospace, monospace; overflow-x: auto }}
</style>
</head>
<body>
<pre>{code}</pre>
</body>
</html>
"""

TIMES: Final = "\N{MULTIPLICATION SIGN}"
SIZES: Final = (1, 5, 10, 100)
"""The sizes k of pass@k, if every problem has as many completions."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """The counts of a source; `part` names the completions of a training that were counted."""

    name: str
    tallies: SourceCounts
    groups: ProblemIdsByGroup = field(default_factory=dict)
    part: str = ""


def read_source(path: Path, *, by: str) -> Source:
    """Count what was graded.

    Args:
        path: Records of `score`, a folder of `evaluate`, or the output folder of a training, of
            which the last evaluation is used, or all of it if there was none.
        by: The key of a record's `input` that groups problems.

    Returns:
        The counts by problem.

    Raises:
        InputError: A line cannot be read, or nothing was graded.
    """
    if (path / REWARD_LOGS).is_dir():
        source = read_training(path)
    else:
        file = path / "records.jsonl" if path.is_dir() else path
        source = Source(name=path.name, tallies=SourceCounts())
        for row in read_rows(file):
            source.tallies.add(graded(row))
            extra = row.get("input")
            if isinstance(extra, dict) and by in extra:
                add_to_groups(source.groups, str(row["problem_id"]), extra[by])
    if not source.tallies.problems:
        raise InputError(f"nothing in {path} is graded")
    return source


def read_rows(file: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a file, without parsing whole breakdowns, which is ten times faster."""
    with open_bytes(file) as stream:
        for number, raw in enumerate(iter(stream.readline, b""), 1):
            try:
                row = json.loads(raw)
                graded(row)
            except FormatError as error:
                raise FormatError(f"{file}:{number}: {error}") from None
            except (ValueError, LookupError, TypeError, RecursionError):
                raise FormatError(f"{file}:{number}: no record of score") from None
            yield row


def graded(row: Mapping[str, Any]) -> Graded:
    """Read the compared fields of a record; raises LookupError, TypeError or FormatError."""
    reward = row["reward"]
    if row["schema"] != SCHEMA:
        raise FormatError(f"this version reads schema {SCHEMA} only")
    if reward is not None and not 0 <= reward <= 1:
        raise FormatError(f"a reward of {reward}")
    steps = row["tests"].get("steps") if isinstance(row.get("tests"), dict) else None
    return Graded(
        str(row["problem_id"]),
        reward,
        VERDICT_BY_WORD[row["verdict"]],
        str(row["scheme"]),
        steps if isinstance(steps, int) else None,
    )


def read_training(folder: Path) -> Source:
    """Count the last evaluation of a training, or all that it was trained on."""
    logs = sorted((folder / REWARD_LOGS).glob("*_breakdown.jsonl"))
    trained, evaluated, last = SourceCounts(), SourceCounts(), None
    for row in rows(logs[0]) if logs else ():
        try:
            found = graded(row)
        except (LookupError, TypeError, FormatError):
            # An incomplete line, or one of another program.
            continue
        if row.get("split") != "eval":
            trained.add(found)
            continue
        if row.get("step") != last:
            evaluated, last = SourceCounts(), row.get("step")
        evaluated.add(found)
    if evaluated.problems:
        part = f"the evaluation at step {last}"
        return Source(name=folder.name, tallies=evaluated, part=part)
    return Source(name=folder.name, tallies=trained, part="all of the training")


def difficulties(path: Path, *, by: str) -> ProblemIdsByGroup:
    """Read the groups of problems from their file; raises InputError if there are none."""
    groups: ProblemIdsByGroup = {}
    for row in json_rows(path):
        if isinstance(row, BadLine):
            continue
        name = first_of(row.fields, IDS)
        if name is not None and by in row.fields:
            add_to_groups(groups, str(row.fields[name]), row.fields[by])
    if not groups:
        raise InputError(f"no problem in {path} has the key {by!r}")
    return groups


def add_to_groups(groups: ProblemIdsByGroup, problem_id: str, value: object) -> None:
    """Add a problem to a group, or to each group of a list."""
    names = value if isinstance(value, list) else [value]
    found = {str(each) for each in names if isinstance(each, str | int | float)}
    groups.setdefault(problem_id, set()).update(found)


Comparisons = Sequence[tuple[Source, Comparison]]


def show(screen: Console, first: Source, found: Comparisons, *, ks: Sequence[int]) -> None:
    """Print the sources, and the difference of each from the first."""
    table = plain_table("", "problems", "completions", *(f"pass@{k}" for k in ks), "mean reward")
    for source in (first, *(one for one, _ in found)):
        tallies = source.tallies
        every = list(tallies.problems.values())
        passes = [mean(one.pass_at(k) for one in every) for k in ks]
        table.add_row(
            source_title(source),
            str(len(every)),
            str(tallies.completions),
            *map(figure_text, passes),
            f"{mean(one.reward for one in every):.3f}",
        )
    screen.print(table)
    screen.print(Text("pass@k and mean reward: means over problems"))
    for source in (first, *(one for one, _ in found)):
        if source.tallies.unscored:
            unscored = counted(source.tallies.unscored, "completion")
            screen.print(Text(f"{source_title(source)}: {unscored} not scored, left out"))
    for source, comparison in found:
        screen.print()
        print_difference(screen, first, source, comparison)


def print_difference(
    screen: Console, first: Source, source: Source, comparison: Comparison
) -> None:
    """Print the difference of a source from the first."""
    head = f"{source_title(source)} against {source_title(first)}"
    screen.print(Text(f"{head}, {counted(comparison.problems, 'problem')} of both"))
    for count, one in (
        (comparison.only_before, first),
        (comparison.only_after, source),
    ):
        if count:
            screen.print(Text(f"{counted(count, 'problem')} only in {source_title(one)}"))
    if first.tallies.schemes != source.tallies.schemes:
        screen.print(Text("scored under different schemes: rewards are not compared"))
    table = plain_table("", "difference", "95 % over problems")
    for row in difference_rows(comparison):
        table.add_row(*row)
    screen.print(table)
    screen.print(
        Text(f"better {comparison.better}, worse {comparison.worse}, equal {comparison.equal}")
    )
    if comparison.groups:
        screen.print()
        screen.print(groups_table(comparison))
    if comparison.transitions:
        screen.print()
        screen.print(Text("the best completion of a problem"))
    for was, now, count in comparison.transitions[:MOST_TRANSITIONS]:
        screen.print(Text(f"{count:6}  {was.value} to {now.value}"))
    if comparison.moved:
        screen.print()
        screen.print(moved_table(comparison))


def difference_rows(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Yield the differences that are known, each with its interval."""
    figures = [(f"pass@{k}", one) for k, one in comparison.pass_at.items()]
    for name, figure in [("mean reward", comparison.reward), *figures]:
        if figure.value is not None:
            yield name, *difference_cells(figure)
    if (steps := comparison.steps).value is not None:
        ends = "all alike" if steps.low is None else f"{steps.low:.2f} to {steps.high:.2f}"
        yield "steps of what passes", f"{TIMES}{steps.value:.2f}", ends


def groups_table(comparison: Comparison) -> Table:
    """Return a table of the differences by group."""
    table = plain_table("", "problems", "mean reward", "", "pass@1", "")
    for group in comparison.groups:
        table.add_row(
            shortened(group.name, 24),
            str(group.problems),
            *difference_cells(group.reward),
            *difference_cells(group.pass_at_1),
        )
    return table


def moved_table(comparison: Comparison) -> Table:
    """Return a table of the problems that changed most."""
    table = plain_table("changed most", "mean before", "mean after", "best before", "best after")
    for each in comparison.moved:
        table.add_row(
            shortened(each.problem_id, 32),
            f"{each.before:.3f}",
            f"{each.after:.3f}",
            each.verdict_before.value,
            each.verdict_after.value,
        )
    return table


def plain_table(*heads: str) -> Table:
    """Return a table with a text column followed by columns of figures."""
    table = Table(show_edge=False, pad_edge=False, box=None, header_style="bold")
    for place, head in enumerate(heads):
        is_text = not place or head.startswith("best")
        table.add_column(head, justify="left" if is_text else "right")
    return table


def difference_cells(figure: Figure) -> tuple[str, str]:
    """Format a difference and its interval."""
    if figure.value is None:
        return "-", ""
    if figure.low is None or figure.high is None:
        return f"{figure.value:+.3f}", "all alike"
    return f"{figure.value:+.3f}", f"{figure.low:+.3f} to {figure.high:+.3f}"


def source_title(source: Source) -> str:
    """Return the name of a source."""
    return one_line(f"{source.name} ({source.part})" if source.part else source.name)


def write_page(path: Path, draw: Callable[[Console], None], *, head: str) -> None:
    """Write console output as an HTML page without scripts; raises InputError on failure."""
    screen = Console(file=io.StringIO(), record=True, width=100, highlight=False)
    draw(screen)
    code = screen.export_html(code_format="{code}", inline_styles=True)
    page = PAGE.format(title=escape(one_line(head)), code=code)
    write_whole(path, [page])


@click.command()
@click.argument("paths", metavar="A B...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--k",
    "ks",
    type=click.IntRange(min=1),
    multiple=True,
    help="Compare pass@k; repeatable.  [default: 1, 5, 10 and 100 where every problem has"
    " as many completions]",
)
@click.option(
    "--problems",
    "problems_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A file of problems that says how difficult they are, where records do not.",
)
@click.option(
    "--by",
    metavar="KEY",
    default="difficulty",
    show_default=True,
    help="The key of a problem, or of a record's input, that tells problems apart; a"
    " list, such as tags, puts a problem into several groups.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the tables as a page, too.",
)
def compare(
    *,
    paths: tuple[Path, ...],
    ks: tuple[int, ...],
    problems_path: Path | None,
    by: str,
    as_json: bool,
    page: Path | None,
) -> None:
    """Compare gradings of the same problems: who passes more, and is it chance?

    A and B are files that score has written, folders of evaluate, or output folders of
    trainings, of which the last evaluation counts. Each is held against A problem by
    problem: the differences in reward and pass@k with intervals of 95 %, by drawing the
    problems anew; how many problems are better and worse; how the verdict of a problem's
    best completion changed; and what changed most.
    """
    if len(paths) < 2:
        raise click.UsageError("compare takes two sources or more")
    first, *others = (read_source(path, by=by) for path in paths)
    groups = difficulties(problems_path, by=by) if problems_path else first.groups
    sizes = sorted(set(ks)) or common_sizes(first, *others)
    found = [
        (each, compare_with_first(first, each, ks=sizes, groups=groups or each.groups))
        for each in others
    ]
    if page is not None:
        head = " against ".join(one.name for one in (*others, first))

        def draw(screen: Console) -> None:
            show(screen, first, found, ks=sizes)

        write_page(page, draw, head=head)
    if as_json:
        click.echo(json.dumps(as_dict(first, found), ensure_ascii=False))
    else:
        show(console(), first, found, ks=sizes)


def compare_with_first(
    first: Source, other: Source, *, ks: Sequence[int], groups: dict[str, set[str]]
) -> Comparison:
    """Compare a source with the first; raises InputError if they share no problem."""
    try:
        return compared(first.tallies, other.tallies, ks=ks, difficulty=groups)
    except InputError as error:
        raise InputError(f"{first.name} and {other.name}: {error}") from None


def common_sizes(*sources: Source) -> list[int]:
    """Return the sizes k for which every problem has enough completions."""
    least = min(tally.count for source in sources for tally in source.tallies.problems.values())
    return [k for k in SIZES if k <= least]


def as_dict(first: Source, found: Sequence[tuple[Source, Comparison]]) -> dict[str, Any]:
    """Return the comparisons in JSON types."""
    return {
        "schema": 1,
        "sources": [
            {
                "name": one.name,
                "part": one.part,
                "problems": len(one.tallies.problems),
                "completions": one.tallies.completions,
                "unscored": one.tallies.unscored,
                "schemes": sorted(one.tallies.schemes),
            }
            for one in (first, *(each for each, _ in found))
        ],
        "comparisons": [
            {"of": one.name, "against": first.name, **comparison.to_dict()}
            for one, comparison in found
        ],
    }
