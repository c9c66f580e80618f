"""Judges checks outside the code's process, in the same way for every engine."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ..model import CheckResult, Outcome
from ..single_flight import SingleFlightCache
from . import Outside, PreparedTests
from .forms import is_cut
from .given_away import KnownAnswers, gives_away
from .judge import decide
from .judgements import Judgement, Values
from .tally import LONGEST

__all__ = [
    "AnswerCache",
    "GradeAgain",
    "Judge",
    "KnownAnswers",
    "checker_options",
    "grade_judged",
    "is_free",
    "payload_of",
    "set_free",
    "with_answers",
]

Graded = TypeVar("Graded")

_KEPT = 4096
# Characters of what predicates are applied to; one run hands out less (VALUES_CAPACITY in
# ocaml/run/process_lock.h), and code that hands out the same in each run no more in all of them.
_MOST_HANDED = 14 << 20
_NO_ANSWERS = (
    "without the code the tests do not tell what it is compared with: they need it for"
    " that, or do not come to their end"
)


class GradeAgain(Exception):
    """The code has to be graded again, with its checks judged by `outside`.

    Where `outside` is None they are judged beside the code: with the types that it declares
    the answers cannot be computed.
    """

    def __init__(self, outside: Outside | None) -> None:
        """Keep how to judge the next time."""
        self.outside = outside
        super().__init__()


class AnswerCache:
    """Answers that depend on the types that a code declares or on the values that it hands
    out, shared by all codes that declare and hand out the same.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._told: SingleFlightCache[KnownAnswers] = SingleFlightCache(_KEPT)

    def get(
        self,
        outside: Outside,
        types: str,
        tell: Callable[[Outside, str], KnownAnswers | None],
        handed: str = "",
    ) -> KnownAnswers:
        """Return the answers for code that declares `types` and `handed` out these values;
        `tell` works them out.

        Raises GradeAgain where that cannot be done.
        """

        def found() -> KnownAnswers:
            told = tell(outside, handed)
            if told is None:
                raise GradeAgain(None)
            return told

        seen = hashlib.sha256(handed.encode()).digest() if handed else b""
        return self._told.get((outside.digest, types, seen), found)


