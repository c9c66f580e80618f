"""`ocaml-reward join`: merges the outputs of `score --shard`."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from ocaml_reward import FormatError, InputError
from ocaml_reward.formats import CompletionLine, read_completions

from .score.command import open_output, refuse_same_file
from .score.records import StoredRecord, parse_record
from .terminal.exit_codes import BAD_LINES, BAD_MACHINE
from .terminal.text import counted

# Fields that must be equal in all records of a file.
MADE_BY: Final = ("scheme", "engine", "sandbox", "toolchain")


@dataclass(frozen=True, kw_only=True, slots=True)
class ShardRecord:
    """A record of a shard, with its file and its line there."""

    path: Path
    place: int
    raw: bytes
    stored: StoredRecord

    @property
    def where(self) -> str:
        """Return file and line."""
        return f"{self.path}:{self.place}"


@click.command()
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "output_name",
    metavar="FILE",
    required=True,
    help="Where the records go.",
)
@click.option(
    "--completions",
    "completions_name",
    metavar="FILE",
    help="What was scored: each completion in it, the last ones too, must have a record.",
)
@click.option(
    "--gaps-ok",
    is_flag=True,
    help="Join although lines have no record, as those of a problem that score refused.",
)
@click.option("--overwrite", is_flag=True, help="Replace the file named by --output.")
@click.pass_context
def join(
    ctx: click.Context,
    *,
    shards: tuple[str, ...],
    output_name: str,
    completions_name: str | None,
    gaps_ok: bool,
    overwrite: bool,
) -> None:
    """Put the outputs of score --shard together, in the order of the completions.

    All N of them have to be there. Refused are records that are there twice, lines without
    one, and records made with another scheme, engine, sandbox or compiler. That the last
    lines are there is known with --completions only.

    \b
    Example:
      ocaml-reward score F --shard 1/2 -o 1.jsonl
      ocaml-reward score F --shard 2/2 -o 2.jsonl
      ocaml-reward join 1.jsonl 2.jsonl -o scored.jsonl --completions F
    """
    paths = [Path(name) for name in shards]
    refuse_same_file(output_name, *shards, completions_name)
    # The shards are read twice, so that nothing is written if they do not fit.
    gaps = check_records(paths, expected_lines(completions_name), gaps_ok=gaps_ok)
    output = open_output(output_name, resume=False, overwrite=overwrite)
    unscored = 0
    with closing(output):
        for part in merge_shards(paths):
            output.put(part.raw)
            unscored += part.stored.breakdown.fault is not None
        output.finish()
    click.echo(f"{counted(output.written, 'record')} of {counted(len(paths), 'shard')}")
    if unscored:
        click.echo(f"{counted(unscored, 'completion')} not scored", err=True)
        ctx.exit(BAD_MACHINE)
    if gaps:
        click.echo(f"{counted(gaps, 'line')} without a record", err=True)
        ctx.exit(BAD_LINES)


def merge_shards(paths: Iterable[Path]) -> Iterator[ShardRecord]:
    """Yield the records of all shards, by line."""
    return heapq.merge(*map(read_shard, paths), key=lambda part: part.stored.line)


def read_shard(path: Path) -> Iterator[ShardRecord]:
    """Yield the records of a shard; raises FormatError for anything else in it."""
    try:
        stream = path.open("rb")
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror}") from None
    before = 0
    with stream:
        for place, raw in enumerate(stream, 1):
            try:
                stored = parse_record(raw)
            except FormatError as error:
                raise FormatError(f"{path}:{place}: {error}") from None
            if not raw.endswith(b"\n"):
                raise FormatError(f"{path}:{place}: its line was never finished")
            if stored.line <= before:
                raise FormatError(f"{path}:{place}: line {stored.line} after {before}")
            before = stored.line
            yield ShardRecord(path=path, place=place, raw=raw, stored=stored)


def check_records(paths: list[Path], wanted: Iterator[int], *, gaps_ok: bool) -> int:
    """Check that the shards are complete and of one run; return the number of gaps.

    Raises InputError for a record that does not fit, and for a line without one unless `gaps_ok`.
    """
    gaps = 0
    rests: dict[Path, int] = {}
    first = before = None
    for part in merge_shards(paths):
        line = part.stored.line
        first = first or part
        check_same_origin(first, part)
        if before is not None and before.stored.line == line:
            raise InputError(f"{part.where}: line {line} is in {before.where} too")
        rest = rests.setdefault(part.path, line % len(paths))
        if rest != line % len(paths):
            raise InputError(
                f"{part.where}: line {line} is of another of {len(paths)} shards; is one missing?"
            )
        for each in wanted:
            if each >= line:
                break
            gaps += count_gap(each, gaps_ok=gaps_ok)
        else:
            each = None
        if each != line:
            raise InputError(f"{part.where}: there is no completion in line {line}")
        before = part
    # Without a file of completions the last line is unknown.
    if not isinstance(wanted, itertools.count):
        gaps += sum(count_gap(each, gaps_ok=gaps_ok) for each in wanted)
    if first is None:
        raise InputError("no records to join")
    return gaps


def count_gap(line: int, *, gaps_ok: bool) -> int:
    """Return 1 for a line without a record; raises InputError unless `gaps_ok`."""
    if not gaps_ok:
        raise InputError(
            f"line {line} has no record; --completions tells lines that hold no"
            " completion, and --gaps-ok joins what is there"
        )
    return 1


def check_same_origin(first: ShardRecord, part: ShardRecord) -> None:
    """Raise InputError if a record has another scheme or engine than the first."""
    for name in MADE_BY:
        ours = getattr(first.stored.breakdown, name)
        found = getattr(part.stored.breakdown, name)
        if ours != found:
            raise InputError(
                f"{part.where} was made with {name} {found}, {first.where} with {ours}"
            )


def expected_lines(completions: str | None) -> Iterator[int]:
    """Yield the numbers of the lines that need records: those of the completions, or all."""
    if completions is None:
        return itertools.count(1)
    lines = read_completions(Path(completions))
    return (each.line for each in lines if isinstance(each, CompletionLine))
