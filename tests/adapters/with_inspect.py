"""Inspect's own `eval` with our scorers, and a model that says what it is told to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from inspect_ai import eval as run
from inspect_ai.model import ModelOutput, get_model

from tests.adapters.corpus import PROBLEM, PROBLEMS, RIGHT, WRONG
from tests.serving.running import Process, spawned
from trainer_plugin.adapters.inspect_ai import ocaml


@pytest.fixture(autouse=True)
def _no_download(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect counts tokens with a table that it would fetch."""
    ranks = {bytes([each]): each for each in range(256)}
    bytewise = tiktoken.Encoding("bytes", pat_str=r".|\n", mergeable_ranks=ranks, special_tokens={})
    monkeypatch.setattr(tiktoken, "get_encoding", lambda _: bytewise)


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
    score = sample.scores["ocaml_reward"]

    assert math.isnan(score.value)
    assert "grader_fault" == score.reason
    assert [0, 0] == [each.scored_samples for each in log.results.scores]
