"""The Engine interface: compiles and runs code against prepared tests and returns a CheckReport.

An engine decides nothing about rewards.  It is the only part of the library with effects.
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
    Outcome,
    Problem,
    ReferenceCosts,
    Stage,
    StdioCase,
    most_of,
)
from .judge.formulas import Formula, applies_predicate
from .messages.limits import allowed_steps
from .messages.values import Values
from .run.check_results import ExpectedText

__all__ = [
    "BUDGET",
    "OPTIONAL",
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
"""The default budget."""
TESTS_ONLY: Final = "+"
"""The prefix of the name of a library that the tests may use and the code may not."""
OPTIONAL: Final = "?"
"""The suffix of the name of a library that code may use where findlib has it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outside:
    """The checks that are judged outside the code's process.

    `query_program` runs with the code and sends the values that it returns.  `oracle_program` runs
    without the code and sends the expected values.  `formulas` has, by a check's place, the
    formula over both; a check without a formula is decided in the code's process.

    `expected` has the expected values by a check's place, if they do not depend on the code.  It is
    None if the oracle program has to be compiled with the types that the code declares;
    `needs_types` is True if that is known in advance.  Then `reference_expected` has the expected
    values with the types of the reference, if there is one.

    `digest` is the digest of `oracle_program`.  `applies_predicates` is True if a formula applies a
    predicate of the tests to values that the code returns.
    """

    query_program: bytes = field(repr=False)
    oracle_program: bytes = field(repr=False)
    formulas: Mapping[int, Formula] = field(hash=False)
    expected: Mapping[int, Values] | None = field(default=None, hash=False)
    needs_types: bool = False
    reference_expected: Mapping[int, Values] | None = field(default=None, hash=False)
    digest: bytes = field(init=False, repr=False)
    applies_predicates: bool = field(init=False)

    def __post_init__(self) -> None:
        """Compute the fields that follow from the others, once for all completions."""
        digest = hashlib.sha256(self.oracle_program).digest()
        object.__setattr__(self, "digest", digest)
        applies = any(map(applies_predicate, self.formulas.values()))
        object.__setattr__(self, "applies_predicates", applies)


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A problem's tests as they were written, without numbered checks.

    * `program`: the engine's form of them.
    * `check`: the last of the problem's checks: that they come to an end as they should.  None if
      the other checks judge all that they do.
    * `ends`: how they end with the reference: outcome and words.
    * `tells`: whether their end tells what their handlers have caught in checks.
    """

    program: bytes = field(repr=False)
    check: Check | None = None
    ends: tuple[Outcome, str] = (Outcome.PASSED, "")
    tells: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """Code of the problem that stands before a completion's or in it.  (ocaml/ast/given_code.ml)

    * `code`: its definitions; those that the completion has itself are left out.
    * `needed`: the names that the tests use, each after the letter of its kind.
    * `whole`: all of it is needed, not just what the completion or the tests use.
    """

    code: str = ""
    needed: tuple[str, ...] = ()
    whole: bool = False


NOTHING: Final = Given()
"""The given code of problems that give none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PreparedTests:
    """A problem's tests as numbered checks; they are rewritten once, by a trusted program.

    Places count checks from 0.

    * `uses`: the names that the tests need from the code, sorted.
    * `files`: modules that the tests take for the code's file, unless the code defines them.
    * `payload`: the engine's form of the tests (a serialised parse tree; b"" for stdio problems),
      with every check decided in the code's process.
    * `comparison`, `judge`, `checker`: the problem's own.
    * `outside`: the checks that are judged outside the code's process; None if there are none.
    * `in_process`: the reason, by place, for each check that is decided in the code's process.
    * `leaning`: ranges of places.  Under "g2": the checks that cannot be judged if top-level
      statement 2 of the tests did not finish.  Under "c4" and "x4": the checks of which at least
      one, or all, must finish for check 4 to be judged.
    * `given`: code of the problem that is put before the completion's.
    * `costs`: what the reference takes.
    * `leaks_answers`: the arguments of a check contain the expected value of another.
    * `idle`: checks that no wrong answer fails; they are not in `checks`.
    * `printed`: by place, the text that the tests print with the reference in checks that can
      only be judged by it.
    * `frameworks`: libraries that the tests use and the code may not.  (frameworks.py)
    * `written`: the tests as they were written.  (as_written.py)
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
    in_process: Mapping[int, str] = field(default_factory=dict, hash=False)
    leaning: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict, hash=False)
    given: Given = NOTHING
    costs: ReferenceCosts | None = None
    leaks_answers: bool = False
    idle: tuple[Check, ...] = ()
    printed: Mapping[int, ExpectedText] = field(default_factory=dict, hash=False)
    frameworks: tuple[str, ...] = ()
    written: Written | None = None

    @property
    def reported(self) -> tuple[Check, ...]:
        """The checks that the harness reports: all but that of the tests as they were written."""
        if self.written is not None and self.written.check is not None:
            return self.checks[:-1]
        return self.checks

    @property
    def program(self) -> bytes:
        """What is linked with the code: the query program if checks are judged outside."""
        return self.outside.query_program if self.outside else self.payload

    @property
    def untested(self) -> bool:
        """Whether there are none, so that code is compiled and not run."""
        return not (self.checks or self.payload or self.stdio)

    @property
    def allow_unsafe(self) -> bool:
        """Whether code may use unsafe features, as nothing in its process decides a check.

        That is so if all checks are judged outside, or by the program's output, or there are none.  It is not so if
        the expected values depend on the types that the code declares: with two types in place of
        one, and an unsafe cast, two expected values would look the same (but see
        `judging.retry_without_scan`).  Nor is it if the arguments of some checks leak the expected
        values of others.
        """
        outside = self.outside
        if outside is None:
            return bool(self.stdio) or self.untested
        return (
            outside.expected is not None
            and not self.leaks_answers
            and len(outside.formulas) == len(self.reported)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckRequest:
    """One completion's code against one problem's prepared tests.

    * `continues`: the code completes the definition that the prompt breaks off in, so the prompt's
      `open`s are its own, too.
    * `given`: the byte ranges of code that the problem gives; they count in no share of the code.
      None before that code is put in.
    * `forbidden`, `required`: what the problem says of its code.
    * `quick`: give up if a check, or the warm engine's compiler, exceeds a share of its CPU time.
    * `of_reference`: the code is the problem's own, so the problem is at fault if its judge dies.
    * `holes`: run code that does not type or parse, with holes in place of the invalid parts.
    * `branches`: record the branches that each check enters, if only some checks pass.
    * `listens`: report the text that the tests print, and what each check did.
    * `wrong`: how the built-in wrong answers of a trial are wrong.  (idle.py)
    """

    code: str
    tests: PreparedTests
    continues: bool = False
    given: tuple[tuple[int, int], ...] | None = None
    libraries: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    budget: Budget = BUDGET
    quick: bool = False
    of_reference: bool = False
    holes: bool = False
    branches: bool = False
    listens: bool = False
    wrong: str = ""

    @property
    def allow_unsafe(self) -> bool:
        """Whether the code may use unsafe features; they also reach what a problem forbids."""
        return self.tests.allow_unsafe and not self.forbidden

    @property
    def checker_options(self) -> str:
        """The option letters for a checker.

        "k": report a key of the types that the code declares.  "l": do not scan for unsafe features.
        "h": run code with holes, and "b": record the branches that it enters, for regions.
        """
        outside = self.tests.outside
        keyed = outside is not None and outside.expected is None
        asked = "h" * self.holes + "b" * self.branches
        return "k" * keyed + "l" * self.allow_unsafe + asked

    @property
    def rules(self) -> tuple[str, str]:
        """What is forbidden and what required, as a helper reads them."""
        return _words(self.forbidden), _words(self.required)

    @property
    def given_words(self) -> str:
        """The places in `given` as a helper reads them."""
        if not self.given:
            return ""
        size = 4 * len(self.code)
        places = (min(max(place, 0), size) for each in self.given for place in each)
        return " ".join(map(str, places))


def _words(names: tuple[str, ...]) -> str:
    """Return names with blanks between, as an argument of a program can have them."""
    return " ".join(names).encode("utf-8", "replace").decode().replace("\0", " ")


def allowance(problem: Problem, budget: Budget, costs: ReferenceCosts | None = None) -> Budget:
    """Return the budget of a problem's completions.

    Args:
        problem: The problem; its own budget overrides the scheme's.  A `check_steps` without a
            `most_steps` applies to every check, whatever the reference takes.
        budget: The budget of the scheme.
        costs: What the reference takes, if known.

    Returns:
        The budget; it is raised if the reference nearly uses it up.
    """
    amounts: dict[str, Any] = dict(problem.budget)
    own = replace(budget, **amounts)
    if "check_steps" in amounts and "most_steps" not in amounts:
        own = own.flat(own.check_steps)
    if problem.reference is None:
        stack_mb = max(own.stack_mb, own.unmeasured_stack_mb)
        own = replace(own, stack_mb=stack_mb)
    if not isinstance(problem.tests, str):
        own = _for_cases(own, problem.tests)
    longest, cpu_s = None, 0.0
    if costs is not None:
        cpu_s = costs.cpu_s
        longest = None if None in costs.checks else max(costs.longest or 0, costs.others)
        own = replace(own, tests_steps=max(own.tests_steps, 2 * costs.all_steps))
    own = own.with_backstop(allowed_steps(longest, own), cpu_s)
    return replace(own, **amounts)


def _for_cases(budget: Budget, cases: tuple[StdioCase, ...]) -> Budget:
    """Return the budget for stdio cases, raised as contest judges do.

    They give each case its full time, and read outputs as long as the expected one.
    """
    tests_steps = max(budget.tests_steps, budget.most_steps * _CASES)
    longest = max((len(case.stdout) for case in cases), default=0)
    return replace(
        budget,
        tests_steps=tests_steps,
        output_bytes=max(budget.output_bytes, min(longest * _ROOM, most_of("output_bytes"))),
    )


# Cases that may each take nearly their full steps; the bytes of an output per character of the
# expected one.
_CASES: Final = 10
_ROOM: Final = 4


def replaced_in(engine: Engine) -> Mapping[str, int]:
    """Return how many of an engine's processes were replaced, by the reason.

    The mapping is empty for an engine without processes of its own.
    """
    found: Mapping[str, int] = getattr(engine, "replaced", {})
    return found


class Engine(Protocol):
    """Prepares tests and checks code against them; may be called from several threads.

    `prepare` raises ProblemError for tests that cannot be used.  Both methods raise MachineError
    if the machine fails, and nothing else.
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
            budget: The budget of each program that is run to prepare them, and of the reference.

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
