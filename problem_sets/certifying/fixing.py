"""Adds checks to a problem's tests until they detect the wrong answers that passed before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ocaml_reward.engine import Engine
from ocaml_reward.model import Problem

from ..strengthening.covering import fewest
from ..strengthening.reference_results import STRANGE, Candidate
from ..strengthening.trials import OTHERWISE
from .examining import Examination, Examiner, Search

_ASKED: Final = 5


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
    """Add the fewest checks that detect what a problem's tests let pass.

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
    examined = examiner.examine(problem, wrong=wrong, right=right, empty=False)
    return fixed(examined, at_most=at_most, beyond=beyond)[0]


def fixed(
    examined: Examination, *, at_most: int | None = None, beyond: bool = False
) -> tuple[Strengthened, Examination]:
    """Add the fewest checks that detect the wrong answers that pass.

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
    chosen = fewest(usable, at_most)
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
    )
    return found, examined.without(gone, stronger)


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
