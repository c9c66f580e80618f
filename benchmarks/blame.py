"""Where is the mistake of an ill-typed program?  Against a public table.

A file holds programs of students that do not type, each with the spans that the student changed
to mend it: a JSON object a line, gzipped or not, with `bad` and `changed`, a list of
"(line,column)-(line,column)", as made of the data of Seidel et al., "Learning to Blame" (OOPSLA
2017, github.com/ucsd-progsys/nate).  A ranking is right at k if one of its first k places is such
a span, exactly.

    python -m benchmarks.blame sp14.jsonl.gz
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.counting import built, engine_folder
from ocaml_reward.diagnostics.blame import weighed
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.messages.protocol import netstrings, pack

PUBLISHED: Final = {
    "OCaml's own place": (0.448,),
    "Mycroft": (0.424, 0.606, 0.682),
    "SHErrLoc": (0.550, 0.756, 0.846),
    "NATE, trained on the other year": (0.736, 0.864, 0.915),
}
"""Top 1, 2 and 3 on SP14, of the programs that each tool could handle."""

Place = tuple[int, int]
"""Bytes from the start of the program: the first, and the one behind the last."""


class Case(NamedTuple):
    """A program's places that were changed, the compiler's, those ranked here, and milliseconds."""

    changed: frozenset[Place]
    compilers: list[Place]
    ranked: list[Place]
    spent: float


def cases(path: Path) -> list[Case]:
    """Rank the places of every program."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    codes = [row["bad"].encode("utf-8", "replace") for row in rows]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = built(folder, "blame_each")
        (folder / "items").write_bytes(b"".join(map(pack, codes)))
        command = [program, folder / "items", engine_folder(), locate().stdlib]
        done = subprocess.run(command, capture_output=True, check=True)
    answers = [each.decode() for each in netstrings(done.stdout)]
    return [
        Case(
            frozenset(_place(code, span) for span in row["changed"]),
            *([each[:2] for each in weighed(text)] for text in (first, found)),
            float(spent),
        )
        for row, code, first, found, spent in zip(
            rows, codes, answers[::3], answers[1::3], answers[2::3], strict=True
        )
    ]


def _place(code: bytes, span: str) -> Place:
    starts = [0, *(found.end() for found in re.finditer(b"\n", code))]
    line, column, end_line, end_column = map(int, re.findall(r"\d+", span))
    return starts[line - 1] + column, starts[end_line - 1] + end_column


def top(
    found: Sequence[tuple[frozenset[Place], Sequence[Place]]],
) -> tuple[float, ...]:
    """Return the shares of programs that are right at 1, 2 and 3."""
    return tuple(
        sum(not changed.isdisjoint(places[:k]) for changed, places in found) / len(found)
        for k in (1, 2, 3)
    )


def show(name: str, shares: Sequence[float]) -> None:
    """Print a row."""
    print(f"{name:35}", " ".join(f"{share:.3f}" for share in shares))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("data", type=Path)
    found = cases(parser.parse_args().data)
    print(f"{len(found)} programs; top 1, 2, 3 (published rows: SP14)")
    for name, shares in PUBLISHED.items():
        show(name, shares)
    show("the compiler's place", top([(c.changed, c.compilers) for c in found])[:1])
    show("here", top([(c.changed, c.ranked) for c in found]))
    spent = sorted(case.spent for case in found)
    at = {share: spent[int(share * (len(spent) - 1))] for share in (0.5, 0.99, 1)}
    print("search, ms of processor time:", f"mean {sum(spent) / len(spent):.2f},",
          ", ".join(f"{share:.0%} {ms:.2f}" for share, ms in at.items()))  # fmt: skip


if __name__ == "__main__":
    main()
