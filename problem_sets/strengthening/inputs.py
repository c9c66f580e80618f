"""Generates inputs for a program from those of its cases; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from random import Random
from typing import Final

from .input_laws import input_laws
from .layout import PIECE, Layout, form, layout_of
from .writing import Text

_MOST: Final = 90
_STRANGE: Final = 30
_DRAWN: Final = 120
# Longer inputs are unreadable.
_LONGEST: Final = 160
_PATTERNS: Final = (
    (), (0,), (0, 0), (0, 1), (1, 0), (0, 1, 2), (2, 1, 0), (0, 1, 0), (1, 1, 0),
    (2, 2, 2), (0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (3, 0, 3, 1, 3), (1, 2, 2, 3, 1, 0),
)  # fmt: skip


def inputs_of(cases: Sequence[str], random: Random, prompt: str = "") -> list[Text]:
    """Return new inputs, those most like the cases first.

    Args:
        cases: The inputs of the program's cases.
        random: Draws some if there are too many.
        prompt: The problem's prompt.

    Returns:
        The inputs; those that lack a common property of all cases are strange.
    """
    layout = layout_of(cases, prompt)
    laws = input_laws(cases, prompt)
    bodies = [layout.items(each) for each in cases]
    made: dict[str, Text] = {}
    if layout.counts == "grid":
        found = _grids(layout, sorted(laws.single), random)
    elif layout.counts == "tokens":
        found = _sequences(layout, bodies, random)
    else:
        found = _lined(layout, bodies, random)
    known = {each.rstrip() for each in cases}
    for items in found:
        text = layout.framed(items)
        if text.rstrip() not in known and len(text) <= _LONGEST:
            made.setdefault(text, Text(text, layout.strange(items) or laws.broken(text)))
    tame = [each for each in made.values() if not each.strange]
    strange = [each for each in made.values() if each.strange]
    half = _MOST // 2
    drawn = random.sample(tame[half:], min(half, len(tame[half:])))
    return [*tame[:half], *drawn, *strange[:_STRANGE]]


def _sequences(
    layout: Layout, bodies: Sequence[Sequence[str]], random: Random
) -> Iterator[list[str]]:
    """Yield sequences of the tokens shown, and of numbers between them."""
    pool = _numbered(sorted({token for each in bodies for token in each}), layout.more)
    if layout.low < 0 <= len(pool):
        pool += [str(n) for n in (layout.low, -1, -3, layout.high) if str(n) not in pool]
    for body in bodies:
        yield from _edits(list(body))
    if not pool:
        return
    if layout.low < 0:
        yield from (each.split() for each in ("-1", "-3 -1 -7", "-2 -2", "5 5 3", "4 1 4"))
    for pattern in _PATTERNS:
        yield [pool[place % len(pool)] for place in pattern]
    most = max(map(len, bodies))
    for _ in range(_DRAWN):
        yield random.choices(pool, k=random.randint(1, most + 2))


def _lined(layout: Layout, bodies: Sequence[Sequence[str]], random: Random) -> Iterator[list[str]]:
    """Yield sequences of lines: shown ones reordered, and new lines of their forms."""
    shown = list(dict.fromkeys(line for each in bodies for line in each))
    pool = list(dict.fromkeys((*shown, *_varied(layout, shown, random))))
    if layout.symbols:
        signs = sorted(layout.symbols)
        pool += ["".join(random.choices(signs, k=random.randint(1, 6))) for _ in range(40)]
        pool += ["".join(other) for each in shown for other in _edits(list(each)) if other]
    most = max(map(len, bodies), default=0)
    if len(layout.sizes) == 1 and most:
        # The meaning of a line may depend on its position.
        pools = [
            list(dict.fromkeys((*own, *_varied(layout, own, random))))
            for own in ([each[place] for each in bodies] for place in range(most))
        ]
        for body in bodies:
            for place, own in enumerate(pools):
                yield from ([*body[:place], line, *body[place + 1 :]] for line in own)
        yield from ([random.choice(pool)] for _ in range(_DRAWN) if layout.symbols and most == 1)
        for _ in range(_DRAWN):
            yield [random.choice(own) for own in pools]
        return
    for body in bodies:
        yield from _edits(list(body))
    yield from ([line] for line in pool)
    for one, two in pairwise(bodies):
        yield [*one, *two]
    if not pool:
        return
    for _ in range(_DRAWN):
        yield random.choices(pool, k=random.randint(1, most + 3))


def _edits(items: list[str]) -> Iterator[list[str]]:
    """Yield items with one removed, doubled or moved."""
    yield []
    for place in range(len(items)):
        yield items[:place] + items[place + 1 :]
        yield items[: place + 1] + items[place:]
    yield items[::-1]
    yield sorted(items)
    for place in range(len(items) - 1):
        one, two = items[place : place + 2]
        yield [*items[:place], two, one, *items[place + 2 :]]


def _varied(layout: Layout, shown: Sequence[str], random: Random) -> Iterator[str]:
    """Yield lines of the shown forms, with other numbers and words."""
    by_form: dict[str, list[list[str]]] = {}
    for line in shown:
        by_form.setdefault(form(line, layout.commands), []).append(PIECE.findall(line))
    for lines in by_form.values():
        words = sorted({p for line in lines for p in line if re.match(r"[A-Za-z_]", p)})
        words = [each for each in words if each not in layout.commands]
        whole = sorted({p for line in lines for p in line if re.fullmatch(r"-?\d+", p)})
        numbers = _numbered(whole, layout.more)
        for pieces in lines:
            for place, piece in enumerate(pieces):
                pool = numbers if re.fullmatch(r"-?\d+", piece) else ()
                if re.match(r"[A-Za-z_]", piece) and piece not in layout.commands:
                    pool = words
                for other in islice(pool, 12):
                    yield "".join([*pieces[:place], other, *pieces[place + 1 :]])
            yield from _runs(pieces, numbers or words, random)


def _runs(pieces: list[str], pool: Sequence[str], random: Random) -> Iterator[str]:
    """Yield lines like `1, 2, 3`, if a line is of that kind, with other items."""
    items, between = pieces[::2], pieces[1::2]
    if len(items) < 2 or len(set(between)) != 1 or not set(items) <= set(pool):
        return
    for edited in _edits(items):
        yield between[0].join(edited)
    for _ in range(12):
        yield between[0].join(random.choices(pool, k=random.randint(1, len(items) + 2)))


def _grids(layout: Layout, single: Sequence[str], random: Random) -> Iterator[list[str]]:
    """Yield grids of the cells shown; those of which every case has one are there once."""
    cells = tuple(each for each in layout.cells if each not in single) or (".",)
    join = " " if layout.spaced else ""
    sizes = ((1, 1), (1, 4), (4, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 5), (5, 4))
    for rows, columns in sizes:
        for cell in cells[:4]:
            yield [join.join([cell] * columns)] * rows
        for _ in range(8):
            weights = [random.random() for _ in cells]
            drawn = random.choices(cells, weights, k=rows * columns)
            alone = [each for each in single if each in layout.cells]
            places = random.sample(range(rows * columns), rows * columns)
            for place, sign in zip(places, alone, strict=False):
                drawn[place] = sign
            yield [join.join(drawn[row * columns : (row + 1) * columns]) for row in range(rows)]


def _numbered(tokens: Sequence[str], beyond: Sequence[int] = ()) -> list[str]:
    """Return tokens, replacing numbers by small numbers, neighbours, and those `beyond` them."""
    if not tokens or not all(re.fullmatch(r"-?\d{1,15}", each) for each in tokens):
        return list(tokens)
    shown = sorted(map(int, tokens))
    low, high = shown[0], shown[-1]
    more = (0, 1, *beyond, 2, -1, 3, low + 1, high - 1, (low + high) // 2, 10, low - 1, high + 1)
    return [str(each) for each in dict.fromkeys((*shown, *more))]
