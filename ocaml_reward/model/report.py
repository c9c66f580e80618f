"""What the engine reports of one completion: facts, and nothing of rewards."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from .diagnostics import Diagnostic, Span


class Stage(StrEnum):
    """How far the code got."""

    SYNTAX_ERROR = "syntax_error"
    TYPE_ERROR = "type_error"
    INTERFACE_ERROR = "interface_error"
    LINK_ERROR = "link_error"
    COMPILER_LIMIT = "compiler_limit"
    EXECUTABLE = "executable"


class Outcome(StrEnum):
    """How one check ended.  MET_HOLE is for code with holes alone: nothing is known of what
    the check comes to.
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """One assertion of a problem's tests.  `index` counts from 1; `line`, from 1 too, is the
    line in the tests' own text, or the number of the case for stdin/stdout problems.

    `needs` are the names that it takes from the code, by itself and by what the tests
    define; what it takes from a module with the path, "Stack.push", the module as a whole
    without.  `span` is its place in the tests' text.  Both are None where they are not known.
    """

    index: int
    line: int
    source: str
    needs: tuple[str, ...] | None = None
    span: Span | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckResult:
    """How one check ended; `detail` is the exception or limit, in a few words.

    `partial` is what one that failed is worth all the same, below 1, as the problem's judge says.
    """

    index: int
    line: int
    outcome: Outcome
    detail: str = ""
    partial: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """Every check of a problem with its outcome, in the order of the tests.

    For a completion that never ran, `results` is empty and `total` still known.
    """

    total: int
    results: tuple[CheckResult, ...] = ()

    @property
    def passed(self) -> int:
        """The number of checks that passed."""
        return sum(result.outcome is Outcome.PASSED for result in self.results)


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """CPU seconds that a run of the checks took: each check, by its place, None where it did
    not come to its end; the longest of what is no check, as the code's own top level; and all.
    """

    others_s: float
    checks_s: tuple[float | None, ...]
    all_s: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A part of code that parses: a definition or statement at its top or in a module, or one
    in a body.  What lies in a part inside another belongs to the inner one alone.

    `names` are what the program has by it, "*" what modules of unknown content may give.
    `lines`, from 1, are its own, as ranges: the first, the last, and so on.  `span` has its
    first byte in the code's UTF-8 and the one behind it; parts that only stand for others,
    as the members of a module do ("Stack.push"), have an empty one.  `needs` are other parts, by their places.
    It `acts` if evaluating it may change something or raise, and `keeps` what may be changed.
    It is a `stub` if it names functions at the top whose bodies mention no parameter, or only
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
    """Where the branches of some code lie, each with its first byte and the one behind it, and
    which of them, by their places, each check entered: None where nobody knows.
    """

    spans: tuple[tuple[int, int], ...]
    entered: tuple[tuple[int, ...] | None, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Blame:
    """A place in code that does not type where the mistake may be, and how likely it is there.

    Lines count from 1, columns from 0, in bytes, as the compiler's do.  For each error that the
    compiler finds the weights of its places sum to 1.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    weight: float


class MergeReason(StrEnum):
    """Why an error that was found in code does not count beside the others."""

    FOLLOWS = "follows"
    WIDER = "wider"
    ONE_CAUSE = "one_cause"
    ONE_HOLE = "one_hole"

    @property
    def sentence(self) -> str:
        """What it means, for a reader."""
        return _MERGED[self]


_MERGED: Final = {
    MergeReason.FOLLOWS: "only follows from an error before it",
    MergeReason.WIDER: "lies in a part that is wrong as a whole",
    MergeReason.ONE_CAUSE: "goes with others when one definition is changed",
    MergeReason.ONE_HOLE: "goes with another when one small part is changed",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class MergedError:
    """An error that was found in code that does not type, and why it was not counted."""

    why: MergeReason
    error: Diagnostic


@dataclass(frozen=True, kw_only=True, slots=True)
class ThroughHoles:
    """What checks came to on code that does not type or parse, with holes in it where it does
    not: every check in order.  One that met no hole tells of the code that it went through.
    There are none where nothing could run.

    `parts` is what the code consists of without the items that do not parse, None where all
    do; `errors` has the first byte of each type error in these, and the byte behind it.
    `branches` has those that the checks entered, None where nobody looked.  `halted` is True
    where the code's own top level did not come to its end.  Nothing of this is paid for.
    """

    results: tuple[CheckResult, ...]
    parts: tuple[Part, ...] | None = None
    errors: tuple[tuple[int, int], ...] = ()
    branches: Branches | None = None
    halted: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckReport:
    """What happened, as facts.  `results` is empty unless `stage` is EXECUTABLE and nothing
    is forbidden; then it holds every check in order.  `parts` is what the code consists of, None where it does
    not parse or that is not known.  `unparsed` has the first byte of each top-level item that
    does not parse, in the code's UTF-8, and the byte behind it.

    `through_holes` is None where nobody asked for it, where code runs without holes, and where
    it does not run with them either.  `branches` is None where nobody asked, all checks passed or
    all failed, or there are none.

    `blame` has the places of code that does not type where the mistake may be, the most likely
    first, where holes were asked for.  `merged` has the errors that were found and not counted.

    `spent` is what the first run took.  `cut` is True where a quick look ended before the
    checks did: then there are no `results`.  `halted` is True where no check began, as the
    code's own top level did not come to its end.

    `printed` is what the tests printed in each check, where that was asked for.
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
    spent: Spent | None = field(compare=False, default=None)
    cut: bool = False
    halted: bool = False
    blame: tuple[Blame, ...] = ()
    merged: tuple[MergedError, ...] = ()
    printed: tuple[str, ...] = ()
    timings_ms: dict[str, float] = field(compare=False, default_factory=dict)
