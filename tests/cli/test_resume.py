"""A run that was killed goes on, and ends with the file of an unbroken one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import click
import pytest
from click.testing import Result

from cli.evaluate import generation
from cli.terminal.progress import RateColumn, Screen
from ocaml_reward import EngineFault
from ocaml_reward.testing import FakeEngine, report

from .conftest import TESTS, Invoke

Write = Callable[[str, Iterable[object]], Path]
WRONG = "let add x y = x - y"


def code(number: int) -> str:
    """Return code that differs by number."""
    return f"let add x{number} y = x{number} + y"


ROWS: list[object] = [
    {"id": "add", "completion": code(1), "tests": TESTS, "n": 1},
    {"id": "add", "completion": WRONG, "tests": TESTS},
    "{",
    {"id": "b", "completion": code(2), "tests": TESTS},
    {"id": "add", "completions": [code(3), code(4)], "tests": TESTS},
]


def engine() -> FakeEngine:
    """Return an engine that knows wrong code."""
    return FakeEngine({WRONG: report("failed", "passed")})


def timeless(path: Path) -> list[dict[str, Any]]:
    """Read records, timings aside."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [{**record, "timings_ms": None} for record in found]


@pytest.fixture
def unbroken(write: Write, invoke: Invoke, tmp_path: Path) -> Path:
    """Score everything in one go."""
    path = tmp_path / "unbroken.jsonl"
    result = invoke("score", write("c.jsonl", ROWS), "-o", path, engine=engine())
    assert 1 == result.exit_code
    return path


def resume(invoke: Invoke, folder: Path, running: FakeEngine, *arguments: str) -> Result:
    """Continue the run that writes o.jsonl."""
    return invoke(
        "score", folder / "c.jsonl", "-o", folder / "o.jsonl", "--resume", *arguments,
        engine=running,
    )  # fmt: skip


@pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.5, 0.77, 0.99, 1.0])
def test_resuming_after_a_kill(
    unbroken: Path, invoke: Invoke, tmp_path: Path, share: float
) -> None:
    """Wherever the file broke off, a torn line included, the result is the unbroken file,
    and what was done is not done again.
    """
    whole = unbroken.read_bytes()
    torn = whole[: int(len(whole) * share)]
    (tmp_path / "o.jsonl").write_bytes(torn)
    running = engine()

    result = resume(invoke, tmp_path, running)

    assert 1 == result.exit_code
    assert timeless(unbroken) == timeless(tmp_path / "o.jsonl")
    assert (
        torn[: torn.rfind(b"\n") + 1]
        == (tmp_path / "o.jsonl").read_bytes()[: torn.rfind(b"\n") + 1]
    )
    assert 5 - torn.count(b"\n") == len(running.requests)


def test_the_summary_counts_both_runs(unbroken: Path, invoke: Invoke, tmp_path: Path) -> None:
    """A resumed run sums up the whole file."""
    lines = unbroken.read_bytes().splitlines(keepends=True)
    (tmp_path / "o.jsonl").write_bytes(b"".join(lines[:3]))

    result = resume(invoke, tmp_path, engine())

    assert "scored 5 completions of 2 problems" in result.stdout
    assert "1 line could not be used" in result.stdout


def test_unscored_records_are_tried_again(unbroken: Path, invoke: Invoke, tmp_path: Path) -> None:
    """What our machine failed to score is scored in place, and nothing else is."""
    failing = FakeEngine({code(1): EngineFault("died"), code(3): EngineFault("died")})
    first = resume(invoke, tmp_path, failing, "--limit", "4")
    running = engine()
    second = resume(invoke, tmp_path, running)

    expected = timeless(unbroken)
    # The first engine did not know wrong code, so its record of that stays as it was.
    expected[1] = timeless(tmp_path / "o.jsonl")[1]
    assert 3 == first.exit_code
    assert 1 == second.exit_code
    assert expected == timeless(tmp_path / "o.jsonl")
    assert {code(1), code(3), code(4)} == {each.code for each in running.requests}
    assert [] == list(tmp_path.glob("*.mending"))


