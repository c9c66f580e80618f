"""Which tests notice that a line of the product was changed: mutants of Python, OCaml and C.

Places are drawn with a seed, as many of each folder as its share of the lines.  Each mutant is made
in a copy of the tree, where the tests of its folder (tests/rooms.toml) run until one fails: first
those of `make test`, then what `make test-all` has besides.  One that no test of its folder notices
is no evidence and left out: it may mean the same, or be in text for people.  One that only the rest
notices is tried on all of `make test`.

The list, with what found each, is kept and goes on where it ended.

    python -m benchmarks.mutants --wanted 200
    python -m benchmarks.mutants --table
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.rooms import tests_of

HERE = Path(__file__).resolve().parents[1]
LIST = HERE / "benchmarks" / "mutants.jsonl"
PRODUCT = ("ocaml_reward", "cli", "problem_sets", "trainer_plugin")
SEED = 59
# A mutant that loops is noticed, too.
_PATIENCE_S = 900
_OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "<>": "=",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "+", "and": "or", "or": "and",
    "True": "False", "False": "True", "true": "false", "false": "true", "is not": "is",
    "not in": "in", "min": "max", "max": "min", "any": "all", "all": "any",
    "List.exists": "List.for_all", "List.for_all": "List.exists", "not": "", "continue": "break",
}  # fmt: skip
_WORDS = sorted(map(re.escape, _OPERATORS), key=len, reverse=True)
# Between blanks or brackets: not in names, arrows, annotations or strings of one line.
_CHANGE = re.compile(
    rf"(?<=[\s(\[!])(?:(?P<word>{'|'.join(_WORDS)})(?=[\s(\[])|(?P<number>\d+)(?=[\s,;)\]:]))"
)
_COMMENT = {
    ".py": re.compile(r"#.*"),
    ".ml": re.compile(r"\(\*.*?\*\)"),
    ".c": re.compile(r"/\*.*?\*/"),
}
_STRING = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")


class Mutant(NamedTuple):
    """A place in a file, and what stands there instead."""

    file: str
    line: int
    column: int
    was: str
    now: str

    def applied_to(self, text: str) -> str:
        """Return the file's text with the change."""
        lines = text.split("\n")
        line = lines[self.line - 1]
        before, after = line[: self.column], line[self.column + len(self.was) :]
        lines[self.line - 1] = before + self.now + after
        return "\n".join(lines)


def mutants_of(file: Path) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    text = file.read_text()
    skipped = prose_lines(text) if file.suffix == ".py" else comment_lines(text)
    comment = _COMMENT[".c" if file.suffix == ".h" else file.suffix]
    for number, line in enumerate(text.split("\n"), start=1):
        if number in skipped:
            continue
        blank = comment.sub(lambda m: " " * len(m[0]), _STRING.sub(lambda m: " " * len(m[0]), line))
        for found in _CHANGE.finditer(blank):
            was = found[0]
            now = _OPERATORS.get(was, "") if found["word"] else str(int(was) + 1)
            yield Mutant(str(file.relative_to(HERE)), number, found.start(), was, now)


def prose_lines(text: str) -> set[int]:
    """Return the lines of a Python text that hold strings over several lines, imports or
    declarations of fields.
    """
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        text_of_lines = (
            isinstance(node, ast.Constant | ast.JoinedStr) and (node.end_lineno or 0) > node.lineno
        )
        if text_of_lines or isinstance(node, ast.Import | ast.ImportFrom | ast.AnnAssign):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def comment_lines(text: str) -> set[int]:
    """Return the lines of an OCaml or C text inside of comments over several lines."""
    found: set[int] = set()
    for each in re.finditer(r"\(\*.*?\*\)|/\*.*?\*/", text, re.DOTALL):
        first = text.count("\n", 0, each.start()) + 1
        if count := each[0].count("\n"):
            found.update(range(first, first + count + 1))
    return found


def drawn(seed: int) -> list[Mutant]:
    """Return all mutants in a random order, so that any beginning of it is a fair draw."""
    names = subprocess.run(
        ["git", "-C", str(HERE), "ls-files", *PRODUCT], check=True, capture_output=True, text=True
    ).stdout.split()
    files = [
        HERE / name for name in sorted(names) if Path(name).suffix in (".py", ".ml", ".c", ".h")
    ]
    found = [mutant for file in files for mutant in mutants_of(file)]
    Random(seed).shuffle(found)  # noqa: S311
    return found


