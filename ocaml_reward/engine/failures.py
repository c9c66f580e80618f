"""What the code gave where a check that is judged outside has failed, and what was expected, in a few
words.  Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .forms import parts
from .judgements import Judgement, Values
from .literals import BOOL, CUT, UNKNOWN, literal

# Characters of one value, of what is read of it to find where two differ, and of all that is said.
_SHOWN: Final = 90
_READ: Final = 4000
_LONGEST: Final = 300
# Characters that are shown before a difference, and how many things a check can have wanted
# instead.
_BEFORE: Final = 30
_MOST: Final = 3

_NAMES: Final = {"abs.": "abs_float", "~-.": "-.", "~-": "-"}
_OPPOSITES: Final = {"=": "<>", "<>": "="}


class Failing(NamedTuple):
    """What a check says of values, and whether it had to hold, as it did not."""

    says: Judgement | str
    wanted: bool


def exception(form: str) -> str:
    """Write an exception as Printexc does."""
    return literal(form, "x", _SHOWN)


def failure(failing: Sequence[Failing], asked: Values, told: Values) -> str:
    """Say what the code gave, and what was expected.

    Args:
        failing: What did not hold: any of it would have done.
        asked: What the code has handed out.
        told: What it is compared with.

    Returns:
        At most 300 characters, such as "got 5, expected 4"; "" where nothing is known of it.
    """
    found: dict[str, list[str]] = {}
    for each in failing[:_MOST]:
        got, expected = _Telling(asked, told).of(each)
        others = found.setdefault(got, [])
        if expected and expected not in others:
            others.append(expected)
    said = [
        f"{got}, expected {' or '.join(expected)}" if expected else got
        for got, expected in found.items()
        if got
    ]
    if said and len(failing) > _MOST:
        said.append(CUT)
    text = "; ".join(said)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}{CUT}"


class _Telling(NamedTuple):
    asked: Values
    told: Values

    def of(self, each: Failing) -> tuple[str, str]:
        match each.says:
            case ("is", ("applied", _, *slots)):
                given = [
                    literal(self._form(("asked", slot)), self._taken(slot), _SHOWN)
                    for slot in slots
                ]
                return _got(given), ""
            case ("is", ("asked", _) as value):
                given = [literal(self._form(value), BOOL, _SHOWN)]
                return _got(given), str(each.wanted).lower()
            case ("compare" | "order" as kind, str() as operator, a, b):
                return self._compared(kind, operator, a, b, wanted=each.wanted)
            case ("handles", str() as number, *_) if each.wanted:
                found = self.asked.get(int(number))
                if found is not None and found.outcome is not None:
                    return f"raised {found.detail or found.outcome}", ""
                return "no exception was raised", ""
        return "", ""

    def _compared(
        self,
        kind: str,
        operator: str,
        a: Judgement | str,
        b: Judgement | str,
        *,
        wanted: bool,
    ) -> tuple[str, str]:
        shape = self._shape(a) or self._shape(b)
        given = list(self._given(a, shape)) + list(self._given(b, shape))
        if not given:
            return "", ""
        left, right = self._text(a, shape), self._text(b, shape)
        if UNKNOWN in (left, right) and len(given) == 1:
            # One value against another: what of them differs is shown.
            other = left if right == UNKNOWN else right
            mine, theirs = _apart(given[0], other)
            if mine == theirs and operator == "=" and self._form(a) != self._form(b):
                theirs = "another value"
            left, right = (theirs, UNKNOWN) if right == UNKNOWN else (UNKNOWN, theirs)
            given = [mine]
        if not wanted and operator in _OPPOSITES:
            operator, wanted = _OPPOSITES[operator], True
        expected = _relation(kind, operator, left, right)
        return _got(given), expected if wanted else f"not {expected}"

    def _form(self, term: Judgement | str) -> str:
        match term:
            case ("asked", number):
                found = self.asked.get(int(str(number)))
                return found.form if found else ""
            case ("told", number):
                found = self.told.get(int(str(number)))
                return found.form if found else ""
            case ("argument", number, place):
                fields = parts(self._form(("asked", number)))
                return fields[int(str(place))] if int(str(place)) < len(fields) else ""
        return ""

    def _taken(self, slot: Judgement | str) -> str:
        """Return the shape that a predicate takes."""
        found = self.told.get(~int(str(slot)))
        return found.shape if found else ""

    def _shape(self, term: Judgement | str) -> str:
        match term:
            case ("told", str() as number):
                found = self.told.get(int(number))
                return found.shape if found else ""
            case ("apply", str() as operator, *_):
                return "d" if operator.endswith(".") else "i"
        return ""

    def _given(self, term: Judgement | str, shape: str) -> Iterator[str]:
        """Yield what the code has given, in the order of the text."""
        match term:
            case ("asked" | "argument", *_):
                yield literal(self._form(term), shape, _READ)
            case ("apply", _, *arguments):
                for each in arguments:
                    yield from self._given(each, self._shape(term))

    def _text(self, term: Judgement | str, shape: str) -> str:
        """Write a term, `_` for what the code gives."""
        match term:
            case ("told", _):
                return literal(self._form(term), shape, _READ)
            case ("apply", str() as operator, *arguments):
                own = self._shape(term)
                texts = [_atom(_cut(self._text(each, own))) for each in arguments]
                name = _NAMES.get(operator, operator)
                return f" {name} ".join(texts) if texts[1:] else f"{name} {texts[0]}"
        return UNKNOWN


def _got(given: Sequence[str]) -> str:
    if all(each == UNKNOWN for each in given):
        return ""
    if list(given) == [CUT]:
        return "got a value that is too long to be shown"
    return f"got {' and '.join(map(_cut, given))}"


def _relation(kind: str, operator: str, left: str, right: str) -> str:
    left, right = _cut(left), _cut(right)
    if kind == "order" and operator != "=":
        return f"compare {_atom(left)} {_atom(right)} {operator} 0"
    if operator in _OPPOSITES and right == UNKNOWN:
        left, right = right, left
    if left != UNKNOWN:
        return f"{left} {operator} {right}"
    return right if operator == "=" else f"{operator} {right}"


def _atom(text: str) -> str:
    if text.startswith("-") or (" " in text and text[0] not in "([{\"'"):
        return f"({text})"
    return text


def _cut(text: str) -> str:
    return _around(text, 0)


def _apart(mine: str, theirs: str) -> tuple[str, str]:
    """Shorten two texts to where they differ."""
    pairs = enumerate(zip(mine, theirs, strict=False))
    shorter = min(len(mine), len(theirs)) if mine != theirs else 0
    at = next((place for place, (a, b) in pairs if a != b), shorter)
    return _around(mine, at), _around(theirs, at)


def _around(text: str, at: int) -> str:
    if len(text) <= _SHOWN:
        return text
    start = max(0, min(at - _BEFORE, len(text) - _SHOWN))
    end = start + _SHOWN
    return f"{CUT * (start > 0)}{text[start:end].rstrip(CUT)}{CUT * (end < len(text))}"
