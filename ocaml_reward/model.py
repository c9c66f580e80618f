"""
The values that everything else passes around.  All frozen; no behaviour beyond facts
that follow from their own fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import PurePosixPath

from .reasons import Reasons

__all__ = [
    "CODE_FILE",
    "Answers",
    "Breakdown",
    "Budget",
    "Check",
    "CheckReport",
    "CheckResult",
    "Completion",
    "Credits",
    "Diagnostic",
    "DiagnosticKind",
    "DiagnosticSource",
    "Fault",
    "Ground",
    "Mark",
    "Outcome",
    "Part",
    "Penalty",
    "Problem",
    "Region",
    "Span",
    "Spent",
    "Stage",
    "StdioCase",
    "SubLocation",
    "Tally",
    "Verdict",
]

# What the code is called in diagnostics.
CODE_FILE = "solution.ml"


class Verdict(StrEnum):
    """
    One word for a human, from best to worst.
    """

    PASSED = "passed"
    FAILED_TESTS = "failed_tests"
    RUNTIME_ERROR = "runtime_error"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_LIMIT = "output_limit"
    CRASHED = "crashed"
    FORBIDDEN = "forbidden"
    LINK_ERROR = "link_error"
    INTERFACE_ERROR = "interface_error"
    TYPE_ERROR = "type_error"
    SYNTAX_ERROR = "syntax_error"
    COMPILER_LIMIT = "compiler_limit"
    NO_CODE = "no_code"
    UNGRADED = "ungraded"


class Stage(StrEnum):
    """
    How far the code got.
    """

    SYNTAX_ERROR = "syntax_error"
    TYPE_ERROR = "type_error"
    INTERFACE_ERROR = "interface_error"
    LINK_ERROR = "link_error"
    COMPILER_LIMIT = "compiler_limit"
    EXECUTABLE = "executable"


class Outcome(StrEnum):
    """
    How one check ended.
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


class DiagnosticKind(StrEnum):
    """
    The compiler's `Location.report_kind`, one to one.
    """

    ERROR = "error"
    WARNING = "warning"
    WARNING_AS_ERROR = "warning_as_error"
    ALERT = "alert"
    ALERT_AS_ERROR = "alert_as_error"


