"""The engine's report of one completion: facts, without rewards."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Final

from ..codec.typed import SPARSE, Count, Key, Share
from .diagnostics import Diagnostic, Span
from .groups import CaseGroup


class Stage(StrEnum):
    """The stage of compilation that the code reached."""

    SYNTAX_ERROR = "syntax_error"
    TYPE_ERROR = "type_error"
    INTERFACE_ERROR = "interface_error"
    LINK_ERROR = "link_error"
    COMPILER_LIMIT = "compiler_limit"
    EXECUTABLE = "executable"


class Outcome(StrEnum):
    """The outcome of one check.

    MET_HOLE occurs only for code run with holes: the check reached a hole, so its result is
    unknown.
    """

    PASSED = "passed"
    FAILED = "failed"
    RAISED = "raised"
    EXITED = "exited"
    STACK_OVERFLOW = "stack_overflow"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_LIMIT = "output_limit"
    CRASHED = "crashed"
    NOT_RUN = "not_run"
    MET_HOLE = "met_hole"


class Limit(StrEnum):
    """A limit of `Budget` that ended a check."""

    STEPS = "steps"
    CPU = "cpu"
    WALL = "wall"
    MEMORY = "memory"
    OUTPUT = "output"


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One assertion of a problem's tests.

    `index` counts from 1. `line`, from 1 too, is the line in the tests' text, or the number of the
    case for stdin/stdout problems. `needs` are the names of the code that it uses, directly and
    through definitions of the tests: an item of a module with its path ("Stack.push"), a whole
    module without. `span` is its place in the tests' text. Both are None if unknown.
    """

    index: int
    line: int
    source: str
    needs: tuple[str, ...] | None = None
    span: Span | None = None


