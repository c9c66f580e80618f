"""Adds checks to a problem's tests until they detect the programs that passed before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from ocaml_reward.engine import Engine
from ocaml_reward.engine.prepare.interfaces import interface_of, read_interfaces
from ocaml_reward.errors import MachineError, ProblemError
from ocaml_reward.grader import Grader
from ocaml_reward.model import Completion, Problem

from .applied_functors import applied_modules
from .blinding import blinded
from .candidate_checks import TestedProblem
from .covering import fewest
from .mutating import changed
from .programs import Programs, is_program
from .reference_results import STRANGE, Candidate
from .running import Running
from .trials import OTHERWISE

_MUTANTS: Final = 96
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
    grader = Grader("concise", engine=engine, jobs=1)
    if problem.reference is None:
        return Strengthened(problem=problem, skipped="no reference")
    try:
        prepared = grader.prepare(problem)
        code = _code(grader, problem, problem.reference)
        prints = is_program(problem)
        signature = "" if prints else _signature(problem, code, sandbox)
        (interface,) = read_interfaces([signature], sandbox)
        functors = interface.functors
        modules, made = applied_modules(str(problem.tests), functors) if functors else ("", ())
        whole = interface
        if made:
            (whole,) = read_interfaces([_signature(problem, code, sandbox, modules)], sandbox)
    except ProblemError as error:
        return Strengthened(problem=problem, skipped=str(error))
    running = Running(engine, problem, reference=code, signature=signature, modules=modules)
    if not running.sound(problem):
        return Strengthened(problem=problem, skipped="the reference does not pass its own tests")
    mutants = [each.code for each in changed(code, _MUTANTS)]
    if not prints:
        mutants += blinded(code, interface, prepared.uses)
    others = [_code(grader, problem, each) for each in wrong]
    work: TestedProblem | Programs
    if prints:
        work = Programs(running, problem, sandbox)
    else:
        work = TestedProblem(running, problem, prepared, whole, made, sandbox)
    graded = {code: running.passes(code) for code in mutants}
    mutants = [code for code, passed in graded.items() if passed is not None]
    alive_mutants = [code for code in mutants if graded[code]]
    alive_wrong = [each for each in others if running.passes(each)]
    found = Strengthened(
        problem=problem,
        mutants=len(mutants),
        mutants_before=len(alive_mutants),
        mutants_after=len(alive_mutants),
        wrong=len(others),
        wrong_before=len(alive_wrong),
        wrong_after=len(alive_wrong),
    )
    alive = [*alive_mutants, *alive_wrong]
    if not alive:
        return found
    candidates, left = work.candidates(Random(seed))  # noqa: S311 (no secret)
    candidates = work.agreed(candidates, [_code(grader, problem, each) for each in right])
    catches = work.catches(candidates, alive)
    is_sure = {each.check: not each.doubt for each in candidates}
    if beyond:
        is_sure |= {each.check: True for each in candidates if each.doubt == STRANGE}
    usable = {check: programs for check, programs in catches.items() if is_sure[check]}
    chosen = fewest(usable, at_most)
    stronger, count = work.added(chosen)
    if chosen and not count:
        left["tests"] = "checks cannot be added behind them"
        chosen = []
    caught = frozenset().union(*(usable[check] for check in chosen))
    return replace(
        found,
        problem=stronger,
        checks=tuple(chosen),
        mutants_after=sum(n not in caught for n in range(len(alive_mutants))),
        wrong_after=sum(n not in caught for n in range(len(alive_mutants), len(alive))),
        asked=_questions(candidates, catches, is_sure, caught),
        left=left,
        beside=running.in_process_checks(stronger) - len(prepared.in_process) if chosen else 0,
    )


def _code(grader: Grader, problem: Problem, text: str) -> str:
    """Return the code in a completion, with the code that the problem gives."""
    found = grader.grade(problem, Completion(text=text))
    if found.fault is not None:
        raise MachineError(found.fault.message)
    return found.code


def _signature(problem: Problem, code: str, sandbox: str, modules: str = "") -> str:
    """Return the interface of the reference and of modules that tests create from it.

    It is restricted to the problem's signature.
    """
    if problem.signature:
        sealed = f"include (struct\n{code}\nend : sig\n{problem.signature}\nend)\n"
        sealed += modules
        try:
            return interface_of(sealed, libraries=problem.libraries, sandbox=sandbox)
        except ProblemError:
            # The signature may use types that the tests define.
            pass
    whole = f"{code}\n;;\n{modules}" if modules else code
    return interface_of(whole, libraries=problem.libraries, sandbox=sandbox)


def _questions(
    candidates: Sequence[Candidate],
    catches: dict[str, frozenset[int]],
    is_sure: dict[str, bool],
    caught: frozenset[int],
) -> tuple[Question, ...]:
    """Return the calls that need a decision: those that would detect more, then those
    that raise.
    """
    found = [
        (
            each.call.name,
            Question(
                call=each.call.text,
                said=each.said,
                doubt=each.doubt,
                catches=len(catches.get(each.check, frozenset()) - caught),
            ),
        )
        for each in candidates
        if each.doubt and not (each.check and is_sure[each.check])
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
