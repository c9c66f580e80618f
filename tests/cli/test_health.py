"""`health`: what went wrong in a training, after the fact."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from threading import Timer

import pytest
from rich.console import Console

from cli.health import exit_code, follow_run
from tests.trainer.health_runs import COLLAPSED, EARLY, HEALTHY, UNSTABLE, USUAL
from tests.trainer.watched_runs import figures, write
from trainer_plugin.learning import LearningStep
from trainer_plugin.run.lock import lock_folder
from trainer_plugin.watching.following import FollowedRun

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
    epochs = [
        (0.26, 0.2, 52),
        (0.27, 0.39, 46.9),
        (0.28, 0.36, 47.6),
        (0.25, 0.45, 47.6),
    ]
    rows = [
        figures(
            LearningStep(epoch=number, reward=reward, loss=loss),
            number,
            step_time=60 * minutes,
            **{"ocaml/best_of_n": 0.5},
        )
        for number, (reward, loss, minutes) in enumerate(epochs, 1)
    ]
    path = write(tmp_path / "metrics.jsonl", rows)
    shown = invoke("health", path).output
    found = json.loads(invoke("health", path, "--json").output)["epochs"]

    assert "0.250 ↓    0.500 →       -  0.450 ↑  47.6 min →" in shown
    assert "epoch 4: reward 0.280 to 0.250 (-10.7%), loss 0.360 to 0.450" in shown
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
    ("name", "read"),
    [
        ("metrics.jsonl", "run/metrics.jsonl"),
        ("learning.log", "run/learning.log"),
        ("checkpoint-7/trainer_state.json", "run/checkpoint-7/trainer_state.json"),
    ],
)
@pytest.mark.parametrize("path", [".", "../run"])
def test_the_log_that_is_read_is_named(
    invoke: Invoke,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    name: str,
    read: str,
    path: str,
) -> None:
    """Also where the folder is called by another name than its own."""
    log = tmp_path / "run" / name
    log.parent.mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "run")
    if name == "learning.log":
        log.write_text(HEALTHY.lstrip(), encoding="utf-8")
    elif name == "metrics.jsonl":
        write(log, [figures(USUAL, at) for at in range(1, 4)])
    else:
        log.write_text(json.dumps({"log_history": [figures(USUAL, at) for at in range(1, 4)]}))
    result = invoke("health", path)

    assert f"{read}: healthy, 0 findings in 3 logged steps" == result.output.splitlines()[0]
    assert "run" == json.loads(invoke("health", path, "--json").output)["source"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere", "no such file"),
        ("", "metrics.jsonl, learning.log and checkpoint-*/trainer_state.json hold none"),
        ("a.log", "no logged step"),
    ],
)
def test_what_has_no_step_is_refused(invoke: Invoke, tmp_path: Path, name: str, said: str) -> None:
    """Nothing to look at is one line and exit code 2, never healthy."""
    (tmp_path / "a.log").write_text("nothing\n")
    result = invoke("health", tmp_path / name)

    assert (2, 1) == (result.exit_code, len(result.output.splitlines()))
    assert said in result.output


def test_what_a_log_says_does_not_steer_the_terminal(invoke: Invoke, tmp_path: Path) -> None:
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


def test_how_far_a_run_is(invoke: Invoke, tmp_path: Path) -> None:
    """A run's folder says how far it is, and whether it goes on: a lock that nobody holds, and
    no model at the end, is a process that is gone.
    """
    rows = [figures(USUAL, at, step_time=60.0) for at in range(1, 61)]
    write(tmp_path / "metrics.jsonl", rows)
    write(tmp_path / "config.json", [{"settings": {"grpo.max_steps": {"value": 120}}}])
    with lock_folder(tmp_path):
        running = invoke("health", tmp_path).output
        told = json.loads(invoke("health", tmp_path, "--json").output)["progress"]
    stopped = invoke("health", tmp_path).output

    assert "\nrunning, step 60 of 120, epoch 0.20, 60.0 min left, last line" in running
    assert ("running", 60, 120) == (told["state"], told["step"], told["steps"])
    assert "stopped before its end" in stopped
    assert "ocaml-reward train --resume" in stopped


@pytest.mark.parametrize("terminal", [False, True])
def test_a_run_is_followed_to_its_end(tmp_path: Path, terminal: bool) -> None:
    """Lines and findings come as they are written, each once, until the run is finished; a
    run that has not started is waited for.
    """
    folder = tmp_path / "run"

    def go_on() -> None:
        lines = UNSTABLE.strip().splitlines()
        write(folder / "learning.log", [*lines, lines[1]])
        write(folder / "run.lock", [])
        (folder / "final").mkdir()

    # Late enough for a loaded machine to have looked once before.
    writer = Timer(1, go_on)
    writer.start()
    written = io.StringIO()
    screen = Console(file=written, width=200, force_terminal=terminal)
    run = FollowedRun(folder)
    follow_run(run, screen, every_s=0.05)
    writer.join()
    text = re.sub("\x1b\\[[^A-Za-z]*[A-Za-z]", "", written.getvalue())

    assert 5 == exit_code(run)
    assert 1 == text.count("[Epoch 0.35]  loss=0.0947  grad=15.786")
    assert 2 == text.count("[Epoch 0.36]")
    assert 1 == text.count("grad_norm is 15.8, above 10")
    assert "run: no step yet, not started" in text or not terminal
    assert "run: critical, finished" in text.splitlines()[-1]


def test_what_follow_does_not_go_with(invoke: Invoke, tmp_path: Path) -> None:
    """One JSON object is for one look; `monitor` is refused with its new name."""
    both = invoke("health", tmp_path, "--follow", "--json")
    missing = invoke("health", tmp_path / "no.log", "--follow")
    old = invoke("monitor", tmp_path)

    assert (2, 2, 2) == (both.exit_code, missing.exit_code, old.exit_code)
    assert "monitor is now: ocaml-reward health --follow" in old.output
