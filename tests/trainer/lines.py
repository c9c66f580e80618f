"""The two kinds of lines of a `learning.log`."""

from __future__ import annotations

from pathlib import Path

from trainer_plugin.logs.remarks import MARK


def step_lines(folder: Path) -> list[str]:
    """Read the lines of steps that a run has logged."""
    return [line for line in _lines(folder) if not line.startswith(MARK)]


def remarks(folder: Path) -> list[str]:
    """Read the other lines."""
    return [line for line in _lines(folder) if line.startswith(MARK)]


def _lines(folder: Path) -> list[str]:
    return (folder / "learning.log").read_text(encoding="utf-8").splitlines()
