"""
Numbers, strings and characters to try, as OCaml; pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from .seen import Seen
from .writing import Text

__all__ = ["byte_strings", "characters", "floats", "strings", "whole"]


def whole(seen: Seen) -> Iterator[Text]:
    """
    Yield whole numbers: those shown and between them, then small ones and the extremes.
    """
    shown = seen.whole
    if shown:
        low, high = shown[0], shown[-1]
        between = (
            low,
            high,
            low + 1,
            high - 1,
            (low + high) // 2,
            0,
            1,
            2,
            3,
            -1,
            5,
            10,
        )
        for number in dict.fromkeys((*between, *shown)):
            if seen.has(number):
                yield Text(str(number))
        for number in (low - 1, high + 1):
            yield Text(str(number), strange=True)
    for number in (0, 1, -1, 2, 7, -10):
        if not seen.has(number):
            yield Text(str(number), strange=bool(shown) or number < 0)
    yield Text("max_int", strange=True)
    yield Text("min_int", strange=True)


def strings(seen: Seen) -> Iterator[Text]:
    """
    Yield strings: those shown, what is made of their pieces, then others.
    """
    yield Text('""', '""' not in seen.strings)
    for each in seen.strings:
        yield Text(each)
    plain = [each[1:-1] for each in seen.strings if "\\" not in each and len(each) > 2]
    for each in plain:
        for other in (each[1:], each[:-1], each[::-1], each + each, each[0]):
            if other and len(other) <= 40:
                yield Text(f'"{other}"')
    for one, two in pairwise(plain):
        yield Text(f'"{one}{two}"', strange=len(one + two) > 60)
    for other in ("a", " ", "ab", "Aa", "0", "a b", " a ", "aba"):
        letters = set("".join(plain))
        yield Text(f'"{other}"', bool(plain) and not set(other) <= letters)
    for other in (r"\000", r"\195\169", r"\255", r"a\nb", r"\t"):
        yield Text(f'"{other}"', strange=True)


def byte_strings(seen: Seen) -> Iterator[Text]:
    """
    Yield the same as bytes.
    """
    for each in strings(seen):
        yield Text(f"Bytes.of_string {each.text}", each.strange)


def characters(seen: Seen) -> Iterator[Text]:
    """
    Yield characters.
    """
    yield from map(Text, seen.characters)
    for each in ("'a'", "'b'", "'Z'", "'0'", "' '"):
        yield Text(each, bool(seen.characters))
    for each in (r"'\000'", r"'\255'"):
        yield Text(each, strange=True)


def floats(seen: Seen) -> Iterator[Text]:
    """
    Yield floats that sum up exactly in any order, those that are shown first.
    """
    yield from map(Text, seen.floats)
    shown = [float(each.replace("_", "")) for each in seen.floats]
    for each in ("0.", "1.", "2.5", "-1.", "0.5", "100."):
        inside = not shown or min(shown) <= float(each) <= max(shown)
        yield Text(each, not inside or (not shown and each.startswith("-")))
    for each in ("infinity", "neg_infinity", "nan"):
        yield Text(each, strange=True)
