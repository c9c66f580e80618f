"""Maps the tokens of a completion to the characters of its decoded text.

Tokens are sampled, so encoding their text again may give different ones. A token is a piece of
bytes, and a character may be split between pieces. Each known decoding of pieces is tried; one is
used if its text equals the tokenizer's.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, groupby
from typing import Any, Final, NamedTuple

Spans = list[tuple[int, int]]
Piece = str | bytes

SAMPLE: Final = 'let f x = "\N{EURO SIGN} caf\N{LATIN SMALL LETTER E WITH ACUTE}" (* 2 *)\n'
LOST: Final = "\N{REPLACEMENT CHARACTER}"
BLANK: Final = " "
WORD: Final = "\N{LOWER ONE EIGHTH BLOCK}"
BYTE: Final = re.compile(r"<0x([0-9A-Fa-f]{2})>")


class _Characters(NamedTuple):
    """A range of text, with the number of bytes of each character."""

    text: str
    sizes: list[int]


class TokenReader:
    """Reads the tokens of one transformers tokenizer, fast or slow."""

    def __init__(self, tokenizer: Any) -> None:
        """Find the special tokens, which decoding leaves out."""
        self._tokenizer = tokenizer
        added = getattr(tokenizer, "added_tokens_decoder", {})
        left_out = [at for at, token in added.items() if token.special]
        self._pieces: dict[int, Piece] = dict.fromkeys([*tokenizer.all_special_ids, *left_out], b"")

    def reads(self) -> bool:
        """Return whether this tokenizer is supported, by a test with a line of OCaml."""
        ids = self._tokenizer(SAMPLE, add_special_tokens=False)["input_ids"]
        return self.spans(ids, self.text(ids)) is not None

    def text(self, ids: Sequence[int]) -> str:
        """Decode tokens as the trainer does."""
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))

    def spans(self, ids: Sequence[int], text: str) -> Spans | None:
        """Return the characters of the decoded text that each token has a byte of.

        A token without text has an empty range. Returns None if the tokens cannot be aligned.
        """
        pieces = [self._piece(int(each)) for each in ids]
        for read in (_byte_level, _sentence_pieces):
            raws, characters = read(pieces)
            places = _aligned(characters.text, text)
            if places is not None:
                return _spans(raws, characters.sizes, places)
        return None

    def _piece(self, token: int) -> Piece:
        """Return a token's piece in the vocabulary; empty for a token that decoding leaves out."""
        known = self._pieces.get(token)
        if known is None:
            piece_text = self._tokenizer.convert_ids_to_tokens(token)
            known = piece_text if isinstance(piece_text, str | bytes) else b""
            self._pieces[token] = known
        return known


def _spans(raws: Sequence[bytes], sizes: Sequence[int], places: Sequence[int]) -> Spans:
    """Convert the bytes of each piece to the range of characters that they touch."""
    starts = list(accumulate(sizes, initial=0))
    found = []
    at = 0
    for raw in raws:
        stop = at + len(raw)
        first = bisect_right(starts, at) - 1
        last = max(first, bisect_left(starts, stop)) if raw else first
        found.append((places[first], places[last]))
        at = stop
    return found


def _aligned(joined: str, text: str) -> Sequence[int] | None:
    """Return the offset in `text` of each character of `joined`, and of its end.

    The two texts may differ only by blanks that decoding leaves out; otherwise the result is None.
    """
    if joined == text:
        return range(len(text) + 1)
    if joined == BLANK + text:
        return [0, *range(len(text) + 1)]
    places = []
    at = 0
    for character in joined:
        places.append(at)
        if at < len(text) and text[at] == character:
            at += 1
        elif character != BLANK:
            return None
    return [*places, at] if at == len(text) else None


def _byte_level(pieces: Sequence[Piece]) -> tuple[list[bytes], _Characters]:
    """Decode pieces in GPT-2's byte alphabet, or in bytes as in tiktoken's vocabularies.

    Characters outside the alphabet stand for themselves.
    """
    raws = [each if isinstance(each, bytes) else _from_alphabet(each) for each in pieces]
    return raws, _lossy(b"".join(raws))


def _from_alphabet(piece: str) -> bytes:
    alphabet = _alphabet()
    try:
        return bytes(alphabet[character] for character in piece)
    except KeyError:
        return _encoded(piece)


@cache
def _alphabet() -> dict[str, int]:
    """Return GPT-2's alphabet: printable Latin-1 for itself, characters from 256 on for other
    bytes.
    """
    shown = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (byte for byte in range(256) if byte not in shown)
    return {chr(byte): byte for byte in shown} | {
        chr(256 + place): byte for place, byte in enumerate(others)
    }


def _lossy(raw: bytes) -> _Characters:
    """Decode UTF-8 as decoders do, with a replacement character for each invalid sequence."""
    parts: list[str] = []
    sizes: list[int] = []
    at = 0
    while at < len(raw):
        bad = 0
        try:
            good, at = raw[at:].decode(), len(raw)
        except UnicodeDecodeError as error:
            good, bad = raw[at : at + error.start].decode(), error.end - error.start
            at += error.end
        parts.append(good)
        sizes += map(_size, good)
        if bad:
            parts.append(LOST)
            sizes.append(bad)
    return _Characters("".join(parts), sizes)


def _sentence_pieces(pieces: Sequence[Piece]) -> tuple[list[bytes], _Characters]:
    """Decode pieces of SentencePiece: a low block is a blank, and bytes are written `<0xE2>`.

    Consecutive bytes that are not valid UTF-8 as a whole become a replacement character each.
    """
    read = [_of_sentence_piece(each) for each in pieces]
    parts: list[str] = []
    sizes: list[int] = []
    there = (each for each in read if each[0])
    for is_byte, run in groupby(there, key=lambda each: each[1]):
        raw = b"".join(each for each, _ in run)
        found = _lossy(raw)
        if is_byte and not _is_text(raw):
            found = _Characters(LOST * len(raw), [1] * len(raw))
        parts.append(found.text)
        sizes += found.sizes
    return [raw for raw, _ in read], _Characters("".join(parts), sizes)


def _of_sentence_piece(piece: Piece) -> tuple[bytes, bool]:
    """Return a piece's bytes, and whether it is a single byte."""
    if isinstance(piece, bytes):
        return piece, False
    byte = BYTE.fullmatch(piece)
    if byte:
        return bytes([int(byte[1], 16)]), True
    return _encoded(piece.replace(WORD, BLANK)), False


def _is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _size(character: str) -> int:
    return len(_encoded(character))
