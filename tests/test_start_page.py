"""The commands of the start page, run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "index.md"
BLOCK = re.compile(r'^```(\w+)(?: title="([\w.]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)


@pytest.mark.filterwarnings("default")
def test_every_command_of_the_start_page_runs(tmp_path: Path) -> None:
    """Files are written as they are shown, and commands run one after the other in one folder."""
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    said = ""
    for kind, title, text in blocks:
        if title:
            (tmp_path / title).write_text(text, encoding="utf-8")
        elif kind == "sh":
            ran = subprocess.run(
                ["bash", "-ec", text],
                cwd=tmp_path,
                env={**os.environ, "PATH": path, "COLUMNS": "100"},
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
            assert 0 == ran.returncode, f"{text}\n{ran.stdout}\n{ran.stderr}"
            said += ran.stdout + ran.stderr

    assert "scored 3 completions of 2 problems" in said
    assert "last, completion 0" in said
    assert "preflight: of" in said
    assert (tmp_path / "run.html").exists()
    assert list((tmp_path / "run").rglob("*.safetensors"))
    assert (tmp_path / "own" / "learning.log").exists()