def test_a_machine_that_still_fails(unbroken: Path, invoke: Invoke, tmp_path: Path) -> None:
    """Records that fail again stay unscored, and the others stay as they are."""
    failing = FakeEngine({code(3): EngineFault("died")})
    resume(invoke, tmp_path, failing)
    before = timeless(tmp_path / "o.jsonl")

    result = resume(invoke, tmp_path, failing)

    assert 3 == result.exit_code
    assert before == timeless(tmp_path / "o.jsonl")
    assert unbroken.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--scheme", "concise"), "was made with scheme seed@"),
        (("--set", "min_lines=1"), "was made with scheme seed@"),
        (("--regions",), "was made without --regions"),
        (("--limit", "3"), "has more records than there are completions to score"),
    ],
)
def test_records_of_another_run(
    unbroken: Path,
    invoke: Invoke,
    tmp_path: Path,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    """Records that this run would not have written are refused, and left alone."""
    output = tmp_path / "o.jsonl"
    output.write_bytes(unbroken.read_bytes())

    result = resume(invoke, tmp_path, engine(), *arguments)

    assert 2 == result.exit_code
    assert message in result.stderr
    assert unbroken.read_bytes() == output.read_bytes()


def test_records_of_another_toolchain(unbroken: Path, invoke: Invoke, tmp_path: Path) -> None:
    """Another compiler may judge otherwise, so its records are not mixed with ours."""
    (tmp_path / "o.jsonl").write_bytes(unbroken.read_bytes())

    result = resume(invoke, tmp_path, FakeEngine(toolchain="ocaml 5.2.0"))

    assert 2 == result.exit_code
    assert "made with toolchain ocaml 4.13.1, this run has ocaml 5.2.0" in result.stderr


def test_records_of_other_completions(
    unbroken: Path, write: Write, invoke: Invoke, tmp_path: Path
) -> None:
    """Completions that changed order since do not get each other's records."""
    (tmp_path / "o.jsonl").write_bytes(unbroken.read_bytes())
    write("c.jsonl", ROWS[::-1])

    result = resume(invoke, tmp_path, engine())

    assert 2 == result.exit_code
    assert "does not belong to these completions" in result.stderr


@pytest.mark.parametrize("content", ["not a record\n", '{"schema": 1}\n', "[1]\n"])
def test_a_file_that_holds_no_records(
    write: Write, invoke: Invoke, tmp_path: Path, content: str
) -> None:
    """A file of something else is refused with its line, and not a byte of it is lost."""
    write("c.jsonl", ROWS)
    output = tmp_path / "o.jsonl"
    output.write_text(f"{content}and a last line")

    result = resume(invoke, tmp_path, engine())

    assert 2 == result.exit_code
    assert f"{output}:1: " in result.stderr
    assert f"{content}and a last line" == output.read_text()


def test_the_rate_of_a_resumed_bar_counts_what_this_run_does() -> None:
    """What an earlier run has done moves the bar, and not the rate; nor does it look faster where
    several completions come at once.
    """
    times = [0.0]
    screen = Screen(total=1000)
    (task,) = screen.bar.tasks
    screen.bar.get_time = task._get_time = lambda: times[-1]
    for _ in range(600):
        screen.skip()
    for time in (10.0, 20.0):
        times.append(time)
        screen.step(None, count=40)

    assert (680, "4.0/s") == (task.completed, RateColumn().render(task).plain)
    assert 80.0 == task.time_remaining


def test_a_batch_that_is_generated_is_one_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of a batch come together, and are no completions that take no time each."""
    counts: list[int] = []
    batches: list[list[object]] = [[None] * size for size in (2, 2, 1)]
    monkeypatch.setattr(Screen, "step", lambda *_, count=1: counts.append(count))
    monkeypatch.setattr(generation, "generate", lambda _: (each for each in batches))
    folder = Mock(keep_batches=lambda *_, **__: 3)
    job = {"samples": 2, "problems": [{"id": str(n)} for n in range(4)], "url": "", "batch": 1}
    generation.generate_missing(click.Context(click.Command("evaluate")), folder, job)

    assert [2, 2, 1] == counts
