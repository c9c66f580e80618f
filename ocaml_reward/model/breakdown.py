"""The result of one grading: the reward and its explanation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Final

from ..codec.typed import SPARSE, Between, Count, Range, Share, to_plain
from ..reasons import Reasons
from .diagnostics import Diagnostic
from .feedback import FeedbackLevel, PublicCheck, feedback
from .notebook import html
from .regions import Region
from .report import Blame, CheckResult, Outcome, Tally
from .verdict import Verdict

SCHEMA: Final = 1
"""The version of the record; it changes when a key changes its meaning or goes away."""

Milliseconds = Annotated[float, Between(0)]

_OF_PASSES = ("check", "line", "detail", "steps", "reference_steps")


def without_ranges(text: str, ranges: Sequence[tuple[int, int]]) -> str:
    """Return a text without some ranges, which are in order."""
    edges = [0, *(edge for each in ranges for edge in each), len(text)]
    pieces = zip(edges[::2], edges[1::2], strict=True)
    return "".join(text[start:stop] for start, stop in pieces)


@dataclass(frozen=True, kw_only=True, slots=True)
class Credits:
    """Credits earned per part; in a scheme, the credits available.

    `solved` is for passing every check; it is 0 in older schemes.
    """

    structural: Share = 0.0
    type: Share = 0.0
    compile: Share = 0.0
    tests: Share = 0.0
    solved: Share = 0.0

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
    factor: Share
    cap: Share | None = None
    evidence: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Fault:
    """Reason why a completion could not be scored: a failure of our machine, not of the
    completion.
    """

    kind: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Breakdown:
    """The full account of one grading: a record has its fields in this order.

    Attributes:
        problem_id: The problem's identifier.
        reward: A number from 0 to 1; None exactly where `fault` is set.
        verdict: One word for the outcome.
        credits: What each part earned before penalties: `structural`, `type`, `compile` and
            `tests`, and `solved` only where the scheme pays for it.
        reasons: Why each part earned that; None where nothing was scored.
        penalties: What multiplied or bounded the sum of the credits: a list of
            `code`, `factor`, `cap` (None for a factor) and `evidence`.
        type_errors: Independent type errors; None for code that does not
            parse, was not typed, or has too many to count in time.
        typed_fraction: The share of the code, in nodes of its syntax tree, outside all type
            errors; None where errors were not counted.
        parsed_share: The share of top-level items that parse; None unless the verdict is a
            syntax error.
        truncated: Whether a length limit ended the completion, as its line says; None if
            unknown, or nothing was scored.
        diagnostics: The compiler's messages.
        forbidden: Forbidden features in the code, each with its line.
        tests: The checks: `passed` and `total`, the
            [`steps`](scoring.md#what-a-check-may-take) of all runs, then `failures`, a list of
            `check`, `line`, `outcome`, `detail`, the `limit` that ended it (`steps`, `memory`,
            `output`, `cpu`, `wall`), `steps` and `reference_steps`, and `passes`, the same without
            `outcome` and `limit`; where cases are paid in groups, `groups`: a list of `name`,
            `checks`, `points` and `needs`.
        regions: Which parts of the code are right or wrong; only where they were asked for
            and something was scored.
        through_holes: Results of all checks on code that does not type or parse, run
            with holes in it: a list of `check`, `line`, `outcome` and `detail`; only with
            `regions`, and where such code runs.  It earns nothing.
        blame: Where the mistake in ill-typed code may be: at most ten places with
            `line`, `column`, `end_line`, `end_column` and `weight`, the most likely first;
            the weights of each error sum to 1; only with `regions`.
        fault: The `kind` and `message` of this machine's failure, else None.
        engine: What ran the code: `warm` or `stock`.
        sandbox: Its jail: `nsjail`.
        scheme: The scheme's name, with the start of its digest.
        toolchain: The compiler: `ocaml 4.13.1`.
        code: The code taken from the completion.
        given: Where in `code` the problem's own code stands: a list of `start` and `stop`,
            if any.
        timings_ms: Milliseconds of `compile`, `run` and `total`; nothing else may differ
            between gradings of equal input.
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
    def own_code(self) -> str:
        """Return the code without what the problem gives."""
        return without_ranges(self.code, self.given)

    @property
    def credited(self) -> tuple[str, ...]:
        """Return the parts with a credit; `solved` only if the scheme pays for it."""
        paid = self.credits.solved > 0 or (self.reasons and self.reasons.solved)
        names = tuple(each.name for each in fields(Credits))
        return names if paid else tuple(name for name in names if name != "solved")

    def to_dict(self) -> dict[str, Any]:
        """Return what a record holds, as values of JSON; `solved` only where its scheme pays for it.

        Failed checks are apart from those that passed, so that a reader finds them at once.
        """
        record = {"schema": SCHEMA, **to_plain(self, sparse=False)}
        record["credits"] = {each: record["credits"][each] for each in self.credited}
        failures, passes = [], []
        for each in record["tests"].pop("results"):
            if each["outcome"] == Outcome.PASSED:
                passes.append({name: each[name] for name in _OF_PASSES if name in each})
            else:
                failures.append(each)
        record["tests"] |= {"failures": failures, "passes": passes}
        return record

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        return html(self)

    def feedback(self, level: FeedbackLevel | str, public: Sequence[PublicCheck] = ()) -> str:
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