class DiagnosticSource(StrEnum):
    """
    The part of the compiler that spoke (Merlin's `error_source`, plus the linker).
    """

    LEXER = "lexer"
    PARSER = "parser"
    TYPER = "typer"
    LINKER = "linker"
    ENVIRONMENT = "environment"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """
    A range of source text as ocamlc prints it: lines from 1, columns from 0 in bytes,
    the end column exclusive.  Columns are None where the compiler gives only lines.
    """

    line: int
    end_line: int
    column: int | None = None
    end_column: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class SubLocation:
    """
    A second place a diagnostic points at, such as the other declaration of a mismatch.
    """

    file: str
    span: Span | None
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Diagnostic:
    """
    One report of the compiler.

    `number` and `name` belong to warnings (8, "partial-match"); `name` alone to alerts.
    """

    kind: DiagnosticKind
    source: DiagnosticSource
    message: str
    file: str | None = None
    span: Span | None = None
    number: int | None = None
    name: str | None = None
    hint: str | None = None
    sub: tuple[SubLocation, ...] = ()

    @property
    def is_of_code(self) -> bool:
        """
        Tell diagnostics of the code from those of the tests that use it.
        """
        return self.file is None or PurePosixPath(self.file).name == CODE_FILE


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """
    What one completion may spend.  CPU seconds decide; wall seconds only catch a process
    that sleeps, and are generous so that a loaded machine changes no reward.

    A check may use `check_factor` times what it takes in the reference, in steps from
    `check_least_s` to `check_cpu_s`, and `check_unmeasured_s` where that is not known.
    Once one has used up its own, each that follows has `check_later_share` of its own, and
    those that use theirs up may use `looping_factor` whole ones together.
    """

    compile_cpu_s: float = 5.0
    compile_wall_s: float = 20.0
    check_cpu_s: float = 1.0
    check_least_s: float = 0.1
    check_unmeasured_s: float = 0.25
    check_factor: float = 20.0
    check_later_share: float = 0.2
    looping_factor: float = 3.0
    tests_cpu_s: float = 5.0
    tests_wall_s: float = 30.0
    memory_mb: int = 256
    stack_mb: int = 8
    output_bytes: int = 1_000_000
    file_bytes: int = 16_000_000
    processes: int = 1

    def flat(self, check_cpu_s: float) -> Budget:
        """
        Return the same with one budget for every check, whatever the reference takes and
        however many have used theirs up.
        """
        return replace(
            self,
            check_cpu_s=check_cpu_s,
            check_least_s=check_cpu_s,
            check_unmeasured_s=check_cpu_s,
            check_later_share=1.0,
            looping_factor=max(self.tests_cpu_s / check_cpu_s, 1.0),
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class StdioCase:
    """
    One run of a whole program: what it reads and what it must print.
    """

    stdin: str
    stdout: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """
    A prompt and the hidden tests that judge it.

    `tests` is OCaml source, or the cases of a program judged on stdin and stdout.
    `signature` lists what the prompt asks for (`val f : int -> int`), where it is known.
    `budget` has what its completions may spend in place of the scheme's: names of
    Budget's fields with their values.
    """

    id: str
    tests: str | tuple[StdioCase, ...]
    prompt: str = ""
    reference: str | None = None
    signature: str | None = None
    libraries: tuple[str, ...] = ()
    budget: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Completion:
    """
    What the model wrote.  `truncated` is True when it hit its length limit
    (`finish_reason` = length, no EOS token), None when nobody knows.
    """

    text: str
    truncated: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """
    One assertion of a problem's tests.  `index` counts from 1; `line`, from 1 too, is the
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
    """
    How one check ended; `detail` is the exception or limit, in a few words.
    """

    index: int
    line: int
    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """
    CPU seconds that a run of the checks took: each check, by its place, None where it did
    not come to its end; and the longest of what is no check, as the code's own top level.
    """

    others_s: float
    checks_s: tuple[float | None, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Answers:
    """
    What the code was seen to answer, over all checks: how many `values` it handed out (or,
    if `printed`, how often it printed to its end), and how many of them are `distinct`, at the
    most, among those of which checks say the same.

    An exception is no value.  `unseen` checks failed on values that only the code's own
    process has seen.
    """

    values: int
    distinct: int
    unseen: int = 0
    printed: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """
    A part of code that parses: a definition or statement at its top or in a module, or one
    in a body.  What lies in a part inside another belongs to the inner one alone.

    `names` are what the program has by it, "*" what modules of unknown content may give.
    `lines`, from 1, are its own, as ranges: the first, the last, and so on.  `span` has its
    first byte in the code's UTF-8 and the one behind it; parts that only stand for others,
    as the members of a module do ("Stack.push"), have an empty one.  `needs` are other parts, by their places, and `missing` the names it uses that nothing defines.
    It `acts` if evaluating it may change something or raise, and `keeps` what may be changed.
    """

    names: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()
    acts: bool = False
    keeps: bool = False
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckReport:
    """
    What happened, as facts.  `results` is empty unless `stage` is EXECUTABLE and nothing
    is forbidden; then it holds every check in order.  `answers` is None where the code did
    not run, or nobody watched.  `parts` is what the code consists of, None where it does
    not parse or that is not known.  `unparsed` has the first byte of each top-level item that
    does not parse, in the code's UTF-8, and the byte behind it.

    `spent` is what the first run took.  `cut` is True where a hasty look ended before the
    checks did: then there are no `results`.
    """

    stage: Stage
    type_errors: int | None
    typed_fraction: float | None = None
    parsed_share: float | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    forbidden: tuple[str, ...] = ()
    results: tuple[CheckResult, ...] = ()
    answers: Answers | None = None
    parts: tuple[Part, ...] | None = None
    unparsed: tuple[tuple[int, int], ...] = ()
    spent: Spent | None = field(compare=False, default=None)
    cut: bool = False
    timings_ms: dict[str, float] = field(compare=False, default_factory=dict)


class Mark(StrEnum):
    """
    What is known of a part of the code.
    """

    RIGHT = "right"
    WRONG = "wrong"
    UNKNOWN = "unknown"


class Ground(StrEnum):
    """
    What a part of the code is marked by, worst first.

    An error's own text, a definition that holds an error, an item that does not parse, a
    line with a forbidden feature, a definition that the tests do not type with, one that
    only checks need that fail, that checks need of both kinds, that only checks need that
    pass, and one of which no check that ran says anything.
    """

    ERROR = "error"
    HOLDS_ERROR = "holds_error"
    UNPARSED = "unparsed"
    FORBIDDEN = "forbidden"
    MISFIT = "misfit"
    FAILING = "failing"
    BOTH = "both"
    PASSING = "passing"
    UNTESTED = "untested"

    @property
    def mark(self) -> Mark:
        """
        What it says of the code.
        """
        if self in (Ground.BOTH, Ground.UNTESTED):
            return Mark.UNKNOWN
        return Mark.RIGHT if self is Ground.PASSING else Mark.WRONG


@dataclass(frozen=True, kw_only=True, slots=True)
class Region:
    """
    A part of the code of which something is known.

    `start` is its first character in the code, `stop` the one behind it, `line` and
    `end_line`, from 1, the lines of its first and of its last one.  `places` are the ranges
    of characters in the completion's own text that it was taken from.

    `ground` says what it is marked by.  `names` are those of the definition that it belongs
    to, with the path where that is in a module.  `passed` and `failed` count the checks
    that need it and ran.
    """

    start: int
    stop: int
    line: int
    end_line: int
    ground: Ground
    names: tuple[str, ...] = ()
    passed: int = 0
    failed: int = 0
    places: tuple[tuple[int, int], ...] = ()

    @property
    def mark(self) -> Mark:
        """
        Whether it is right or wrong, as far as that is known.
        """
        return self.ground.mark


@dataclass(frozen=True, kw_only=True, slots=True)
class Tally:
    """
    Every check of a problem with its outcome, in the order of the tests.

    For a completion that never ran, `results` is empty and `total` still known.
    """

    total: int
    results: tuple[CheckResult, ...] = ()

    @property
    def passed(self) -> int:
        """
        The number of checks that passed.
        """
        return sum(result.outcome is Outcome.PASSED for result in self.results)


@dataclass(frozen=True, kw_only=True, slots=True)
class Credits:
    """
    What was earned, per part; the same fields hold what is available in a scheme.

    `solved` is for passing every check, 0 in schemes from before there was the part.
    """

    structural: float = 0.0
    type: float = 0.0
    compile: float = 0.0
    tests: float = 0.0
    solved: float = 0.0

    @property
    def total(self) -> float:
        """
        The sum of the parts.
        """
        return self.structural + self.type + self.compile + self.tests + self.solved


@dataclass(frozen=True, kw_only=True, slots=True)
class Penalty:
    """
    A factor in [0, 1] that the reward was multiplied by, and why.

    A cap (`cap` set) bounds the reward instead; its factor is 1.
    """

    code: str
    factor: float
    evidence: str
    cap: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """
    Why this completion could not be scored: our machine's failure, never its own.
    """

    kind: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Breakdown:
    """
    The full account of one grading.  `reward` is None exactly when `fault` is set.

    `reasons` say why each part earned its credit; None where nothing was scored, and in
    records from before there were any.

    `type_errors` is None when the code did not parse or was never typed; so is
    `typed_fraction`, the share of the code that no type error takes in.
    `parsed_share` (0 to 1) is the share of top-level items that parse, None unless the
    verdict is a syntax error.  `forbidden` names the unsafe constructs found.
    `regions` are what is known of the parts of the code, in their order; no two overlap.
    None where nobody asked for them.
    `timings_ms` is the only part that may differ between two gradings of equal input.
    """

    problem_id: str
    reward: float | None
    verdict: Verdict
    credits: Credits
    reasons: Reasons | None = None
    penalties: tuple[Penalty, ...]
    code: str
    type_errors: int | None
    typed_fraction: float | None = None
    parsed_share: float | None
    diagnostics: tuple[Diagnostic, ...]
    forbidden: tuple[str, ...]
    tests: Tally
    regions: tuple[Region, ...] | None = None
    fault: Fault | None
    engine: str
    sandbox: str
    scheme: str
    toolchain: str
    timings_ms: dict[str, float] = field(compare=False, default_factory=dict)

    @property
    def credited(self) -> tuple[str, ...]:
        """
        The parts that its credits speak of: `solved` only where the scheme pays for it.
        """
        paid = self.credits.solved > 0 or (self.reasons and self.reasons.solved)
        names = tuple(each.name for each in fields(Credits))
        return names if paid else tuple(name for name in names if name != "solved")
