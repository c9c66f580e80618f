"""
What it takes to judge checks outside the code's process, for every engine alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..model import Outcome
from ..once import Once
from . import Outside, PreparedTests
from .judge import Values, decide
from .protocol import Event
from .values import Witness

__all__ = ["Answers", "Judge", "Told", "Unanswered", "answered", "is_free", "options"]

Told = Mapping[int, Values]
"""
The answers of a problem's checks, by their places.
"""

_KEPT = 4096
# A check's and a value's number.
_PLACE = 2
_NO_ANSWERS = "what it is compared with cannot be worked out without the code"


class Unanswered(Exception):
    """
    With the types that this code declares, the answers cannot be worked out.
    """


class Answers:
    """
    The answers that depend on the types that a code declares or on what it hands out, kept
    for codes that declare and hand out the same.
    """

    def __init__(self) -> None:
        """
        Know nothing yet.
        """
        self._told: Once[Told] = Once(_KEPT)

    def get(
        self,
        outside: Outside,
        types: str,
        tell: Callable[[str], Told | None],
        handed: str = "",
    ) -> Told:
        """
        Return the answers for code that declares `types` and `handed` out these values;
        `tell` works them out.

        Raises Unanswered where that cannot be done.
        """

        def found() -> Told:
            told = tell(handed)
            if told is None:
                raise Unanswered
            return told

        seen = hashlib.sha256(handed.encode()).digest() if handed else b""
        return self._told.get((outside.digest, types, seen), found)


def answered(
    tests: PreparedTests, code: str | None, tell: Callable[[Outside, str], Told | None]
) -> PreparedTests:
    """
    Return prepared tests with their answers, where these need nothing of the code, and
    decided beside the code where they cannot be worked out.

    `code` is a reference; `tell` works the answers out beside the types of some code.
    """
    outside = tests.outside
    if outside is None:
        return tests
    told = None if outside.typed else tell(outside, "")
    if told is not None:
        return replace(tests, outside=replace(outside, told=told))
    if code is not None and tell(outside, code) is None:
        reasons = dict.fromkeys(range(len(tests.checks)), _NO_ANSWERS)
        return replace(tests, outside=None, beside=reasons | dict(tests.beside))
    return tests


@dataclass(slots=True)
class Judge:
    """
    Decides the checks of one completion: outside, or as reported where it has to be beside.

    `tell` works out the answers, for predicates of the tests' own with what the code handed
    out as its standard input.  What the code answers outside is for `witness` to see.
    """

    outside: Outside
    types: str
    answers: Answers
    tell: Callable[[str], Told | None]
    witness: Witness
    _told: Told | None = None

    def see(self, events: Sequence[Event]) -> None:
        """
        Look through a run of the code, for what predicates have to be applied to.

        Raises Unanswered.
        """
        if not self.outside.applies:
            return
        handed = [
            f"{each.arguments[0]} {each.arguments[1]} {each.detail.strip()}"
            for each in events
            if each.name == "value" and len(each.arguments) == _PLACE
        ]
        self._told = self.answers.get(
            self.outside, self.types, self.tell, "\n".join(handed) + "\n"
        )

    def __call__(
        self, place: int, values: Values, outcome: Outcome, detail: str
    ) -> tuple[Outcome, str]:
        """
        Decide one check.  Raises Unanswered.
        """
        judgement = self.outside.judgements.get(place)
        if judgement is None or outcome is Outcome.EXITED:
            return outcome, detail
        self.witness.saw(place, values, judgement)
        told = self._told if self._told is not None else self.outside.told
        if told is None:
            told = self._told = self.answers.get(self.outside, self.types, self.tell)
        return decide(judgement, values, told.get(place, {}), (outcome, detail))


def is_free(tests: PreparedTests, outside: Outside | None) -> bool:
    """
    Tell whether code may do what it likes in its process, as nothing there decides a check:
    all of them are judged `outside`, or on what a program prints.

    Not where the answers are written with types that the code declares: with two types in
    place of one, and a value of any type, two answers would look the same.
    """
    if tests.stdio:
        return True
    return (
        outside is not None
        and outside.told is not None
        and len(outside.judgements) == len(tests.checks)
    )


def options(tests: PreparedTests, outside: Outside | None) -> str:
    """
    Write what a checker is to do besides: a key of the code's types, no scan.
    """
    keyed = outside is not None and outside.told is None
    return "k" * keyed + "l" * is_free(tests, outside)
