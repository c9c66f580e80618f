"""Converts encoded values to OCaml literals.  Pure.

The input is a form (ocaml/run/value_encode.c) and the shape of its type
(ocaml/judge/value_shape.ml).  A hostile process may have chosen the form, and names in the shape:
parts that do not fit together, or have no shape, become `_`, and no control character is written.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .values import fields_of, float_of

BOOL: Final = "V false,true"
UNKNOWN: Final = "_"
CUT: Final = "…"

# At most this many words of a form are read.
_MOST_WORDS: Final = 20_000
_WORD: Final = re.compile(r"\S+")
_INTEGER: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)
_SUFFIXES: Final = {"i": "", "l": "l", "L": "L", "N": "n"}
_MARKS: Final = {"f": "<fun>", "a": "<abstr>", "o": "<object>"}
_ESCAPES: Final = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b"}


class _Cut(Exception):
    """The literal is long enough."""


class _Shape(NamedTuple):
    """One shape: its letter, its words, and all shapes, which words refer to by number."""

    kind: str
    words: list[str]
    others: list[_Shape]

    def at(self, number: str) -> _Shape:
        """Return the shape of a number."""
        return self.others[int(number)]

    @property
    def is_list(self) -> bool:
        """Tell whether this is OCaml's list type, or one with the same syntax."""
        if self.words[:1] != ["[]"] or not self.words[-1].endswith(":::"):
            return False
        parts = self.words[-1].split(":")[0].split(",")
        return len(parts) == 2 and self.at(parts[1]) is self


_NO_SHAPE: Final = _Shape("?", [], [])
# The argument of an exception, which Printexc always writes as a number.
_ARGUMENT: Final = _Shape("i", [], [])
_FLOAT: Final = _Shape("d", [], [])


def _read(text: str) -> _Shape:
    """Return the shape that a text describes."""
    shapes: list[_Shape] = []
    for each in text.split(";"):
        kind, *words = each.split(" ")
        shapes.append(_Shape(kind, words, shapes))
    return shapes[0]


class _Value(NamedTuple):
    """A value to be written; `inside` a constructor, some need parentheses."""

    shape: _Shape
    inside: bool = False


class _Row(NamedTuple):
    """The parts of a value from number `at` on; the last shape is used for all further parts."""

    size: int
    shapes: list[_Shape]
    between: str
    labels: Sequence[str] = ()
    at: int = 0


class _Tail(NamedTuple):
    """The rest of a list after an element."""

    element: _Shape


def literal(form: str, shape: str, most: int) -> str:
    """Return the literal of a value, cut after `most` characters with an ellipsis.

    `shape` is "" if unknown.
    """
    writer = _Writer(most, (word[0] for word in _WORD.finditer(form)))
    try:
        writer.write_all(_read(shape) if shape else _NO_SHAPE)
    except _Cut:
        writer.pieces.append(CUT)
    except (ValueError, IndexError):
        writer.pieces.append(UNKNOWN)
    text = "".join(writer.pieces)
    text = text if len(text) <= most else text[:most] + CUT
    return "".join(c if c.isprintable() else "?" for c in text)