ENDS_OTHERWISE: Final = "all other checks hold, but the tests as they were written "
"""The beginning of the detail of a result that says how the tests as they were written end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckResult:
    """The outcome of one check; `detail` is the exception or limit, in a few words.

    Attributes:
        index: The number of the check, from 1.
        line: Its line, as in `Check`.
        outcome: How it ended.
        detail: Why.
        partial: The share below 1 that the problem's judge grants a failed check.
        limit: The limit that ended it; None for none.
        steps: What it took: entries of functions and turns of loops of the code; None if unknown.
        reference_steps: What it takes with the reference; None if unknown.
    """

    index: Annotated[Count, Key("check")]
    line: Count
    outcome: Outcome
    detail: str = ""
    partial: Annotated[Share, SPARSE] = 0.0
    limit: Annotated[Limit | None, SPARSE] = None
    steps: Annotated[Count | None, SPARSE] = None
    reference_steps: Annotated[Count | None, SPARSE] = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """All checks of a problem with their outcomes, in the order of the tests.

    For a completion that never ran, `results` is empty and `total` still known. `steps` are those
    of all runs, with what is outside of checks; None if nothing ran, or the clock or memory has
    ended a run.  `groups` is empty where each check earns the same.
    """

    passed: int = field(init=False)
    total: int
    results: tuple[CheckResult, ...] = ()
    steps: Annotated[Count | None, SPARSE] = None
    groups: Annotated[tuple[CaseGroup, ...], SPARSE] = ()

    def __post_init__(self) -> None:
        """Count the checks that passed."""
        passed = [result.outcome for result in self.results].count(Outcome.PASSED)
        object.__setattr__(self, "passed", passed)

    @property
    def by_clock(self) -> bool:
        """Whether a time ended a check, as only what takes no steps can bring about."""
        return any(result.limit in (Limit.CPU, Limit.WALL) for result in self.results)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReferenceCosts:
    """What the reference takes.

    Attributes:
        checks: The steps of each check by its position; None if the reference does not pass it.
        all_steps: The steps of all of it, with those outside of checks.
        cpu_s: The CPU seconds of all of it, which differ from run to run.
    """

    checks: tuple[int | None, ...]
    all_steps: int = 0
    cpu_s: float = field(default=0.0, compare=False)

    @property
    def longest(self) -> int | None:
        """The steps of the longest check; None if none passes."""
        return max((each for each in self.checks if each is not None), default=None)

    @property
    def others(self) -> int:
        """The steps outside of the checks that pass, as in the code's own top level."""
        return max(self.all_steps - sum(each or 0 for each in self.checks), 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A part of code that parses: a definition or statement at the top, in a module or in a body.

    Text of an inner part does not belong to the outer one.

    Attributes:
        names: The names that it defines; "*" for a module of unknown content.
        lines: Its own lines, from 1, as ranges: first, last, first, last, …
        span: Its range of bytes in the code's UTF-8; empty for a part that only stands for others,
            as a member of a module does ("Stack.push").
        needs: Indices of other parts that it needs.
        acts: Whether evaluating it may have a side effect or raise.
        keeps: Whether it holds mutable state.
        stub: Whether it names functions at the top whose bodies mention no parameter, or only
            raise.
    """

    names: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()
    acts: bool = False
    keeps: bool = False
    stub: bool = False
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Branches:
    """Byte ranges of the branches of some code, and the indices of those that each check entered.

    The entry of a check is None if unknown.
    """

    spans: tuple[tuple[int, int], ...]
    entered: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Blame:
    """A candidate location of the mistake in ill-typed code, with its weight.

    Lines count from 1, columns from 0 in bytes, as the compiler's do. The weights of the candidates
    of one type error sum to 1.
    """

    line: Count
    column: Count
    end_line: Count
    end_column: Count
    weight: Share


class MergeReason(StrEnum):
    """Reason why an error found in code is not counted."""

    FOLLOWS = "follows"
    WIDER = "wider"
    ONE_CAUSE = "one_cause"
    ONE_HOLE = "one_hole"

    @property
    def sentence(self) -> str:
        """Return the reason as a sentence for a reader."""
        return _MERGED[self]


_MERGED: Final = {
    MergeReason.FOLLOWS: "only follows from an error before it",
    MergeReason.WIDER: "lies in a part that is wrong as a whole",
    MergeReason.ONE_CAUSE: "goes with others when one definition is changed",
    MergeReason.ONE_HOLE: "goes with another when one small part is changed",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class MergedError:
    """An error found in ill-typed code, and the reason why it is not counted."""

    why: MergeReason
    error: Diagnostic


@dataclass(frozen=True, kw_only=True, slots=True)
class ThroughHoles:
    """Outcomes of all checks, in order, on ill-typed or unparsable code that was run with holes.

    Only checks that reached no hole give evidence about the code. Results are empty if nothing
    could run. Nothing is paid for them.

    Attributes:
        parts: The parts of the code without the items that do not parse; None if all parse.
        errors: Byte ranges of the type errors in these parts.
        branches: The branches that the checks entered; None if not recorded.
        halted: Whether the code's own top level did not finish.
    """

    results: tuple[CheckResult, ...]
    parts: tuple[Part, ...] | None = None
    errors: tuple[tuple[int, int], ...] = ()
    branches: Branches | None = None
    halted: bool = False


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    """The facts about one completion.

    Attributes:
        results: All checks in order if `stage` is EXECUTABLE and nothing is forbidden; else empty.
        parts: The parts of the code; None if it does not parse, or passes every check and no holes
            were requested.
        unparsed: Byte ranges, in UTF-8, of top-level items that do not parse.
        through_holes: Outcomes on code run with holes; None if not requested, for code that runs
            without holes, and for code that does not run with them either.
        branches: The branches that checks entered; None if not requested, if all checks passed or
            all failed, or if there are none.
        blame: Candidate locations of the mistake in ill-typed code, the most likely first, if holes
            were requested.
        merged: Errors that were found and not counted.
        steps: What all runs took, in steps; None if nothing ran, or the clock or memory has ended
            a run.
        cpu_s: What all runs took, in CPU seconds.
        cut: Whether a quick attempt ended before the checks did; then `results` is empty.
        halted: Whether no check began because the code's own top level did not finish.
        printed: The output of the tests in each check, if requested.
        put_in: The problem's own code in the completion's: from which character of that to which
            other it stands instead, and the text.
        absent: What the program asked for that the sandbox has not, such as a file, if requested.
    """

    stage: Stage
    type_errors: int | None
    typed_fraction: float | None = None
    parsed_share: float | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    forbidden: tuple[str, ...] = ()
    results: tuple[CheckResult, ...] = ()
    parts: tuple[Part, ...] | None = None
    unparsed: tuple[tuple[int, int], ...] = ()
    through_holes: ThroughHoles | None = None
    branches: Branches | None = None
    steps: int | None = None
    cpu_s: float = field(compare=False, default=0.0)
    cut: bool = False
    halted: bool = False
    blame: tuple[Blame, ...] = ()
    merged: tuple[MergedError, ...] = ()
    printed: tuple[str, ...] = ()
    put_in: tuple[tuple[int, int, str], ...] = ()
    absent: str = ""
    timings_ms: dict[str, float] = field(compare=False, default_factory=dict)

    def but(self, **fields: Any) -> CheckReport:
        """Return the report with other values in some fields, as `dataclasses.replace` does in
        many times as many calls.
        """
        found = object.__new__(CheckReport)
        vars(found).update(vars(self), **fields)
        return found
