"""Where records go, and what happens when they cannot."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from cli.score.output import FileOutput
from ocaml_reward import InputError, MachineError

from .conftest import CODE, TESTS, Invoke

Write = Callable[[str, Iterable[object]], Path]
ROW = {
    "id": "add",
    "completion": CODE,
    "tests": TESTS,
    "signature": "val add : int -> int -> int",
}


def test_a_full_disk(write: Write, invoke: Invoke) -> None:
    """A disk that is full is one line and exit code 3."""
    path = write("c.jsonl", [ROW])

    result = invoke("score", path, "-o", "/dev/full")

    assert 3 == result.exit_code
    assert (
        "ocaml-reward: cannot write /dev/full: No space left on device; 0 new records are safe\n"
    ) == result.stderr


def test_a_failed_write_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a write that failed half-way the file ends with the last whole record."""
    real = os.write
    path = tmp_path / "o.jsonl"
    output = FileOutput(path, resume=False, overwrite=False)
    output.put(b"first\n")

    def half(file: int, data: bytes) -> int:
        if len(data) < 8:
            raise OSError(28, "No space left on device")
        return real(file, data[:6])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(MachineError, match="1 new record is safe"):
        output.put(b"second record\n")
    output.close()

    assert b"first\n" == path.read_bytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none/o.jsonl", "No such file or directory"),
        (".", "Is a directory"),
        ("x" * 300, "File name too long"),
    ],
)
def test_an_unwritable_output(
    write: Write, invoke: Invoke, tmp_path: Path, name: str, message: str
) -> None:
    """An output that cannot be opened is one line and exit code 2, before anything runs."""
    path = write("c.jsonl", [ROW])

    result = invoke("score", path, "-o", tmp_path / name)

    assert 2 == result.exit_code
    assert f"ocaml-reward: cannot write {tmp_path / name}: {message}\n" == result.stderr


def test_the_input_is_never_the_output(write: Write, invoke: Invoke) -> None:
    """Writing over the completions is refused."""
    path = write("c.jsonl", [ROW])

    result = invoke("score", path, "-o", path, "--overwrite")

    assert 2 == result.exit_code
    assert ROW == json.loads(path.read_text())


def test_an_existing_output_is_kept(write: Write, invoke: Invoke, tmp_path: Path) -> None:
    """A file with records is neither lost nor appended to, unless `--overwrite` says so."""
    path = write("c.jsonl", [ROW])
    output = tmp_path / "o.jsonl"
    output.write_text("precious\n" * 100)

    refused = invoke("score", path, "-o", output)
    kept = output.read_text()
    replaced = invoke("score", path, "-o", output, "--overwrite")

    assert 2 == refused.exit_code
    assert "exists; continue it with --resume" in refused.stderr
    assert "precious\n" * 100 == kept
    assert 0 == replaced.exit_code
    assert 1 == len(output.read_text().splitlines())


def test_two_runs_do_not_share_a_file(tmp_path: Path) -> None:
    """A second run that writes the same file is refused while the first one does."""
    path = tmp_path / "o.jsonl"
    first = FileOutput(path, resume=False, overwrite=False)

    with pytest.raises(InputError, match="is being written by another run"):
        FileOutput(path, resume=True, overwrite=False)
    first.close()
    FileOutput(path, resume=True, overwrite=False).close()


def test_a_pipe_as_output(write: Write, invoke: Invoke) -> None:
    """A device that can be neither sought nor cut takes records all the same."""
    path = write("c.jsonl", [ROW])

    assert 0 == invoke("score", path, "-o", "/dev/null").exit_code
