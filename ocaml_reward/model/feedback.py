"""What a model may be told of its program: bounded in length, and whatever the program may have
written itself in quoted lines.

All that it depends on is in `Findings`.  Of the run of a hidden check that is its outcome, and
nothing else: code that looks at a hidden input can act on each of its bits, and whatever else of
the run were told, which branch was entered, which exception raised, would spell the input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, islice, pairwise
from typing import Final, Protocol

from ..special_tokens import SPECIAL_TOKEN
from .diagnostics import CODE_FILE, Diagnostic, DiagnosticKind, Span
from .problems import Problem
from .regions import Ground, Region
from .report import Blame, Outcome, Tally
from .verdict import Verdict

MOST_FEEDBACK: Final = 2000
"""Characters of a feedback at most, some 600 tokens; a compiler's message has 150 on average."""

ERRORS: Final = 3
PLACES: Final = 3
PUBLIC: Final = 2
"""So many errors, places and public tests are told of."""

LINES: Final = 12
COLUMNS: Final = 160
"""A quotation's size."""


class FeedbackLevel(StrEnum):
    """How much is told, each level more than the one before it.

    VERDICT is a sentence.  COMPILER adds what ocamlc says.  LOCATED adds where the mistake most
    likely is, and which tests fail, by number and kind.  PUBLIC adds failing public tests.
    """

    VERDICT = "verdict"
    COMPILER = "compiler"
    LOCATED = "located"
    PUBLIC = "public"


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicCheck:
    """A public test as it may be shown, and how it ended."""

    source: str
    outcome: Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Findings:
    """All that feedback depends on.

    Attributes:
        verdict: What became of the program; where it ran, a function of the outcomes.
        code: The program.
        diagnostics: What the compiler says of it.
        forbidden: The forbidden features that it uses.
        blame: Where the mistake may be in code that does not type.
        misfits: The first and the last line of each part that does not type with the tests.
        outcomes: How each hidden check ended; empty for a program that did not run.
    """

    verdict: Verdict
    code: str
    diagnostics: tuple[Diagnostic, ...]
    forbidden: tuple[str, ...]
    blame: tuple[Blame, ...]
    misfits: tuple[tuple[int, int], ...]
    outcomes: tuple[Outcome, ...]


class _Graded(Protocol):
    """What a Breakdown has that findings are taken from."""

    @property
    def verdict(self) -> Verdict: ...
    @property
    def code(self) -> str: ...
    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]: ...
    @property
    def forbidden(self) -> tuple[str, ...]: ...
    @property
    def tests(self) -> Tally: ...
    @property
    def regions(self) -> tuple[Region, ...] | None: ...
    @property
    def blame(self) -> tuple[Blame, ...] | None: ...


def findings(graded: _Graded) -> Findings:
    """Take from a grading what may be told of it."""
    return Findings(
        verdict=graded.verdict,
        code=graded.code,
        diagnostics=graded.diagnostics,
        forbidden=graded.forbidden,
        blame=graded.blame or (),
        misfits=tuple(
            (each.line, each.end_line)
            for each in graded.regions or ()
            if each.ground is Ground.MISFIT
        ),
        outcomes=tuple(each.outcome for each in graded.tests.results),
    )


def public_checks(problem: Problem, graded: _Graded) -> tuple[PublicCheck, ...]:
    """Pair the tests of a problem whose tests may be shown with what they came to.

    Args:
        problem: A problem that has its public tests as its tests.
        graded: A grading under it.

    Returns:
        Each of them with the lines of the tests that it stands in, in order; none where the
        code did not run.
    """
    results = graded.tests.results
    if not isinstance(problem.tests, str):
        return tuple(
            PublicCheck(
                source=f"input:\n{case.stdin.rstrip()}\noutput:\n{case.stdout.rstrip()}",
                outcome=each.outcome,
            )
            for case, each in zip(problem.tests, results, strict=False)
        )
    lines = problem.tests.split("\n")
    starts = sorted({each.line for each in results})
    ends = dict(pairwise(starts))
    found = []
    for each in results:
        end = ends.get(each.line)
        source = lines[each.line - 1 : end and end - 1]
        found.append(
            PublicCheck(source="\n".join(source).strip(), outcome=each.outcome)
        )
    return tuple(found)


