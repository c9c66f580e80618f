"""The command `problems strengthen`: what it reads, writes and says."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from cli.main import main

from .weak import WEAK


def test_the_command_writes_stronger_problems(tmp_path: Path) -> None:
    """What is written can be graded; a second time there is hardly anything to add, and lines that
    are no problem are said.
    """
    weak, wrong = WEAK["lists"]
    given = tmp_path / "p.jsonl"
    row = {
        "id": "climb", "prompt": weak.prompt, "tests": weak.tests,
        "reference": weak.reference, "signature": weak.signature,
    }  # fmt: skip
    given.write_text(json.dumps(row) + "\n{}\n")
    known = tmp_path / "wrong.jsonl"
    known.write_text(json.dumps({"id": "climb", "completion": wrong}) + "\n")

    def run(*words: str | Path) -> tuple[int, str]:
        done = CliRunner().invoke(
            main, ["problems", "strengthen", *map(str, words)], catch_exceptions=False
        )
        return done.exit_code, done.stdout

    code, _ = run(given, "--wrong", known, "-o", tmp_path / "s.jsonl")
    stronger = json.loads((tmp_path / "s.jsonl").read_text())
    again, record = run(tmp_path / "s.jsonl", "--wrong", known, "--dry-run", "--json")

    assert 1 == code
    assert stronger["tests"].startswith(str(weak.tests))
    assert "assert (climb [" in stronger["tests"].removeprefix(str(weak.tests))
    assert 0 == again
    # What was added shows more numbers, which tell one more mutant apart.
    assert len(json.loads(record)["added"]) <= 2
    assert [0, 0] == json.loads(record)["wrong_passing"]
    assert 2 == run(given)[0]
