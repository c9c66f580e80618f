"""
A text with parts of it replaced, and where what is left stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .origins import Origins, Piece, joined

__all__ = ["Edit", "edited", "origins_of"]


class Edit(NamedTuple):
    """
    What stands from `start` up to `stop` becomes `new`.
    """

    start: int
    stop: int
    new: str = ""


def edited(text: str, edits: Sequence[Edit]) -> str:
    """
    Make edits that stand in their order and do not overlap.
    """
    pieces: list[str] = []
    done = 0
    for edit in edits:
        pieces += text[done : edit.start], edit.new
        done = edit.stop
    pieces.append(text[done:])
    return "".join(pieces)


def origins_of(text: str, edits: Sequence[Edit]) -> Origins:
    """
    Tell where the characters of the edited text stand: one that others were written for stands
    where these begin, and whatever else was put in nowhere.
    """
    pieces: list[Piece] = []
    done = 0
    for edit in edits:
        pieces.append(Piece(0, edit.start - done, done))
        is_written = len(edit.new) == 1 and edit.start < edit.stop
        pieces.append(Piece(0, len(edit.new), edit.start if is_written else None))
        done = edit.stop
    pieces.append(Piece(0, len(text) - done, done))
    return joined(pieces)
