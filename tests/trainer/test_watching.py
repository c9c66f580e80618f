"""A run looked at from outside: its health, its epochs, how far it is, whether it goes on."""

from __future__ import annotations

import fcntl
import json
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import TypeGuard

import pytest

from tests.trainer.health_runs import (
    HEALTHY,
    USUAL,
    run,
    steps_of,
    through,
)
from tests.trainer.watched_runs import batch, figures, found, read, write
from trainer_plugin.health.summary import summaries
from trainer_plugin.learning import format_line
from trainer_plugin.logs.remarks import solved_remark
from trainer_plugin.run.lock import is_held, lock_folder
from trainer_plugin.watching.following import FollowedRun
from trainer_plugin.watching.progress import RunState
from trainer_plugin.watching.steps import LoggedStep


def test_a_run_in_pieces_is_the_run_at_once(tmp_path: Path) -> None:
    """What is found does not depend on how often one looks."""
    steps = [*run(25), *run(3, grad_norm=20.0), *run(30, frac_zero_std=0.9)]
    path = tmp_path / "learning.log"
    following = FollowedRun(path.parent)
    for start in range(0, len(steps), 7):
        write(path, map(format_line, steps[start : start + 7]))
        assert following.poll()
        assert not following.poll()
    following.end()

    assert found(following) == found(read(path))
    assert {"gradient-instability", "mode-collapse"} == {rule for rule, *_ in found(following)}
    assert ("learning.log:27", "learning.log:31") in {
        (first, last) for *_, first, last in found(following)
    }


def test_a_log_by_itself_says_what_is_kept_for_solved_problems(tmp_path: Path) -> None:
    """A reward that would be too low for `seed` is what runs have where 0.8 is kept."""
    steps = run(10, epoch=1.0, reward=0.16)
    lines = [format_line(step) for step in steps]
    said = solved_remark(step=1, paid=0.8)
    write(tmp_path / "learning.log", lines)
    write(tmp_path / "said" / "learning.log", [said, *lines])

    def rules(path: Path) -> set[str]:
        return {rule for rule, *_ in found(read(path))}

    for folder in (tmp_path, tmp_path / "learning.log"):
        assert "milestone" in rules(folder)
    for folder in (tmp_path / "said", tmp_path / "said" / "learning.log"):
        assert "milestone" not in rules(folder)


def test_all_ranks_count(tmp_path: Path) -> None:
    """A step's figures are those of all processes' groups together, with what the trainer's
    log knows beside them.
    """
    write(tmp_path / "batch_metrics.jsonl", [batch(1, 0, {"a": [1, 0], "b": [0, 0]})])
    write(tmp_path / "batch_metrics.rank1.jsonl", [batch(1, 1, {"a": [0, 0]})])
    rows = [figures(USUAL, 1, **{"ocaml/pass_at_1": 0.25})]
    write(tmp_path / "metrics.jsonl", rows)
    last = read(tmp_path).last
    step = last.step if last else None

    assert step is not None
    # Of a 1 of 4 pass, of b none.
    assert 0.125 == step.pass_at_1
    assert 0.5 == step.best_of_n
    assert pytest.approx((0.2 * 4 + 0.4 * 2) / 6) == step.similarity


def test_a_plain_log_finds_its_batches(tmp_path: Path) -> None:
    """Lines of learning.log, which say no step, get the figures of the batch whose mean and
    epoch they have.
    """
    rows = [batch(1, 0, {"a": [0.5, 0.1]}), batch(2, 0, {"a": [1, 0]})]
    write(tmp_path / "batch_metrics.jsonl", rows)
    steps = [replace(USUAL, reward=0.5), replace(USUAL, reward=0.9)]
    write(tmp_path / "learning.log", map(format_line, steps))
    history = read(tmp_path).examination.history

    assert [1.0] == history.values("best_of_n")


def test_a_run_that_resumes_begins_again(tmp_path: Path) -> None:
    log = tmp_path / "metrics.jsonl"
    write(log, [figures(USUAL, 1), figures(replace(USUAL, grad_norm=50.0), 2)])
    following = FollowedRun(tmp_path)
    following.poll()
    before = following.worst
    log.unlink()
    write(log, [figures(USUAL, 1), figures(USUAL, 2), figures(USUAL, 3)])
    following.poll()

    assert ("critical", None, 3) == (before, following.worst, following.steps)


def test_a_run_goes_on_or_does_not(tmp_path: Path) -> None:
    """The lock of a run tells one that died from one that is finished; what is not there yet
    has not started.
    """
    folder = tmp_path / "run"
    following = FollowedRun(folder)
    following.poll()
    states = [following.progress().state]
    with lock_folder(folder):
        rows = [figures(USUAL, at, step_time=2.0) for at in (1, 2)]
        write(folder / "metrics.jsonl", [*rows, {"step": 2, "eval_runtime": 2.0}])
        settings = {"settings": {"grpo.max_steps": {"value": 10}}}
        write(folder / "config.json", [settings])
        following.poll()
        progress = following.progress()
        states.append(progress.state)
    states.append(following.progress().state)
    (folder / "final").mkdir()
    states.append(following.progress().state)

    assert [
        RunState.WAITING,
        RunState.RUNNING,
        RunState.STOPPED,
        RunState.FINISHED,
    ] == states
    assert (2, 10, 8 * 3.0) == (progress.step, progress.steps, progress.eta_s)
    assert progress.last_line == (folder / "metrics.jsonl").stat().st_mtime


def test_looking_keeps_no_run_out(tmp_path: Path) -> None:
    """Whoever looks whether a run holds its folder does so by a share of the lock; a run that
    starts then waits a moment for it, and is not refused.
    """
    (tmp_path / "run.lock").touch()
    with (tmp_path / "run.lock").open("rb") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        end = Timer(0.03, fcntl.flock, (looking, fcntl.LOCK_UN))
        end.start()
        with lock_folder(tmp_path):
            held = is_held(tmp_path)
        end.join()

    assert (True, False) == (held, is_held(tmp_path))


