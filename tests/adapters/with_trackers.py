"""A training that reports to TensorBoard, W&B and trackio at once, and what each of them has
left on the disk of a machine without a network.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from wandb.proto.wandb_internal_pb2 import Record

from tests.trainer.smoke import COMMON, ROOT, figures
from trainer_plugin.reading import completions

# A clock's value, which no two steps share; and what an evaluation says.
TRAINED, HELD_OUT = "ocaml/score_seconds", "ocaml/pass_at_1"
# What is learnt from, and what our reward adds to it.
SHOWN = ("completion", "problem_id", "verdict")


@dataclass(frozen=True, kw_only=True, slots=True)
class Reported:
    """The folder of a run, and where the three trackers wrote."""

    folder: Path
    boards: Path

    def logged(self, key: str) -> list[tuple[int, float]]:
        """Return the values that the run itself kept, each with its step."""
        rows = figures(self.folder)
        return [(row["step"], row[key]) for row in rows if key in row]

    def written(self) -> set[tuple[str, ...]]:
        """Return what the model wrote, in training and in evaluations."""
        return {tuple(row[key] for key in SHOWN) for row in completions(self.folder)}


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """Train as the command does."""
    boards = tmp_path_factory.mktemp("boards")
    settings = (
        *COMMON,
        f"grpo.output_dir={boards / 'run'}",
        "grpo.report_to=tensorboard,wandb,trackio",
        "grpo.log_completions=true",
    )
    done = subprocess.run(
        [
            *(sys.executable, "-m", "cli", "train", "--preset=smoke"),
            *(f"--set={each}" for each in settings),
        ],
        cwd=ROOT,
        env={
            **os.environ,
            "HF_HUB_OFFLINE": "1",
            "WANDB_MODE": "offline",
            "WANDB_DIR": str(boards),
            "TRACKIO_DIR": str(boards / "trackio"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert 0 == done.returncode, done.stderr
    return Reported(folder=boards / "run", boards=boards)


def test_tensorboard(reported: Reported) -> None:
    """Every figure of the reward, of training and of evaluations, as the run kept it."""
    (folder,) = (reported.folder / "runs").iterdir()
    found = EventAccumulator(str(folder))
    found.Reload()

    def scalars(tag: str) -> list[tuple[int, float]]:
        return [(each.step, each.value) for each in found.Scalars(tag)]

    assert same(reported.logged(TRAINED), scalars(f"train/{TRAINED}"))
    assert same(reported.logged(f"eval_{HELD_OUT}"), scalars(f"eval/{HELD_OUT}"))
    ours = {key for row in figures(reported.folder) for key in row if "ocaml/" in key}
    kept = {
        tag.removeprefix("train/").replace("eval/", "eval_", 1)
        for tag in found.Tags()["scalars"]
        if "ocaml/" in tag
    }
    assert ours == kept


def test_wandb(reported: Reported) -> None:
    """Offline: the same figures, and tables with the problem, verdict and checks of each."""
    (folder,) = reported.boards.glob("wandb/offline-run-*")
    (log,) = folder.glob("*.wandb")
    rows = list(histories(log.read_bytes()))
    tables = [
        json.loads(path.read_text(encoding="utf-8"))
        for path in folder.glob("files/media/table/*.json")
    ]

    def values(key: str) -> list[tuple[int, float]]:
        return [(row["train/global_step"], row[key]) for row in rows if key in row]

    assert same(reported.logged(TRAINED), values(f"train/{TRAINED}"))
    assert same(reported.logged(f"eval_{HELD_OUT}"), values(f"eval/{HELD_OUT}"))
    cells = [
        dict(zip(table["columns"], row, strict=True)) for table in tables for row in table["data"]
    ]
    assert reported.written() == {tuple(row[key] for key in SHOWN) for row in cells}
    assert all(0 <= row["checks_passed"] <= row["checks"] for row in cells)


def test_trackio(reported: Reported) -> None:
    """The same in its database."""
    (path,) = (reported.boards / "trackio").glob("*.db")
    with sqlite3.connect(path) as database:
        rows = [
            json.loads(text)
            for (text,) in database.execute("select metrics from metrics order by id")
        ]

    def values(key: str) -> list[tuple[int, float]]:
        return [(row["train/global_step"], row[key]) for row in rows if key in row]

    assert same(reported.logged(TRAINED), values(f"train/{TRAINED}"))
    assert same(reported.logged(f"eval_{HELD_OUT}"), values(f"eval/{HELD_OUT}"))
    tables = [row["completions"]["_value"] for row in rows if "completions" in row]
    cells = [row for table in tables for row in table]
    assert reported.written() == {tuple(row[key] for key in SHOWN) for row in cells}
    assert all(0 <= row["checks_passed"] <= row["checks"] for row in cells)


def same(logged: list[tuple[int, float]], found: list[tuple[int, float]]) -> bool:
    """Tell whether there are figures, and the same ones, but for single precision."""
    pairs = zip(logged, found, strict=False)
    return len(logged) == len(found) > 0 and all(
        step == at and math.isclose(value, kept, rel_tol=1e-6)
        for (step, value), (at, kept) in pairs
    )


def histories(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the rows of a W&B log: records in LevelDB's blocks of 32 KiB, behind 7 bytes."""
    at, part = 7, b""
    while at + 7 <= len(data):
        left = 0x8000 - at % 0x8000
        if left < 7:
            at += left
            continue
        size, kind = struct.unpack_from("<HB", data, at + 4)
        part += data[at + 7 : at + 7 + size]
        at += 7 + size
        # Whole, or the last of its parts.
        if kind in (1, 4):
            record = Record.FromString(part)
            part = b""
            if record.WhichOneof("record_type") == "history":
                yield {
                    each.key or "/".join(each.nested_key): json.loads(each.value_json)
                    for each in record.history.item
                }
