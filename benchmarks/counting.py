"""
What it costs to count every type error, against the plain type check of the same program.

The plain check ends at the first error.  Both are timed inside one resident process
(count_each.ml), the fewest microseconds of many rounds, so that neither Python nor a jail
is measured.  Programs that type or do not parse are left out.

    python -m benchmarks.counting --generated 500
    python -m benchmarks.counting programs.jsonl

A row of the file holds its code as `bad`, `code` or `completion`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ocaml_reward.engine.build import (
    SERVER,
    SOURCES,
    engine_folder,
    place_versions,
)
from ocaml_reward.engine.protocol import pack
from ocaml_reward.engine.toolchain import locate
from ocaml_reward.extraction import extract
from tests.generated.samples import corpus, samples
from tests.ill_typed import PROGRAMS

HERE = Path(__file__).parent
OCAML = HERE.parent / "ocaml_reward/engine/ocaml"


class Cost(NamedTuple):
    """
    One ill-typed program: its errors, and microseconds.
    """

    errors: int
    parsing: float
    typing: float
    counting: float

    @property
    def ratio(self) -> float:
        """
        Typing and counting, over typing alone.
        """
        return (self.typing + self.counting) / self.typing

    @property
    def check_ratio(self) -> float:
        """
        The same with parsing, which both do.
        """
        before = self.parsing + self.typing
        return (before + self.counting) / before


def built(folder: Path) -> Path:
    """
    Build the resident process.
    """
    toolchain = locate()
    for source in (*OCAML.iterdir(), HERE / "count_each.ml"):
        shutil.copy(source, folder)
    place_versions(toolchain, folder)
    shared = SOURCES[: SOURCES.index("pristine")]
    units = [f"{name}.ml" for name in (*shared, *SERVER[:-2], "count_each")]
    subprocess.run(
        [toolchain.ocamlfind, "ocamlopt", "-g", "-w", "-a", "-linkpkg",
         "-package", "compiler-libs.bytecomp,unix", *units, "-o", "count_each"],
        cwd=folder,
        check=True,
    )  # fmt: skip
    return folder / "count_each"


def measured(codes: list[str], rounds: int) -> list[Cost | None]:
    """
    Time every program; None for one that types, or does not parse.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = built(folder)
        items = b"".join(pack(code.encode("utf-8", "replace")) for code in codes)
        (folder / "items").write_bytes(items)
        done = subprocess.run(
            [process, folder / "items", str(rounds), engine_folder(),
             locate().stdlib],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    return [_cost(line) for line in done.stdout.splitlines()]


def _cost(line: str) -> Cost | None:
    if line == "-" or line.startswith("0 "):
        return None
    errors, *spent = line.split()
    return Cost(int(errors), *map(float, spent))


def own_programs(generated: int) -> Iterator[tuple[str, list[str]]]:
    """
    Yield each set of programs that comes with the project.
    """
    yield "written, with known counts", [code for _, code in PROGRAMS.values()]
    yield "corpus", [extract(each.completion.text).code for each in corpus()]
    wrong = samples(generated, 1, ("mistaken",))
    yield "generated", [extract(each.completion.text).code for each in wrong]


def rows(path: Path) -> list[str]:
    """
    Return the programs of a file.
    """
    found = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    names = ("bad", "code", "completion")
    return [next(row[name] for name in names if name in row) for row in found]


def show(name: str, costs: list[Cost]) -> None:
    """
    Print what one set of programs costs.
    """
    total = sum(c.typing + c.counting for c in costs) / sum(c.typing for c in costs)
    checks = sum(c.parsing + c.typing for c in costs)
    whole = (checks + sum(c.counting for c in costs)) / checks
    ratios = sorted(c.ratio for c in costs)
    print(f"{name}: {len(costs)} ill-typed programs")
    print(
        f"  typing {statistics.mean(c.typing for c in costs):.0f} us,"
        f" counting {statistics.mean(c.counting for c in costs):.0f} us on average,"
        f" {statistics.mean(c.errors for c in costs):.2f} errors"
    )
    print(
        f"  typing and counting / typing: {total:.2f} in all,"
        f" mean of the ratios {statistics.mean(ratios):.2f},"
        f" median {statistics.median(ratios):.2f},"
        f" 95th percentile {ratios[int(len(ratios) * 0.95)]:.2f}"
    )
    print(
        f"  with parsing on both sides: {whole:.2f} in all,"
        f" mean {statistics.mean(c.check_ratio for c in costs):.2f}"
    )


def main() -> None:
    """
    Time each set and print the ratios.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--generated", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    sets = (
        ((path.name, rows(path)) for path in options.files)
        if options.files
        else own_programs(options.generated)
    )
    for name, codes in sets:
        show(name, [c for c in measured(codes, options.rounds) if c])


if __name__ == "__main__":
    main()
