"""The baseline: what a model can do before it is trained, and what to do about it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward import Breakdown, Grader, Verdict
from ocaml_reward.model import IMPOSSIBLE
from ocaml_reward.testing import FakeEngine, completion, problem
from trainer_plugin.__main__ import main
from trainer_plugin.config.reading import load_config
from trainer_plugin.data.selection_report import Problems
from trainer_plugin.run.baseline import BaselineResult, advice, draw_problems, report

ROOT = Path(__file__).parents[2]


def group(*verdicts: Verdict) -> tuple[Breakdown, ...]:
    """Make the breakdowns of one problem; what passed has reward 1, the rest 0.1."""
    with Grader(engine=FakeEngine(), jobs=1) as grader:
        graded = grader.grade(problem(), completion("let f x = x"))
    rewards = {Verdict.PASSED: 1.0, Verdict.UNGRADED: None}
    return tuple(replace(graded, verdict=each, reward=rewards.get(each, 0.1)) for each in verdicts)


def test_impossible_twins_are_not_drawn() -> None:
    """None passes one, so they say nothing about the model."""
    ids = ("one", f"one{IMPOSSIBLE}", "two")
    one, twin, two = (problem(id=each) for each in ids)
    problems = Problems(training=(one,), validation=(twin, two), dropped=(), unchecked=0)
    drawn = draw_problems(problems, load_config(environment={}).config)

    assert {"one", "two"} == {each.id for each in drawn}


def test_the_figures() -> None:
    """pass@1 averages over problems, pass@k is the unbiased estimate, both with intervals;
    shares are of all completions.
    """
    good, bad = Verdict.PASSED, Verdict.TYPE_ERROR
    measured = BaselineResult(groups=(group(good, bad, bad, bad), group(bad, bad, bad, bad)))
    lines = report(measured, 2)

    assert [
        "baseline: 2 problems, 4 completions each",
        "  pass@1              12.5%  (95 %: 0.0% to 25.0%)",
        "  pass@2              25.0%  (95 %: 0.0% to 50.0%)",
        "  pass@4              50.0%  (95 %: 0.0% to 100.0%)",
        "  problems solved     50.0%",
        "  mean reward        0.212",
        "  groups all alike    50.0%",
        "verdicts:",
        "  type_error          87.5%  (7)",
        "  passed              12.5%  (1)",
    ] == lines[:10]
    assert lines[10].startswith("advice: fewer than 20% pass")
    assert "50.0% of groups of 4 have a completion that passes" in lines[10]


def test_ungraded_completions_do_not_count_as_failed() -> None:
    """What our machine did not grade is left out of pass@1."""
    measured = BaselineResult(groups=(group(Verdict.PASSED, Verdict.UNGRADED),))

    assert "  pass@1             100.0%" in report(measured)


def test_the_advice_depends_on_the_share_that_passes() -> None:
    """Below one in five it names the four things that help; above, it lets go."""
    good, bad = Verdict.PASSED, Verdict.FAILED_TESTS
    poor = advice(BaselineResult(groups=(group(good, bad, bad, bad, bad, bad),)))
    fair = advice(BaselineResult(groups=(group(good, bad, bad, bad, bad),)))
    blind = advice(BaselineResult(groups=(group(Verdict.UNGRADED),)))

    helps = ("model.id", "dataset.difficulty", "prompt.few_shot", "train --sft")
    assert [True] * 4 == [what in line for what, line in zip(helps, poor[1:], strict=True)]
    assert [
        "advice: 20.0% pass; there is enough to learn from; 100.0% of groups of 5 have a"
        " completion that passes"
    ] == fair
    assert ["advice: nothing was graded; see what ocaml-reward doctor says"] == blind


def test_a_verdict_that_more_problems_could_change_says_so() -> None:
    """A share that is near one in five for some problems and far for others is not sure."""
    good, bad = Verdict.PASSED, Verdict.FAILED_TESTS
    mixed = advice(BaselineResult(groups=(group(good, good), *[group(bad, bad)] * 5)))
    sure = advice(BaselineResult(groups=tuple([group(bad, bad)] * 6)))

    assert "20% lies within the interval" in mixed[-1]
    assert not any("interval" in line for line in sure)


@pytest.mark.filterwarnings("default")
def test_a_baseline_for_real(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A random model's completions are generated, scored in the jail, written and reported."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    settings = [
        f"dataset.source={ROOT / 'test_corpus' / 'problems.jsonl'}",
        "dataset.limit=6",
        f"grpo.output_dir={tmp_path}",
        "grpo.max_completion_length=8",
        "baseline.problems=3",
        "baseline.samples=2",
        "baseline.batch=2",
    ]
    words = [f"--set={each}" for each in settings]

    assert 0 == main(["baseline", "--preset=smoke", *words])
    told = capsys.readouterr().out
    assert "baseline: 3 problems, 2 completions each" in told
    assert "advice: fewer than 20% pass" in told
    folder = tmp_path / "baseline"
    rows = (folder / "completions.jsonl").read_text(encoding="utf-8").splitlines()
    assert 6 == len(rows)
    assert {"completion", "reward", "verdict", "problem_id"} <= json.loads(rows[0]).keys()
    assert (folder / "report.txt").read_text(encoding="utf-8") in told
