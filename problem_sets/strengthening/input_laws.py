"""Laws of a program's inputs: what holds in every case, and has to hold in an input that is added; pure.

They are learnt from as few as two cases.  Some hold by chance and then only keep inputs out: these
are guards, so that no added case fails a right program.
(Kattis/problemtools examples/oddecho; Kattis/problem-package-format examples/problems/scoring)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import permutations
from typing import Final

from .prompt_domain import PromptDomain, prompt_domain

_WHOLE: Final = re.compile(r"-?\d{1,18}")
_DIGITS: Final = re.compile(r"-?\d+")
# A count stands near the beginning, and a line that it counts not far behind.
_HEAD: Final = 3
_PLACES: Final = 5
_LINES: Final = 8

_ANY: Final = -1
_COUNTED: Final = 2

Law = tuple[str | int, ...]
"""What holds, and at which line and token."""
Place = tuple[int, int, int]
"""A line, a token in it or `_ANY`, and a number in that."""


@dataclass(frozen=True, slots=True)
class InputLaws:
    """What holds in all cases.

    Attributes:
        laws: What is true of all.
        ranges: The least and greatest number at a place.
        digits: How many digits a number has at a place where some begin with 0.
        single: The characters that are there once.
        counted: Whether some number tells how much follows, so that other shapes are possible.
        shapes: The numbers of tokens of the lines.
    """

    laws: frozenset[Law]
    ranges: Mapping[Place, tuple[int, int]]
    digits: Mapping[Place, int]
    single: frozenset[str]
    counted: bool
    shapes: frozenset[tuple[int, ...]]

    def broken(self, text: str) -> bool:
        """Return whether an input lacks what all cases have."""
        lines = _tokens(text)
        if not self.laws <= _holding(lines):
            return True
        if not self.counted and tuple(map(len, lines)) not in self.shapes:
            return True
        for place, digits in _numbers(lines):
            for each in (place, _line_of(place)):
                low, high = self.ranges.get(each, (int(digits), int(digits)))
                if not low <= int(digits) <= high:
                    return True
            if len(digits) != self.digits.get(place, len(digits)):
                return True
        counts = Counter(text)
        return any(counts[sign] != 1 for sign in self.single)


def input_laws(cases: Sequence[str], prompt: str = "") -> InputLaws:
    """Return what holds in all cases, and is not denied by a prompt that says nothing of it."""
    domain = prompt_domain(prompt)
    all_lines = [_tokens(each) for each in cases]
    holding: frozenset[Law] = reduce(frozenset.__and__, map(_holding, all_lines))
    laws = frozenset(law for law in holding if not _is_chance(law, all_lines))
    heads = {tuple(law[1:3]) for law in laws if str(law[0]).startswith("counts")}
    shapes = frozenset(tuple(map(len, each)) for each in all_lines)
    if len(set(map(len, all_lines))) == 1:
        shared = min(_HEAD, len(all_lines[0]))
    else:
        # Lines that are counted, or that end somehow, have no places of their own.
        shared = 1 if heads else 0
    found: dict[Place, list[str]] = {}
    for lines in all_lines:
        for place, digits in _numbers(lines):
            if place[0] < shared and place[:2] not in heads:
                same = ("width", place[0], len(lines[place[0]])) in laws
                found.setdefault(place if same else _line_of(place), []).append(digits)
    if domain.negative:
        # The prompt says that numbers are whole, so not only those shown.
        found = {place: each for place, each in found.items() if place[1] != _ANY}
    counts = [Counter(re.sub(r"[\s\d]", "", each)) for each in cases]
    once = [frozenset(sign for sign, n in each.items() if n == 1) for each in counts]
    return InputLaws(
        laws=laws,
        ranges={place: _range(each, domain) for place, each in found.items()},
        digits={
            place: len(each[0])
            for place, each in found.items()
            if any(one[0] == "0" and len(one) > 1 for one in each) and len(set(map(len, each))) == 1
        },
        single=reduce(frozenset.__and__, once) if all(map(_is_picture, cases)) else frozenset(),
        counted=bool(heads) or len(shapes) > 1,
        shapes=shapes,
    )


def _tokens(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def _is_chance(law: Law, cases: Sequence[Sequence[Sequence[str]]]) -> bool:
    """Return whether a number seems to count, but never counts more than one."""
    if not str(law[0]).startswith("counts"):
        return False
    line, token = int(law[1]), int(law[2])
    return max(int(lines[line][token]) for lines in cases) < _COUNTED


def _is_picture(case: str) -> bool:
    """Return whether the lines behind the first are equally long, of signs without blanks."""
    rows = case.splitlines()[1:]
    return len({len(row) for row in rows}) == 1 and not re.search(r"[\s\d]", "".join(rows))


def _range(digits: Sequence[str], domain: PromptDomain) -> tuple[int, int]:
    """Return the least and the greatest number that a place may have."""
    numbers = list(map(int, digits))
    if any(each[0] == "0" and len(each) > 1 for each in digits):
        return min(numbers), max(numbers)
    return min(*numbers, domain.least or min(numbers)), max(*numbers, domain.most or max(numbers))


def _line_of(place: Place) -> Place:
    return place[0], _ANY, 0


def _numbers(lines: Sequence[Sequence[str]]) -> Iterator[tuple[Place, str]]:
    """Yield the numbers of the first lines."""
    for line, tokens in enumerate(lines[:_HEAD]):
        for token, text in enumerate(tokens):
            for part, found in enumerate(_DIGITS.findall(text)):
                yield (line, token, part), found


def _holding(lines: Sequence[Sequence[str]]) -> frozenset[Law]:
    """Return the laws that hold in one input."""
    found = set[Law]()
    for line, tokens in enumerate(lines[:_LINES]):
        found.add(("width", line, len(tokens)))
        found.update(_of_line(line, tokens))
        if line < _HEAD:
            found.update(_of_head(line, tokens, lines[line + 1 :]))
    pairs = [tuple(map(int, e)) for e in lines[1:] if len(e) == 2 and all(map(_WHOLE.fullmatch, e))]
    if pairs and all(one < two for one, two in pairs):
        found.add(("pairs rise",))
    if pairs and all(one <= two for one, two in pairs):
        found.add(("pairs do not fall",))
    return frozenset(found)


def _of_line(line: int, tokens: Sequence[str]) -> Iterator[Law]:
    """Yield what holds in a line."""
    numbers = [(place, int(each)) for place, each in enumerate(tokens) if _WHOLE.fullmatch(each)]
    for (place, one), (other, two) in permutations(numbers[:_PLACES], 2):
        # Which place a number has means something only where all lines are equally long.
        if one <= two:
            yield "at most", line, len(tokens), place, other
        if one < two:
            yield "less", line, len(tokens), place, other


def _of_head(line: int, tokens: Sequence[str], behind: Sequence[Sequence[str]]) -> Iterator[Law]:
    """Yield what the numbers of a line say of those behind it."""
    after = [int(each) for other in behind for each in other if _WHOLE.fullmatch(each)]
    for token, text in enumerate(tokens[:_PLACES]):
        if not _WHOLE.fullmatch(text):
            continue
        number = int(text)
        for name, count in _COUNTS.items():
            if count(tokens, token, behind) == number:
                yield f"counts {name}", line, token
        for place, other in enumerate(behind[:_LINES], line + 1):
            if len(other) == number:
                yield "counts tokens", line, token, place
            if len(other) == 1 and len(other[0]) == number:
                yield "counts signs", line, token, place
        if after and all(1 <= each <= number for each in after):
            yield "bounds", line, token


_COUNTS: Final[dict[str, Callable[[Sequence[str], int, Sequence[Sequence[str]]], int]]] = {
    "lines behind": lambda _, __, behind: len(behind),
    "tokens behind": lambda _, __, behind: sum(map(len, behind)),
    "the rest of the line": lambda tokens, place, _: len(tokens) - place - 1,
}
