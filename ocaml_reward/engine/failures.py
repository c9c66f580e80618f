"""Describes a failed check that was judged outside: the returned and the expected value.  Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .forms import parts
from .formulas import Formula, Values
from .literals import BOOL, CUT, UNKNOWN, literal

# Characters of one value; characters of it that are read to find a difference; and characters of
# the whole description.
_SHOWN: Final = 90
_READ: Final = 4000
_LONGEST: Final = 300
# Characters that are shown before a difference, and the number of failed parts that are shown.
_BEFORE: Final = 30
_MOST: Final = 3

_NAMES: Final = {"abs.": "abs_float", "~-.": "-.", "~-": "-"}
_OPPOSITES: Final = {"=": "<>", "<>": "="}


class Failing(NamedTuple):
    """A part of a formula that did not have the `wanted` truth value."""

    formula: Formula | str
    wanted: bool


def exception(form: str) -> str:
    """Return an exception as Printexc writes it."""
    return literal(form, "x", _SHOWN)


def failure(failing: Sequence[Failing], returned: Values, expected: Values) -> str:
    """Return a description of the returned and the expected values.

    Args:
        failing: The parts of the formula that failed; one of them as wanted would have passed.
        returned: The values that the code returned.
        expected: The expected values.

    Returns:
        At most 300 characters, such as "got 5, expected 4"; "" if nothing is known.
    """
    found: dict[str, list[str]] = {}
    for each in failing[:_MOST]:
        got, wanted = _Description(returned, expected).of(each)
        others = found.setdefault(got, [])
        if wanted and wanted not in others:
            others.append(wanted)
    pieces = [
        f"{got}, expected {' or '.join(wanted)}" if wanted else got
        for got, wanted in found.items()
        if got
    ]
    if pieces and len(failing) > _MOST:
        pieces.append(CUT)
    text = "; ".join(pieces)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}{CUT}"


class _Description(NamedTuple):
    returned: Values
    expected: Values

    def of(self, each: Failing) -> tuple[str, str]:
        match each.formula:
            case ("is", ("applied", _, *slots)):
                given = [
                    literal(self._form(("returned", slot)), self._taken(slot), _SHOWN)
                    for slot in slots
                ]
                return _got(given), ""
            case ("is", ("returned", _) as value):
                given = [literal(self._form(value), BOOL, _SHOWN)]
                return _got(given), str(each.wanted).lower()
            case ("compare" | "order" as kind, str() as operator, a, b):
                return self._compared(kind, operator, a, b, wanted=each.wanted)
            case ("handles", str() as number, *_) if each.wanted:
                found = self.returned.get(int(number))
                if found is not None and found.outcome is not None:
                    return f"raised {found.detail or found.outcome}", ""
                return "no exception was raised", ""
        return "", ""

    def _compared(
        self,
        kind: str,
        operator: str,
        a: Formula | str,
        b: Formula | str,
        *,
        wanted: bool,
    ) -> tuple[str, str]:
        shape = self._shape(a) or self._shape(b)
        given = list(self._given(a, shape)) + list(self._given(b, shape))
        if not given:
            return "", ""
        left, right = self._text(a, shape), self._text(b, shape)
        if UNKNOWN in (left, right) and len(given) == 1:
            # One value against another: show where they differ.
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

    def _form(self, term: Formula | str) -> str:
        match term:
            case ("returned", number):
                found = self.returned.get(int(str(number)))
                return found.form if found else ""
            case ("expected", number):
                found = self.expected.get(int(str(number)))
                return found.form if found else ""
            case ("argument", number, place):
                fields = parts(self._form(("returned", number)))
                return fields[int(str(place))] if int(str(place)) < len(fields) else ""
        return ""

    def _taken(self, slot: Formula | str) -> str:
        """Return the shape of a predicate's argument."""
        found = self.expected.get(~int(str(slot)))
        return found.shape if found else ""

    def _shape(self, term: Formula | str) -> str:
        match term:
            case ("expected", str() as number):
                found = self.expected.get(int(number))
                return found.shape if found else ""
            case ("apply", str() as operator, *_):
                return "d" if operator.endswith(".") else "i"
        return ""

    def _given(self, term: Formula | str, shape: str) -> Iterator[str]:
        """Yield the code's values in a term, from left to right."""
        match term:
            case ("returned" | "argument", *_):
                yield literal(self._form(term), shape, _READ)
            case ("apply", _, *arguments):
                for each in arguments:
                    yield from self._given(each, self._shape(term))

    def _text(self, term: Formula | str, shape: str) -> str:
        """Return a term as text, with `_` for the code's values."""
        match term:
            case ("expected", _):
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