def with_answers(
    tests: PreparedTests,
    code: str | None,
    tell: Callable[[Outside, str], KnownAnswers | None],
) -> PreparedTests:
    """Add the answers to prepared tests, if they need nothing of the code.

    Where they cannot be computed at all, the checks are decided beside the code.  `code` is
    a reference; `tell` computes the answers with the types of some code.
    """
    outside = tests.outside
    if outside is None:
        return tests
    told = None if outside.typed else tell(outside, "")
    if told is not None:
        known = replace(outside, told=told)
        return replace(
            tests,
            outside=known,
            given_away=gives_away(tests.checks, told, _silent(outside)),
        )
    if code is None:
        return tests
    told = tell(outside, code)
    if told is None:
        reasons = dict.fromkeys(range(len(tests.checks)), _NO_ANSWERS)
        return replace(tests, outside=None, beside=reasons | dict(tests.beside))
    known = replace(outside, reference_told=told)
    return replace(
        tests,
        outside=known,
        given_away=gives_away(tests.checks, told, _silent(outside)),
    )


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A check that ended, of which nothing is decided yet."""

    judgement: Judgement
    values: Values
    ended: tuple[Outcome, str]

    def decided(self, told: Values) -> tuple[Outcome, str]:
        return decide(self.judgement, self.values, told, self.ended)


@dataclass(slots=True)
class Judge:
    """Decides the checks of one completion: outside, or as reported where it has to be beside.

    Where the answers depend on the code, `tell` works them out once, after the last run and
    in time of their own: for predicates of the tests' own with what the code handed out as
    its standard input.
    """

    outside: Outside
    types: str
    answers: AnswerCache
    tell: Callable[[Outside, str], KnownAnswers | None]
    _waiting: dict[int, _Waiting] = field(default_factory=dict)

    def __call__(
        self, place: int, values: Values, outcome: Outcome, detail: str
    ) -> tuple[Outcome, str]:
        """Decide one check, as far as that can be done before the last run."""
        judgement = self.outside.judgements.get(place)
        if judgement is None or outcome is Outcome.EXITED:
            return outcome, detail
        told = self.outside.told
        if told is not None and not self.outside.applies:
            return decide(judgement, values, told.get(place, {}), (outcome, detail))
        self._waiting[place] = check = _Waiting(judgement, values, (outcome, detail))
        # What does not hang on the answers; so far the others have failed.
        return check.decided({})

    def finish(self, results: Sequence[CheckResult]) -> tuple[CheckResult, ...]:
        """Decide what waits for answers.  Raises GradeAgain."""
        if not self._waiting:
            return tuple(results)
        handed = self._handed()
        if len(handed) > _MOST_HANDED:
            raise GradeAgain(None)
        told = self.answers.get(self.outside, self.types, self.tell, handed)
        found = list(results)
        for place, check in self._waiting.items():
            outcome, detail = check.decided(told.get(place, {}))
            detail = detail.strip()[:LONGEST]
            found[place] = replace(found[place], outcome=outcome, detail=detail)
        return tuple(found)

    def _handed(self) -> str:
        """Write what the code handed out, a value a line: "CHECK NUMBER FORM".  Of what was
        too long to be sent nothing can be rebuilt.
        """
        if not self.outside.applies:
            return ""
        # In the order of the checks, whichever run they ended in.
        lines = [
            f"{place} {number} {value.form}\n"
            for place, check in sorted(self._waiting.items())
            for number, value in sorted(check.values.items())
            if value.outcome is None and not is_cut(value.form)
        ]
        return "".join(lines) or "\n"


def payload_of(tests: PreparedTests, outside: Outside | None) -> bytes:
    """Return the program that code is compiled with: what only asks it, if its checks are judged
    `outside`, else the tests with every check in them.
    """
    return outside.payload if outside else tests.payload


def is_free(tests: PreparedTests, outside: Outside | None) -> bool:
    """Tell whether code may do what it likes in its process, as nothing there decides a check:
    all of them are judged `outside`, or on what a program prints.

    Not where the answers are written with types that the code declares: with two types in
    place of one, and a value of any type, two answers would look the same.  But see
    `set_free`.  Nor where memory holds the answers.
    """
    if tests.stdio:
        return True
    return (
        outside is not None
        and not tests.given_away
        and outside.told is not None
        and len(outside.judgements) == len(tests.checks)
    )


def set_free(
    tests: PreparedTests,
    outside: Outside | None,
    types: str,
    answers: AnswerCache,
    tell: Callable[[Outside, str], KnownAnswers | None],
) -> None:
    """Raise GradeAgain where the `types` of some code give the answers that the reference's
    do: to be judged by these, whatever the code does in its process.

    Code that declares its constructors in another order, say, is not set free.
    """
    if outside is None or outside.told is not None or outside.applies:
        return
    known = replace(outside, told=outside.reference_told)
    if not is_free(tests, known):
        return
    try:
        told = answers.get(outside, types, tell)
    except GradeAgain:
        return
    if told == known.told:
        raise GradeAgain(known)


def grade_judged(
    outside: Outside | None, grade: Callable[[Outside | None], Graded]
) -> Graded:
    """Return the result of `grade` with checks judged `outside`.

    Where `grade` raises GradeAgain it is called once more: with the answers of the reference
    if the code was set free, or beside the code if its types leave no answers.
    """
    try:
        return grade(outside)
    except GradeAgain as again:
        return grade(again.outside)


def checker_options(tests: PreparedTests, outside: Outside | None) -> str:
    """Write the letters that tell a checker what else to do.

    "k": report a key of the types that the code declares.  "l": do not scan for unsafe
    features.
    """
    keyed = outside is not None and outside.told is None
    return "k" * keyed + "l" * is_free(tests, outside)


def _silent(outside: Outside) -> frozenset[int]:
    """Return the places of checks that expect nothing: what stands before them returned."""
    return frozenset(
        place for place, says in outside.judgements.items() if says == ("true",)
    )
