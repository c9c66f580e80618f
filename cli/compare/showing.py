"""A comparison, printed; and the same as a page."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ocaml_reward.comparing import Comparison, Figure
from ocaml_reward.formats import write_whole
from ocaml_reward.metrics import mean

from ..terminal.text import counted, one_line, shortened
from .sources import Source

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

Found = Sequence[tuple[Source, Comparison]]


def show(screen: Console, first: Source, found: Found, *, ks: Sequence[int]) -> None:
    """Print what each source is, and each held against the first."""
    table = listing("", "problems", "completions", *(f"pass@{k}" for k in ks), "reward")
    for source in (first, *(one for one, _ in found)):
        tallies = source.tallies
        every = list(tallies.problems.values())
        passes = [mean(one.pass_at(k) for one in every) for k in ks]
        table.add_row(
            title(source),
            str(len(every)),
            str(tallies.completions),
            *("-" if value is None else f"{value:.3f}" for value in passes),
            f"{mean(one.reward for one in every):.3f}",
        )
    screen.print(table)
    for source in (first, *(one for one, _ in found)):
        if source.tallies.unscored:
            unscored = counted(source.tallies.unscored, "completion")
            screen.print(Text(f"{title(source)}: {unscored} not scored, left out"))
    for source, comparison in found:
        screen.print()
        against(screen, first, source, comparison)


def against(
    screen: Console, first: Source, source: Source, comparison: Comparison
) -> None:
    """Print how one source differs from the first."""
    head = f"{title(source)} against {title(first)}"
    screen.print(Text(f"{head}, {counted(comparison.problems, 'problem')} of both"))
    for count, one in (
        (comparison.only_before, first),
        (comparison.only_after, source),
    ):
        if count:
            screen.print(Text(f"{counted(count, 'problem')} only in {title(one)}"))
    if first.tallies.schemes != source.tallies.schemes:
        screen.print(Text("scored under different schemes: rewards are not compared"))
    table = listing("", "difference", "95 % over problems")
    figures = [(f"pass@{k}", one) for k, one in comparison.pass_at.items()]
    for name, figure in [("reward", comparison.reward), *figures]:
        if figure.value is not None:
            table.add_row(name, *written(figure))
    screen.print(table)
    screen.print(
        Text(
            f"better {comparison.better}, worse {comparison.worse},"
            f" equal {comparison.equal}"
        )
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


def groups_table(comparison: Comparison) -> Table:
    """Show the differences by difficulty."""
    table = listing("", "problems", "reward", "", "pass@1", "")
    for group in comparison.groups:
        table.add_row(
            shortened(group.name, 24),
            str(group.problems),
            *written(group.reward),
            *written(group.pass_at_1),
        )
    return table


def moved_table(comparison: Comparison) -> Table:
    """Show the problems that changed most."""
    table = listing("changed most", "before", "after", "best before", "best after")
    for each in comparison.moved:
        table.add_row(
            shortened(each.problem_id, 32),
            f"{each.before:.3f}",
            f"{each.after:.3f}",
            each.verdict_before.value,
            each.verdict_after.value,
        )
    return table


def listing(*heads: str) -> Table:
    """Make a table whose first column is text and the others are figures."""
    table = Table(show_edge=False, pad_edge=False, box=None, header_style="bold")
    for place, head in enumerate(heads):
        is_text = not place or head.startswith("best")
        table.add_column(head, justify="left" if is_text else "right")
    return table


def written(figure: Figure) -> tuple[str, str]:
    """Write a difference, and its interval."""
    if figure.value is None:
        return "-", ""
    if figure.low is None or figure.high is None:
        return f"{figure.value:+.3f}", "all alike"
    return f"{figure.value:+.3f}", f"{figure.low:+.3f} to {figure.high:+.3f}"


def title(source: Source) -> str:
    """Name a source."""
    return one_line(f"{source.name} ({source.part})" if source.part else source.name)


def write_page(path: Path, draw: Callable[[Console], None], *, head: str) -> None:
    """Write what is drawn as one page of HTML, which loads nothing and runs nothing; raises
    InputError where that cannot be.
    """
    screen = Console(file=io.StringIO(), record=True, width=100, highlight=False)
    draw(screen)
    code = screen.export_html(code_format="{code}", inline_styles=True)
    page = PAGE.format(title=escape(one_line(head)), code=code)
    write_whole(path, [page])