@dataclass(slots=True)
class _Writer:
    most: int
    words: Iterator[str]
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    read: int = 0
    # A stack of parts to be written (no recursion: values may be deep).
    waiting: list[str | _Value | _Row | _Tail] = field(default_factory=list)

    def write_all(self, shape: _Shape) -> None:
        """Write a value of this shape, and all its parts."""
        self.waiting.append(_Value(shape))
        while self.waiting:
            match self.waiting.pop():
                case str() as text:
                    self._write(text)
                case _Value(of, inside):
                    self._value(of, self._next(), inside=inside)
                case _Row() as row if row.at < row.size:
                    self._part(row)
                case _Tail(element):
                    self._tail(element)

    def _write(self, text: str) -> None:
        """Write a text; stop the writing if the whole is too long."""
        self.pieces.append(text)
        self.length += len(text)
        if self.length > self.most:
            raise _Cut

    def _next(self) -> str:
        """Return the next word of the form; stop the writing where it was cut."""
        self.read += 1
        word = next(self.words, "!") if self.read <= _MOST_WORDS else "!"
        # A digest replaces a part that was too long, "!" one that may be infinite.
        if word[0] in "h!b":
            raise _Cut
        return word

    def _value(self, shape: _Shape, word: str, *, inside: bool) -> None:
        """Write the value that a word begins."""
        match shape.kind, word[0]:
            case "i", "i":
                self._number(word, inside=inside)
            case "c", "i":
                self._write(f"'{_escaped(bytes([int(word[1:])]), quote=chr(39))}'")
            case "V", "i":
                names = shape.words[0].split(",")
                self._write(names[_count(word[1:])] or UNKNOWN)
            case "P", "i":
                self._write(f"`{self._tag(shape, word)[0]}")
            case (("T" | "R" | "A" | "V" | "P"), "("):
                tag, _, size = word[1:].partition(":")
                self._block(shape, _count(tag), _count(size), inside=inside)
            case "E", "(":
                self._write("[||]")
            case "E", "D":
                row = _Row(_count(word[1:]), [_FLOAT], "; ", shape.words)
                opens, closes = ("{", "}") if shape.words else ("[|", "|]")
                self._around(opens, row, closes)
            case _:
                self._by_itself(word, inside=inside)

    def _block(self, shape: _Shape, tag: int, size: int, *, inside: bool) -> None:
        """Write a value with parts: a tuple, record, array or constructor."""
        words = shape.words
        match shape.kind:
            case "T" if size == len(words):
                self._around("(", _Row(size, list(map(shape.at, words)), ", "), ")")
            case "R" if size == len(words):
                fields = [word.split(":") for word in words]
                shapes = [shape.at(number) for number, _ in fields]
                labels = [label for _, label in fields]
                self._around("{", _Row(size, shapes, "; ", labels), "}")
            case "A":
                self._around("[|", _Row(size, [shape.at(words[0])], "; "), "|]")
            case "P" if size == 2:
                name, held = self._tag(shape, self._next())
                self._applied(f"`{name}", _Row(1, [held], ""), inside=inside)
            case "V":
                self._constructed(shape, words[tag + 1], size, inside=inside)
            case _:
                raise ValueError

    def _constructed(self, shape: _Shape, constructor: str, size: int, *, inside: bool) -> None:
        """Write a constructor with its arguments."""
        numbers, names, name = constructor.split(":", 2)
        shapes = [shape.at(number) for number in numbers.split(",")]
        if size != len(shapes):
            raise ValueError
        if shape.is_list:
            self.waiting += [_Tail(shapes[0]), _Value(shapes[0]), "["]
        elif names:
            row = _Row(size, shapes, "; ", names.split(","))
            self._applied(name, row, inside=inside)
        else:
            self._applied(name, _Row(size, shapes, ", "), inside=inside)

    def _tag(self, shape: _Shape, word: str) -> tuple[str, _Shape]:
        """Return the name of a polymorphic variant's tag, and the shape of what it holds."""
        known = {each.split(":")[0]: each.split(":") for each in shape.words}
        _, name, *held = known.get(word[1:], ["", UNKNOWN])
        return name, shape.at(held[0]) if held else _NO_SHAPE

    def _applied(self, name: str, row: _Row, *, inside: bool) -> None:
        """Write a name with its arguments, in parentheses inside another value."""
        opens, closes = ("(", ")") if inside else ("", "")
        if row.labels:
            self._around(f"{opens}{name} {{", row, f"}}{closes}")
        elif row.size == 1:
            held = _Value(row.shapes[0], inside=True)
            self.waiting += [closes, held, f"{opens}{name} "]
        else:
            self._around(f"{opens}{name} (", row, f"){closes}")

    def _around(self, opens: str, row: _Row, closes: str) -> None:
        """Write a row between brackets."""
        self.waiting += [closes, row, opens]

    def _part(self, row: _Row) -> None:
        """Write the next part of a row."""
        label = f"{row.labels[row.at]} = " if row.labels else ""
        self._write((row.between if row.at else "") + label)
        shape = row.shapes[min(row.at, len(row.shapes) - 1)]
        self.waiting += [row._replace(at=row.at + 1), _Value(shape)]

    def _tail(self, element: _Shape) -> None:
        """Write the rest of a list."""
        word = self._next()
        if word == "i0":
            self._write("]")
        elif word == "(0:2":
            self.waiting += [_Tail(element), _Value(element), "; "]
        else:
            raise ValueError

    def _by_itself(self, word: str, *, inside: bool) -> None:
        """Write a value whose form alone determines the literal."""
        match word[0]:
            case "s":
                # Two digits per byte, and at most four bytes per character.
                digits = word.partition(":")[2][: 8 * self.most + 8]
                self._write(f'"{_escaped(bytes.fromhex(digits), quote=chr(34))}"')
            case "d" | "n":
                self._number(word, inside=inside)
            case "l" | "L" | "N":
                self._number(word, inside=inside)
            case "f" | "a" | "o":
                self._write(_MARKS[word[0]])
            case "x":
                self._write(_exception(word))
            case "(":
                size = fields_of(word)
                first = self._next() if size else ""
                if first.startswith("x"):
                    row = _Row(size - 1, [_ARGUMENT], ", ")
                    self._around(f"{_exception(first)}(", row, ")")
                    return
                self._write(UNKNOWN)
                self._skip(size - 1 + fields_of(first))
            case _:
                self._write(UNKNOWN)
                self._skip(fields_of(word))

    def _skip(self, left: int) -> None:
        """Read past so many values."""
        while left > 0:
            left += fields_of(self._next()) - 1

    def _number(self, word: str, *, inside: bool) -> None:
        """Write a number, in parentheses where it is negative inside another value."""
        if word[0] in "dn":
            text = _float(word)
        elif _INTEGER.fullmatch(word[1:]):
            text = f"{word[1:]}{_SUFFIXES[word[0]]}"
        else:
            raise ValueError
        self._write(f"({text})" if inside and text.startswith("-") else text)