def test_a_trainer_of_ones_own_says_that_it_has_ended(tmp_path: Path) -> None:
    """Without a lock nobody knows whether a run goes on, until its trainer has summed it up."""
    write(tmp_path / "metrics.jsonl", [figures(USUAL, 4)])
    following = FollowedRun(tmp_path)
    following.poll()
    before = following.progress().state
    write(tmp_path / "metrics.jsonl", [{"step": 4, "train_runtime": 9.0}])
    following.poll()

    assert (RunState.UNKNOWN, RunState.FINISHED) == (before, following.progress().state)


def test_what_only_the_run_could_find(tmp_path: Path) -> None:
    """A finding of the run's own that is of no rule here, as of its validation, is told too."""
    write(tmp_path / "metrics.jsonl", [figures(USUAL, 1)])
    mine = {"step": 1, "epoch": 0.2, "severity": "critical", "seen": "s", "advice": "a"}
    rows = [{"rule": "validation-falling", **mine}, {"rule": "runaway", **mine}, "half"]
    write(tmp_path / "health.jsonl", rows)

    assert [("validation-falling", "health.jsonl:1", "health.jsonl:1")] == found(read(tmp_path))


def test_lines_of_others_are_passed_over(tmp_path: Path) -> None:
    """Logs with other rows and broken ones are read as far as they can be; the last line of a
    file counts without its end, as an editor leaves it.
    """
    lines = [format_line(step) for step in steps_of(HEALTHY)]
    text = "\n".join(["Loading...", lines[0], '{"step": 3', "[1]", lines[1], lines[2]])
    path = tmp_path / "learning.log"
    path.write_text(text, encoding="utf-8")

    assert (3, None) == (read(path).steps, read(path).worst)


def test_a_checkpoint_has_the_log_of_its_run(tmp_path: Path) -> None:
    """The state of a trainer of transformers is read by itself, in its checkpoint, and as the
    newest checkpoint of a folder; a newer one goes on where the older one ended.
    """

    def save(step: int, most: int) -> Path:
        history = [figures(replace(USUAL, grad_norm=20.0), at) for at in range(1, most)]
        history.insert(2, {"step": 2, "eval_loss": 1.0})
        state = {"log_history": history}
        folder = tmp_path / f"checkpoint-{step}"
        folder.mkdir()
        path = folder / "trainer_state.json"
        path.write_text(json.dumps({"max_steps": 40, **state}), encoding="utf-8")
        return path

    state = save(5, 6)
    following = FollowedRun(tmp_path)
    first = following.poll()
    save(10, 11)
    second = following.poll()

    assert (5, 10) == (read(state).steps, following.steps)
    assert found(read(state)) == found(read(state.parent))
    assert ("gradient-instability", "log_history:1", "log_history:1") == found(following)[0]
    assert [1, 2, 3, 4, 5] == [each.step.step for each in first if is_step(each)]
    assert [6, 7, 8, 9, 10] == [each.step.step for each in second if is_step(each)]
    assert (10, 40) == (following.progress().step, following.progress().steps)


def is_step(event: object) -> TypeGuard[LoggedStep]:
    """Tell a step from a finding."""
    return isinstance(event, LoggedStep)


def test_what_a_trainer_prints_is_read(tmp_path: Path) -> None:
    """A captured output has the figures as Python dicts, whose floats newer versions write as
    text, with a progress bar before them; what stands in between is passed over.
    """
    path = tmp_path / "train.out"
    lines = [
        "{'loss': '-0.0123', 'grad_norm': 25.5, 'learning_rate': '1e-06', "
        "'rewards/ocaml/mean': 0.25, 'reward': '0.25', 'reward_std': '0.1', "
        "'entropy': nan, 'frac_reward_zero_std': '0.5', 'epoch': '0.1'}",
        "  3%|3         | 2/60 [00:05<02:31]\r[rank0]: {'loss': 0.0, 'grad_norm': 0.1, "
        "'reward': 0.3, 'reward_std': 0.1, 'epoch': 0.2}",
        "a completion: {'epoch': [}",
        "{'eval_loss': '0.1', 'epoch': '0.2'}",
    ]
    write(path, lines)
    following = FollowedRun(path)
    events = following.poll()
    steps = [each.step for each in events if is_step(each)]

    assert [(0.1, 0.25, 0.25), (0.2, 0.3, None)] == [
        (each.epoch, each.reward, each.syntax_reward) for each in steps
    ]
    assert (-0.0123, 25.5, None, 0.5) == (
        steps[0].loss,
        steps[0].grad_norm,
        steps[0].entropy,
        steps[0].frac_zero_std,
    )
    assert ("gradient-instability", "train.out:1", "train.out:1") in found(following)
    assert following.progress().state is RunState.UNKNOWN
    write(path, ["{'train_runtime': '9.0', 'epoch': '1.0'}"])
    following.poll()
    assert following.progress().state is RunState.FINISHED


def test_chance_is_no_change(tmp_path: Path) -> None:
    """Of two epochs whose rewards differ among themselves by more than from each other nothing
    is said to have changed.
    """
    steps = [
        replace(step, reward=0.5 + (0.2 if at % 2 else -0.2) + 0.01 * (at > 9))
        for at, step in enumerate(through(0.05, 2.0, 20))
    ]
    path = write(tmp_path / "learning.log", map(format_line, steps))
    last = list(summaries(read(path).examination.history))[-1]

    assert {"steady"} == {each.word for each in last.changes if each.figure == "reward"}
