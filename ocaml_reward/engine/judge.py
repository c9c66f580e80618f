"""Evaluates the formulas of checks that are judged outside the code's process.  Pure.

A formula combines values returned by the code with expected values, which are computed without it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import EngineFault
from ..model import Outcome
from .failures import Failing, exception, failure
from .forms import (
    TRUE,
    Incomparable,
    NotAFloat,
    arithmetic,
    compared,
    equal,
    is_cut,
    is_plain,
    parts,
)
from .formulas import Formula, ReturnedValue, Values


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
    if done and _is_equation(formula, returned, expected):
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


def _is_equation(formula: Formula, returned: Values, expected: Values) -> bool:
    """Tell whether a check is one equation that holds: the fast path of most checks."""
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
            found = returned.get(int(mine))
            return (
                found is not None
                and found.outcome is None
                and found == expected.get(int(theirs))
                and is_plain(found.form)
            )
    return False


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
        found = self._handed(values, number)
        if found.outcome is not None:
            raise _Stopped(found.outcome, found.detail)
        return found.form

    def _applied(self, number: int, slots: list[Formula | str]) -> str:
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
        found = values.get(number)
        if found is None:
            raise _Stopped(*self.missing)
        return found

    def _raises(self, number: int, wanted: str) -> bool:
        found = self._handed(self.returned, number)
        if found.outcome is None:
            came = "no exception was raised"
        elif equal(found.form, wanted):
            return True
        else:
            came = f"raised {found.detail or found.outcome}"
        raise _Stopped(Outcome.FAILED, f"{came}, expected {exception(wanted)}")

    def _handles(
        self, number: int, cases: list[Formula | str], *, wanted: bool
    ) -> bool:
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

    def _catches(
        self, found: str, head: Formula | str, *arguments: Formula | str
    ) -> bool:
        fields = parts(found)
        if head != "_" and (fields[0] if fields else found) != self.term(head):
            return False
        return all(
            argument == "_"
            or (at < len(fields) and equal(fields[at], self.term(argument)))
            for at, argument in enumerate(arguments, start=1)
        )


def _sign(order: int) -> int:
    return (order > 0) - (order < 0)
