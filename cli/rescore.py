"""The command `rescore`: computes rewards under another scheme from records, without OCaml."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ocaml_reward import Breakdown, FormatError, InputError
from ocaml_reward.formats import open_bytes
from ocaml_reward.record import breakdown_from_dict, breakdown_to_dict, dumps, loads
from ocaml_reward.scheme import RewardScheme, load, shipped
from ocaml_reward.scoring.rescoring import Rescoring

from .score.command import open_output, refuse_same_file
from .score.output import StreamOutput
from .score.summary import Summary
from .terminal.consoles import console
from .terminal.exit_codes import BAD_LINES
from .terminal.options import records_output_option, scheme_options
from .terminal.progress import progress
from .terminal.text import counted


@click.command()
@click.argument("scored", metavar="SCORED", type=click.Path(path_type=Path))
@records_output_option
@scheme_options
@click.option(
    "--from",
    "from_name",
    metavar="NAME|FILE",
    help="The scheme that SCORED was made with, where it is none that ships.",
)
@click.option(
    "--from-set",
    "from_overrides",
    metavar="KEY=VALUE",
    multiple=True,
    help="A number of that scheme that was changed with --set; repeatable.",
)
@click.option("--overwrite", is_flag=True, help="Replace the file named by --output.")
@click.pass_context
def rescore(
    ctx: click.Context,
    *,
    scored: Path,
    output_name: str | None,
    scheme_name: str,
    overrides: tuple[str, ...],
    from_name: str | None,
    from_overrides: tuple[str, ...],
    overwrite: bool,
) -> None:
    """Score again under another scheme, from records alone.

    SCORED is what score or evaluate has written, or a training's log of breakdowns. Credits,
    reasons, penalties and rewards become those that score --scheme gives, byte for byte;
    nothing is compiled or run. A record that does not say what the scheme looks at is left
    out with the reason, and the exit code is 1 then. A scheme with other budgets, or with an
    end marker that nobody has looked for, is refused.
    """
    if from_overrides and from_name is None:
        raise click.UsageError("--from-set changes the scheme named by --from")
    now = load(scheme_name, overrides)
    known = [load(from_name, from_overrides)] if from_name else known_schemes()
    rescorings = Rescorings({each.label: each for each in known}, now)
    refuse_same_file(output_name, str(scored))
    before, after = Summary(now), Summary(now)
    left_out = 0
    output = open_output(output_name, resume=False, overwrite=overwrite)
    with progress(ctx, total=None, doing="rescoring") as screen, closing(output):
        for number, raw in numbered_lines(scored):
            try:
                was, new, line = rescorings.rescore_line(raw)
            except FormatError as error:
                left_out += 1
                screen.list("records", f"{scored}:{number}: not rescored: {error}")
                continue
            except InputError as error:
                raise InputError(f"{scored}:{number}: {error}") from None
            output.put(line)
            before.add(was)
            after.add(new)
            screen.step(after.mean)
        output.finish()
    if not after.total and not left_out:
        raise InputError(f"nothing scored in {scored}")
    message = f"{counted(after.total, 'record')} under {now.label}"
    if before.mean is not None and after.mean is not None:
        message += f": mean reward {before.mean:.3f} before, {after.mean:.3f} now"
    screen_for = console(stderr=isinstance(output, StreamOutput))
    screen_for.print(Text(message))
    if left_out:
        screen_for.print(Text(f"{counted(left_out, 'record')} left out"))
        ctx.exit(BAD_LINES)


class Rescorings:
    """Rescores records of any known scheme under the requested one."""

    def __init__(self, known: dict[str, RewardScheme], now: RewardScheme) -> None:
        """Set the known schemes by their labels, and the requested one."""
        self._known = known
        self._now = now
        self._rescorings: dict[str, Rescoring] = {}

    def rescore_line(self, raw: bytes) -> tuple[Breakdown, Breakdown, bytes]:
        """Rescore a line; return its breakdown, the new breakdown and the new line.

        Raises FormatError for a line that is not a record or lacks a needed field, and InputError
        for an unknown scheme, or one with other budgets.
        """
        row = loads(raw)
        old = breakdown_from_dict(row)
        new = self._rescoring(old.scheme).of(old, known="truncated" in row)
        record = breakdown_to_dict(new)
        # Keys keep their order, and a record of an older version gets no new keys.
        kept: dict[str, Any] = {key: record.get(key, row[key]) for key in row}
        return old, new, f"{dumps(kept)}\n".encode()

    def _rescoring(self, label: str) -> Rescoring:
        """Return the rescoring from the scheme with this label, made at most once."""
        if label not in self._rescorings:
            if label not in self._known:
                raise InputError(
                    f"scored under {label}, which is not among the schemes that ship;"
                    " name its file with --from"
                )
            self._rescorings[label] = Rescoring(self._known[label], self._now)
        return self._rescorings[label]


def known_schemes() -> list[RewardScheme]:
    """List the shipped schemes, each whole and in each of its phases."""
    whole = [load(name) for name in shipped()]
    phases = [
        scheme.at_epoch(start)
        for scheme in whole
        for start in (0.0, *(phase.until_epoch for phase in scheme.phases))
    ]
    return [*whole, *phases]


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the non-blank lines of a file with their numbers."""
    with open_bytes(path) as stream:
        for number, raw in enumerate(iter(stream.readline, b""), 1):
            if raw.strip():
                yield number, raw
