"""Inspect's own `eval` with our scorers, and a model that says what it is told to."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run
from inspect_ai import score
from inspect_ai.model import ModelOutput, get_model

from tests.adapters import bytewise_tokens
from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, ROOT, WRONG
from tests.package.wheels import OFFLINE, Environment, own_wheel
from tests.serving.running import Process, spawned
from trainer_plugin.adapters.inspect_ai import ocaml, ocaml_reward


@pytest.fixture
def server() -> Iterator[Process]:
    """Serve the real engine."""
    with spawned() as process:
        yield process


def evaluated(server: Process, folder: Path, *texts: str) -> Any:
    """Let a model answer one problem with each of the texts, in turn."""
    outputs = [ModelOutput.from_content("mockllm/model", text) for text in texts]
    (log,) = run(
        ocaml(problems=str(PROBLEMS), engine=server.url, deadline_s=4.0),
        model=get_model("mockllm/model", custom_outputs=outputs),
        sample_id=PROBLEM,
        epochs=len(texts),
        log_dir=str(folder),
        display="none",
        max_connections=1,
        max_samples=1,
    )

    assert "success" == log.status, log.error
    return log


def test_scores_are_what_the_corpus_records(server: Process, tmp_path: Path) -> None:
    """The reward of a right and a wrong answer, and the share that passes."""
    log = evaluated(server, tmp_path, RIGHT.text, WRONG.text)
    found = [each.scores["ocaml_reward"] for each in log.samples]
    means = {each.name: each.metrics["mean"].value for each in log.results.scores}

    assert [RIGHT.reward, WRONG.reward] == [each.value for each in found]
    assert ["passed", "failed_tests"] == [each.explanation for each in found]
    assert (RIGHT.reward + WRONG.reward) / 2 == pytest.approx(means["ocaml_reward"])
    assert 0.5 == means["ocaml_passed"]


def test_a_dead_server_leaves_samples_unscored(server: Process, tmp_path: Path) -> None:
    """A fault is no score: it is counted as unscored, and is in no mean."""
    server.kill()
    log = evaluated(server, tmp_path, RIGHT.text)
    (sample,) = log.samples
    found = sample.scores["ocaml_reward"]

    assert math.isnan(found.value)
    assert "grader_fault" == found.reason
    assert [0, 0] == [each.scored_samples for each in log.results.scores]


def test_a_sample_without_output_is_unscored(server: Process, tmp_path: Path) -> None:
    """As in the log of a model that failed, scored later: nothing was answered, so nothing is 0."""
    (log,) = run(
        ocaml(problems=str(PROBLEMS), engine=server.url),
        model=get_model("mockllm/model", custom_outputs=[ModelOutput(model="mockllm/model")]),
        sample_id=PROBLEM,
        log_dir=str(tmp_path),
        display="none",
    )
    later = score(log, ocaml_reward(problems=str(PROBLEMS), engine=server.url), display="none")
    found = later.samples[0].scores["ocaml_reward"]

    assert ("error", {}) == (log.status, log.samples[0].scores)
    assert math.isnan(found.value)
    assert "no_output" == found.reason


def test_the_wheel_gives_inspect_the_task_and_the_scorers(server: Process, tmp_path: Path) -> None:
    """By their names, in a fresh environment that has nothing of the checkout."""
    packages = ROOT / ".venv"
    wheel = own_wheel(tmp_path, python=str(packages / "bin" / "python"))
    fresh = Environment.made(tmp_path / "fresh", packages.glob("lib/python3*/site-packages"))
    fresh.pip("install", *OFFLINE, wheel)
    shutil.copy(bytewise_tokens.__file__, fresh.packages / "sitecustomize.py")
    inspect = ("python", "-m", "inspect_ai")
    log = ("--log-dir", "logs", "--log-format", "json", "--display", "plain")
    task = ("-T", f"problems={PROBLEMS}", "-T", f"engine={server.url}", "--sample-id", PROBLEM)
    done = fresh.run(
        *inspect, "eval", "ocaml_reward/ocaml", *task, "--model", "mockllm/model", *log
    )
    (path,) = (fresh.folder / "home" / "logs").glob("*.json")
    made = json.loads(path.read_text("utf-8"))
    again = fresh.run(
        *inspect, "score", str(path), "--scorer", "ocaml_reward/ocaml_passed",
        *("-S", f"problems={PROBLEMS}", "-S", f"engine={server.url}"),
        *("--action", "overwrite", "--overwrite", "--display", "plain"),
    )  # fmt: skip
    scored = json.loads(path.read_text("utf-8"))

    assert "success" == made["status"], done.stdout + done.stderr
    assert "ocaml_reward/ocaml" == made["eval"]["task"]
    assert ["ocaml_reward", "ocaml_passed"] == [each["name"] for each in made["results"]["scores"]]
    assert "syntax_error" == made["samples"][0]["scores"]["ocaml_reward"]["explanation"]
    assert ["ocaml_passed"] == [each["name"] for each in scored["results"]["scores"]], again.stderr
