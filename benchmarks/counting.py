"""What it costs to count every type error, against the plain type check.

All is timed inside one resident process (count_each.ml), the fewest microseconds of many
rounds, so that neither Python nor a jail is measured.  A plain check of an ill-typed
program ends at its first error, often half-way; where a file has repaired versions too,
a plain check of those, which is a whole one, is the other measure.  Programs that type
or do not parse are left out.

    python -m benchmarks.counting --generated 500
    python -m benchmarks.counting programs.jsonl

A row of a file holds its code as `bad`, `code` or `completion`, the repaired one as `fix`.
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

from ocaml_reward.engine.build.helpers import engine_folder
from ocaml_reward.engine.build.sources import link_order, source_texts
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.build.versions import place_versions
from ocaml_reward.engine.messages.protocol import pack
from ocaml_reward.reading.extraction import extract
from tests.engine.counted_programs import MARKED
from tests.generated.samples import CORPUS, corpus, samples

HERE = Path(__file__).parent


class Program(NamedTuple):
    """An ill-typed program, and its repaired version if there is one."""

    code: str
    fixed: str = ""


class Cost(NamedTuple):
    """One ill-typed program: its errors, and microseconds."""

    errors: int
    parsing: float
    typing: float
    counting: float
    whole: float


def built(folder: Path, program: str = "count_each") -> Path:
    """Build a program of this folder with the engine's modules."""
    toolchain = locate()
    for name, text in source_texts().items():
        (folder / name).write_bytes(text)
    shutil.copy(HERE / f"{program}.ml", folder)
    place_versions(toolchain, folder)
    units = link_order(toolchain, folder, program)
    subprocess.run(
        [toolchain.ocamlfind, "ocamlopt", "-g", "-w", "-a", "-linkpkg",
         "-package", "compiler-libs.bytecomp,unix", *units, "-o", program],
        cwd=folder,
        check=True,
    )  # fmt: skip
    return folder / program


def measured(programs: list[Program], rounds: int) -> list[Cost]:
    """Time every program that parses and does not type."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = built(folder)
        items = (
            b"".join(pack(code.encode("utf-8", "replace")) for code in program)
            for program in programs
        )
        (folder / "items").write_bytes(b"".join(map(pack, items)))
        done = subprocess.run(
            [process, folder / "items", str(rounds), engine_folder(),
             locate().stdlib],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    return [
        Cost(int(errors), *map(float, spent))
        for errors, *spent in map(str.split, done.stdout.splitlines())
        if errors not in ("-", "0")
    ]


def own_programs(generated: int) -> Iterator[tuple[str, list[Program]]]:
    """Yield each set of programs that comes with the project."""
    marked = [Program(each.code) for each in MARKED.values() if not each.tests]
    yield "written, every mistake marked", marked
    lines = (CORPUS / "expected.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = {row["case"]: row["verdict"] for row in map(json.loads, lines)}
    wrong = (s for s in corpus() if verdicts[s.name] == "type_error")
    yield "corpus", [Program(extract(s.completion.text).code) for s in wrong]
    mistaken = samples(generated, 1, ("mistaken",))
    yield "generated", [Program(extract(s.completion.text).code) for s in mistaken]


def rows(path: Path) -> list[Program]:
    """Return the programs of a file."""
    names = ("bad", "code", "completion")
    return [
        Program(next(row[name] for name in names if name in row), row.get("fix", ""))
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())
    ]


def show(name: str, costs: list[Cost]) -> None:
    """Print what one set of programs costs."""
    mean = Cost(*(sum(each) / len(costs) for each in zip(*costs, strict=True)))
    several = [c for c in costs if c.errors > 1]
    print(f"{name}: {len(costs)} ill-typed programs, {mean.errors:.2f} errors")
    print(
        f"  microseconds on average: parsing {mean.parsing:.0f}, typing up to the first"
        f" error {mean.typing:.0f}, counting {mean.counting:.0f}"
    )
    print(
        f"  typing and counting / typing up to the first error:"
        f" {(mean.typing + mean.counting) / mean.typing:.2f},"
        f" with parsing on both sides"
        f" {1 + mean.counting / (mean.parsing + mean.typing):.2f}"
    )
    for label, some in (("one error", [c for c in costs if c.errors == 1]),
                        ("several errors", several)):  # fmt: skip
        ratios = [c.counting / c.typing for c in some]
        if ratios:
            print(
                f"  counting / typing, {label}: median {statistics.median(ratios):.2f}"
                f" of {len(ratios)}"
            )
    if mean.whole:
        print(
            f"  typing all of the repaired version: {mean.whole:.0f};"
            f" counting / that {mean.counting / mean.whole:.2f},"
            f" typing and counting / that"
            f" {(mean.typing + mean.counting) / mean.whole:.2f}"
        )


def main() -> None:
    """Time each set and print the ratios."""
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
    for name, programs in sets:
        show(name, measured(programs, options.rounds))


if __name__ == "__main__":
    main()
