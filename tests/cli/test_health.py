"""`health`: what went wrong in a training, after the fact."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.trainer.health_runs import COLLAPSED, EARLY, HEALTHY
from tests.trainer.watched_runs import DOCUMENT, figures, write
from trainer_plugin.learning import LearningStep

from .conftest import Invoke


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [(HEALTHY, "healthy", 0), (EARLY, "warning", 4), (COLLAPSED, "critical", 5)],
)
def test_the_exit_code_tells(
    invoke: Invoke, tmp_path: Path, text: str, status: str, code: int
) -> None:
    """A healthy log is 0, one with warnings 4, one with something critical 5; each finding
    stands with the lines that show it.
    """
    path = tmp_path / "learning.log"
    path.write_text(text.lstrip(), encoding="utf-8")
    shown, told = invoke("health", path), invoke("health", path, "--json")
    found = json.loads(told.output)

    assert (code, code) == (shown.exit_code, told.exit_code)
    assert status == found["status"]
    assert f"learning.log: {status}, " in shown.output
    assert (len(found["findings"]) == 0) == (status == "healthy")
    for each in found["findings"]:
        number = int(each["last"].rpartition(":")[2])
        assert each["text"] == text.strip().splitlines()[number - 1]
        assert each["text"] in shown.output
        assert f"advice: {each['advice']}" in shown.output


def test_epochs_are_summed_up(invoke: Invoke, tmp_path: Path) -> None:
    """Each epoch's figures stand in a row, with where they went, and what changed is said."""
    path = tmp_path / "guide.md"
    path.write_text(DOCUMENT, encoding="utf-8")
    shown = invoke("health", path).output
    found = json.loads(invoke("health", path, "--json").output)["epochs"]

    assert "0.255 ↓    0.569 ↑       -  0.447 ↑  47.6 min →" in shown
    assert "epoch 4: reward 0.280 to 0.255 (-9.0%), best_of_n 0.557 to 0.569" in shown
    assert [1, 2, 3, 4] == [each["epoch"] for each in found]
    assert "falling" == found[3]["changes"]["reward"]["trend"]


def test_a_run_is_read_from_its_folder(invoke: Invoke, tmp_path: Path) -> None:
    """A training's folder is known by its own logs."""
    step = LearningStep(epoch=0.1, reward=0.5, grad_norm=30.0)
    write(tmp_path / "metrics.jsonl", [figures(step, 7)])
    result = invoke("health", tmp_path)

    assert 5 == result.exit_code
    assert "gradient-instability  step 7, epoch 0.10" in result.output
    assert "metrics.jsonl:1\n" in result.output


@pytest.mark.parametrize(
    ("name", "said"),
    [("nowhere", "no such file"), ("", "no logged step"), ("a.log", "no logged step")],
)
def test_what_has_no_step_is_refused(
    invoke: Invoke, tmp_path: Path, name: str, said: str
) -> None:
    """Nothing to look at is one line and exit code 2, never healthy."""
    (tmp_path / "a.log").write_text("nothing\n")
    result = invoke("health", tmp_path / name)

    assert (2, 1) == (result.exit_code, len(result.output.splitlines()))
    assert said in result.output


def test_what_a_log_says_does_not_steer_the_terminal(
    invoke: Invoke, tmp_path: Path
) -> None:
    """Findings and names that others wrote are printed without their control characters."""
    step = LearningStep(epoch=0.1, reward=0.5)
    write(tmp_path / "metrics.jsonl", [figures(step, 1)])
    mine = {
        "rule": "x\x1b[2J",
        "severity": "warning",
        "seen": "\x1b]0;t\x07",
        "step": 1,
    }
    write(tmp_path / "health.jsonl", [{**mine, "advice": "[red]a[/red]"}])
    result = invoke("health", tmp_path)

    assert "\x1b" not in result.output
    assert "advice: [red]a[/red]" in result.output
