"""
The experiment with a pretrained model: what can be told without one.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from experiments.pretrained.__main__ import ARMS, Speed, common, plan
from experiments.pretrained.arm import SAMPLING
from experiments.pretrained.problems import HELD_OUT, TRAINED, written
from experiments.pretrained.result import report, result_of
from ocaml_reward.formats import load_problems
from problem_sets import all_families
from trainer_plugin.config.reading import load_config
from trainer_plugin.run.parts import scheme_of


def lines(path: Path, rows: list[dict[str, Any]]) -> None:
    """
    Write rows as a log has them.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def logged(folder: Path, passed: dict[int, list[list[bool]]]) -> None:
    """
    Write the logs of a run that was measured at some steps.
    """
    lines(
        folder / "batch_metrics.jsonl",
        [
            {
                "step": step,
                "split": "eval",
                "groups": {
                    f"p{number}": {"passed": one, "rewards": list(map(float, one))}
                    for number, one in enumerate(each)
                },
            }
            for step, each in passed.items()
        ],
    )
    lines(
        folder / "metrics.jsonl",
        [{"step": 1, "step_time": 5.0, "ocaml/score_seconds": 0.5}],
    )
    lines(folder / SAMPLING, [{"step": 0, "train": True, "seconds": 2.0}])


def test_held_out_families_are_others(tmp_path: Path) -> None:
    """
    No family is trained on and measured on; each is there, and files are made once.
    """
    path = written(tmp_path / "some.jsonl", HELD_OUT, count=8, seed=1)
    before = path.stat().st_mtime_ns

    assert not {*TRAINED} & {*HELD_OUT}
    assert {*TRAINED, *HELD_OUT} <= {*all_families()}
    assert 8 == len(load_problems(path).problems)
    assert before == written(path, HELD_OUT, count=8, seed=1).stat().st_mtime_ns


@pytest.mark.parametrize("arm", ARMS)
def test_every_arm_is_a_configuration(arm: str) -> None:
    """
    Of which pass or fail pays for the solved problem alone.
    """
    settings = (*ARMS[arm], *common(argparse.Namespace(gpu=False)))
    config = load_config(overrides=settings, environment={}).config
    available = scheme_of(config).available

    assert config.model.cpu
    assert (arm == "pass or fail") == (available.solved == 1)
    assert arm.startswith("located") == (config.reward.credit == "located")


def test_a_run_is_read_from_its_logs(tmp_path: Path) -> None:
    """
    By step and problem; the time of a step by its parts.
    """
    half, all_of = [True] * 4 + [False] * 4, [True] * 8
    logged(tmp_path / "a", {0: [half, half], 10: [all_of, half]})
    logged(tmp_path / "b", {0: [half, half], 10: [all_of, all_of]})
    one = result_of(tmp_path / "a", start="some", arm="pass or fail", seed=0)
    other = result_of(tmp_path / "b", start="some", arm="located", seed=0)
    text = report([one, other])

    assert [0.5, 0.75] == [point["pass_at_1"] for point in one["points"]]
    assert [[4, 4], [8, 4]] == [point["passed"] for point in one["points"]]
    assert {"step": 5.0, "sampling": 2.0, "grading": 0.5, "training": 2.5} == (
        one["seconds"]
    )
    assert "| located | 1 | 10 | 0.500 | 1.000 |" in text
    assert "| located | 1 | +0.125" in text


def test_the_plan_grows_with_what_is_asked() -> None:
    """
    Twice the seeds take twice as long, but for the bases.
    """
    asked = argparse.Namespace(
        problems=2, longest=64, steps=10, every=5, held_out=8, helping=0, seeds=1,
        arms=("located",),
    )  # fmt: skip
    slow = Speed(sampling=0.01, training=0.02)

    assert "2 runs" in plan(asked, slow)
    asked.seeds = 2
    assert "4 runs" in plan(asked, slow)
