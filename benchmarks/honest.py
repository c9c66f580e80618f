"""
How much honest OCaml the rules refuse: each file, as if a model had written it.

A file is checked twice: for a problem whose one check is judged outside the code's process,
and for one whose check is decided beside the code.  Printed are, for each folder, how many
files there are, parse, and are refused in either case; and what for, with a few examples.
What an older checkout refused is printed beside it, from what it wrote with `--write`.

    python -m benchmarks.honest FOLDER... --write now.json --before then.json --show 3
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from ocaml_reward import Problem
from ocaml_reward.engine import CheckRequest, Engine, PreparedTests
from ocaml_reward.engine.select import engine as real_engine
from ocaml_reward.model import Budget, Stage

ANSWER = "\n;;\nlet answer n = n + 1\n"
OUTSIDE = "let () = assert (answer 1 = 2)\n"
BESIDE = "let () = assert (let r = ref 1 in incr r; answer 1 = !r)\n"

# How findings that are no name are worded, and what to call them here.
WORDED = {
    "external ": "external",
    "a GADT's constructor indexed by": "a GADT's index",
    "bound to another constructor": "a constructor made one with another",
    "which forgets a parameter": "a forgotten parameter",
    "a hidden type, taken out": "a hidden type taken out",
    "a mutable place matched": "a mutable place matched",
    "whose exceptions get another name": "a module with exceptions handed on",
    "a module as a value, with exc": "a module with exceptions handed on",
}
UNREAD = (Stage.SYNTAX_ERROR, Stage.COMPILER_LIMIT)


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """
    What was found of one file: whether it parses and types, and what is refused in it.
    """

    parses: bool
    types: bool
    beside: tuple[str, ...]
    outside: tuple[str, ...]


def kind(finding: str) -> str:
    """
    Name the construct that a finding is about.
    """
    what = finding.rpartition(" (line")[0]
    for words, name in WORDED.items():
        if words in what:
            return name
    last = what.rpartition(".")[2]
    return "unsafe_*" if last.startswith("unsafe_") else what


def found(engine: Engine, sides: tuple[PreparedTests, ...], path: Path) -> Found:
    """
    Check one file for both problems.
    """
    code = path.read_text(encoding="utf-8", errors="replace") + ANSWER
    budget = Budget(tests_cpu_s=1.0, tests_wall_s=2.0)
    outside, beside = (
        engine.check(CheckRequest(code=code, tests=tests, budget=budget))
        for tests in sides
    )
    return Found(
        parses=outside.stage not in UNREAD,
        types=outside.stage in (Stage.EXECUTABLE, Stage.LINK_ERROR),
        beside=beside.forbidden,
        outside=outside.forbidden,
    )


def rows(
    folders: dict[str, list[Path]],
    now: dict[str, Found],
    before: dict[str, tuple[str, ...]],
) -> Iterator[str]:
    """
    Write a table with a line for each folder, and one for all.
    """
    yield f"{'':24}  files  parse  types  before  beside  outside"
    everything = [path for paths in folders.values() for path in paths]
    for name, paths in [*folders.items(), ("all", everything)]:
        of = [now[str(path)] for path in paths]
        yield (
            f"{name:24} {len(of):6} {sum(f.parses for f in of):6}"
            f" {sum(f.types for f in of):6}"
            f" {sum(bool(before.get(str(path))) for path in paths):7}"
            f" {sum(bool(f.beside) for f in of):7}"
            f" {sum(bool(f.outside) for f in of):8}"
        )


def constructs(findings: dict[str, tuple[str, ...]]) -> Counter[str]:
    """
    Count the files that each construct was found in.
    """
    return Counter(name for each in findings.values() for name in {*map(kind, each)})


def main() -> None:
    """
    Check every file of the folders, and print both tables.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--before", type=Path)
    options = parser.parse_args()
    folders = {folder.name: sorted(folder.rglob("*.ml")) for folder in options.folders}
    paths = [path for each in folders.values() for path in each if path.is_file()]
    engine = real_engine("warm")
    sides = tuple(
        engine.prepare(Problem(id="honest", tests=tests)) for tests in (OUTSIDE, BESIDE)
    )
    with ThreadPoolExecutor(options.jobs) as pool:
        done = pool.map(lambda path: found(engine, sides, path), paths)
        now = {str(path): each for path, each in zip(paths, done, strict=True)}
    engine.close()
    if options.write:
        text = json.dumps({path: asdict(each) for path, each in now.items()})
        options.write.write_text(text, encoding="utf-8")
    before: dict[str, tuple[str, ...]] = {}
    if options.before:
        read = json.loads(options.before.read_text(encoding="utf-8"))
        before = {path: tuple(each["beside"]) for path, each in read.items()}
    print(*rows(folders, now, before), sep="\n")
    beside = {path: each.beside for path, each in now.items()}
    then, counts = constructs(before), constructs(beside)
    print(f"\n{'construct':40} before  beside")
    for name, _ in (counts | then).most_common():
        print(f"{name:40} {then[name]:6} {counts[name]:7}")
        examples = [path for path, each in beside.items() if name in map(kind, each)]
        for path in examples[: options.show]:
            finding = next(each for each in beside[path] if kind(each) == name)
            print(f"    {path}: {finding}")


if __name__ == "__main__":
    main()
