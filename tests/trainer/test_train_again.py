"""A run that is stopped, gone on with, finished, or started twice."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.trainer.forked import Done, Running, start, two_ranks
from tests.trainer.lines import step_lines
from trainer_plugin.__main__ import main
from trainer_plugin.run.checkpoints import last_checkpoint
from trainer_plugin.run.lock import lock_folder
from trainer_plugin.run.stopping import StopOnSignal

ROOT = Path(__file__).parents[2]
PROBLEMS = ROOT / "test_corpus" / "problems.jsonl"
SETTINGS = (
    f"dataset.source={PROBLEMS}",
    "dataset.limit=6",
    "dataset.check_references=false",
    "grpo.eval_steps=none",
    "grpo.max_completion_length=4",
)

pytestmark = pytest.mark.filterwarnings("default")


def words(folder: Path, steps: int, *more: str) -> list[str]:
    """Return the command line of a run."""
    settings = (*SETTINGS, f"grpo.output_dir={folder}", f"grpo.max_steps={steps}")
    return ["--preset=smoke", *(f"--set={each}" for each in settings), *more]


def steps(folder: Path) -> list[int]:
    """Return the steps of a folder's checkpoints."""
    names = [path.name for path in folder.glob("checkpoint-*")]
    return sorted(int(name.rpartition("-")[2]) for name in names)


def stopped(first: Running, folder: Path, number: int) -> Done:
    """Signal a run by its first process once it learns; return how that ended."""
    log = folder / "learning.log"
    deadline = time.monotonic() + 300
    while not first.ended and time.monotonic() < deadline:
        if log.is_file() and len(step_lines(folder)) >= 2:
            break
        time.sleep(0.05)
    holder = (folder / "run.lock").read_text(encoding="utf-8")
    assert first.process.pid is not None
    assert f"process {first.process.pid}\n" == holder
    os.kill(first.process.pid, number)
    return first.wait()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_a_checkpoint(
    tmp_path: Path, number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    """The update at hand is finished and saved, and what was said holds: the run goes on."""
    command = words(tmp_path, 5000, "--set=grpo.save_steps=5000")
    running = start(tmp_path / "said", "trainer_plugin", *command)
    done = stopped(running, tmp_path, number)
    checkpoint = last_checkpoint(tmp_path)
    assert checkpoint is not None, done.stderr

    assert 128 + number == done.returncode
    assert f"{number.name}: saving after this update" in done.stderr
    assert f"stopped by {number.name}: --resume goes on from {checkpoint}" in done.stdout
    assert not (tmp_path / "final").exists()
    (last,) = steps(tmp_path)
    assert 0 == main(["train", *words(tmp_path, last + 1, "--resume")])
    assert f"resuming from {checkpoint}" in capsys.readouterr().out
    assert last + 1 == steps(tmp_path)[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_a_run_at_once(
    number: signal.Signals, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first lets the update at hand go on; the second does what it does to any program."""
    reached: list[str] = []

    def ends(*_: object) -> None:
        raise InterruptedError

    def update() -> None:
        with asked.listening():
            os.kill(os.getpid(), number)
            reached.append("the update goes on")
            os.kill(os.getpid(), number)
            reached.append("and on")

    before = signal.signal(number, ends)
    asked = StopOnSignal()
    try:
        with pytest.raises(InterruptedError):
            update()
    finally:
        signal.signal(number, before)

    assert ["the update goes on"] == reached
    assert number == asked.signal
    assert "once more ends the run at once" in capfd.readouterr().err


def test_a_signal_to_one_of_two_processes_stops_both(tmp_path: Path) -> None:
    """They agree on the update after which they save."""
    command = words(tmp_path, 5000, "--set=grpo.save_steps=5000")
    with two_ranks(tmp_path / "said", "trainer_plugin", *command) as (first, second):
        done = [stopped(first, tmp_path, signal.SIGTERM), second.wait()]
    checkpoint = last_checkpoint(tmp_path)

    assert checkpoint is not None, done
    assert [143, 143] == [each.returncode for each in done]
    said = f"stopped by SIGTERM: --resume goes on from {checkpoint}"
    assert [1, 0] == [each.stdout.count(said) for each in done]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train for two updates, to the end."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    assert 0 == main(["train", *words(folder, 2)])
    return folder


def test_a_finished_run_has_nothing_to_resume(
    finished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However often it is asked to; what it had not written yet is written."""
    folder = tmp_path / "run"
    shutil.copytree(finished, folder)
    weights = (folder / "final" / "adapter_model.safetensors").read_bytes()
    shutil.rmtree(folder / "final")
    for _ in range(2):
        assert 0 == main(["train", *words(folder, 2, "--resume")])
        assert (
            f"finished: {folder / 'checkpoint-2'} is the last of 2 updates; a higher"
            " grpo.max_steps or grpo.num_train_epochs trains on" in capsys.readouterr().out
        )

    assert [2] == steps(folder)
    assert weights == (folder / "final" / "adapter_model.safetensors").read_bytes()
    assert not (folder / "final" / "optimizer.pt").exists()


def test_the_updates_are_those_that_the_trainer_makes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is said before the first step is what the trainer counts, in parts of epochs and
    with several updates from each completion.
    """
    settings = [f"--set={each}" for each in (*SETTINGS, f"grpo.output_dir={tmp_path}")]
    more = ["--set=grpo.num_train_epochs=1.5", "--set=grpo.max_steps=none"]
    extra = ["--set=grpo.extra.num_iterations=2", "--set=dataset.limit=8"]

    assert 0 == main(["train", "--preset=smoke", *settings, *more, *extra])
    last = last_checkpoint(tmp_path)
    assert last is not None
    state = json.loads((last / "trainer_state.json").read_text(encoding="utf-8"))
    assert f"run: {state['max_steps']} updates" in capsys.readouterr().out.splitlines()
    assert state["max_steps"] == state["global_step"]


def test_a_folder_is_one_runs(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second run is refused while the first goes on."""
    with lock_folder(finished):
        code = main(["train", *words(finished, 4, "--resume")])

    assert 2 == code
    assert (
        f"ocaml-reward: grpo.output_dir: {finished} is being trained into by process"
        f" {os.getpid()}; choose another folder, or wait for it\n" == capsys.readouterr().err
    )


def test_resuming_and_overwriting_exclude_each_other(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is removed for those who meant to go on."""
    assert 2 == main(["train", *words(finished, 4, "--resume", "--overwrite")])
    assert "choose one" in capsys.readouterr().err
    assert [2] == steps(finished)
