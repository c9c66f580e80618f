"""The seam that runs OCaml: code and prepared tests in, a report of facts out.

An engine decides nothing about reward.  It is the only part of the library with effects.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from ..model import (
    Budget,
    Check,
    CheckReport,
    Comparison,
    Problem,
    Spent,
    Stage,
    StdioCase,
)
from ..reading.given import NOTHING, Given
from .judgements import Judgement, Values, is_applied
from .spoken import Spoken

__all__ = [
    "BUDGET",
    "TESTS_ONLY",
    "Budget",
    "CheckReport",
    "CheckRequest",
    "Engine",
    "Outside",
    "PreparedTests",
    "Stage",
    "allowance",
    "replaced_in",
]

BUDGET: Final = Budget()
"""What may be spent where nobody says otherwise."""
TESTS_ONLY: Final = "+"
"""What stands before the name of a library that the tests need and the code may not name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outside:
    """The checks that are judged outside the code's process.

    `payload` is a program that only asks the code for values, `answers` one that tells what
    they are compared with.  `judgements` says, by a check's place, what holds of both; what
    it lacks is decided beside the code.

    `told` is what `answers` told, by a check's place, if the code has no part in it; None
    where it takes the types that the code declares to write the answers down, which `typed`
    says where it is known ahead.  Then `reference_told` is what it told beside the types of
    the reference, if there is one.

    `digest` is that of `answers`; `applies` tells whether some check applies a predicate of
    the tests' own to what the code hands out.
    """

    payload: bytes = field(repr=False)
    answers: bytes = field(repr=False)
    judgements: Mapping[int, Judgement] = field(hash=False)
    told: Mapping[int, Values] | None = field(default=None, hash=False)
    typed: bool = False
    reference_told: Mapping[int, Values] | None = field(default=None, hash=False)
    digest: bytes = field(init=False, repr=False)
    applies: bool = field(init=False)

    def __post_init__(self) -> None:
        """Compute the fields that follow from the others, once for all completions."""
        digest = hashlib.sha256(self.answers).digest()
        object.__setattr__(self, "digest", digest)
        applies = any(map(is_applied, self.judgements.values()))
        object.__setattr__(self, "applies", applies)


@dataclass(frozen=True, kw_only=True, slots=True)
class PreparedTests:
    """A problem's tests after their one trusted rewriting.

    `comparison`, `judge` and `checker` are the problem's.
    `payload` is the engine's own form of them (a serialised parse tree, or b"" for
    stdio problems), with every check decided beside the code; `outside` is None where
    that is what is run.  `uses` are the names that the tests need from the code, sorted;
    `files` are modules that they take for the file the code stands in, unless it defines them.
    What is `given` stands before code that has no other.
    `beside` gives the reason, by place, for each check that is not judged outside.
    `given_away`: what a check expects stands among the arguments of another.
    `leaning` has, as ranges of places, the checks that say nothing where a top-level
    statement of the tests ("g2") has not come to its end, and those without one of which a
    check ("c4") has nothing to tell, or without all ("x4").  `costs` is what the checks take in the reference,
    where it passes them.  `idle` are checks that no wrong answer fails, and that are not among
    the others.  `printed` has, by place, what the tests print with the reference in checks that
    fail in no other way.  `frameworks` are the libraries that they need and the code may not
    name.  (frameworks.py)
    """

    checks: tuple[Check, ...]
    uses: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    payload: bytes = field(default=b"", repr=False)
    stdio: tuple[StdioCase, ...] = ()
    comparison: Comparison | None = None
    judge: str = ""
    checker: str = ""
    outside: Outside | None = None
    beside: Mapping[int, str] = field(default_factory=dict, hash=False)
    leaning: Mapping[str, tuple[tuple[int, int], ...]] = field(
        default_factory=dict, hash=False
    )
    given: Given = NOTHING
    costs: Spent | None = field(default=None, compare=False)
    given_away: bool = False
    idle: tuple[Check, ...] = ()
    printed: Mapping[int, Spoken] = field(default_factory=dict, hash=False)
    frameworks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckRequest:
    """One completion's code against one problem's prepared tests.

    A `quick` look gives up where a check, or the warm engine's compiler, takes longer than
    most; it costs little, and is no grading.  Code that is `of_reference` is the problem's own, and so
    is the fault where a judge dies on what it prints.  With `holes` code that does not type or parse is run, too, with holes where
    it does not.  With `branches` it is seen which branches the checks enter, where some pass and
    some do not.  What the problem gives stands at the bytes `given`, and is in no share of the code.
    It `listens` where the report is to have what the tests print.  `wrong` says how the answers
    in tests are wrong that hold them.
    """

    code: str
    tests: PreparedTests
    given: tuple[tuple[int, int], ...] = ()
    libraries: tuple[str, ...] = ()
    budget: Budget = BUDGET
    quick: bool = False
    of_reference: bool = False
    holes: bool = False
    branches: bool = False
    listens: bool = False
    wrong: str = ""

    @property
    def given_words(self) -> str:
        """Write the places of what is given for a helper."""
        size = 4 * len(self.code)
        places = (min(max(place, 0), size) for each in self.given for place in each)
        return " ".join(map(str, places))


