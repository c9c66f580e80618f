"""A model and problems by their ids, from a hub that speaks the real one's protocol."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from trainer_plugin.run.tiny_models import make_random

from .hub import COMMIT, serving
from .made_datasets import row, saved

ROOT = Path(__file__).parents[2]
# To load the training libraries takes six seconds: runs that come to nothing share them.
RUNS = """
import json
import sys
from trainer_plugin.__main__ import main
print([main(words) for words in json.loads(sys.argv[1])])
"""


def run(endpoint: str, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with that hub and a cache of its own, which are read when it starts."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={
            **os.environ,
            "HF_ENDPOINT": endpoint,
            "HF_HOME": str(home),
            "HF_HUB_OFFLINE": "0",
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_run_from_ids_alone(tmp_path: Path) -> None:
    """`ocaml-reward train` fetches its model and its problems, both pinned by a commit."""
    make_random(tmp_path / "model", seed=1)
    problems = tmp_path / "problems"
    problems.mkdir()
    saved(problems, [row(f"f{n}") for n in range(6)], "train.jsonl")
    saved(problems, [row("g1"), row("g2")], "test.jsonl")
    with serving(
        {
            "models/some/model": tmp_path / "model",
            "datasets/some/problems": problems,
        }
    ) as (endpoint, asked):
        settings = (
            "model.id=some/model",
            f"model.revision={COMMIT}",
            "dataset.source=some/problems",
            "dataset.validation=test",
            "grpo.max_steps=2",
            "grpo.max_completion_length=8",
            f"grpo.output_dir={tmp_path / 'run'}",
        )
        words = [f"--set={each}" for each in settings]
        done = run(
            endpoint,
            tmp_path / "home",
            *["-m", "cli", "train", "--preset=smoke"],
            *words,
        )

    assert 0 == done.returncode, done.stderr
    assert "problems: 6 to train on, 2 to validate on" in done.stdout.splitlines()
    assert f"GET /some/model/resolve/{COMMIT}/model.safetensors" in asked
    assert f"GET /datasets/some/problems/resolve/{COMMIT}/train.jsonl" in asked


def test_an_id_that_the_hub_does_not_know_is_one_line(tmp_path: Path) -> None:
    """A wrong name ends a run with what is wrong, before anything is trained."""
    output = f"--set=grpo.output_dir={tmp_path / 'run'}"
    wrong = {
        "dataset.source": ["--set=dataset.source=some/where"],
        "model.id": ["--set=model.id=some/where", "--set=dataset.source=examples"],
    }
    runs = [["train", "--preset=smoke", output, *words] for words in wrong.values()]
    with serving({}) as (endpoint, _):
        done = run(endpoint, tmp_path / "home", "-c", RUNS, json.dumps(runs))
    said = [each for each in done.stderr.splitlines() if "ocaml-reward: " in each]

    assert 0 == done.returncode, done.stderr
    assert "[2, 2]" == done.stdout.splitlines()[-1]
    assert said[-1] == done.stderr.splitlines()[-1]
    for key, line in zip(wrong, said, strict=True):
        assert line.startswith(f"ocaml-reward: {key}: some/where"), line
