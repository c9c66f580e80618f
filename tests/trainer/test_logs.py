"""The logs of the reward: what stands in them, and what becomes of them."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ocaml_reward.formats import CompletionLine, read_completions
from ocaml_reward.scheme import with_overrides
from tests.trainer.faked import BAD, GOOD, SCHEME, TESTS, batch, reward
from trainer_plugin import OCamlReward
from trainer_plugin.reading import batches, breakdowns, completions

NAMES = (
    "batch_metrics.jsonl",
    "reward_logs/completions.jsonl",
    "reward_logs/syntax_aware_breakdown.jsonl",
)


def at(step: int) -> SimpleNamespace:
    """Stand for the trainer's state at a step."""
    return SimpleNamespace(global_step=step, epoch=step / 10)


def logged(folder: Path) -> OCamlReward:
    """Make a reward that logs to a folder."""
    return reward(log_dir=folder)


def steps(folder: Path) -> list[tuple[Any, Any]]:
    """Return the step and the split of each row of the batches' figures."""
    return [(row["step"], row["split"]) for row in batches(folder)]


def train(made: OCamlReward, *numbers: int, split: str = "train") -> None:
    """Score a batch for each of these updates, or in an evaluation after it."""
    for number in numbers:
        before = number - 1 if split == "train" else number
        batch(made, GOOD, BAD, trainer_state=at(before), split=[split] * 2)


def test_every_file_is_written_with_each_call(tmp_path: Path) -> None:
    """The three logs have their rows before the trainer has its rewards."""
    train(logged(tmp_path), 1)
    counts = [len((tmp_path / name).read_text().splitlines()) for name in NAMES]

    assert [1, 2, 2] == counts


def test_a_batch_in_figures(tmp_path: Path) -> None:
    """The row of a batch holds the figures of the training guide, and its groups."""
    made = logged(tmp_path)
    ids, tests = ["a", "a", "b", "b"], [TESTS] * 4
    more: dict[str, Any] = {"trainer_state": at(3), "split": ["train"] * 4}
    batch(made, GOOD, BAD, BAD, BAD, id=ids, tests=tests, **more)
    row = json.loads((tmp_path / "batch_metrics.jsonl").read_text())
    row.pop("score_seconds")

    assert {
        "step": 4,
        "epoch": 0.3,
        "split": "train",
        "rank": 0,
        "completions": 4,
        "pass_at_1": 0.25,
        "pass_at_all": 0.5,
        "best_of_n": pytest.approx(0.8375),
        "frac_zero_std": 0.5,
        "reward_mean": pytest.approx(0.75625),
        "reward_std": pytest.approx(0.1625),
        "impossible_pass_rate": None,
        "compile_rate": 1.0,
        "runaway_rate": 0.0,
        "clock_rate": 0.0,
        "fault_rate": 0.0,
        "diversity": {"unique_share": 0.75, "similarity": 0.75},
        "groups": {
            "a": {"rewards": [1.0, 0.675], "passed": [True, False]},
            "b": {"rewards": [0.675, 0.675], "passed": [False, False]},
        },
    } == row


def test_completions_can_be_scored_again(tmp_path: Path) -> None:
    """The log of completions is a file that `ocaml-reward score` reads."""
    train(logged(tmp_path), 1)
    path = tmp_path / "reward_logs" / "completions.jsonl"
    lines = list(read_completions(path))
    texts = [
        (line.problem_id, line.completion.text)
        for line in lines
        if isinstance(line, CompletionLine)
    ]

    assert [("add", GOOD), ("add", BAD)] == texts


def test_breakdowns_are_whole_records(tmp_path: Path) -> None:
    """Each reward's account reads back, with its step and what was trained on."""
    train(logged(tmp_path), 4)
    beside, breakdown = list(breakdowns(tmp_path))[1]

    assert (4, "train", 0.675) == (
        beside["step"],
        beside["split"],
        beside["trained_on"],
    )
    assert 0.675 == breakdown.reward
    assert (1, 2) == (breakdown.tests.passed, breakdown.tests.total)


def test_a_resumed_run_has_no_step_twice(tmp_path: Path) -> None:
    """What was logged after the checkpoint is replaced by what comes after the resume."""
    first = logged(tmp_path)
    train(first, 1, 2, 3)
    train(first, 3, split="validation")
    train(first, 4, 5)
    train(first, 5, split="validation")
    train(logged(tmp_path), 4, 5)

    expected = [(1, "train"), (2, "train"), (3, "train"), (3, "eval"), (4, "train")]

    assert [*expected, (5, "train")] == steps(tmp_path)
    assert 12 == len(list(completions(tmp_path)))
    assert 12 == len(list(breakdowns(tmp_path)))


