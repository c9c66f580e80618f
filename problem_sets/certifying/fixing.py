"""Adds checks to a problem's tests until they detect the wrong answers that passed before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from ocaml_reward.engine import Engine
from ocaml_reward.model import Problem, Verdict

from ..strengthening.covering import fewest
from ..strengthening.reference_results import STRANGE, Candidate
from ..strengthening.trials import OTHERWISE
from .examining import Examination, Examiner, Graded, Search

_ASKED: Final = 5
# Checks that catch again what tests catch: of so many mutants, and at most so many checks.
_AGAIN: Final = 16
_ENOUGH: Final = 22
"""With so many checks a problem gets no more of these."""
_EDGES: Final = 2
_LARGE: Final = 6
_ANY: Final = 10
_EACH: Final = 3
_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?![\w.])")
_STRING: Final = re.compile(r'"([^"]+)"')
_LIST: Final = re.compile(r"\[\|?([^\[\]|]+)\|?\]")
_TOKENS: Final = re.compile(r'(?<=")\d+ ([^"]+)')
_LESS: Final = 0.4
_LEAST_GAIN: Final = 0.3


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A call that needs a decision before it becomes a check.

    It has the reference's result, the reason for doubt, and the number of remaining programs that
    the check would detect.
    """

    call: str
    said: str
    doubt: str
    catches: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Strengthened:
    """The result for one problem.

    Attributes:
        problem: The problem with its new tests, or unchanged.
        checks: The checks that were added: expressions for `assert`, or cases as JSON.
        mutants: Number of mutants of the reference that type.
        mutants_before: Number of these that pass the old tests.
        mutants_after: Number of these that pass the new tests; some are correct.
        wrong: Number of known wrong programs.
        wrong_before: Number of these that pass the old tests.
        wrong_after: Number of these that pass the new tests.
        asked: The calls that need a decision.
        left: Names without a new check, with the reasons.
        beside: Number of new checks that are decided in the code's process.
        unseen: Number of wrong answers that passed and by which checks were not chosen, when the
            others chose them.
        unseen_caught: Number of these that such checks catch.
        skipped: The reason why nothing was tried.
    """

    problem: Problem
    checks: tuple[str, ...] = ()
    mutants: int = 0
    mutants_before: int = 0
    mutants_after: int = 0
    wrong: int = 0
    wrong_before: int = 0
    wrong_after: int = 0
    asked: tuple[Question, ...] = ()
    left: dict[str, str] = field(default_factory=dict)
    beside: int = 0
    unseen: int = 0
    unseen_caught: int = 0
    skipped: str = ""


def strengthen(
    engine: Engine,
    problem: Problem,
    *,
    wrong: Sequence[str] = (),
    right: Sequence[str] = (),
    seed: int = 0,
    at_most: int | None = None,
    beyond: bool = False,
    sandbox: str = "auto",
) -> Strengthened:
    """Add checks that detect what a problem's tests let pass, and of few checks more of each kind.

    Args:
        engine: The engine.
        problem: The problem; without a sound reference nothing is tried.
        wrong: Completions known to be wrong.
        right: Completions known to be right; a check that one of them fails needs a decision.
        seed: Selects calls if there are too many.
        at_most: Maximum number of new checks.
        beyond: Whether to use calls with arguments unlike all examples.
        sandbox: The jail in which the compiler infers types.

    Returns:
        The result.

    Raises:
        MachineError: The machine failed.
    """
    if problem.reference is None:
        return Strengthened(problem=problem, skipped="no reference")
    examiner = Examiner(engine, sandbox=sandbox, seed=seed)
    examined = examiner.examine(problem, wrong=wrong, right=right, empty=False, search=True)
    return fixed(examined, at_most=at_most, beyond=beyond)[0]


