"""Evaluates the formulas of checks that are judged outside the code's process.  Pure.

A formula combines values returned by the code with expected values, which are computed without it;
`ocaml/judge/formula.ml` writes it.  A failed check is described by both values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from ...errors import EngineFault
from ...model import Outcome
from ..messages.literals import BOOL, CUT, UNKNOWN, literal
from ..messages.values import (
    TRUE,
    Incomparable,
    NotAFloat,
    ReturnedValue,
    Values,
    arithmetic,
    compared,
    equal,
    is_cut,
    is_plain,
    parts,
)

Formula = tuple["Formula | str", ...]
"""A formula as nested words: ("compare", "=", ("returned", "0"), ("expected", "0"))."""


def read_formula(text: str) -> Formula:
    """Return the formula that a helper wrote as text.  Raises EngineFault."""
    stack: list[list[Formula | str]] = [[]]
    for word in text.replace("(", " ( ").replace(")", " ) ").split():
        if word == "(":
            stack.append([])
        elif word == ")" and len(stack) > 1:
            done = tuple(stack.pop())
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    match stack:
        case [[tuple() as formula]]:
            return formula
    raise EngineFault("the helper that prepares tests answered nonsense")


def applies_predicate(formula: Formula) -> bool:
    """Tell whether a formula applies a predicate of the tests to values that the code returns."""
    waiting: list[Formula | str] = [formula]
    while waiting:
        part = waiting.pop()
        if part == "applied":
            return True
        if isinstance(part, tuple):
            waiting.extend(part)
    return False


@dataclass(frozen=True, slots=True)
class _Stopped(Exception):
    outcome: Outcome
    detail: str = ""


_TOO_LONG = 'Failure("the value is too long to leave the process")'
_LEAST = {"=": (0,), "<=": (-1, 0), ">=": (0, 1), "<": (-1,), ">": (1,), "<>": (-1, 1)}


def decide(
    formula: Formula,
    returned: Values,
    expected: Values,
    ended: tuple[Outcome, str] = (Outcome.PASSED, ""),
) -> tuple[Outcome, str]:
    """Return a check's outcome and its detail.

    `ended` is how the check ended in the code's process.  There, PASSED only means that all values
    were returned.  With any other outcome the check may still have failed before it ended.
    """
    done = ended[0] is Outcome.PASSED
    # Most checks are one equation that holds.
    if done and (sides := _sides(formula)):
        found, wanted = returned.get(sides[0]), expected.get(sides[1])
        if (
            found is not None
            and wanted is not None
            and found.outcome is None is wanted.outcome
            and found.form == wanted.form
            and is_plain(found.form)
        ):
            return Outcome.PASSED, ""
    evaluator = _Evaluator(returned, expected, (Outcome.FAILED, "") if done else ended)
    try:
        holds = evaluator.holds(formula)
    except _Stopped as stopped:
        return stopped.outcome, stopped.detail
    except Incomparable as refused:
        if refused.raised is None:
            return Outcome.TIMED_OUT, refused.detail
        return Outcome.RAISED, refused.raised
    except NotAFloat:
        return Outcome.FAILED, ""
    if not holds:
        return Outcome.FAILED, failure(evaluator.failing, returned, expected)
    return ended if not done else (Outcome.PASSED, "")


@lru_cache(maxsize=4096)
def _sides(formula: Formula) -> tuple[int, int] | None:
    """Return the numbers of the returned and of the expected value if a formula is one equation."""
    match formula:
        case (
            "compare",
            "=",
            ("returned", str() as mine),
            ("expected", str() as theirs),
        ) | (
            "compare",
            "=",
            ("expected", str() as theirs),
            ("returned", str() as mine),
        ):
            return int(mine), int(theirs)
    return None


@dataclass(slots=True)
class _Evaluator:
    returned: Values
    expected: Values
    missing: tuple[Outcome, str]
    # The parts of the formula that made it fail.
    failing: list[Failing] = field(default_factory=list)

    def holds(self, what: Formula | str, *, wanted: bool = True) -> bool:
        """Return the value of a formula; if it is not `wanted`, note the parts that failed."""
        # No recursion: a check may be a conjunction of thousands of assertions.
        waiting: list[tuple[str, Formula | str, int]] = []
        while True:
            noted = len(self.failing)
            match what:
                case ("and" | "or" as kind, a, b):
                    waiting.append((kind, b, noted))
                    what = a
                    continue
                case ("not", a):
                    waiting.append(("not", "", noted))
                    what, wanted = a, not wanted
                    continue
            found = self._relation(what, wanted=wanted)
            if found != wanted and len(self.failing) == noted:
                self.failing.append(Failing(what, wanted))
            while waiting:
                connective, what, noted = waiting.pop()
                if connective == "not":
                    found, wanted = not found, not wanted
                elif connective and found == (connective == "and"):
                    waiting.append(("", "", noted))
                    break
                elif found == wanted:
                    # The whole is as wanted, so its failed parts do not count.
                    del self.failing[noted:]
            else:
                return found

    def _relation(self, what: Formula | str, *, wanted: bool) -> bool:
        """Tell whether a formula that has no parts holds."""
        match what:
            case ("true",):
                return True
            case ("false",):
                return False
            case ("is", a):
                return self.term(a) == TRUE
            case ("done", a):
                return bool(self.term(a))
            case ("compare", "=", a, b):
                return equal(self.term(a), self.term(b))
            case ("compare", "<>", a, b):
                return not equal(self.term(a), self.term(b))
            case ("compare" | "order" as kind, str() as operator, a, b):
                order = compared(self.term(a), self.term(b), total=kind == "order")
                return order is not None and _sign(order) in _LEAST[operator]
            case ("raises", str() as number, a):
                return self._raises(int(number), self.term(a))
            case ("handles", str() as number, *cases):
                return self._handles(int(number), cases, wanted=wanted)
        raise EngineFault("a check says what nobody understands")

    def term(self, what: Formula | str) -> str:
        """Return the value of a term, as text."""
        match what:
            case ("returned", str() as number):
                return self._value(self.returned, int(number))
            case ("expected", str() as number):
                return self._value(self.expected, int(number))
            case ("applied", str() as number, *slots):
                return self._applied(int(number), slots)
            case ("argument", str() as number, str() as place):
                fields = parts(self._handed(self.returned, int(number)).form)
                if int(place) < len(fields):
                    return fields[int(place)]
                raise NotAFloat
            case ("apply", str() as operator, *arguments):
                return arithmetic(operator, [self.term(a) for a in arguments])
        raise EngineFault("a check says what nobody understands")

    def _value(self, values: Values, number: int) -> str:
        """Return the value with this number; stop the check if there is none."""
        found = self._handed(values, number)
        if found.outcome is not None:
            raise _Stopped(found.outcome, found.detail)
        return found.form

    def _applied(self, number: int, slots: list[Formula | str]) -> str:
        """Return the result of a predicate of the tests on returned values."""
        for slot in slots:
            given = self.returned.get(int(str(slot)))
            if given is not None and given.outcome is None and is_cut(given.form):
                raise _Stopped(Outcome.RAISED, _TOO_LONG)
        found = self.expected.get(number)
        if found is not None and found.outcome is None:
            return found.form
        # If the predicate had no value to apply to, the check ends as that value did.
        for slot in slots:
            self.term(("returned", slot))
        return self._value(self.expected, number)

    def _handed(self, values: Values, number: int) -> ReturnedValue:
        """Return the value or exception with this number; stop the check if there is none."""
        found = values.get(number)
        if found is None:
            raise _Stopped(*self.missing)
        return found

    def _raises(self, number: int, wanted: str) -> bool:
        """Tell that the code raised the wanted exception; stop the check if not."""
        found = self._handed(self.returned, number)
        if found.outcome is None:
            came = "no exception was raised"
        elif equal(found.form, wanted):
            return True
        else:
            came = f"raised {found.detail or found.outcome}"
        raise _Stopped(Outcome.FAILED, f"{came}, expected {exception(wanted)}")

    def _handles(self, number: int, cases: list[Formula | str], *, wanted: bool) -> bool:
        """Tell whether the handler's case for the code's exception holds."""
        found = self._handed(self.returned, number)
        if found.outcome is None:
            return False
        for case in cases:
            match case:
                case (tuple() as patterns, says) if any(
                    self._catches(found.form, *pattern) for pattern in patterns
                ):
                    return self.holds(says, wanted=wanted)
        # No case of the handler matches.
        raise _Stopped(found.outcome, found.detail)

    def _catches(self, found: str, head: Formula | str, *arguments: Formula | str) -> bool:
        """Tell whether a handler's pattern matches an exception."""
        fields = parts(found)
        if head != "_" and (fields[0] if fields else found) != self.term(head):
            return False
        return all(
            argument == "_" or (at < len(fields) and equal(fields[at], self.term(argument)))
            for at, argument in enumerate(arguments, start=1)
        )