def test_a_new_run_sets_older_logs_aside(tmp_path: Path) -> None:
    """Starting anew mixes nothing and deletes nothing."""
    train(logged(tmp_path), 1, 2)
    train(logged(tmp_path), 1)
    old = list(tmp_path.glob("before-*.batch_metrics.jsonl"))

    assert [(1, "train")] == steps(tmp_path)
    assert 2 == len(old[0].read_text().splitlines())


def test_a_process_that_trains_twice_starts_anew(tmp_path: Path) -> None:
    """A second training with the same reward object is a run of its own."""
    made = logged(tmp_path)
    train(made, 1, 2)
    train(made, 1)

    assert [(1, "train")] == steps(tmp_path)


def test_a_line_cut_short_is_removed(tmp_path: Path) -> None:
    """A process that was killed in mid-line costs that line only."""
    train(logged(tmp_path), 1, 2)
    path = tmp_path / "batch_metrics.jsonl"
    path.write_text(path.read_text() + '{"step": 3, "spl')
    assert [(1, "train"), (2, "train")] == steps(tmp_path)
    train(logged(tmp_path), 3)

    assert [(1, "train"), (2, "train"), (3, "train")] == steps(tmp_path)
    assert 3 == len(path.read_text().splitlines())


def test_ranks_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rank has files of its own; readers put split groups together again."""
    for rank, text in enumerate((GOOD, BAD)):
        monkeypatch.setenv("RANK", str(rank))
        monkeypatch.setenv("WORLD_SIZE", "2")
        made = logged(tmp_path)
        for number in (0, 1):
            batch(made, text, trainer_state=at(number), split=["train"])
    (first, second) = batches(tmp_path)

    assert (tmp_path / "batch_metrics.rank1.jsonl").exists()
    assert (1, 2) == (first["step"], second["step"])
    assert (2, 0.5, 1.0) == tuple(first[key] for key in ("completions", "pass_at_1", "pass_at_all"))
    assert [1, 1, 2, 2] == [row["step"] for row in completions(tmp_path)]


def test_ranks_that_are_no_more_are_cut_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resuming on fewer processes leaves no steps of the others behind."""
    for rank in (0, 1):
        monkeypatch.setenv("RANK", str(rank))
        monkeypatch.setenv("WORLD_SIZE", "2")
        train(logged(tmp_path), 1, 2)
    monkeypatch.setenv("RANK", "0")
    monkeypatch.setenv("WORLD_SIZE", "1")
    train(logged(tmp_path), 2)
    found = [(row["step"], row["rank"]) for row in completions(tmp_path)]

    assert [(1, 0), (1, 0), (1, 1), (1, 1), (2, 0), (2, 0)] == found


def test_a_full_disk_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Training goes on with its rewards; one line says which log could not be written."""
    folder = tmp_path / "reward_logs"
    folder.mkdir()
    for name in ("completions", "syntax_aware_breakdown"):
        (folder / f"{name}.jsonl").symlink_to("/dev/full")
    made = logged(tmp_path)
    with caplog.at_level(logging.WARNING, "trainer_plugin"):
        found = [batch(made, GOOD, trainer_state=at(number)) for number in (1, 2)]

    assert [[1.0], [1.0]] == found
    (line,) = caplog.messages
    assert "completions.jsonl (No space left on device): training goes on" in line
    assert 2 == len(list(batches(tmp_path))), "the disk of this one is not full"


def test_bonuses_remember_the_run_before(tmp_path: Path) -> None:
    """The best so far of each problem comes back from the logs when a run resumes."""
    scheme = with_overrides(SCHEME, ["shaping.enabled=true", "shaping.clean_compile=0"])
    found = [
        batch(reward(scheme=scheme, log_dir=tmp_path), BAD, trainer_state=at(step))
        for step in (1, 2)
    ]

    assert [[0.725], [0.675]] == found


def test_no_logs_if_not_wanted(tmp_path: Path) -> None:
    """A reward that should not log writes nothing."""
    train(reward(log_dir=tmp_path, logs=False), 1)

    assert [] == list(tmp_path.iterdir())


KILLED = """
import os, signal
from pathlib import Path
from tests.trainer.test_logs import logged, train
made = logged(Path({folder!r}))
train(made, 1, 2)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_run_keeps_every_step(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-c", KILLED.format(folder=str(tmp_path))],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )

    assert [(1, "train"), (2, "train")] == steps(tmp_path)
