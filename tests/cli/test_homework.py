"""A folder of homework: each file is named, and has a row of grades and test suites of its own."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from cli.main import main

FILES = {
    "double/alice.ml": "let double x = x + x",
    "double/bob.ml": "let double x = x * 3",
    "double/=cmd.ml": "let double x = x +. x",
    "triple/alice.ml": "let triple x = 3 * x",
}
PROBLEMS = (
    {"id": "double", "tests": "let () = assert (double 2 = 4)\nlet () = assert (double 0 = 0)"},
    {"id": "triple", "tests": "let () = assert (triple 2 = 6)"},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "hw" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lines = "".join(json.dumps(each) + "\n" for each in PROBLEMS)
    (tmp_path / "problems.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def score(folder: Path, *options: str) -> Result:
    command = ["score", str(folder / "hw"), "--problems", str(folder / "problems.jsonl")]
    result = CliRunner().invoke(main, [*command, "--scheme", "concise", *options])
    assert 0 == result.exit_code, result.output
    return result


def test_a_table_by_file_and_problem(folder: Path) -> None:
    shown = score(folder, "-o", str(folder / "out.jsonl"), "--by", "file").output
    rows = [line.split() for line in shown.splitlines()[-4:]]

    assert ["file", "double", "triple", "mean"] == rows[0]
    assert ["alice", "1.00", "1.00", "1.00"] == rows[2]
    assert ["bob", "0.65", "-", "0.33"] == rows[3]


def test_the_table_goes_on_with_a_run(folder: Path) -> None:
    """What an earlier run has graded is in it, too."""
    out = folder / "out.jsonl"
    whole = score(folder, "-o", str(out), "--by", "file").output.splitlines()[-4:]
    out.write_text(out.read_text(encoding="utf-8").splitlines(keepends=True)[0], encoding="utf-8")

    assert (
        whole == score(folder, "-o", str(out), "--resume", "--by", "file").output.splitlines()[-4:]
    )


def test_grades_as_a_sheet(folder: Path) -> None:
    """A name that a sheet would compute is text."""
    path = folder / "grades.csv"
    score(folder, "-o", str(path), "--output-format", "grades")
    rows = {row["file"]: row for row in csv.DictReader(path.read_text("utf-8").splitlines())}

    assert {"file": "alice", "double": "1.0", "triple": "1.0", "mean": "1.0"} == rows["alice"]
    assert ("0.65", "", "0.325") == tuple(rows["bob"][k] for k in ("double", "triple", "mean"))
    assert "'=cmd" in rows


def test_checks_as_junit(folder: Path) -> None:
    """Each check is a case; of code that does not type all fail, with the compiler's words."""
    path = folder / "junit.xml"
    score(folder, "-o", str(path), "--output-format", "junit")
    suites = {suite.get("name"): suite for suite in ET.parse(path).getroot()}
    bob, ill = suites["double (bob.ml)"], suites["double (=cmd.ml)"]

    assert ("2", "1", "0") == tuple(bob.get(name) for name in ("tests", "failures", "errors"))
    assert ["got 6, expected 4"] == [found.get("message") for found in bob.iter("failure")]
    assert ["interface_error"] * 2 == [found.get("type") for found in ill.iter("failure")]
    assert all("has type int" in str(found.get("message")) for found in ill.iter("failure"))
    assert not list(suites["triple (alice.ml)"].iter("failure"))


def test_the_file_is_named(folder: Path) -> None:
    out, sheet = folder / "out.jsonl", folder / "out.csv"
    score(folder, "-o", str(out))
    score(folder, "-o", str(sheet), "--output-format", "csv")
    explained = CliRunner().invoke(
        main, ["explain", str(out), "--problem", "double", "--index", "2"]
    )

    assert explained.output.startswith("double, bob.ml, as recorded")
    lines = sheet.read_text("utf-8").splitlines()
    assert "bob.ml" == list(csv.DictReader(lines))[2]["file"]


def test_by_file_needs_a_folder(folder: Path) -> None:
    lone = folder / "completions.jsonl"
    lone.write_text("", encoding="utf-8")
    result = CliRunner().invoke(main, ["score", str(lone), "--by", "file"])

    assert 2 == result.exit_code
    assert "--by file is about a folder of files" in result.output