def feedback(
    breakdown: _Graded, level: FeedbackLevel, public: Sequence[PublicCheck] = ()
) -> str:
    """Tell a model about its program.

    Args:
        breakdown: The grading; with its regions, LOCATED says more.
        level: How much is told.
        public: The public tests, for PUBLIC.

    Returns:
        At most MOST_FEEDBACK characters.  Lines that begin with "> " quote the compiler or the
        program; no others hold anything that the program can choose.
    """
    found = findings(breakdown)
    parts = [f"The program {found.verdict.sentence}."]
    if level is not FeedbackLevel.VERDICT:
        parts += _said(found)
    if level in {FeedbackLevel.LOCATED, FeedbackLevel.PUBLIC}:
        parts += _places(found)
        parts += _failing(found.outcomes)
    if level is FeedbackLevel.PUBLIC and public:
        parts += _shown(public)
    text = "\n\n".join(parts)
    if len(text) <= MOST_FEEDBACK:
        return text
    # At a line's end, so that nothing loses its mark.
    return text[: text.rindex("\n", 0, MOST_FEEDBACK - 4)] + "\n..."


def _said(found: Findings) -> Iterator[str]:
    if found.forbidden:
        yield f"It uses:\n{_quoted(', '.join(found.forbidden))}"
    errors = [
        each
        for each in found.diagnostics
        if each.kind in {DiagnosticKind.ERROR, DiagnosticKind.WARNING_AS_ERROR}
    ]
    for each in errors[:ERRORS]:
        # Any other verdict is of the code alone, whatever file a line directive names.
        with_tests = found.verdict is Verdict.INTERFACE_ERROR
        if with_tests and not each.is_of_code:
            yield _misfit(each)
        else:
            yield _quoted(_message(each, found.code))
    if len(errors) > ERRORS:
        yield f"There are {len(errors) - ERRORS} more errors."


def _message(diagnostic: Diagnostic, code: str) -> str:
    """Write an error as ocamlc does, with the line that it is about."""
    parts = []
    if diagnostic.is_of_code and diagnostic.span is not None:
        parts = [f"{_place(diagnostic.span)}:", *_excerpt(diagnostic.span, code)]
    parts.append(f"Error: {diagnostic.message}")
    if diagnostic.hint is not None:
        parts.append(f"Hint: {diagnostic.hint}")
    # What stands elsewhere, as in the standard library, is named in the message.
    parts += [
        f"{_place(sub.span)}: {sub.message}"
        for sub in diagnostic.sub
        if sub.file == CODE_FILE and sub.span is not None
    ]
    return "\n".join(parts)


# From OCaml 5.2 on names and types stand in quotes.
_UNBOUND: Final = re.compile(
    r"(Unbound (?:value|module|type constructor)) \"?([\w.']+)\"?"
)
_TYPE_ENDS: Final = re.compile(r"\n(?=\S)")


def _misfit(diagnostic: Diagnostic) -> str:
    """Tell of an error in the tests: what they need, in no words of theirs.  Names and types are
    what the problem asks for; constants, and the cases of polymorphic variants, are not.
    """
    found = _UNBOUND.match(diagnostic.message)
    if found is not None:
        needed = _quoted(f"{found[1]} {found[2]}")
        return f"The tests need what it does not define:\n{needed}"
    types = _clash(diagnostic.message)
    if not all(types) or any(mark in each for each in types for mark in '"`'):
        return "The tests use it in a way that does not type."
    actual, expected = map(_quoted, types)
    return (
        f"An expression of the tests has type\n{actual}\nwhere this type is needed:"
        f"\n{expected}"
    )


def _clash(message: str) -> tuple[str, str]:
    """Find the type that an expression has and the one that it needs; empty where none are told."""
    _, _, behind = message.partition("has type")
    actual, _, behind = behind.partition("but an expression was expected of type")
    expected = _TYPE_ENDS.split(behind.lstrip(), maxsplit=1)[0]
    first, second = (" ".join(each.split()).strip('"') for each in (actual, expected))
    return first, second