def fixed(
    examined: Examination, *, at_most: int | None = None, beyond: bool = False
) -> tuple[Strengthened, Examination]:
    """Add the fewest checks that detect the wrong answers that pass, and up to `_ENOUGH` others.

    Args:
        examined: The problem, examined.
        at_most: Maximum number of new checks.
        beyond: Whether to use calls with arguments unlike all examples.

    Returns:
        The result, and what the new tests say of the same answers.

    Raises:
        MachineError: The machine failed.
    """
    mutants = examined.mutants
    passing = [each for each in mutants if each.passes]
    known = [each for each in examined.given if each.passes]
    found = Strengthened(
        problem=examined.problem,
        mutants=len(mutants),
        mutants_before=len(passing),
        mutants_after=len(passing),
        wrong=len(examined.given),
        wrong_before=len(known),
        wrong_after=len(known),
        skipped=examined.skipped or examined.unsearched,
    )
    search = examined.search
    if search is None:
        return found, examined
    sure = {each.check for each in search.candidates if not each.doubt}
    if beyond:
        sure |= {each.check for each in search.candidates if each.doubt == STRANGE}
    usable = {check: places for check, places in search.catches.items() if check in sure}
    right = [each.program.code for each in examined.right if each.passes]
    left = dict(search.left)
    # Mutants that come to no end would take their limit on each check.
    ended = [each for each in examined.near if each.verdict is Verdict.FAILED_TESTS]
    again = _Again(search, usable, ended, max((each.total for each in examined.right), default=0))
    unseen, unseen_caught = again.held_out()
    chosen = fewest(usable, at_most)
    if not at_most:
        chosen = again.several(chosen)
    stronger, count = search.work.added(chosen)
    if chosen and not count:
        left["tests"] = "checks cannot be added behind them"
    elif chosen and search.work.failing(stronger, right):
        left["tests"] = "a right answer would fail what catches wrong ones"
        stronger, count = examined.problem, 0
    chosen = chosen if count else []
    caught = frozenset().union(*(usable[check] for check in chosen))
    gone = {id(search.alive[place].program) for place in caught}
    found = replace(
        found,
        problem=stronger,
        checks=tuple(chosen),
        mutants_after=sum(id(each.program) not in gone for each in passing),
        wrong_after=sum(id(each.program) not in gone for each in known),
        asked=_questions(search, sure, caught),
        left=left,
        beside=search.work.beside(stronger) if chosen else 0,
        unseen=unseen,
        unseen_caught=unseen_caught,
    )
    return found, examined.without(gone, stronger)


