"""Fixtures for tests that train: a random model of a few thousand parameters."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ocaml_reward import Grader

# Read when the libraries are imported, here and in every process of the tests.  Nothing is
# asked of, or told to, the hub.  Two threads that wait for each other take four times one's
# time on a busy machine.
os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "OMP_NUM_THREADS": "1",
}


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a random model with its tokenizer and a chat template."""
    from tests.trainer.training import write_model  # noqa: PLC0415 (loads torch)

    return write_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    """Grade solutions of the learning experiment for real, as its yardstick does."""
    from experiments.learn.held_out import scheme  # noqa: PLC0415 (loads torch)

    with Grader(scheme(), jobs=1) as made:
        yield made