def allowance(problem: Problem, budget: Budget, costs: Spent | None = None) -> Budget:
    """Return what a problem's completions may spend.

    Args:
        problem: The problem; its own budget wins.  A `check_cpu_s` of its own holds for
            every check, whatever the reference takes, unless there is a `check_unmeasured_s`
            beside it.
        budget: The budget of the scheme.
        costs: What the checks take in the reference, once that is known.

    Returns:
        The budget that holds; a reference that nearly uses it up has shown that it takes more.
    """
    amounts: dict[str, Any] = dict(problem.budget)
    own = replace(budget, **amounts)
    if "check_cpu_s" in amounts and "check_unmeasured_s" not in amounts:
        own = own.flat(own.check_cpu_s)
    if problem.reference is None:
        stack_mb = max(own.stack_mb, own.unmeasured_stack_mb)
        own = replace(own, stack_mb=stack_mb)
    if not isinstance(problem.tests, str):
        own = _for_cases(own, problem.tests)
    if costs is not None:
        longest_s = max(costs.others_s, *(each or 0.0 for each in costs.checks_s), 0.0)
        own = own.with_room(longest_s, costs.all_s)
    return replace(own, **amounts)


def _for_cases(budget: Budget, cases: tuple[StdioCase, ...]) -> Budget:
    """Raise what a judge sets no limit to: it gives each case its time, whatever others take, and
    reads what is as long as a right output.
    """
    most_s = max(budget.check_cpu_s, budget.check_unmeasured_s)
    tests_cpu_s = max(budget.tests_cpu_s, most_s * _CASES)
    longest = max((len(case.stdout) for case in cases), default=0)
    return replace(
        budget,
        tests_cpu_s=tests_cpu_s,
        tests_wall_s=max(budget.tests_wall_s, tests_cpu_s * _WALL),
        output_bytes=max(budget.output_bytes, longest * _ROOM),
    )


# As many cases may each take nearly all of their time, with so much for a machine that does
# something else, too; and an output may have so many bytes for each letter of the expected one.
_CASES: Final = 10
_WALL: Final = 3.0
_ROOM: Final = 4


def replaced_in(engine: Engine) -> Mapping[str, int]:
    """Return how many of an engine's processes were replaced because they answered wrongly, or
    not at all, by the reason; nothing of one that keeps none.
    """
    found: Mapping[str, int] = getattr(engine, "replaced", {})
    return found


class Engine(Protocol):
    """Anything that can prepare tests and check code against them, from several threads.

    `prepare` raises ProblemError for tests that cannot be used; both methods raise
    MachineError when the machine fails, and nothing else.
    """

    @property
    def name(self) -> str:
        """Its name, "stock" or "warm", as written in each record."""
        ...

    @property
    def sandbox(self) -> str:
        """The jail in use, as written in each record."""
        ...

    @property
    def toolchain(self) -> str:
        """The compiler, such as "ocaml 4.13.1", as written in each record."""
        ...

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Rewrite a problem's tests into numbered checks.

        Args:
            problem: The problem.
            budget: What each thing that runs for it may spend, its reference among them.

        Returns:
            The tests in the engine's own form.

        Raises:
            ProblemError: The tests cannot be used; the message names the line.
            MachineError: The machine failed.
        """
        ...

    def check(self, request: CheckRequest) -> CheckReport:
        """Compile and run one completion."""
        ...

    def close(self) -> None:
        """Stop every process and remove every file of this engine."""
        ...