def _count(text: str) -> int:
    """Return the number in a text, not below 0; raise ValueError."""
    if not _INTEGER.fullmatch(text) or text.startswith("-"):
        raise ValueError
    return int(text)


def _float(word: str) -> str:
    """Return a float as OCaml text."""
    try:
        number = math.nan if word == "n" else float_of(word)
    except struct.error:
        raise ValueError from None
    if math.isinf(number):
        return "infinity" if number > 0 else "neg_infinity"
    return repr(number)


def _exception(word: str) -> str:
    """Return the name of an exception."""
    # OCaml's own exceptions are marked with "!", the code's with "*" in place of its unit.
    name = bytes.fromhex(word[1:401].removeprefix("!")).removeprefix(b"*")
    return _escaped(name, quote="")


def _escaped(data: bytes, *, quote: str) -> str:
    """Return bytes as they are written in an OCaml literal."""
    return "".join(
        f"\\{char}" if char == quote else _shown(char)
        for char in data.decode("utf-8", "surrogateescape")
    )


def _shown(char: str) -> str:
    """Return a character as it is written in an OCaml string."""
    if char in _ESCAPES:
        return _ESCAPES[char]
    code = ord(char)
    if char.isprintable():
        return char
    if code < 128 or 0xDC80 <= code <= 0xDCFF:
        return f"\\{code % 256:03d}" if code >= 0xDC80 else f"\\{code:03d}"
    return f"\\u{{{code:x}}}"
