"""`monitor`: a training, watched while it goes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from threading import Timer

import pytest
from rich.console import Console

from cli.monitor.command import drawn
from cli.monitor.picture import spark
from tests.trainer.health_runs import COLLAPSED, UNSTABLE, USUAL
from tests.trainer.watched_runs import figures, write
from trainer_plugin.run.lock import alone_in
from trainer_plugin.watching.following import Following

from .conftest import Invoke

CREDITS = {"ocaml/credits/type": 0.1, "ocaml/credits/tests": 0.4}


def steps(folder: Path, first: int, last: int) -> None:
    """Log steps into a run's folder."""
    rows = [figures(USUAL, at, step_time=60.0, **CREDITS) for at in range(first, last)]
    write(folder / "metrics.jsonl", rows)


def test_one_look(invoke: Invoke, tmp_path: Path) -> None:
    """`--once` shows how far a run is, each figure's course, the credits and the last lines,
    in as many columns as there are; `--json` says the same.
    """
    steps(tmp_path, 1, 61)
    write(tmp_path / "config.json", [{"settings": {"grpo.max_steps": {"value": 120}}}])
    with alone_in(tmp_path):
        result = invoke("monitor", tmp_path, "--once")
        told = json.loads(invoke("monitor", tmp_path, "--once", "--json").output)
    lines = result.output.splitlines()

    assert 0 == result.exit_code
    assert f"{tmp_path.name}  running  healthy" == lines[0]
    assert "step 60 of 120, epoch 0.20, 60.0 min left, last line" in lines[1]
    assert any(line.startswith("entropy") and "0.100" in line for line in lines)
    assert "type 0.100  tests 0.400" in result.output
    assert lines[-1].startswith("[Epoch 0.20]  loss=-0.0200  grad=0.0400")
    assert max(map(len, lines)) <= 80
    assert ("running", 60, 120) == tuple(
        told["progress"][key] for key in ("state", "step", "steps")
    )
    assert {"last": 0.5, "mean": 0.5} == told["figures"]["reward"]
    assert {"type": 0.1, "tests": 0.4} == told["credits"]
    assert 10 == len(told["lines"])


def test_the_exit_code_is_that_of_health(invoke: Invoke, tmp_path: Path) -> None:
    """A script learns from it whether to stop a run; a finding stands with its advice."""
    path = tmp_path / "learning.log"
    path.write_text(COLLAPSED, encoding="utf-8")
    result = invoke("monitor", path, "--once")

    assert 5 == result.exit_code
    assert "critical  mode-collapse  epoch 0.51" in result.output
    assert "advice: raise the temperature" in result.output


def test_a_run_that_has_not_started_is_waited_for(
    invoke: Invoke, tmp_path: Path
) -> None:
    """A folder that is not there yet is no error."""
    result = invoke("monitor", tmp_path / "later", "--once")

    assert (0, "later  not started") == (
        result.exit_code,
        result.output.splitlines()[0],
    )


def test_a_run_that_died_is_said_to_have(invoke: Invoke, tmp_path: Path) -> None:
    """A lock that nobody holds, and no model at the end: the process is gone."""
    with alone_in(tmp_path):
        steps(tmp_path, 1, 3)
    result = invoke("monitor", tmp_path, "--once")

    assert "stopped before its end" in result.output.splitlines()[0]
    assert "ocaml-reward train --resume" in result.output


def test_a_run_is_followed_to_its_end(invoke: Invoke, tmp_path: Path) -> None:
    """Without a terminal lines and findings come as they are written, each once, until the run
    is finished.
    """
    folder = tmp_path / "run"

    def go_on() -> None:
        lines = UNSTABLE.strip().splitlines()
        write(folder / "learning.log", [*lines, lines[1]])
        write(folder / "run.lock", [])
        (folder / "final").mkdir()

    writer = Timer(0.2, go_on)
    writer.start()
    result = invoke("monitor", folder, "--every", "0.05")
    writer.join()

    assert 5 == result.exit_code
    assert 1 == result.output.count("[Epoch 0.35]  loss=0.0947  grad=15.786")
    assert 2 == result.output.count("[Epoch 0.36]")
    assert 1 == result.output.count("grad_norm is 15.8, above 10")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (40, 12)])
def test_a_picture_fits_its_terminal(tmp_path: Path, width: int, height: int) -> None:
    """No line is wider than the terminal, and ASCII is enough where there is nothing else."""
    steps(tmp_path, 1, 100)
    run = Following(tmp_path)
    run.poll()
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="ascii", errors="replace")
    screen = Console(
        file=stream, width=width, height=height, force_terminal=True, color_system=None
    )
    screen.print(drawn(run, screen))
    stream.flush()
    lines = written.getvalue().decode("ascii").splitlines()
    drawings = [line for line in lines if line.startswith(("reward", "credits"))]

    assert all(len(line) <= width for line in lines)
    assert len(lines) < max(height, 20)
    assert (3 if height > 36 else 2) == len(drawings)
    assert not any("?" in line for line in drawings)


def test_json_is_for_one_look(invoke: Invoke, tmp_path: Path) -> None:
    """Without --once there is no one object to print."""
    result = invoke("monitor", tmp_path, "--json")

    assert 2 == result.exit_code
    assert "--json goes with --once" in result.output


def test_sparks() -> None:
    """The lowest value is the lowest sign, the highest the highest; what never changes is flat."""
    assert "▁▅█" == spark([0.0, 0.5, 1.0]).replace("▄", "▅")
    assert "_*" not in spark([1.0, 1.0], plain=True)
    assert "▁▁" == spark([0.0, 0.0])
    assert "" == spark([])
