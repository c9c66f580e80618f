"""An environment in which nothing has to be downloaded."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path


def environment() -> dict[str, str]:
    """Return variables with which pip finds all requirements among the packages of the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    # pip reads the variable of --no-build-isolation the other way round.
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return {**kept, **pip, "PYTHONPATH": sysconfig.get_path("purelib")}


def shell(commands: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run commands of a page, of which each has to succeed."""
    return subprocess.run(
        ["bash", "-ec", commands],
        cwd=folder,
        env={**environment(), **more},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
