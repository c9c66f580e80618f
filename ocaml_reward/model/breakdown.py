"""The account of one grading: the reward, and how it came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated

from ..codec.typed import SPARSE, Between, Count, Range, Share
from ..reasons import Reasons
from .diagnostics import Diagnostic
from .feedback import FeedbackLevel, PublicCheck, feedback
from .regions import Region
from .report import Blame, CheckResult, Tally
from .verdict import Verdict

Milliseconds = Annotated[float, Between(0)]


@dataclass(frozen=True, kw_only=True, slots=True)
class Credits:
    """What was earned, per part; the same fields hold what is available in a scheme.

    `solved` is for passing every check, 0 in schemes from before there was the part.
    """

    structural: Share = 0.0
    type: Share = 0.0
    compile: Share = 0.0
    tests: Share = 0.0
    solved: Share = 0.0

    @property
    def total(self) -> float:
        """The sum of the parts."""
        return self.structural + self.type + self.compile + self.tests + self.solved


@dataclass(frozen=True, kw_only=True, slots=True)
class Penalty:
    """A factor in [0, 1] that the reward was multiplied by, and why.

    A cap (`cap` set) bounds the reward instead; its factor is 1.
    """

    code: str
    factor: Share
    cap: Share | None = None
    evidence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Why this completion could not be scored: our machine's failure, never its own."""

    kind: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Breakdown:
    """The full account of one grading.

    Attributes:
        problem_id: The problem's identifier.
        reward: Between 0 and 1, None exactly when `fault` is set.
        verdict: One word for it.
        credits: What each part earned.
        reasons: Why each part earned that; None where nothing was scored, and in records from
            before there were reasons.
        penalties: What the sum of the credits was multiplied by, or bounded to.
        code: The code that was taken from the completion.
        given: Where in it the problem's own code stands, which the completion has not: the first
            character of each piece, and the one behind it.
        type_errors: The number of independent type errors; None for code that did not parse or
            was never typed.
        typed_fraction: The share of the code that no type error takes in, between 0 and 1;
            None as for `type_errors`.
        parsed_share: The share of top-level items that parse, between 0 and 1; None unless the
            verdict is a syntax error.
        truncated: Whether a length limit ended the completion, as who gave it says; None where
            nobody knows, where nothing was scored, and in records from before it was kept.
        diagnostics: What the compiler said.
        forbidden: The unsafe constructs that were found.
        tests: Every check with its outcome.
        regions: What is known of the parts of the code, in their order, without overlaps; None
            where nobody asked for them.
        through_holes: What every check came to on code that does not type or parse, with holes
            where it does not; nothing is paid for it.  None where nobody asked for regions, and
            for code that runs without holes, or not even with them.
        blame: Places of code that does not type where the mistake may be, the most likely first;
            None where there are none, and where nobody asked for regions.
        fault: Why our machine could not score it.
        engine: The engine that ran it.
        sandbox: The jail that it ran in.
        scheme: The scheme's name and the first 8 digits of its digest.
        toolchain: The compiler, "ocaml 4.13.1".
        timings_ms: Milliseconds by phase, the only part that may differ between two gradings of
            equal input.
    """

    problem_id: str
    reward: Share | None
    verdict: Verdict
    credits: Credits
    reasons: Reasons | None = None
    penalties: tuple[Penalty, ...]
    type_errors: Count | None
    typed_fraction: Share | None = None
    parsed_share: Share | None
    truncated: bool | None = None
    diagnostics: tuple[Diagnostic, ...]
    forbidden: tuple[str, ...]
    tests: Tally
    regions: Annotated[tuple[Region, ...] | None, SPARSE] = None
    through_holes: Annotated[tuple[CheckResult, ...] | None, SPARSE] = None
    blame: Annotated[tuple[Blame, ...] | None, SPARSE] = None
    fault: Fault | None
    engine: str
    sandbox: str
    scheme: str
    toolchain: str
    code: str
    given: Annotated[tuple[Range, ...], SPARSE] = ()
    timings_ms: dict[str, Milliseconds] = field(compare=False, default_factory=dict)

    @property
    def credited(self) -> tuple[str, ...]:
        """The parts that its credits speak of: `solved` only where the scheme pays for it."""
        paid = self.credits.solved > 0 or (self.reasons and self.reasons.solved)
        names = tuple(each.name for each in fields(Credits))
        return names if paid else tuple(name for name in names if name != "solved")

    def feedback(
        self, level: FeedbackLevel | str, public: Sequence[PublicCheck] = ()
    ) -> str:
        """Tell the model that wrote the code about it, for another try.

        Args:
            level: How much is told: verdict, compiler, located or public.
            public: The problem's public tests with what they came to, for public.

        Returns:
            At most 2,000 characters.  No hidden test's input or expected result is in it, and
            what the code may have written itself stands in lines that begin with "> ".

        Raises:
            ValueError: There is no such level.
        """
        return feedback(self, FeedbackLevel(level), public)
