"""Does a model learn from this reward?  A tiny one does, on a CPU, in minutes."""

from __future__ import annotations

import os

__all__ = ["stay_offline"]


def stay_offline() -> None:
    """Let no library ask a model hub; call it before torch and its friends are imported."""
    for name, value in {
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "TOKENIZERS_PARALLELISM": "false",
    }.items():
        os.environ.setdefault(name, value)
