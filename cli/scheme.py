"""`ocaml-reward scheme`: prints a reward scheme, or checks the file of one."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import click

from ocaml_reward.scheme import RewardScheme, load, shipped, summaries, to_toml

from .terminal.text import one_line


@click.group(invoke_without_command=True)
@click.pass_context
def scheme(ctx: click.Context) -> None:
    """Show reward schemes, or check one of your own.

    Without a command the schemes that ship are listed.
    """
    if ctx.invoked_subcommand is None:
        found = summaries()
        widest = max(map(len, found))
        for name, text in found.items():
            click.echo(f"{name:<{widest}}  {text}")
        click.echo(f"{ctx.command_path} show NAME prints the numbers of one.")


@scheme.command()
@click.argument("name", metavar="[NAME|FILE]", default="seed")
@click.option(
    "--set",
    "overrides",
    metavar="KEY=VALUE",
    multiple=True,
    help="Change one number first, such as runaway.factor=0.2; repeatable.",
)
@click.option(
    "--toml/--table",
    "as_toml",
    default=None,
    help="A TOML file or a table.  [default: a table on a terminal, else TOML]",
)
def show(name: str, overrides: tuple[str, ...], *, as_toml: bool | None) -> None:
    """Show every number of a scheme.

    NAME is one of the schemes that ship (capped, concise, curriculum, decisive, letter, seed), FILE a TOML
    file; nothing means seed.  The TOML is a complete scheme to start your own from:

    \b
        ocaml-reward scheme show seed > mine.toml
    """
    shown = load(name, overrides)
    if as_toml is None:
        as_toml = not sys.stdout.isatty()
    if as_toml:
        click.echo(f"# {shown.label}\n{to_toml(shown)}", nl=False)
    else:
        _print_table(shown)


@scheme.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Check a scheme file, naming the first key that is wrong.

    Exit code 0 if the scheme can be used, 2 if not.
    """
    checked = load(file)
    click.echo(f"{one_line(str(file))}: ok, {checked.label}")


def _print_table(shown: RewardScheme) -> None:
    """Print a scheme as a table."""
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from .terminal.consoles import console  # noqa: PLC0415

    table = Table(title=shown.label, title_justify="left", box=None, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in _rows(tomllib.loads(to_toml(shown))):
        table.add_row(Text(key, style="bold" if value is None else ""), Text(_cell(value)))
    console().print(table, soft_wrap=False)
    if shown.name not in shipped():
        return
    others = ", ".join(name for name in shipped() if name != shown.name)
    click.echo(f"\nAlso shipped: {others}.")


def _rows(values: dict[str, Any]) -> list[tuple[str, Any]]:
    """Flatten a scheme to one row per number, with a heading for each table."""
    rows: list[tuple[str, Any]] = []
    for key, value in values.items():
        if isinstance(value, dict):
            rows += [("", None), (key, None)]
            rows += [(f"  {inner}", content) for inner, content in value.items()]
        elif key == "phases":
            for phase in value:
                rows += [("", None), (f"until epoch {phase['until_epoch']:g}", None)]
                rows += [(f"  {part}", n) for part, n in phase["available"].items()]
        else:
            rows.append((key, value))
    return rows


def _cell(value: Any) -> str:
    """Return a value as a cell's text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "  ".join(f"{each:g}" for each in value)
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ")
    return f"{value:g}" if isinstance(value, float) else value or "none"
