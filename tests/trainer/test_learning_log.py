"""`learning.log` as it is written: continued, set aside, with findings between the steps."""

from __future__ import annotations

from pathlib import Path

from tests.trainer.callback_runs import Run, book
from tests.trainer.lines import step_lines
from trainer_plugin import OCamlReward
from trainer_plugin.callbacks import watchers
from trainer_plugin.learning import parse_solved_share
from trainer_plugin.logs.learning_log import LearningLog
from trainer_plugin.watching.log_lines import Line
from trainer_plugin.watching.steps import StepParser


def test_the_learning_log_is_continued(tmp_path: Path) -> None:
    """Lines after the checkpoint go, those before it stay, also where lines are equal."""
    callback = LearningLog("syntax_aware_reward")
    first = Run(tmp_path, [callback])
    for _ in range(3):
        first.log(epoch=0.1)
    first.log(reward=0.9)
    history = first.state.log_history[:2]
    second = Run(tmp_path, [LearningLog("syntax_aware_reward")], history)
    second.log(reward=0.7)
    lines = step_lines(tmp_path)

    assert ["0.210", "0.210", "0.700"] == [line.partition("reward=")[2][:5] for line in lines]


def test_a_new_run_sets_the_learning_log_aside(tmp_path: Path) -> None:
    for _ in range(2):
        Run(tmp_path, [LearningLog("syntax_aware_reward")]).log()

    assert 1 == len(step_lines(tmp_path))
    assert 1 == len(list(tmp_path.glob("before-*.learning.log")))


def test_findings_stand_in_the_learning_log(tmp_path: Path) -> None:
    """Behind the step that showed them, with what to do, and before the end."""
    run = Run(tmp_path, watchers(OCamlReward(), stop_on=["mode-collapse"], patience=0))
    run.log()
    run.log()
    for each in run.callbacks:
        each.on_train_end(run.args, run.state, run.control)
    (row,) = [each for each in book(tmp_path) if each["stops"]]
    lines = (tmp_path / "learning.log").read_text(encoding="utf-8").splitlines()
    said = (
        f"# step 2, finding: mode-collapse (critical): {row['seen']}; {row['advice']};"
        " the run stops"
    )

    assert [step_lines(tmp_path)[1], said] == lines[lines.index(said) - 1 :][:2]
    assert "# end: findings: 1 mode-collapse (critical)" == lines[-2]


def test_what_is_kept_for_solved_problems_is_said_where_it_begins(
    tmp_path: Path,
) -> None:
    """Once, and again where it changes; a resumed run knows what its log has said."""
    kept = "ocaml/available/solved"
    first = Run(tmp_path, [LearningLog("syntax_aware_reward")])
    first.log()
    for paid in (0.5, 0.5, 0.8, 0.0):
        first.log(**{kept: paid})
    history = first.state.log_history[:4]
    second = Run(tmp_path, [LearningLog("syntax_aware_reward")], history)
    second.log(**{kept: 0.8})
    lines = (tmp_path / "learning.log").read_text(encoding="utf-8").splitlines()

    found = [parse_solved_share(line) for line in lines]

    assert {14: 0.5, 17: 0.8} == {
        number: paid for number, paid in enumerate(found, 1) if paid is not None
    }
    assert lines[13].startswith("# step 2, scheme: 0.50 of a reward is kept for solved")
    steps = StepParser()
    read = [steps.read(Line(file="", number=1, text=line)) for line in lines]
    assert [None, 0.5, 0.5, 0.8, 0.8] == [
        each.step.solved_share for each in read if each is not None
    ]
