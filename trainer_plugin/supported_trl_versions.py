"""The versions of TRL that our trainers run with; they override private methods.

Another version runs if the check in `trl_hooks`, or `sdpo.hooks`, agrees, which trains on known
groups.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

import trl

TESTED: Final = ("1.16.",)
TIMEOUT_S: Final = 600.0

CHECK: Final = (sys.executable, "-m", "trainer_plugin.trl_hooks")

_LAUNCHED: Final = (
    *("ACCELERATE_", "FSDP_", "MASTER_", "MV2_", "OMPI_", "PMI_", "TORCHELASTIC_"),
    "CUDA_VISIBLE_DEVICES",
)
"""Prefixes of variables that would make the check a part of a training."""
_RANKS: Final = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")

log = logging.getLogger("trainer_plugin")

_is_checking = False


def check_tested(what: str, *, otherwise: str, check: tuple[str, ...] | None = None) -> None:
    """Raise RuntimeError, one line, for a version of TRL that `what` does not run with; `check` is
    the command that tells, by default that of GRPO's hooks.
    """
    difference = difference_of(trl.__version__, check)
    if difference is not None:
        versions = " or ".join(f"{each}*" for each in TESTED)
        raise RuntimeError(
            f"{what} relies on the inside of trl {versions}, found {trl.__version__}, where"
            f" {difference}: {otherwise}, or install that one"
        )


@cache
def difference_of(version: str, check: tuple[str, ...] | None = None) -> str | None:
    """Return how a version of TRL differs from those that were tested; None if it does not."""
    if _is_checking or version.startswith(TESTED):
        return None
    # In another process, because the check has a trainer of its own on the CPU, and accelerate has
    # one state per process.
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_LAUNCHED) and name not in _RANKS
    }
    try:
        done = subprocess.run(
            check or CHECK,
            env={**environment, "CUDA_VISIBLE_DEVICES": ""},
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"the check of a known group took more than {TIMEOUT_S:g} s"
    if done.returncode == 0:
        log.warning("trl %s was not tested here: its hooks agree on a known group", version)
        return None
    said = (done.stdout.strip() or done.stderr.strip() or "no reason is known").splitlines()
    return f"a known group differs ({said[-1]})"


@contextmanager
def assumed_tested() -> Iterator[None]:
    """Accept any version for a while, as the check itself has to."""
    global _is_checking  # noqa: PLW0603
    _is_checking = True
    difference_of.cache_clear()
    try:
        yield
    finally:
        _is_checking = False
        difference_of.cache_clear()
