"""
What of a completion is said: its thoughts dropped, and the marks around an answer; its line
ends made alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .channels import aloud, end_of, has_channels
from .lexing import outside_literals
from .origins import Origins, Piece, cut, kept

__all__ = ["normal_ranges", "normalised", "spoken", "spoken_ranges"]

# An opening tag counts at the start of a line only, or it could stand in a string.
_NAMES = (
    r"(?:(?:seed:)?think(?:ing)?|reasoning|thoughts?|scratchpad|analysis|reflection)"
)
_OPENS = (
    rf"<{_NAMES}>|\[(?-i:THINK)\]|\u25c1think\u25b7|<\|begin_of_thought\|>"
    r"|(?:<\|channel>|<unused94>)thought\b"
)
_CLOSES = (
    rf"<[ ]?[/\\][ ]?{_NAMES}>|\[/(?-i:THINK)\]|\u25c1/think\u25b7|<\|end_of_thought\|>"
    r"|<channel\|>|<unused95>"
)
_THINK = re.compile(rf"^[ \t]*(?:{_OPENS})", re.MULTILINE | re.IGNORECASE)
_THOUGHT = re.compile(_CLOSES, re.IGNORECASE)
_EITHER = re.compile(rf"{_OPENS}|{_CLOSES}", re.IGNORECASE)
# Around an answer, at the edges of lines; and what tokenizers write at a text's end where
# nobody took it away.  Neither is at such a place in OCaml.
_ANSWER = r"(?:(?:final_)?answer|code|solution|response|output|ocaml)>"
_LAST = (
    r"<\|[\w\u2581]{1,40}\|>|<\uff5c[^\n>]{1,40}\uff5c>|</s>"
    r"|<(?:end_of_turn|pad|eos|unk|end|fim_[a-z]{1,10})>"
)
# What a template writes before an answer, and who speaks.
_FIRST = (
    r"(?:(?:<\|\w{1,40}\|>|</?s>|<bos>|<pad>|<eos>|<unk>|<start_of_turn>|\[/?INST\])\s{0,10}"
    r"(?:(?:assistant|model)\b\s{0,10})?)++"
)
_MARKS = re.compile(
    rf"\A\s{{0,20}}{_FIRST}|^[ \t]*(?:<{_ANSWER}|<\|begin_of_solution\|>)|</{_ANSWER}(?=[ \t]*(?:$|{_LAST}|\(\*))|(?:(?:{_LAST})\s*+){{1,8}}\Z",
    re.MULTILINE | re.IGNORECASE,
)
# What all of these begin with, and hardly anything in code does.
_TAG = re.compile(r"<[/\\|\uff5ca-z]|\[/?(?:think|inst)|\u25c1", re.IGNORECASE)

# A character of no width, where a line begins or ends; each run of them is looked at once.
_NO_WIDTH = "[\u200b-\u200d\u2060\ufeff]"
_DROPPED = re.compile(
    rf"^{_NO_WIDTH}++|(?<!{_NO_WIDTH}){_NO_WIDTH}++(?=\r?\n|\Z)|\r(?=\n)",
    re.MULTILINE,
)


def normalised(text: str) -> str:
    """
    Write all line ends as one newline, and drop what nobody sees at the edges of lines:
    byte order marks and characters of no width.
    """
    text = _in_lines(text)
    if text.isascii():
        return text.replace("\r\n", "\n")
    return "".join(text[start:stop] for start, stop in normal_ranges(text))


def _in_lines(text: str) -> str:
    """
    Read a carriage return as a line's end where nothing else ends one.
    """
    return text if "\r" not in text or "\n" in text else text.replace("\r", "\n")


def normal_ranges(text: str) -> Iterator[tuple[int, int]]:
    """
    Yield the parts of a text that `normalised` keeps.
    """
    text = _in_lines(text)
    start = 0
    for dropped in _DROPPED.finditer(text):
        yield start, dropped.start()
        start = dropped.end()
    yield start, len(text)


def spoken(text: str) -> str:
    """
    Drop the thoughts and the marks around an answer.

    A closing tag alone ends thoughts that the prompt's template opened.  Thoughts never
    closed hold no answer: the model was cut off, or stopped, before it gave one.
    """
    return "".join(text[start:stop] for start, stop in spoken_ranges(text))


def _is_all_spoken(text: str) -> bool:
    """
    Tell at a glance, as is most often so, that nothing of a text is to be dropped.
    """
    tagged = _TAG.search(text) and (_EITHER.search(text) or _MARKS.search(text))
    return not (tagged or has_channels(text) or end_of(text))


def spoken_ranges(text: str) -> list[tuple[int, int]]:
    """
    List the parts of a text that `spoken` keeps.
    """
    if _is_all_spoken(text):
        return [(0, len(text))]
    said = kept(aloud(text))
    whole = _kept(text, said)
    said = kept(_without_thoughts(whole)).after(said)
    whole = _kept(text, said)
    said = kept([(0, end_of(whole) or len(whole))]).after(said)
    whole = _kept(text, said)
    places = [0, *(edge for mark in _MARKS.finditer(whole) for edge in mark.span())]
    edges = [*places, len(whole)]
    answers = list(zip(edges[::2], edges[1::2], strict=True))
    said = kept(answers).after(said)
    return _ranges(said.pieces)


def _kept(text: str, said: Origins) -> str:
    return "".join(text[start:stop] for start, stop in _ranges(said.pieces))


def _without_thoughts(text: str) -> list[tuple[int, int]]:
    pieces: list[tuple[int, int]] = []
    place = 0
    while opened := _THINK.search(text, place):
        pieces.append((place, opened.start()))
        closed = _THOUGHT.search(text, opened.end())
        if not closed:
            return _after_thoughts(text, pieces)
        place = closed.end()
    return _after_thoughts(text, [*pieces, (place, len(text))])


def _after_thoughts(text: str, pieces: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """
    Keep what stands behind the last closing tag of what is left.

    One in a literal or a comment that begins and ends on its line is spoken of, or code.
    """
    whole = "".join(text[start:stop] for start, stop in pieces)
    end = 0
    for closed in outside_literals(_THOUGHT, whole):
        end = closed.end()
    return _ranges(cut(kept(pieces), end, len(whole)))


def _ranges(pieces: Iterable[Piece]) -> list[tuple[int, int]]:
    return [
        (piece.origin, piece.origin + piece.stop - piece.start)
        for piece in pieces
        if piece.origin is not None
    ]
