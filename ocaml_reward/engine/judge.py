"""Decides the checks that are judged outside the code's process.  Pure.

What a check says of the values that were asked of the code, and of those that were told without
it, is decided here.
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
from .judgements import Handed, Judgement, Values


@dataclass(frozen=True, slots=True)
class _Stopped(Exception):
    outcome: Outcome
    detail: str = ""


_TOO_LONG = 'Failure("the value is too long to leave the process")'
_LEAST = {"=": (0,), "<=": (-1, 0), ">=": (0, 1), "<": (-1,), ">": (1,), "<>": (-1, 1)}


def decide(
    judgement: Judgement,
    asked: Values,
    told: Values,
    ended: tuple[Outcome, str] = (Outcome.PASSED, ""),
) -> tuple[Outcome, str]:
    """Return a check's outcome and its detail.

    `ended` is how the check ended in the code's process; that it passed only means that it
    handed out all that it was asked for.  Else it can still have failed before.
    """
    done = ended[0] is Outcome.PASSED
    if done and _is_equation(judgement, asked, told):
        return Outcome.PASSED, ""
    court = _Court(asked, told, (Outcome.FAILED, "") if done else ended)
    try:
        holds = court.holds(judgement)
    except _Stopped as stopped:
        return stopped.outcome, stopped.detail
    except Incomparable as refused:
        if refused.raised is None:
            return Outcome.TIMED_OUT, refused.detail
        return Outcome.RAISED, refused.raised
    except NotAFloat:
        return Outcome.FAILED, ""
    if not holds:
        return Outcome.FAILED, failure(court.failing, asked, told)
    return ended if not done else (Outcome.PASSED, "")


def _is_equation(judgement: Judgement, asked: Values, told: Values) -> bool:
    """Tell at once that a check holds, as most do: one value is asked for, and is the one told."""
    match judgement:
        case ("compare", "=", ("asked", str() as mine), ("told", str() as theirs)) | (
            "compare",
            "=",
            ("told", str() as theirs),
            ("asked", str() as mine),
        ):
            found = asked.get(int(mine))
            return (
                found is not None
                and found.outcome is None
                and found == told.get(int(theirs))
                and is_plain(found.form)
            )
    return False


@dataclass(slots=True)
class _Court:
    asked: Values
    told: Values
    missing: tuple[Outcome, str]
    # What did not hold as it had to, of what the check comes to by it.
    failing: list[Failing] = field(default_factory=list)

    def holds(self, what: Judgement | str, *, wanted: bool = True) -> bool:
        """Tell whether that holds; what of it failed, where it is not as `wanted`, is noted."""
        # A check may be as many assertions in a row as tests have lines: no recursion.
        waiting: list[tuple[str, Judgement | str, int]] = []
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
                    # Whatever failed on the way is made up for.
                    del self.failing[noted:]
            else:
                return found

    def _relation(self, what: Judgement | str, *, wanted: bool) -> bool:
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

    def term(self, what: Judgement | str) -> str:
        match what:
            case ("asked", str() as number):
                return self._value(self.asked, int(number))
            case ("told", str() as number):
                return self._value(self.told, int(number))
            case ("applied", str() as number, *slots):
                return self._applied(int(number), slots)
            case ("argument", str() as number, str() as place):
                fields = parts(self._handed(self.asked, int(number)).form)
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

    def _applied(self, number: int, slots: list[Judgement | str]) -> str:
        for slot in slots:
            given = self.asked.get(int(str(slot)))
            if given is not None and given.outcome is None and is_cut(given.form):
                raise _Stopped(Outcome.RAISED, _TOO_LONG)
        found = self.told.get(number)
        if found is not None and found.outcome is None:
            return found.form
        # Without a value there was nothing to apply it to: the check ends as that has.
        for slot in slots:
            self.term(("asked", slot))
        return self._value(self.told, number)

    def _handed(self, values: Values, number: int) -> Handed:
        found = values.get(number)
        if found is None:
            raise _Stopped(*self.missing)
        return found

    def _raises(self, number: int, wanted: str) -> bool:
        found = self._handed(self.asked, number)
        if found.outcome is None:
            came = "no exception was raised"
        elif equal(found.form, wanted):
            return True
        else:
            came = f"raised {found.detail or found.outcome}"
        raise _Stopped(Outcome.FAILED, f"{came}, expected {exception(wanted)}")

    def _handles(
        self, number: int, cases: list[Judgement | str], *, wanted: bool
    ) -> bool:
        found = self._handed(self.asked, number)
        if found.outcome is None:
            return False
        for case in cases:
            match case:
                case (tuple() as patterns, says) if any(
                    self._catches(found.form, *pattern) for pattern in patterns
                ):
                    return self.holds(says, wanted=wanted)
        # Nobody caught it.
        raise _Stopped(found.outcome, found.detail)

    def _catches(
        self, found: str, head: Judgement | str, *arguments: Judgement | str
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
