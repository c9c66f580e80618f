"""Generates numbers, strings and characters, as OCaml; pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from .examples import ArgumentExamples
from .texts import breaks_text
from .writing import Text


def whole(seen: ArgumentExamples, *, inside: bool = False) -> Iterator[Text]:
    """Yield integers: those shown and between them, then small ones and the extremes.

    Those `inside` of other values may be negative, unless the prompt says otherwise.
    """
    shown = seen.whole
    yield from (Text(str(n)) for n in dict.fromkeys(_told(seen, inside=inside)))
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


def _told(seen: ArgumentExamples, *, inside: bool) -> Iterator[int]:
    """Yield integers that the prompt allows, whether they are shown or not."""
    shown, domain = seen.whole, seen.domain
    if inside and domain.negative:
        yield from (*shown[:6], -1, 0, 2, -7, 5, 1, -3, max(12, *shown, 12))
    if domain.zero:
        yield 0
    if domain.signed:
        yield from (-1, -2, -6)
    if shown:
        # Larger ones a slow right program also ends with.
        yield from (n for n in (4, 9, 12, 16, 25, 49, 97, 100) if seen.has(n))
        yield from (4, 9, 15, 25) if domain.unbounded else ()
        yield from (k * shown[-1] + k - 1 for k in (1, 2, 3) if domain.larger)


def strings(seen: ArgumentExamples) -> Iterator[Text]:
    """Yield strings: those shown, combinations of their pieces, then others."""
    for each in _strings(seen):
        yield Text(each.text, each.strange or breaks_text(seen.texts, each.text))


def _strings(seen: ArgumentExamples) -> Iterator[Text]:
    """Yield strings: those of the examples, pieces of them, and strange ones."""
    yield Text('""', '""' not in seen.strings)
    for each in seen.strings:
        yield Text(each)
    yield from _drawn(seen)
    plain = [each[1:-1] for each in seen.strings if "\\" not in each and len(each) > 2]
    letters = set("".join(plain))
    cased = any(map(str.isupper, letters)) and any(map(str.islower, letters))
    for pieces in zip(*(_pieces(each, cased=cased) for each in plain), strict=True):
        for other in pieces:
            if other and len(other) <= 40:
                yield Text(f'"{other}"')
    for one, two in pairwise(plain):
        yield Text(f'"{one}{two}"', strange=len(one + two) > 60)
    letters |= seen.domain.alphabet
    for other in ("a", " ", "ab", "Aa", "0", "a b", " a ", "aba"):
        yield Text(f'"{other}"', bool(plain) and not set(other) <= letters)
    for other in (r"\000", r"\195\169", r"\255", r"a\nb", r"\t"):
        yield Text(f'"{other}"', strange=True)


def _drawn(seen: ArgumentExamples) -> Iterator[Text]:
    """Yield strings over the alphabet of the prompt and the strings shown."""
    shown = {sign for each in seen.strings if "\\" not in each for sign in each[1:-1]}
    signs = sorted({*shown, *seen.domain.alphabet} - {'"', "\\"})
    if not seen.domain.alphabet:
        return
    random = Random(0)  # noqa: S311 (the same strings each time)
    for size in (1, 2, 3, 4, 5, 7, 9):
        text = "".join(random.choices(signs, k=size))
        yield Text(f'"{text}"')
        yield Text(f'"{text}{text[::-1]}"')
        # Some signs are there more than once.
        some = random.sample(signs, min(len(signs), 3))
        yield Text(f'"{"".join(random.choices(some, k=size + 1))}"')


def _pieces(text: str, *, cased: bool) -> tuple[str, ...]:
    """Return variants of a string, in a fixed order; in both cases of letters if both are shown."""
    words = text.split(" ")
    middle = len(text) // 2
    return (
        text[0],
        text[::-1],
        text[1:],
        text[:-1],
        # Doubled words remain words.
        " ".join(words * 2) if words[1:] else text * 2,
        text[:middle] + text[middle + 1 :],
        text[:middle] + text[0] + text[middle + 1 :],
        text.swapcase() if cased else "",
    )


def byte_strings(seen: ArgumentExamples) -> Iterator[Text]:
    """Yield values of type bytes, made of strings."""
    for each in strings(seen):
        yield Text(f"Bytes.of_string {each.text}", each.strange)


def characters(seen: ArgumentExamples) -> Iterator[Text]:
    """Yield characters."""
    yield from map(Text, seen.characters)
    for each in ("'a'", "'b'", "'Z'", "'0'", "' '"):
        yield Text(each, bool(seen.characters))
    for each in (r"'\000'", r"'\255'"):
        yield Text(each, strange=True)


def floats(seen: ArgumentExamples) -> Iterator[Text]:
    """Yield floats whose sums are exact in any order, those shown first."""
    yield from map(Text, seen.floats)
    shown = [float(each.replace("_", "")) for each in seen.floats]
    for each in ("0.", "1.", "2.5", "-1.", "0.5", "100."):
        inside = not shown or min(shown) <= float(each) <= max(shown) or seen.domain.negative
        yield Text(each, not inside or (not shown and each.startswith("-")))
    for each in ("infinity", "neg_infinity", "nan"):
        yield Text(each, strange=True)
