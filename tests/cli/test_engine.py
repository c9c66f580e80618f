"""`ocaml-reward engine`: what is built, and where."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


@pytest.fixture
def cache() -> Iterator[Path]:
    """Make an empty cache."""
    with TemporaryDirectory(prefix="engine-test-") as name:
        yield Path(name)


def engine(cache: Path, *arguments: str) -> str:
    """Run the command in a process of its own, which remembers nothing built before."""
    return subprocess.run(
        [sys.executable, "-m", "cli", "engine", *arguments],
        env={**os.environ, "OCAML_REWARD_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_show_builds_nothing(cache: Path) -> None:
    """Looking leaves an empty cache empty, and says that the engine is not built."""
    shown = engine(cache, "show")

    assert re.search(r"^engine: +not built yet$", shown, re.MULTILINE)
    assert [] == [*cache.iterdir()]


def test_build_says_what_it_did(cache: Path) -> None:
    """The first build names its time and place, the second that there was nothing to do."""
    first = engine(cache, "build")
    second = engine(cache, "build", "--libraries", "str").splitlines()
    found = re.fullmatch(r"engine built in \d+\.\d s: (.+)\nwarm engine: yes, .+\n", first)

    assert found is not None
    assert f"engine is built already: {found[1]}" == second[0]
    assert second[2].startswith(f"root with str: {cache / 'rootfs'}/")
    assert f"engine:           {found[1]}" in engine(cache, "show")
