"""The command `problems export`: problems for other tools, and for the hub."""

from __future__ import annotations

import json
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from ocaml_reward import InputError, Problem
from ocaml_reward.formats import (
    ProblemSet,
    load_problems,
    problem_fields,
    write_problems,
)

from ..terminal.exit_codes import BAD_LINES
from ..terminal.options import overwrite_option, refuse_existing, source_of
from ..terminal.text import counted

_KINDS: Final = ("jsonl", "parquet", "hub")


@click.command()
@click.argument("problems", metavar="PROBLEMS")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE|FOLDER",
    help="Where they go.",
)
@click.option(
    "--to",
    "kind",
    type=click.Choice(_KINDS),
    help="What is written.  [default: by the name, .jsonl or .parquet; else hub]",
)
@click.option(
    "--title", default="OCaml problems", show_default=True, help="The card's title."
)
@overwrite_option
@click.pass_context
def export(
    ctx: click.Context,
    *,
    problems: str,
    output: Path,
    kind: str | None,
    title: str,
    overwrite: bool,
) -> None:
    """Write problems as JSON Lines, as parquet, or as a folder for the hub.

    In parquet each column is text, as lists and objects of a row would become one type for
    all: cases, libraries and budgets are JSON, and are read again as such. The folder has
    the problems as parquet, or as JSON Lines without pyarrow, and a card. Nothing is
    uploaded, and the card names no licence.

    The exit code is 1 if some line is no problem; the others are written.
    """
    refuse_existing(output, overwrite=overwrite)
    given = load_problems(source_of(problems))
    if not given.problems:
        raise InputError(f"no problems in {problems}")
    chosen = kind or {".jsonl": "jsonl", ".parquet": "parquet"}.get(
        output.suffix, "hub"
    )
    found = list(given.problems.values())
    if chosen == "hub":
        _write_folder(output, found, title)
    else:
        write_problems(output, found, as_parquet=chosen == "parquet")
    click.echo(f"{counted(len(found), 'problem')} written to {output}")
    _tell(ctx, given)


def _tell(ctx: click.Context, given: ProblemSet) -> None:
    for bad in given.bad:
        click.echo(str(bad), err=True)
    if given.bad:
        ctx.exit(BAD_LINES)


def _write_folder(folder: Path, problems: list[Problem], title: str) -> None:
    data = folder / "data"
    name = "train.parquet" if find_spec("pyarrow") else "train.jsonl"
    card = _card(problems, title=title, file=f"data/{name}")
    try:
        data.mkdir(parents=True, exist_ok=True)
        write_problems(data / name, problems)
        (folder / "README.md").write_text(card, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror}") from error


def _card(problems: list[Problem], *, title: str, file: str) -> str:
    columns = Counter(name for each in problems for name in problem_fields(each))
    printed = sum(not isinstance(each.tests, str) for each in problems)
    rows = "".join(f"| `{name}` | {count} |\n" for name, count in columns.items())
    size = next(
        word
        for most, word in (
            (1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"),
            (float("inf"), "n>100K"),
        )
        if len(problems) < most
    )  # fmt: skip
    return f"""---
pretty_name: {json.dumps(title)}
language:
- en
tags:
- code
- ocaml
size_categories:
- {size}
configs:
- config_name: default
  data_files:
  - split: train
    path: {file}
---

# {title}

{len(problems)} problems in OCaml for `ocaml-reward`: {len(problems) - printed} judged by
assertions, {printed} by what a program prints.

| column | rows that have it |
|---|---|
{rows}
```sh
ocaml-reward validate {file}
ocaml-reward score completions.jsonl --problems {file}
```
"""