class Copy:
    """A copy of the tree, in which one file at a time is changed."""

    def __init__(self, folder: Path) -> None:
        """Copy what git knows."""
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", "--shared", str(HERE), str(folder)], check=True)
        (folder / ".venv").symlink_to(HERE / ".venv")
        self.folder = folder
        # What fails without a mutant, too.
        self._broken: list[str] = []

    def finds(self, tests: list[str], level: str, mutant: Mutant) -> str | None:
        """Return the first test of a level that fails with the mutant and passes without."""
        file = self.folder / mutant.file
        text = file.read_text()
        while True:
            file.write_text(mutant.applied_to(text))
            try:
                by = self._pytest(tests, level)
            finally:
                file.write_text(text)
            if by is None or not by.startswith("tests/") or self._pytest([by], "all") is None:
                return by
            self._broken.append(by)

    def _pytest(self, tests: list[str], level: str) -> str | None:
        """Return the first test that fails, or None."""
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "2", "--dist", "loadfile"]
        command += ["--no-loadscope-reorder", "--hypothesis-profile=ci", "--level", level, *tests]
        command += [f"--deselect={each}" for each in self._broken]
        environment = os.environ | {"PYTHONPATH": str(self.folder), "COLUMNS": "300"}
        try:
            done = subprocess.run(
                command, cwd=self.folder, env=environment, text=True,
                capture_output=True, timeout=_PATIENCE_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "no end"
        if done.returncode in (0, 5):
            return None
        found = re.search(r"^(?:FAILED|ERROR) (tests/.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
        return found[1] if found else f"exit {done.returncode}"


def builds(copy: Copy, mutant: Mutant) -> bool:
    """Tell whether a mutant is a program at all."""
    file = copy.folder / mutant.file
    text = file.read_text()
    changed = mutant.applied_to(text)
    if file.suffix == ".py":
        try:
            ast.parse(changed)
        except SyntaxError:
            return False
        return True
    build = "from ocaml_reward.engine.build.helpers import engine_folder as e; e()"
    environment = os.environ | {"PYTHONPATH": str(copy.folder)}
    file.write_text(changed)
    try:
        done = subprocess.run(
            [sys.executable, "-c", build], cwd=copy.folder, env=environment,
            capture_output=True, check=False,
        )  # fmt: skip
    finally:
        file.write_text(text)
    return done.returncode == 0


def tried(copy: Copy, mutant: Mutant) -> dict[str, Any]:
    """Return what finds a mutant: "test", "test-all", or nothing, and the test."""
    if not builds(copy, mutant):
        return {"found_by": "compiler"}
    started = time.monotonic()
    tests = tests_of(mutant.file)
    # Those of `make quick` first, which most often do.
    by = copy.finds(tests, "quick", mutant) or copy.finds(tests, "test", mutant)
    found_by = "test"
    if by is None and (by := copy.finds(tests, "rest", mutant)):
        first = copy.finds([], "test", mutant)
        found_by, by = ("test", first) if first else ("test-all", by)
    seconds = round(time.monotonic() - started)
    return {"found_by": found_by if by else None, "test": by, "seconds": seconds}


def table(rows: list[dict[str, Any]]) -> str:
    """Return how many mutants each level of tests finds, by folder."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        folder = "/".join(row["file"].split("/")[:2])
        counts.setdefault(folder, Counter())[str(row["found_by"])] += 1
    total = sum(counts.values(), Counter())
    lines = [f"{'':34} make test  only test-all  no test of its folder"]
    for name, count in [*sorted(counts.items()), ("all", total)]:
        lines.append(f"{name:34} {count['test']:9} {count['test-all']:14} {count['None']:22}")
    known = total["test"] + total["test-all"]
    lines.append(
        f"`make test` finds {total['test']} of {known}, {total['test'] / max(known, 1):.1%}"
    )
    return "\n".join(lines)


def main() -> None:
    """Try mutants until so many are found, or print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wanted", type=int, default=200, help="how many that some test finds")
    parser.add_argument("--table", action="store_true", help="only print what is known")
    parser.add_argument("--copy", type=Path, default=Path("/tmp/ocaml-reward-mutants"))  # noqa: S108
    options = parser.parse_args()
    rows = [json.loads(line) for line in LIST.read_text().splitlines()] if LIST.exists() else []
    if options.table:
        print(table(rows))
        return
    copy = Copy(options.copy)
    known = {tuple(row[name] for name in Mutant._fields) for row in rows}
    for mutant in drawn(SEED):
        if sum(row["found_by"] in ("test", "test-all") for row in rows) >= options.wanted:
            break
        if tuple(mutant) in known:
            continue
        row = mutant._asdict() | tried(copy, mutant)
        if row["found_by"] == "compiler":
            continue
        rows.append(row)
        with LIST.open("a") as file:
            file.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)
    print(table(rows))


if __name__ == "__main__":
    main()
