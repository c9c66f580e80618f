"""The commands of the start page, and the recipes for training, run as they stand there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from trainer_plugin.config.reading import load_config
from trainer_plugin.run.functions import functions

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r'^```(\w+)(?: title="([\w.]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
TRAIN = "ocaml-reward train "


def run_blocks(text: str, folder: Path) -> str:
    """Write files as they are shown, run commands one after the other, and return their output."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    said = ""
    for kind, title, content in BLOCK.findall(text):
        if title:
            (folder / title).write_text(content, encoding="utf-8")
        elif kind == "sh":
            ran = subprocess.run(
                ["bash", "-ec", content],
                cwd=folder,
                env={**os.environ, "PATH": path, "COLUMNS": "100"},
                capture_output=True,
                text=True,
                timeout=900,
                check=False,
            )
            assert 0 == ran.returncode, f"{content}\n{ran.stdout}\n{ran.stderr}"
            said += ran.stdout + ran.stderr
    return said


def part(page: str, begin: str, end: str) -> str:
    """Return the part of a page between two headings."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return text.partition(f"\n## {begin}\n")[2].partition(f"\n## {end}\n")[0]


@pytest.mark.filterwarnings("default")
def test_every_command_of_the_start_page_runs(tmp_path: Path) -> None:
    """One after the other in one folder."""
    said = run_blocks((DOCS / "index.md").read_text(encoding="utf-8"), tmp_path)

    assert "scored 3 completions of 2 problems" in said
    assert "2 of 3 have the penalty min_lines" in said
    assert "last, completion 0" in said
    assert "preflight: of" in said
    assert (tmp_path / "run.html").exists()
    assert list((tmp_path / "run").rglob("*.safetensors"))
    assert (tmp_path / "own" / "learning.log").exists()


@pytest.mark.filterwarnings("default")
def test_every_recipe_for_training_runs(tmp_path: Path) -> None:
    """From problems to the comparison of a model before and after."""
    said = run_blocks(part("training.md", "From zero to a run", "How-tos"), tmp_path)

    assert "12 problems, 0 broken" in said
    assert "fewer than 20% pass" in said
    assert "first/metrics.jsonl: critical" in said
    assert 2 == said.count("as in first/config.json: --scheme decisive")
    assert "after against before, 1 problem of both" in said
    assert list((tmp_path / "first" / "merged").glob("*.safetensors"))


def test_every_how_to_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings are not started; their settings and the reward functions in them are read."""
    text = part("training.md", "How-tos", "Evaluating a model")
    trainings = [line for line in text.splitlines() if line.startswith(TRAIN)]
    first = next(
        content
        for _, title, content in BLOCK.findall((DOCS / "training.md").read_text(encoding="utf-8"))
        if title == "first.toml"
    )
    (tmp_path / "first.toml").write_text(first, encoding="utf-8")
    said = run_blocks(
        "".join(f"{line}\n" for line in text.splitlines() if line not in trainings), tmp_path
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    configs = []
    for line in trainings:
        file, *words = shlex.split(line.removeprefix(TRAIN))
        assert ["--set"] * (len(words) // 2) == words[::2]
        configs.append(load_config(Path(file), overrides=words[1::2], environment={}).config)

    assert "1 of 1 problem written to filtered.jsonl" in said
    assert "scored 1 completion of 1 problem with concise@" in said
    assert "unmarked.toml: ok, unmarked@" in said
    assert "brevity" == functions(configs[1])[1].__name__
    assert ["unmarked", "brief", "thinking"] == [each.grpo.output_dir for each in configs]
