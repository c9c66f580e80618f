"""Shards of a file, scored apart and joined: the file of one run, or a refusal."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke, records, row

Write = Callable[[str, Iterable[object]], Path]

ROWS = [
    row(f"let add x y = x + y + {number}", problem_id=f"add{number % 3}") for number in range(8)
]


@pytest.fixture
def shards(invoke: Invoke, write: Write, tmp_path: Path) -> list[Path]:
    """Score eight completions in three shards."""
    source = write("completions.jsonl", ROWS)
    paths = [tmp_path / f"{number}.jsonl" for number in (1, 2, 3)]
    for number, path in enumerate(paths, 1):
        done = invoke("score", source, "--shard", f"{number}/3", "-o", path)
        assert 0 == done.exit_code, done.output
    return paths


def test_shards_join_to_the_whole(invoke: Invoke, shards: list[Path], tmp_path: Path) -> None:
    """Whatever the order of the shards, the joined file is that of one run, timings aside."""
    source, joined = tmp_path / "completions.jsonl", tmp_path / "joined.jsonl"
    whole = invoke("score", source, "-o", "-")
    done = invoke("join", *reversed(shards), "-o", joined, "--completions", source)

    assert 0 == done.exit_code, done.output
    assert records(whole.stdout) == records(joined.read_text(encoding="utf-8"))
    assert "8 records of 3 shards" in done.output


def test_a_shard_has_every_nth_line(shards: list[Path]) -> None:
    """Shard K of N has the lines K, K + N, and so on, with the indices of the whole file."""
    found = [
        [(each["line"], each["index"]) for each in records(path.read_text())] for path in shards
    ]

    assert [[(1, 0), (4, 1), (7, 2)], [(2, 0), (5, 1), (8, 2)], [(3, 0), (6, 1)]] == (found)


def test_a_shard_is_resumed_as_a_run_is(invoke: Invoke, shards: list[Path], tmp_path: Path) -> None:
    """A shard whose last record is torn goes on with --resume, and is what it was."""
    path = shards[0]
    before = path.read_bytes()
    path.write_bytes(before[:-20])
    again: list[str | Path] = [
        "score",
        tmp_path / "completions.jsonl",
        "--shard",
        "1/3",
        "-o",
        path,
    ]
    done = invoke(*again, "--resume")

    assert 0 == done.exit_code, done.output
    assert records(before.decode()) == records(path.read_text(encoding="utf-8"))


def edit(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    """Change the lines of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("".join(f"{each}\n" for each in change(lines)), encoding="utf-8")


def with_toolchain(line: str) -> str:
    """Say that another compiler made a record."""
    return json.dumps({**json.loads(line), "toolchain": "ocaml 5.3.0"})


@pytest.mark.parametrize(
    "change",
    [
        (1, lambda lines: [lines[0], lines[2]], "line 5 has no record"),
        (0, lambda lines: [*lines, lines[0]], "line 1 after 7"),
        (1, lambda lines: [*lines[:2], with_toolchain(lines[2])], "toolchain ocaml 5"),
        (2, lambda _: ["{}"], "not a record"),
        (1, lambda lines: lines[:2], "line 8 has no record"),
    ],
    ids=["gap", "double", "compiler", "no record", "end"],
)
def test_what_does_not_go_together_is_refused(
    invoke: Invoke,
    shards: list[Path],
    tmp_path: Path,
    change: tuple[int, Callable[[list[str]], list[str]], str],
) -> None:
    """A gap, a double, another compiler and a file of something else are named, and nothing
    is written.
    """
    number, edited, message = change
    edit(shards[number], edited)
    joined, source = tmp_path / "joined.jsonl", tmp_path / "completions.jsonl"
    done = invoke("join", *shards, "-o", joined, "--completions", source)

    assert 2 == done.exit_code
    assert message in done.output
    assert not joined.exists()


def test_a_missing_shard_is_noticed(invoke: Invoke, shards: list[Path], tmp_path: Path) -> None:
    """Two of three shards are no whole, and one given twice is none either."""
    joined = tmp_path / "joined.jsonl"
    two = invoke("join", *shards[:2], "-o", joined)
    twice = invoke("join", shards[0], shards[1], shards[1], "-o", joined)

    assert (2, 2) == (two.exit_code, twice.exit_code)
    assert "is one missing?" in two.output
    assert "is in" in twice.output


def test_gaps_may_be_allowed(invoke: Invoke, shards: list[Path], tmp_path: Path) -> None:
    """With --gaps-ok what is there is joined, and exit code 1 says that it is not all."""
    edit(shards[1], lambda lines: lines[1:])
    joined = tmp_path / "joined.jsonl"
    done = invoke("join", *shards, "-o", joined, "--gaps-ok")

    assert 1 == done.exit_code
    assert "1 line without a record" in done.output
    assert 7 == len(records(joined.read_text(encoding="utf-8")))


@pytest.mark.parametrize("shard", ["0/3", "4/3", "1", "1/0", "a/b"])
def test_what_is_no_shard_is_refused(invoke: Invoke, write: Write, shard: str) -> None:
    """K/N needs K from 1 to N."""
    done = invoke("score", write("completions.jsonl", ROWS), "--shard", shard)

    assert 2 == done.exit_code
    assert "is not K/N" in done.output
