"""Tries right and wrong answers on a problem's tests: what `certify`, `audit` and `strengthen` know."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from ocaml_reward.auditing.mutants import mutants
from ocaml_reward.auditing.trivial import Program
from ocaml_reward.engine import Engine, PreparedTests
from ocaml_reward.engine.prepare.interfaces import interface_of, read_interfaces
from ocaml_reward.errors import JudgeFault, MachineError, ProblemError
from ocaml_reward.grader import Grader
from ocaml_reward.model import Breakdown, Completion, Outcome, Problem, Verdict, is_impossible
from ocaml_reward.scheme import load

from ..strengthening.applied_functors import applied_modules
from ..strengthening.blinding import blinded
from ..strengthening.candidate_checks import TestedProblem
from ..strengthening.own_types import with_own_types
from ..strengthening.programs import Programs, is_program
from ..strengthening.reference_results import Candidate
from ..strengthening.running import Running
from .answers import empty_answers, rewritten

MUTANTS: Final = 96
"""Maximum number of mutants of a reference, and of those that are blind in an argument."""
# Wrong answers that loop are detected quickly: in so many steps of a check and of all of them, or
# in twice those of the reference.
_CHECK_STEPS: Final = 5_000_000
_TESTS_STEPS: Final = 10_000_000
# All mutants together take about as many steps, half a minute; a problem takes bounded time.
_ALL_STEPS: Final = 1_500_000_000
_FEWEST: Final = 12
_TELLING: Final = 3
_RAN: Final = frozenset(
    {
        *(Verdict.PASSED, Verdict.FAILED_TESTS, Verdict.RUNTIME_ERROR, Verdict.TIMED_OUT),
        *(Verdict.CRASHED, Verdict.OUT_OF_MEMORY, Verdict.OUTPUT_LIMIT),
    }
)
_UNKNOWN: Final = (
    "the tests call no function by its name; a signature or a reference would show what it takes"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Graded:
    """An answer with what the tests say of it.

    Attributes:
        program: The answer.
        verdict: The verdict.
        passed: The checks that it passes.
        total: The number of checks.
        failed: The places of those that it ran and did not pass, from 1.
        tells: Calls or inputs on which a mutant that passes differs from the reference.
    """

    program: Program
    verdict: Verdict
    passed: int = 0
    total: int = 0
    failed: frozenset[int] = frozenset()
    tells: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Return whether it passes all checks."""
        return self.verdict is Verdict.PASSED

    @property
    def runs(self) -> bool:
        """Return whether it is a program that the tests run."""
        return self.verdict in _RAN

    @property
    def share(self) -> float:
        """Return the share of the checks that it passes."""
        return self.passed / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Search:
    """Calls or inputs that tell programs from the reference, to make checks of.

    Attributes:
        work: The problem, to which checks can be added.
        candidates: The checks that might be added.
        alive: The wrong answers that pass.
        catches: The places in `alive` of those that each check detects.
        left: Names without a candidate, with the reasons.
    """

    work: TestedProblem | Programs
    candidates: Sequence[Candidate]
    alive: Sequence[Graded]
    catches: dict[str, frozenset[int]]
    left: dict[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Examination:
    """What a problem's tests say of answers that are known.

    Attributes:
        problem: The problem.
        right: Right answers: the reference, it in other words, those given.
        empty: Wrong answers that solve nothing.
        near: Wrong answers that are nearly right: mutants that fail, or differ on some input.
        given: Wrong answers that a person gave.
        unknown: Mutants that pass and were not seen to differ: they may be right.
        skipped: The reason why nothing was tried.
        unsearched: The reason why no inputs were sought on which mutants differ.
        search: How checks are added; None if nothing wrong passes or there is no sound reference.
    """

    problem: Problem
    right: tuple[Graded, ...] = ()
    empty: tuple[Graded, ...] = ()
    near: tuple[Graded, ...] = ()
    given: tuple[Graded, ...] = ()
    unknown: tuple[Graded, ...] = ()
    skipped: str = ""
    unsearched: str = ""
    search: Search | None = field(default=None, repr=False, compare=False)

    @property
    def wrong(self) -> tuple[Graded, ...]:
        """Return all wrong answers."""
        return (*self.empty, *self.near, *self.given)

    @property
    def mutants(self) -> tuple[Graded, ...]:
        """Return all mutants of the reference that run."""
        return (*self.near, *self.unknown)

    def without(self, gone: Collection[int], stronger: Problem) -> Examination:
        """Return what a problem with more checks says: the programs `gone`, by identity, fail."""

        def now(given: Sequence[Graded]) -> tuple[Graded, ...]:
            failing = Verdict.FAILED_TESTS
            return tuple(
                replace(each, verdict=failing) if id(each.program) in gone else each
                for each in given
            )

        unknown = [each for each in self.unknown if id(each.program) not in gone]
        caught = [each for each in self.unknown if id(each.program) in gone]
        return replace(
            self,
            problem=stronger,
            near=now((*self.near, *caught)),
            given=now(self.given),
            unknown=tuple(unknown),
            search=None,
        )


class Examiner:
    """Examines problems. The caller closes the engine."""

    def __init__(self, engine: Engine, *, sandbox: str = "auto", seed: int = 0) -> None:
        """Store the arguments.

        Args:
            engine: The engine.
            sandbox: The jail in which the compiler infers types.
            seed: Selects calls where there are too many.
        """
        self._engine = engine
        self._sandbox = sandbox
        self._seed = seed
        self._usual = Grader(load("concise"), engine=engine, jobs=1)

    def examine(
        self,
        problem: Problem,
        *,
        right: Sequence[str] = (),
        wrong: Sequence[str] = (),
        twin_of: str | None = None,
        empty: bool = True,
        search: bool = False,
    ) -> Examination:
        """Examine one problem.

        Args:
            problem: The problem; without a reference only answers that solve nothing are tried.
            right: Completions known to be right.
            wrong: Completions known to be wrong.
            twin_of: The reference of an impossible twin's problem, which is wrong for the twin.
            empty: Whether to try answers that solve nothing.
            search: Whether to seek checks to add where nothing wrong passes, too.

        Returns:
            The examination.

        Raises:
            MachineError: The machine failed.
        """
        if problem.untested:
            return Examination(problem=problem, skipped="no tests")
        try:
            prepared = self._usual.prepare(problem)
        except ProblemError as error:
            return Examination(problem=problem, skipped=str(error).removeprefix(f"{problem.id}: "))
        grader = self._hurried(prepared)
        if is_impossible(problem.id):
            code = self._code(problem, twin_of)
            tried = [*empty_answers(problem, code, prepared.uses), *mutants(code, MUTANTS)]
            return Examination(problem=problem, empty=tuple(_graded(grader, problem, tried)))
        code = self._code(problem, problem.reference)
        tests = problem.tests if isinstance(problem.tests, str) else ""
        tried = list(empty_answers(problem, code, prepared.uses, tests)) if empty else []
        if empty and not (tried or code):
            return Examination(problem=problem, skipped=_UNKNOWN)
        found = Examination(
            problem=problem,
            right=tuple(self._right(problem, code, right)),
            empty=tuple(_graded(grader, problem, tried)),
            given=tuple(_graded(grader, problem, self._read(problem, wrong))),
        )
        if not code:
            return replace(found, unsearched="no reference")
        if not found.right[0].passes:
            return replace(found, unsearched="the reference does not pass its own tests")
        return self._with_mutants(found, prepared, code, grader, search=search)

    def grade_all(
        self, problem: Problem, prepared: PreparedTests, programs: Sequence[Program]
    ) -> list[Graded]:
        """Grade wrong answers."""
        return _graded(self._hurried(prepared), problem, programs)

    def graded(self, problem: Problem, prepared: PreparedTests, code: str) -> Breakdown:
        """Grade code as a wrong answer; raises ProblemError for tests that cannot be used."""
        return _sound(self._hurried(prepared).grade(problem, Completion(text=code)))

    def prepare(self, problem: Problem) -> PreparedTests:
        """Prepare a problem's tests; raises ProblemError for those that cannot be used."""
        return self._usual.prepare(problem)

    def _hurried(self, prepared: PreparedTests) -> Grader:
        """Return a grader that ends wrong answers soon."""
        costs = [steps or 0 for steps in (prepared.costs.checks if prepared.costs else ())]
        limits = {
            "most_steps": max(_CHECK_STEPS, 2 * max(costs, default=0)),
            "tests_steps": max(_TESTS_STEPS, 2 * sum(costs)),
        }
        changes = tuple(f"budget.{name}={value}" for name, value in limits.items())
        return Grader(load("concise", changes), engine=self._engine, jobs=1)

    def _right(self, problem: Problem, code: str, given: Sequence[str]) -> Iterable[Graded]:
        """Yield right answers: the reference first."""
        if code:
            (own,) = _graded(self._usual, problem, [Program(kind="reference", what="", code=code)])
            yield own
            for each in _graded(self._usual, problem, rewritten(code, self._sandbox)):
                # Other words of the library may not type where names stand for something else.
                if each.runs:
                    yield each
        yield from _graded(self._usual, problem, self._read(problem, given))

    def _read(self, problem: Problem, texts: Sequence[str]) -> list[Program]:
        """Return the code in completions, with the code that the problem gives."""
        return [
            Program(kind="given", what=f"answer {number}", code=self._code(problem, text))
            for number, text in enumerate(texts, 1)
        ]

    def _code(self, problem: Problem, text: str | None) -> str:
        """Return the code in a completion, with the code that the problem gives; "" in None."""
        if text is None:
            return ""
        return _sound(self._usual.grade(problem, Completion(text=text))).code

    def _with_mutants(
        self,
        found: Examination,
        prepared: PreparedTests,
        code: str,
        grader: Grader,
        *,
        search: bool,
    ) -> Examination:
        """Add mutants, and what tells those that pass from the reference."""
        problem = found.problem
        most = _most_mutants(prepared)
        tried = mutants(code, most)
        try:
            prints = is_program(problem)
            signature = "" if prints else _signature(problem, code, self._sandbox)
            (interface,) = read_interfaces([signature], self._sandbox)
            functors = interface.functors
            modules, applied = (
                applied_modules(str(problem.tests), functors) if functors else ("", ())
            )
            whole = interface
            if applied:
                text = _signature(problem, code, self._sandbox, modules)
                (whole,) = read_interfaces([text], self._sandbox)
            whole = with_own_types(whole, problem)
        except ProblemError as error:
            graded = _running(grader, problem, tried)
            return replace(_sorted(found, graded), unsearched=str(error))
        if not prints:
            blind = blinded(code, interface, prepared.uses)
            tried += blind[:: max(1, -(-len(blind) // most))]
        graded = _running(grader, problem, tried)
        alive = [each for each in (*graded, *found.given) if each.passes]
        if not (alive or search):
            return _sorted(found, graded)
        running = Running(
            self._engine, problem, reference=code, signature=signature, modules=modules
        )
        work: TestedProblem | Programs
        if prints:
            work = Programs(running, problem, self._sandbox)
        else:
            work = TestedProblem(running, problem, prepared, whole, applied, self._sandbox)
        candidates, left = work.candidates(Random(self._seed))  # noqa: S311 (no secret)
        others = [each.program.code for each in found.right[1:] if each.program.kind == "given"]
        candidates = work.agreed(candidates, others)
        catches = work.catches(candidates, [each.program.code for each in alive])
        sure = [each for each in candidates if each.check and not each.doubt]

        def told(place: int, one: Graded) -> Graded:
            calls = [each.call.text for each in sure if place in catches[each.check]]
            return replace(one, tells=tuple(calls[:_TELLING]))

        seen = {id(one): told(place, one) for place, one in enumerate(alive)}
        graded = [seen.get(id(one), one) for one in graded]
        given = tuple(seen.get(id(one), one) for one in found.given)
        known = Search(work, candidates, list(seen.values()), catches, left)
        return replace(_sorted(found, graded), given=given, search=known)


def _most_mutants(prepared: PreparedTests) -> int:
    """Return how many mutants are tried: fewer where the reference itself takes long."""
    steps = sum(each or 0 for each in (prepared.costs.checks if prepared.costs else ()))
    return max(_FEWEST, min(MUTANTS, _ALL_STEPS // max(steps, 1)))


def _sorted(found: Examination, graded: Sequence[Graded]) -> Examination:
    """Add mutants: as wrong those that fail or differ, as unknown the others."""
    near = tuple(each for each in graded if not each.passes or each.tells)
    unknown = tuple(each for each in graded if each.passes and not each.tells)
    return replace(found, near=near, unknown=unknown)


def _running(grader: Grader, problem: Problem, programs: Sequence[Program]) -> list[Graded]:
    """Grade programs; without those that do not run with the tests."""
    unique = {each.code: each for each in programs}
    return [each for each in _graded(grader, problem, list(unique.values())) if each.runs]


def _graded(grader: Grader, problem: Problem, programs: Sequence[Program]) -> list[Graded]:
    """Grade programs by their checks alone."""
    found = []
    for program in programs:
        graded = _sound(grader.grade(problem, Completion(text=program.code)))
        failed = [
            each.index
            for each in graded.tests.results
            if each.outcome not in (Outcome.PASSED, Outcome.NOT_RUN)
        ]
        # If a judge also dies on correct outputs, nothing passes; `validate` reports that.
        found.append(
            Graded(
                program=program,
                verdict=graded.verdict,
                passed=graded.tests.passed,
                total=graded.tests.total,
                failed=frozenset(failed),
            )
        )
    return found


def _sound(found: Breakdown) -> Breakdown:
    """Return a grading, unless this machine failed."""
    if found.fault is not None and found.fault.kind != JudgeFault.__name__:
        raise MachineError(found.fault.message)
    return found


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
