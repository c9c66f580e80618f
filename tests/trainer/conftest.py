"""
Fixtures for tests that train: a random model of a few thousand parameters.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# Read when the libraries are imported: nothing is asked of, or told to, the hub.
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    Return the folder of a random model with its tokenizer and a chat template.
    """
    from tests.trainer.training import write_model  # noqa: PLC0415 (loads torch)

    return write_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def alone() -> Iterator[None]:
    """
    Keep the hub and the other processors out of it.
    """
    import torch  # noqa: PLC0415 (loads long)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
        # Two threads that wait for each other are slower than one on a busy machine.
        patch.setenv("OMP_NUM_THREADS", "1")
        torch.set_num_threads(1)
        yield
