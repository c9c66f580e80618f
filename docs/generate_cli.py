"""Write docs/cli.md from the commands themselves, so that the page cannot drift.

`make docs` runs this; tests/docs/test_docs.py fails while the page differs.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).with_name("cli.md")

NOTE = "<!-- Written by docs/generate_cli.py (`make docs`); edit the commands instead. -->"


SEVERAL = 2
"""An option that so many commands have in the same words is listed once."""


def walk(command: click.Command, parent: click.Context | None) -> Iterator[click.Context]:
    """Yield a context for a command and for each of its sub-commands, depth first."""
    name = "ocaml-reward" if parent is None else command.name
    context = click.Context(command, info_name=name, parent=parent)
    yield context
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            if found is not None and not found.hidden:
                yield from walk(found, context)


def paragraphs(text: str) -> Iterator[str]:
    r"""Yield the paragraphs of a help text as Markdown.

    A paragraph that opens with Click's `\b` keeps its lines, so it becomes a block.
    """
    for block in inspect.cleandoc(text).split("\n\n"):
        if block.startswith("\b\n"):
            kept = textwrap.dedent(block.removeprefix("\b\n"))
            yield f"```text\n{kept}\n```"
        else:
            yield " ".join(block.split())


def options(context: click.Context) -> dict[str, str]:
    """Return one list item per option, in the words of `--help`, by the option's longest name."""
    items = {}
    for parameter in context.command.get_params(context):
        if "--help" in parameter.opts or not isinstance(parameter, click.Option):
            continue
        record = parameter.get_help_record(context)
        if record is not None:
            usage, text = record
            name = max(parameter.opts, key=len)
            items[name] = f"- `{usage}`: {' '.join(text.split())}"
    return items


def shared(contexts: list[click.Context]) -> dict[str, str]:
    """Return the options that several commands have in the same words, by their names."""
    counts = Counter(item for each in contexts for item in options(each).items())
    return {name: text for (name, text), count in counts.items() if count >= SEVERAL}


def section(context: click.Context, common: dict[str, str]) -> str:
    """Return the part of the page about one command."""
    depth = "#" * min(3, 1 + len(context.command_path.split()) - 1)
    usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
    parts = [f"{depth} {context.command_path}", f"```text\n{usage}\n```"]
    parts += paragraphs(context.command.help or "")
    found = options(context)
    listed = [item for name, item in found.items() if common.get(name) != item]
    others = [name for name, item in found.items() if common.get(name) == item]
    if others:
        names = ", ".join(f"`{name}`" for name in others)
        listed.append(f"- {names}: [shared](#shared-options)")
    if listed:
        parts.append("\n".join(listed))
    return "\n\n".join(parts)


def page(root: click.Command) -> str:
    """Return the whole page."""
    contexts = list(walk(root, None))
    common = shared(contexts)
    first, *rest = (section(context, common) for context in contexts)
    listed = "\n".join(["## Shared options\n", *common.values()])
    return "\n\n".join([first, NOTE, listed, *rest]) + "\n"


def command() -> click.Command:
    """Return the shell's top command, as it stands in the checkout."""
    sys.path.insert(0, str(ROOT))
    from cli.main import main  # noqa: PLC0415 - the path above makes it importable

    return main


if __name__ == "__main__":
    PAGE.write_text(page(command()), encoding="utf-8")
