"""The command `problems generate`: generates problems by program."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from ocaml_reward.formats import write_whole
from problem_sets import (
    LEVELS,
    SETS,
    SPLITS,
    TONES,
    Inspector,
    Oracle,
    Order,
    Tally,
    all_families,
    make,
    row,
)

from ..terminal.options import SANDBOXES, overwrite_option, refuse_existing, start_engine
from ..terminal.progress import progress
from ..terminal.text import counted


def _parse_names(_: click.Context, option: click.Parameter, value: str) -> tuple[str, ...]:
    """Parse names separated by commas; raises BadParameter for an unknown one."""
    known = {
        "families": tuple(all_families()),
        "difficulty": LEVELS,
        "tones": TONES,
    }[option.name or ""]
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    if unknown := [name for name in names if name not in known]:
        shown = ", ".join(known) if len(known) < 9 else "see --list"
        raise click.BadParameter(f"no {unknown[0]!r}; there are {shown}")
    return names


@click.command()
@click.option(
    "--families",
    default="",
    metavar="NAMES",
    callback=_parse_names,
    help="Only these families, between commas.  [default: all, see --list]",
)
@click.option(
    "--difficulty",
    default=",".join(LEVELS),
    show_default=True,
    metavar="LEVELS",
    callback=_parse_names,
    help="Only problems of these levels, between commas, as they are measured.",
)
@click.option(
    "--tones",
    default=",".join(TONES),
    show_default=True,
    metavar="TONES",
    callback=_parse_names,
    help="How prompts are put, between commas: doc is a comment above a definition to go on"
    " from, plain is English, examples are results without the rule (where they can tell it,"
    " else plain).",
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many problems.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="What they are drawn from.")
@click.option(
    "--split",
    type=click.Choice(SPLITS),
    default=SPLITS[0],
    show_default=True,
    help="Which part of each family: no combination of choices is in both, whatever the seeds.",
)
@click.option(
    "--set",
    "set_name",
    type=click.Choice(tuple(SETS)),
    help="A set with a name, in place of all options above.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the problems here.  [default: standard output]",
)
@click.option(
    "--unchecked",
    is_flag=True,
    help="Keep every problem that is drawn, without validating and auditing it; that is"
    " faster, and other problems.",
)
@click.option(
    "--measure",
    "measured",
    is_flag=True,
    help="Add to each problem's difficulty how many mutants of its reference fail, and the"
    " mean chance that one passes three checks drawn at random.",
)
@click.option("--list", "is_list", is_flag=True, help="List the families and leave.")
@click.option(
    "--sandbox",
    type=click.Choice(SANDBOXES),
    default="auto",
    show_default=True,
    help="The jail in which references and tests run.",
)
@overwrite_option
@click.pass_context
def generate(
    ctx: click.Context,
    *,
    families: tuple[str, ...],
    difficulty: tuple[str, ...],
    tones: tuple[str, ...],
    count: int,
    seed: int,
    split: str,
    set_name: str | None,
    output: Path | None,
    overwrite: bool,
    unchecked: bool,
    measured: bool,
    is_list: bool,
    sandbox: str,
) -> None:
    """Make problems by program, as JSON Lines.

    Each family draws what has to be written from vocabularies of its own. Expected results
    are what the reference comes to in the jail. A problem that validate would remark on, or
    that audit would call weak, gets more tests, and is dropped if that does not help; how
    many were is said at the end. The same options give the same bytes on any machine.

    \b
    Examples:
      ocaml-reward problems generate --count 500 --seed 7 -o train.jsonl
      ocaml-reward problems generate --count 100 --split held-out -o held-out.jsonl
      ocaml-reward problems generate --set starter -o starter.jsonl
    """
    if is_list:
        _list()
        return
    order = Order(
        count=count,
        seed=seed,
        families=families,
        levels=difficulty,
        tones=tones,
        split=split,
    )
    if set_name is not None:
        order = SETS[set_name]
    refuse_existing(output, overwrite=overwrite)
    tally = Tally()
    lines: list[str] = []
    with progress(
        ctx,
        total=order.count,
        doing="making problems",
        when_stopped=lambda: "stopped; nothing was written",
    ) as screen:
        for line in _lines(order, tally, sandbox, checked=not unchecked, measured=measured):
            lines.append(line)
            screen.step(None)
        for message in _report(order, tally):
            screen.say(message)
    text = "".join(lines)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(output, [text])


def _lines(
    order: Order, tally: Tally, sandbox: str, *, checked: bool, measured: bool
) -> Iterator[str]:
    """Yield the problems of an order as lines; raises MachineError if this machine fails."""
    from ocaml_reward.engine.engines.printing import Printing  # noqa: PLC0415

    oracle = Oracle(Printing(sandbox), sandbox)
    if not (checked or measured):
        yield from (f"{json.dumps(row(each))}\n" for each in make(order, oracle, None, tally))
        return
    with closing(start_engine("auto", sandbox)) as engine:
        inspector = Inspector(engine, len(os.sched_getaffinity(0)))
        for each in make(order, oracle, inspector if checked else None, tally):
            survival = inspector.mutant_survival(each.problem) if measured else None
            yield f"{json.dumps(row(each, survival))}\n"


def _report(order: Order, tally: Tally) -> Iterator[str]:
    """Yield the numbers of kept and dropped problems."""
    dropped = sum(tally.dropped.values())
    yield f"{counted(tally.kept, 'problem')}, {dropped} dropped"
    reasons: Counter[str] = Counter()
    for (family, why), number in tally.dropped.items():
        reasons[f"{family}: {why}"] += number
    for reason, number in sorted(reasons.items()):
        yield f"dropped {number} of {reason}"
    if tally.kept < order.count:
        yield f"{order.count} were asked for: these families have no more"


def _list() -> None:
    """Print the families by topic."""
    topic = ""
    for family in all_families().values():
        if family.topic != topic:
            topic = family.topic
            click.echo(topic)
        click.echo(f"  {family.name:24}{family.about}")
