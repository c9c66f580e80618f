"""FollowedRun a log: each line once, through rotation, cuts and lines that are half there."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer_plugin.logs.journal import Journal
from trainer_plugin.watching import log_lines
from trainer_plugin.watching.log_lines import Tail


def new(tail: Tail) -> list[tuple[str, str]]:
    """Return what has come, each line with its place."""
    return [(line.where, line.text) for line in tail.lines()]


def test_rotation_loses_and_repeats_nothing(tmp_path: Path) -> None:
    """A log that is rotated between two looks, and twice between two others, is read on where
    it was left.
    """
    path = tmp_path / "a.log"
    journal = Journal(path, most_bytes=30)
    tail = Tail(path)
    found = new(tail)
    for many in (1, 2, 9, 1, 0, 7):
        start = len(found)
        journal.append([f"line {number}" for number in range(start, start + 1)])
        for number in range(start + 1, start + many):
            journal.append([f"line {number}"])
        assert not tail.was_reset()
        found += new(tail)

    assert [f"line {number}" for number in range(len(found))] == [text for _, text in found]
    assert {"a.log:1", "a.log:2"} <= {where for where, _ in found}


def test_a_line_without_its_end_waits(tmp_path: Path) -> None:
    """Half a line is none until the partial_line has come; a log that ends so can be asked for it."""
    path = tmp_path / "a.log"
    tail = Tail(path)
    path.write_text("one\ntw")
    first, partial_line = new(tail), tail.partial_line()
    with path.open("a") as stream:
        stream.write("o\n")

    assert [("a.log:1", "one")] == first
    assert partial_line is not None
    assert ("a.log:2", "tw") == (partial_line.where, partial_line.text)
    assert [("a.log:2", "two")] == new(tail)
    assert tail.partial_line() is None


def test_a_log_that_was_cut_begins_again(tmp_path: Path) -> None:
    """So does one that was set aside, cut in its place, or grew over its old length since."""
    path = tmp_path / "a.log"
    journal = Journal(path)
    tail = Tail(path)
    journal.append(["one", "two", "three"])
    new(tail)
    journal.keep_first(1)

    assert tail.was_reset()
    assert [("a.log:1", "one")] == new(tail)
    journal.set_aside()
    journal.append(["another"])
    assert tail.was_reset()
    assert [("a.log:1", "another")] == new(tail)
    path.write_text("elsewhere\nand more\n")
    assert tail.was_reset()
    assert 2 == len(new(tail))
    assert not tail.was_reset()


def test_a_gigantic_line_is_counted_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is longer than any log's line does not fill the memory."""
    monkeypatch.setattr(log_lines, "MOST_BYTES", 100)
    path = tmp_path / "a.log"
    path.write_bytes(b"one\n" + b"x" * (2 * log_lines.MOST_BYTES + 1) + b"\nthree\n")

    assert [("a.log:1", "one"), ("a.log:3", "three")] == new(Tail(path))
