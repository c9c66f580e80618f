"""Does the model, shown feedback on a program, blame the tokens of its mistake?  No training.

    python -m experiments.teacher --out build/teacher

A pretrained model reads programs with one planted mistake each, as their author and as the teacher
of SDPO, which is shown more.  A token's blame is the log ratio, student to teacher.  What was read
is kept in --out, so that the same command goes on where it was cut off.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from experiments.learn import stay_offline
from experiments.pretrained.model import made

ROWS: Final = "rows.jsonl"


def main() -> None:
    """Read what is missing, and print the report."""
    options = arguments()
    stay_offline()
    model = made(options.out)
    from .reading import rows_of  # noqa: PLC0415 (loads torch)
    from .report import report  # noqa: PLC0415

    path = options.out / ROWS
    done = rows(path) if path.is_file() else []
    if len(done) < options.programs:
        with path.open("a", encoding="utf-8") as file:
            for row in rows_of(model, options.programs, skip=len(done)):
                file.write(json.dumps(row) + "\n")
                file.flush()
    text = report(rows(path)[: options.programs])
    (options.out / "report.md").write_text(text, encoding="utf-8")
    sys.stdout.write(text)


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the whole lines of a file; the last may have been cut off."""
    lines = path.read_text(encoding="utf-8").split("\n")
    whole = lines[:-1]
    if lines[-1]:
        path.write_text("".join(f"{each}\n" for each in whole), encoding="utf-8")
    return [json.loads(each) for each in whole]


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.teacher", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--programs", type=int, default=320, help="how many; 320")
    parser.add_argument("--out", type=Path, default=Path("build/teacher"), metavar="FOLDER")
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