def _places(found: Findings) -> Iterator[str]:
    code = found.code.encode("utf-8", "replace").split(b"\n")
    told = []
    for each in found.blame[:PLACES]:
        line = code[each.line - 1] if each.line <= len(code) else b""
        stop = each.end_column if each.end_line == each.line else len(line)
        text = line[each.column : stop].decode("utf-8", "replace")
        span = Span(
            line=each.line,
            end_line=each.end_line,
            column=each.column,
            end_column=each.end_column,
        )
        told.append(f"{_place(span)}: {text}")
    if told:
        places = "\n".join(told)
        yield f"The mistake is most likely in one of these places:\n{_quoted(places)}"
    if found.misfits:
        lines = {n for first, last in found.misfits for n in range(first, last + 1)}
        yield (
            "The definitions that do not type with the tests, by their lines:"
            f" {_ranges(sorted(lines))}."
        )


def _failing(outcomes: Sequence[Outcome]) -> Iterator[str]:
    kinds: dict[str, list[int]] = {}
    for number, outcome in enumerate(outcomes, 1):
        if outcome is not Outcome.PASSED:
            kinds.setdefault(_OUTCOMES[outcome], []).append(number)
    if kinds:
        passed = sum(outcome is Outcome.PASSED for outcome in outcomes)
        lines = [f"{passed} of {len(outcomes)} tests pass. The others:"]
        lines += [f"- {_ranges(numbers)}: {kind}" for kind, numbers in kinds.items()]
        yield "\n".join(lines)


def _shown(public: Sequence[PublicCheck]) -> Iterator[str]:
    failing = [each for each in public if each.outcome is not Outcome.PASSED]
    passed = len(public) - len(failing)
    yield f"Of {len(public)} tests that you may see {passed} pass."
    for each in failing[:PUBLIC]:
        yield f"This one fails, {_OUTCOMES[each.outcome]}:\n{_quoted(each.source)}"


_OUTCOMES: Final = {
    Outcome.FAILED: "another result than expected",
    Outcome.RAISED: "an exception",
    Outcome.EXITED: "the program exits",
    Outcome.STACK_OVERFLOW: "the stack overflows",
    Outcome.TIMED_OUT: "too slow",
    Outcome.OUT_OF_MEMORY: "too much memory",
    Outcome.OUTPUT_LIMIT: "too much output",
    Outcome.CRASHED: "the program dies",
    Outcome.NOT_RUN: "not run",
    Outcome.MET_HOLE: "not run",
}


def _ranges(numbers: Sequence[int]) -> str:
    runs = []
    for _, group in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        run = [number for _, number in group]
        runs.append(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}")
    more = f" and {len(runs) - LINES} more" if len(runs) > LINES else ""
    return ", ".join(runs[:LINES]) + more


def _place(span: Span) -> str:
    one = span.line == span.end_line
    lines = f"line {span.line}" if one else f"lines {span.line}-{span.end_line}"
    if span.column is None or span.end_column is None:
        return lines
    return f"{lines}, characters {span.column}-{span.end_column}"


def _excerpt(span: Span, code: str) -> Iterator[str]:
    lines = code.split("\n")
    if span.line != span.end_line or not 1 <= span.line <= len(lines):
        return
    line, head = lines[span.line - 1], f"{span.line} | "
    yield head + line
    if span.column is None or span.end_column is None or not line.isascii():
        return
    if span.column < COLUMNS:
        width = max(1, span.end_column - span.column)
        yield " " * (len(head) + span.column) + "^" * width


def _quoted(text: str) -> str:
    """Quote lines: a mark before each, no control characters, no special tokens, and not too long."""
    lines = [
        "".join(c if c.isprintable() else "?" for c in line.replace("\t", "    "))
        for line in islice(text.splitlines(), LINES)
    ]
    return "\n".join(
        "> " + SPECIAL_TOKEN.sub(r"\g<0> ", line[:COLUMNS]).rstrip() for line in lines
    )
