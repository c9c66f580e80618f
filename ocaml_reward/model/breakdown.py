"""The result of one grading: the reward and its explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from ..reasons import Reasons
from .diagnostics import Diagnostic
from .feedback import FeedbackLevel, PublicCheck, feedback
from .regions import Region
from .report import Blame, CheckResult, Tally
from .verdict import Verdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Credits:
    """Credits earned per part; in a scheme, the credits available.

    `solved` is for passing every check; it is 0 in older schemes.
    """

    structural: float = 0.0
    type: float = 0.0
    compile: float = 0.0
    tests: float = 0.0
    solved: float = 0.0

    @property
    def total(self) -> float:
        """Return the sum of the parts."""
        return self.structural + self.type + self.compile + self.tests + self.solved


@dataclass(frozen=True, kw_only=True, slots=True)
class Penalty:
    """A factor in [0, 1] applied to the reward, and the evidence.

    A penalty with `cap` bounds the reward instead; its factor is 1.
    """

    code: str
    factor: float
    evidence: str
    cap: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Reason why a completion could not be scored: a failure of our machine, not of the
    completion.
    """

    kind: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Breakdown:
    """The result of one grading.

    Attributes:
        problem_id: The problem's identifier.
        reward: Between 0 and 1, None exactly when `fault` is set.
        verdict: The outcome in one word.
        credits: The credit of each part.
        reasons: The reason for each credit; None if nothing was scored, and in older records.
        penalties: Factors and caps applied to the sum of the credits.
        code: The code taken from the completion.
        given: Ranges of `code`, as (start, end), that the problem gave and the completion does not
            contain.
        type_errors: The number of independent type errors; None for code that did not parse or was
            never type-checked.
        typed_fraction: Fraction of the syntax tree not covered by a type error; None as for
            `type_errors`.
        parsed_share: Share of top-level items that parse, between 0 and 1; None unless the verdict
            is a syntax error.
        truncated: Whether the length limit cut the completion off, according to the input; None if
            unknown, if nothing was scored, and in older records.
        diagnostics: The compiler's diagnostics.
        forbidden: The unsafe constructs that were found.
        tests: Every check with its outcome.
        regions: Marked regions of the code, in order and without overlap; None if not requested.
        through_holes: Outcome of every check on ill-typed or unparsable code that was run with
            holes; it earns nothing. None if regions were not requested, and for code that runs
            without holes or does not run with them either.
        blame: Candidate locations of the mistake in ill-typed code, the most likely first; None if
            there are none or regions were not requested.
        fault: Why our machine could not score the completion.
        engine: The engine that ran it.
        sandbox: The jail that it ran in.
        scheme: The scheme's name and the first 8 digits of its digest.
        toolchain: The compiler, "ocaml 4.13.1".
        timings_ms: Milliseconds by phase, the only part that may differ between two gradings of
            equal input.
    """

    problem_id: str
    reward: float | None
    verdict: Verdict
    credits: Credits
    reasons: Reasons | None = None
    penalties: tuple[Penalty, ...]
    code: str
    given: tuple[tuple[int, int], ...] = ()
    type_errors: int | None
    typed_fraction: float | None = None
    parsed_share: float | None
    truncated: bool | None = None
    diagnostics: tuple[Diagnostic, ...]
    forbidden: tuple[str, ...]
    tests: Tally
    regions: tuple[Region, ...] | None = None
    through_holes: tuple[CheckResult, ...] | None = None
    blame: tuple[Blame, ...] | None = None
    fault: Fault | None
    engine: str
    sandbox: str
    scheme: str
    toolchain: str
    timings_ms: dict[str, float] = field(compare=False, default_factory=dict)

    @property
    def credited(self) -> tuple[str, ...]:
        """Return the parts with a credit; `solved` only if the scheme pays for it."""
        paid = self.credits.solved > 0 or (self.reasons and self.reasons.solved)
        names = tuple(each.name for each in fields(Credits))
        return names if paid else tuple(name for name in names if name != "solved")

    def feedback(
        self, level: FeedbackLevel | str, public: Sequence[PublicCheck] = ()
    ) -> str:
        """Return feedback for the model that wrote the code, for another try.

        Args:
            level: The amount of detail: verdict, compiler, located or public.
            public: The problem's public tests with their outcomes, for `public`.

        Returns:
            At most 2,000 characters. They contain no hidden test's input or expected result, and
                text that the code may have written is in lines that begin with "> ".

        Raises:
            ValueError: There is no such level.
        """
        return feedback(self, FeedbackLevel(level), public)
