"""`rescore`: scored completions under another scheme, without an engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import Result

from ocaml_reward.testing import FakeEngine, report
from tests.scored_texts import END, PROGRAM

from .conftest import CODE, TESTS, Invoke, records

Write = Callable[[str, Iterable[object]], Path]
WRONG = PROGRAM.replace("x + sum rest", "x - sum rest").strip()
TEXTS = (CODE, PROGRAM, f"{PROGRAM}{END}\n", WRONG, "No.")


@pytest.fixture
def scored(write: Write, invoke: Invoke, tmp_path: Path) -> Callable[..., Path]:
    """Score a few completions, some cut off, into a file of that name."""

    def call(name: str, *words: str) -> Path:
        path = write(
            "completions.jsonl",
            [
                {"problem_id": "add", "completion": text, "tests": TESTS, "more": cut}
                | ({} if cut is None else {"truncated": cut})
                for text in TEXTS
                for cut in (None, True, False)
            ],
        )
        output = tmp_path / name
        engine = FakeEngine({WRONG: report("passed", "failed")})
        assert 0 == invoke("score", path, "-o", output, *words, engine=engine).exit_code
        return output

    return call


@pytest.mark.parametrize("name", ["seed", "capped", "concise", "curriculum", "decisive"])
def test_the_file_is_the_one_that_score_writes(
    invoke: Invoke, scored: Callable[..., Path], tmp_path: Path, name: str
) -> None:
    """Line by line, timings aside, under every scheme that ships; nothing needs an engine."""
    expected = scored("expected.jsonl", "--scheme", name)
    result = invoke(
        "rescore", scored("seed.jsonl"), "--scheme", name, "-o", tmp_path / "new.jsonl"
    )  # fmt: skip
    new = (tmp_path / "new.jsonl").read_text()

    assert 0 == result.exit_code, result.output
    assert [list(row.items()) for row in records(expected.read_text())] == [
        list(row.items()) for row in records(new)
    ]
    assert f"15 records under {name}@" in result.output


def test_a_number_changed_then_and_one_changed_now(
    invoke: Invoke, scored: Callable[..., Path], tmp_path: Path
) -> None:
    """A scheme that does not ship is named with --from; the numbers of either may be changed.
    What is refused leaves no file behind.
    """
    old = scored("old.jsonl", "--set", "available.type=0.3", "--set", "available.tests=0.55")
    refused = invoke("rescore", old, "--scheme", "decisive", "-o", tmp_path / "refused.jsonl")
    words = ("--from", "seed", "--from-set", "available.type=0.3")
    result = invoke(
        "rescore", old, *words, "--from-set", "available.tests=0.55",
        "--set", "runaway.factor=0.5",
    )  # fmt: skip
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    expected = scored("new.jsonl", "--set", "runaway.factor=0.5")

    assert 2 == refused.exit_code
    assert not (tmp_path / "refused.jsonl").exists()
    assert "old.jsonl:1: scored under seed@" in refused.output
    assert "name its file with --from" in " ".join(refused.output.split())
    assert 0 == result.exit_code
    assert records(expected.read_text()) == records("\n".join(lines))


def test_what_a_record_lacks_is_said_by_line(
    invoke: Invoke, scored: Callable[..., Path], tmp_path: Path
) -> None:
    """Lines that are no records, and records that do not say enough, are left out with the
    reason, and the exit code is 1.
    """
    old = scored("old.jsonl")
    with old.open("a") as stream:
        stream.write('{"half\n')
    result = invoke(
        "rescore", old, "--set", "degenerate.blocks=1", "-o", tmp_path / "new.jsonl"
    )  # fmt: skip
    written = (tmp_path / "new.jsonl").read_text().splitlines()

    assert 1 == result.exit_code
    assert "old.jsonl:10: not rescored: degenerate.blocks differs" in result.output
    assert "old.jsonl:16: not rescored: not a record" in result.output
    assert 12 == len(written)
    assert "4 records left out" in result.output


def in_training(rows: list[dict[str, object]], path: Path) -> None:
    """Write records as a training's log has them."""
    beside = {"step": 3, "epoch": 0.5, "split": "train", "rank": 0, "trained_on": 0.7}
    lines = []
    for row in rows:
        kept = {k: v for k, v in row.items() if k not in {"index", "line", "input"}}
        lines.append(json.dumps({**beside, "final_reward": 0.7, **kept}))
    path.write_text("".join(f"{line}\n" for line in lines))


def test_a_log_of_a_training_is_read(
    invoke: Invoke, scored: Callable[..., Path], tmp_path: Path
) -> None:
    """What the trainer got stays as it was, and so does the place of each key."""
    rows = [json.loads(line) for line in scored("old.jsonl").read_text().splitlines()]
    in_training(rows, tmp_path / "log.jsonl")
    result: Result = invoke("rescore", tmp_path / "log.jsonl", "--scheme", "decisive")
    new = [json.loads(line) for line in result.stdout.splitlines() if line[0] == "{"]

    assert 0 == result.exit_code
    assert {0.7} == {row["trained_on"] for row in new}
    assert ["step", "epoch", "split"] == list(new[0])[:3]
    assert {"solved"} < set(new[0]["credits"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "budget.tests_cpu_s=9"), "budget.tests_cpu_s was 20"),
        (("--from-set", "min_lines=1"), "--from-set changes the scheme"),
        (("-o", "old.jsonl"), "cannot be the output too"),
    ],
)
def test_what_cannot_be_is_one_line(
    invoke: Invoke,
    scored: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    words: tuple[str, ...],
    said: str,
) -> None:
    """Another budget, options that need others, and an output that is the input."""
    monkeypatch.chdir(tmp_path)
    result = invoke("rescore", scored("old.jsonl"), *words)

    assert 2 == result.exit_code
    assert said in result.output
