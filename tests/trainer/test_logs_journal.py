"""Files that are appended to: rotation, cuts, and disks that fail."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path

import pytest

from trainer_plugin.logs.journal import Journal, journal_files


def test_rotation_by_size(tmp_path: Path) -> None:
    """A part that is full gets a number, the newest the lowest; nothing is lost or split."""
    journal = Journal(tmp_path / "a.jsonl", most_bytes=20)
    for number in range(9):
        journal.append([f"line {number:04}"])

    assert [f"line {number:04}" for number in range(9)] == list(journal.lines())
    assert ["a.jsonl.4", "a.jsonl.3", "a.jsonl.2", "a.jsonl.1", "a.jsonl"] == [
        part.name for part in journal_files(journal.path)
    ]


def test_the_oldest_parts_go(tmp_path: Path) -> None:
    """A log takes no more than ten times its size."""
    journal = Journal(tmp_path / "a.jsonl", most_bytes=4)
    for number in range(20):
        journal.append([str(number)])

    assert [str(number) for number in range(10, 20)] == list(journal.lines())


def test_a_cut_reaches_into_rotated_parts(tmp_path: Path) -> None:
    """Lines to be removed are found in all parts that hold any."""
    journal = Journal(tmp_path / "a.jsonl", most_bytes=4)
    for number in range(6):
        journal.append([str(number)])
    journal.cut(lambda line: int(line) < 3)

    assert ["0", "1", "2"] == list(journal.lines())
    journal.append(["9"])
    assert ["0", "1", "2", "9"] == list(journal.lines())


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    """Half of a batch is removed again, and the next write succeeds."""
    child = os.fork()
    if child == 0:
        os._exit(_limited(tmp_path / "a.jsonl"))
    _, status = os.waitpid(child, 0)

    assert 0 == os.waitstatus_to_exitcode(status)
    assert ["first", "third"] == list(Journal(tmp_path / "a.jsonl").lines())


def _limited(path: Path) -> int:
    """Write under a limit on the size of files; return 0 if only the long write failed."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    journal = Journal(path)
    journal.append(["first"])
    try:
        journal.append(["second", "x" * 2000])
    except OSError:
        journal.append(["third"])
        return 0
    return 1


def test_lines_may_hold_other_line_ends(tmp_path: Path) -> None:
    """Only a line feed ends a line, whatever else some reader takes for one."""
    journal = Journal(tmp_path / "learning.log")
    journal.append(["a\u2028b\x85c\rd", "e"])
    journal.cut(lambda line: line != "e")

    assert ["a\u2028b\x85c\rd"] == list(journal.lines())


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """What goes wrong with the disk is an OSError, which callers survive."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        Journal(tmp_path / "file" / "a.jsonl").append(["x"])
