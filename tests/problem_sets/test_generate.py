"""`ocaml-reward problems generate`: the same call writes the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner, Result

from cli.main import main
from ocaml_reward.formats import load_problems
from problem_sets import all_families

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).with_name("made.jsonl")
SHIPPED = ROOT / "trainer_plugin" / "presets" / "generated.jsonl"
# A function in each tone, declared types, a functor, a program.
SOME = "list-pipeline,neighbours,runs,ledger,ordering,number-report"


def generate(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["problems", "generate", *map(str, words)])


def test_the_same_call_gives_the_same_bytes(
    tmp_path: Path, golden: Callable[[Path, str], None]
) -> None:
    """Two processes with other hash seeds write what the golden file holds."""
    digests = set()
    for seed in ("1", "2"):
        path = tmp_path / f"{seed}.jsonl"
        words = ["generate", "--families", SOME, "--count", "6", "--unchecked"]
        subprocess.run(
            [sys.executable, "-m", "cli", "problems", *words, "-o", str(path)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        )
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())

    assert 1 == len(digests)
    golden(GOLDEN, path.read_text(encoding="utf-8"))


def test_the_problems_that_ship_are_a_set_with_a_name(tmp_path: Path) -> None:
    """`--set smoke` writes the very file that the preset `smoke` trains on."""
    path = tmp_path / "made.jsonl"
    said = generate("--set", "smoke", "-o", path)

    assert 0 == said.exit_code, said.output
    assert path.read_text(encoding="utf-8") == SHIPPED.read_text(encoding="utf-8")


def test_checked_problems_are_read_back(tmp_path: Path) -> None:
    """What is written are problems that every command reads, each with where it came from and
    what was measured; how many were dropped is said.
    """
    path = tmp_path / "made.jsonl"
    said = generate(
        *("--families", "places,automaton", "--count", "2", "--tones", "plain"),
        *("--seed", "5", "--measure", "-o", path),
    )
    rows = [json.loads(line) for line in path.read_text().splitlines()]

    assert 0 == said.exit_code, said.output
    assert "2 problems, 0 dropped" in said.stderr
    assert list(load_problems(path).problems) == [row["id"] for row in rows]
    assert {"plain"} == {row["tags"]["tone"] for row in rows}
    assert ["places", "automaton"] == [row["tags"]["family"] for row in rows]
    assert {*("level", "tokens", "depth", "features", "mutants", "surviving")} == set(
        rows[0]["difficulty"]
    )


def test_only_the_levels_asked_for_are_made() -> None:
    """`--difficulty hard` leaves the others out."""
    said = generate("--difficulty", "hard", "--count", "4", "--unchecked")
    levels = {json.loads(line)["difficulty"]["level"] for line in said.stdout.splitlines()}

    assert {"hard"} == levels


def test_families_are_listed() -> None:
    """`--list` names every family below its topic."""
    said = generate("--list").stdout

    assert set() == {name for name in all_families() if f"  {name} " not in said}


def test_what_cannot_be_made_is_refused_in_one_line(tmp_path: Path) -> None:
    """An unknown family, level or tone is named with what there is, and no file is replaced."""
    there = tmp_path / "there.jsonl"
    there.touch()

    assert "no 'nope'; there are easy, medium, hard" in generate("--difficulty", "nope").stderr
    assert "see --list" in generate("--families", "nope").stderr
    assert "exists; replace it with --overwrite" in generate("-o", there).stderr