class _Again:
    """Chooses checks that a wrong answer may fail that is none of the mutants which pass.

    These are values without anything in them, large values, others at random, and what catches
    mutants that the tests catch as well, by other inputs.
    """

    def __init__(
        self,
        search: Search,
        usable: Mapping[str, frozenset[int]],
        caught: Sequence[Graded],
        checks: int,
    ) -> None:
        """Run the mutants that tests catch on the checks that can be added to so many."""
        self._checks = checks
        self._usable = usable
        self._sure = [each for each in search.candidates if each.check in usable]
        self._by_name: dict[str, list[Candidate]] = {}
        for each in self._sure:
            self._by_name.setdefault(each.call.name, []).append(each)
        step = max(1, -(-len(caught) // _AGAIN))
        self._codes = [each.program.code for each in caught[::step]]
        self._catches = search.work.catches(self._sure, self._codes)

    def held_out(self) -> tuple[int, int]:
        """Return how many programs that pass some check catches, and how many of these checks catch
        that the other half of them has chosen.
        """
        all_places = sorted(frozenset[int]().union(*self._usable.values()))
        caught = 0
        for half in (set(all_places[::2]), set(all_places[1::2])):
            own = {check: places & half for check, places in self._usable.items()}
            chosen = self.several(fewest(own, None))
            others = frozenset[int]().union(*(self._usable[check] for check in chosen)) - half
            caught += len(others)
        return len(all_places), caught

    def several(self, chosen: Sequence[str]) -> list[str]:
        """Return the chosen checks and more."""
        random = Random(0)  # noqa: S311 (the same checks each time)
        found = list(chosen)
        for own in self._by_name.values():
            found += _edges(own, found)
            found += _spread(sorted(own, key=lambda each: -len(each.call.text)), found, _LARGE)
            found += _spread(random.sample(own, len(own)), found, _ANY)
        left = dict.fromkeys(range(len(self._codes)), 1.0)

        def seen(check: str) -> None:
            for place in self._catches[check]:
                left[place] *= _LESS

        def gain(check: str) -> tuple[float, int]:
            return round(sum(left[place] for place in self._catches[check]), 6), len(check)

        most = len(chosen) + max(0, _ENOUGH + _EACH * (len(self._by_name) - 1) - self._checks)
        found = found[:most]
        for check in found:
            seen(check)
        for _ in range(min(most - len(found), _EACH * len(self._by_name))):
            best = max((e for e in self._catches if e not in found), key=gain, default="")
            if not best or gain(best)[0] < _LEAST_GAIN:
                break
            found.append(best)
            seen(best)
        return found


def _edges(own: Sequence[Candidate], known: Sequence[str]) -> list[str]:
    """Return checks of each kind of edge, of different results."""
    have = Counter(kind for each in own if each.check in known for kind in _kinds(each.call.text))
    found: dict[tuple[str, str], str] = {}
    for each in own:
        for kind in _kinds(each.call.text):
            if have[kind] < _EDGES and (kind, each.said) not in found:
                have[kind] += 1
                found[kind, each.said] = each.check
    return list(dict.fromkeys(found.values()))


def _kinds(text: str) -> frozenset[str]:
    """Return the kinds of edge cases that an input is."""
    numbers = _NUMBER.findall(text)
    rows = [row.split(";") for row in _LIST.findall(text)]
    rows += [row.split() for row in _TOKENS.findall(text.replace("\\n", " "))]
    rows = [[part.strip() for part in row] for row in rows]
    words = _STRING.findall(text)
    alike = len(words) == 2 and len(words[0]) == len(words[1]) and words[0] != words[1]
    found = {
        "mixed": alike and sorted(words[0]) == sorted(words[1]),
        "alike": alike and set(words[0]) == set(words[1]) and sorted(words[0]) != sorted(words[1]),
        "empty": "[]" in text or '""' in text or "[||]" in text,
        "zero": "0" in numbers,
        "negative": bool(numbers) and all(each.startswith("-") for each in numbers),
        "one": any(len(row) == 1 for row in rows),
        "two": any(len(row) == 2 for row in rows),
        "equal": any(len(row) > 1 and len(set(row)) == 1 for row in rows),
        "first twice": any(len(row) > 2 and row[0] == row[1] != row[-1] for row in rows),
        "repeated": any(1 < len(set(row)) < len(row) for row in rows),
    }
    return frozenset(kind for kind, holds in found.items() if holds)


def _spread(own: Sequence[Candidate], known: Sequence[str], most: int) -> list[str]:
    """Return the first so many checks of which, as far as there are some, each result has as many."""
    said = Counter[str]()
    each_most = max(1, -(-most // len({each.said for each in own})))
    found: list[str] = []
    for each in own:
        if len(found) < most and each.check not in known and said[each.said] < each_most:
            said[each.said] += 1
            found.append(each.check)
    return found


def _questions(search: Search, sure: set[str], caught: frozenset[int]) -> tuple[Question, ...]:
    """Return the calls that need a decision: those that would detect more, then those
    that raise.
    """

    def question(each: Candidate) -> Question:
        catches = len(search.catches.get(each.check, frozenset()) - caught)
        return Question(call=each.call.text, said=each.said, doubt=each.doubt, catches=catches)

    found = [
        (each.call.name, question(each))
        for each in search.candidates
        if each.doubt and each.check not in sure
    ]
    found = [
        (name, each)
        for name, each in found
        if each.catches or each.doubt == OTHERWISE or each.said[0] != "="
    ]
    found.sort(key=lambda named: (-named[1].catches, len(named[1].call)))
    kinds: dict[tuple[str, str, str], Question] = {}
    for name, each in found:
        # One question of each kind is enough, because its answer applies to all.
        kind = each.said.partition("(")[0] if each.said[0] != "=" else "="
        kinds.setdefault((name, each.doubt, kind), each)
    return tuple(kinds.values())[:_ASKED]