def _sign(order: int) -> int:
    return (order > 0) - (order < 0)


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
        """Return what the code returned and what the check expects, for its message."""
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
        """Return what the code returned and what a comparison expects, for its message."""
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
        """Return the text of a term's value, "" if it has none."""
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
        """Return the shape of a term's value, "" if it is not known."""
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
    """Return the part of a message that says what the code returned."""
    if all(each == UNKNOWN for each in given):
        return ""
    if list(given) == [CUT]:
        return "got a value that is too long to be shown"
    return f"got {' and '.join(map(_cut, given))}"


def _relation(kind: str, operator: str, left: str, right: str) -> str:
    """Return a comparison as OCaml text, without a side that is not known."""
    left, right = _cut(left), _cut(right)
    if kind == "order" and operator != "=":
        return f"compare {_atom(left)} {_atom(right)} {operator} 0"
    if operator in _OPPOSITES and right == UNKNOWN:
        left, right = right, left
    if left != UNKNOWN:
        return f"{left} {operator} {right}"
    return right if operator == "=" else f"{operator} {right}"


def _atom(text: str) -> str:
    """Return a text that can be an operand, in parentheses if need be."""
    if text.startswith("-") or (" " in text and text[0] not in "([{\"'"):
        return f"({text})"
    return text


def _cut(text: str) -> str:
    """Return the beginning of a text, as much as is shown."""
    return _around(text, 0)


def _apart(mine: str, theirs: str) -> tuple[str, str]:
    """Return the parts of two texts around where they differ."""
    pairs = enumerate(zip(mine, theirs, strict=False))
    shorter = min(len(mine), len(theirs)) if mine != theirs else 0
    at = next((place for place, (a, b) in pairs if a != b), shorter)
    return _around(mine, at), _around(theirs, at)


def _around(text: str, at: int) -> str:
    """Return the part of a text around this place, as much as is shown."""
    if len(text) <= _SHOWN:
        return text
    start = max(0, min(at - _BEFORE, len(text) - _SHOWN))
    end = start + _SHOWN
    return f"{CUT * (start > 0)}{text[start:end].rstrip(CUT)}{CUT * (end < len(text))}"
