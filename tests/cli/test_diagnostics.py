"""`ocaml-reward diagnostics`: compiler output in, JSON Lines or a table out."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.diagnostics import diagnostics

TEXT = (
    'File "x.ml", lines 1-3, characters 8-5:\n'
    "Warning 8 [partial-match]: this pattern-matching is not exhaustive.\n"
    'File "x.ml", line 4, characters 2-7:\n'
    "4 |   lenth\n"
    "      ^^^^^\n"
    "Error: Unbound value lenth\n"
    "Hint: Did you mean length?\n"
    'File "y.mli", line 9:\n'
    "  Declared here\n"
)


def run(*arguments: str, text: str | bytes = TEXT) -> Result:
    """Run the command on text at its standard input."""
    return CliRunner().invoke(diagnostics, list(arguments), input=text)


def test_piped_output_is_json_lines() -> None:
    """Without a terminal each diagnostic is one JSON object on one line; errors exit 0."""
    result = run()
    records = [json.loads(line) for line in result.output.splitlines()]

    assert 0 == result.exit_code
    assert [("warning", 8), ("error", None)] == [
        (record["kind"], record["number"]) for record in records
    ]
    assert "Did you mean length?" == records[1]["hint"]
    assert "Declared here" == records[1]["sub"][0]["message"]


def test_table() -> None:
    """A table names place, kind, source, message, hint and further places."""
    output = run("--table").output

    for part in ("x.ml:1:8-3:5", "x.ml:4:2-7", "warning 8", "typer", "y.mli:9"):
        assert part in output
    assert "Hint: Did you mean" in output


def test_nothing_found() -> None:
    """Blank output gives no record, and a table says so."""
    assert "" == run(text="\n").output
    assert "No diagnostics.\n" == run("--table", text="\n").output


def test_files(tmp_path: Path) -> None:
    """A named file is read like the standard input."""
    file = tmp_path / "build.log"
    file.write_text(TEXT)

    assert run("-").output == run(str(file), text="").output


@pytest.mark.parametrize("name", ["missing.log", "."])
def test_unreadable_files(name: str, tmp_path: Path) -> None:
    """A file that cannot be read exits 2 with its name."""
    result = run(str(tmp_path / name))

    assert 2 == result.exit_code
    assert str(tmp_path) in result.output


def test_control_characters_stay_out_of_a_terminal() -> None:
    """Neither controls nor direction marks that a program hid in its strings come through."""
    text = 'File "x\x07.ml", line 1:\nError: a\x08\x9b2Jb\u202ec [red]d[/red]\n'
    output = run("--table", text=text).output

    assert set() == set(output) & set("\x07\x08\x1b\x9b\u202e")
    assert "[red]d[/red]" in output


def test_long_messages_are_cut_for_display_only() -> None:
    """The table shows the start of a message of any length, JSON all of it."""
    text = 'File "x.ml", line 1:\nError: ' + "x" * 30_000 + "\n"

    assert "(28000 more characters)" in " ".join(
        run("--table", text=text).output.replace("│", " ").split()
    )
    assert 30_000 == len(json.loads(run(text=text).output)["message"])


def test_bytes_that_are_not_text() -> None:
    """Invalid UTF-8 is read with replacement characters."""
    result = run(text=b'File "x.ml", line 1:\nError: \xff\n')

    assert "\ufffd" == json.loads(result.output)["message"]


def test_a_terminal_gets_a_table(tmp_path: Path) -> None:
    file = tmp_path / "build.log"
    file.write_text(TEXT)
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "cli", "diagnostics", str(file)]
    done = subprocess.run(command, stdout=child, cwd=Path(__file__).parents[2], check=False)
    os.close(child)
    output = os.read(parent, 10_000).decode(errors="replace")
    os.close(parent)

    assert 0 == done.returncode
    assert "Unbound value lenth" in output
    assert not output.startswith("{")
