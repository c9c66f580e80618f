"""The command `compare`: gradings of the same problems, held against each other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console

from ocaml_reward import InputError
from ocaml_reward.comparing import Comparison
from ocaml_reward.comparing import compare as compared

from ..terminal.consoles import console
from .showing import show, write_page
from .sources import Source, difficulties, read_source

SIZES: Final = (1, 5, 10, 100)
"""The k that pass@k is compared for, where every problem has as many completions."""


@click.command()
@click.argument(
    "paths", metavar="A B...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
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
    sizes = sorted(set(ks)) or sizes_of(first, *others)
    found = [
        (each, against(first, each, ks=sizes, groups=groups or each.groups))
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


def against(
    first: Source, other: Source, *, ks: Sequence[int], groups: dict[str, set[str]]
) -> Comparison:
    """Hold a source against the first; raises InputError where they share no problem."""
    try:
        return compared(first.tallies, other.tallies, ks=ks, difficulty=groups)
    except InputError as error:
        raise InputError(f"{first.name} and {other.name}: {error}") from None


def sizes_of(*sources: Source) -> list[int]:
    """Choose the k for which every problem has enough completions."""
    least = min(
        tally.count for source in sources for tally in source.tallies.problems.values()
    )
    return [k for k in SIZES if k <= least]


def as_dict(
    first: Source, found: Sequence[tuple[Source, Comparison]]
) -> dict[str, Any]:
    """Return the comparisons as what JSON can hold."""
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
