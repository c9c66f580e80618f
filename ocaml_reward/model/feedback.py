"""
What a model may be told of its program: bounded in length, nothing of a hidden test's input or
expected result in it, and whatever the program may have written itself in quoted lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, islice
from typing import Final, Protocol

from .diagnostics import CODE_FILE, Diagnostic, DiagnosticKind, Span
from .problems import Problem
from .regions import Ground, Region
from .report import Blame, CheckResult, Outcome, Tally
from .verdict import Verdict

__all__ = ["MOST_FEEDBACK", "FeedbackLevel", "PublicCheck", "feedback", "public_checks"]

MOST_FEEDBACK: Final = 2000
"""
Characters of a feedback at most, some 600 tokens; a compiler's message has 150 on average.
"""

ERRORS: Final = 3
PLACES: Final = 3
PUBLIC: Final = 2
"""
So many errors, places and public tests are told of.
"""

LINES: Final = 12
COLUMNS: Final = 160
"""
A quotation's size.
"""


class FeedbackLevel(StrEnum):
    """
    How much is told, each level more than the one before it.

    VERDICT is a sentence.  COMPILER adds what ocamlc says.  LOCATED adds where the mistake most
    likely is, and which tests fail, by number and kind.  PUBLIC adds failing public tests.
    """

    VERDICT = "verdict"
    COMPILER = "compiler"
    LOCATED = "located"
    PUBLIC = "public"


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicCheck:
    """
    A public test as it may be shown, and how it ended.
    """

    source: str
    outcome: Outcome


class Graded(Protocol):
    """
    What a Breakdown has, as far as it is told of.
    """

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


def public_checks(problem: Problem, graded: Graded) -> tuple[PublicCheck, ...]:
    """
    Pair the tests of a problem whose tests may be shown with what they came to.

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
    found = []
    for each in results:
        later = [line for line in starts if line > each.line]
        source = lines[each.line - 1 : later[0] - 1 if later else None]
        found.append(
            PublicCheck(source="\n".join(source).strip(), outcome=each.outcome)
        )
    return tuple(found)


def feedback(
    breakdown: Graded, level: FeedbackLevel, public: Sequence[PublicCheck] = ()
) -> str:
    """
    Tell a model about its program.

    Args:
        breakdown: The grading; with its regions, LOCATED says more.
        level: How much is told.
        public: The public tests, for PUBLIC.

    Returns:
        At most MOST_FEEDBACK characters.  Lines that begin with "> " quote the compiler or the
        program; no others hold anything that the program can choose.
    """
    parts = [f"The program {breakdown.verdict.sentence}."]
    if level is not FeedbackLevel.VERDICT:
        parts += _said(breakdown)
    if level in {FeedbackLevel.LOCATED, FeedbackLevel.PUBLIC}:
        parts += _places(breakdown)
        parts += _failing(breakdown)
    if level is FeedbackLevel.PUBLIC and public:
        parts += _shown(public)
    text = "\n\n".join(parts)
    if len(text) <= MOST_FEEDBACK:
        return text
    # At a line's end, so that nothing loses its mark.
    return text[: text.rindex("\n", 0, MOST_FEEDBACK - 4)] + "\n..."


def _said(breakdown: Graded) -> Iterator[str]:
    if breakdown.forbidden:
        yield f"It uses:\n{_quoted(', '.join(breakdown.forbidden))}"
    errors = [
        each
        for each in breakdown.diagnostics
        if each.kind in {DiagnosticKind.ERROR, DiagnosticKind.WARNING_AS_ERROR}
    ]
    for each in errors[:ERRORS]:
        # Any other verdict is of the code alone, whatever file a line directive names.
        with_tests = breakdown.verdict is Verdict.INTERFACE_ERROR
        if with_tests and not each.is_of_code:
            yield _misfit(each)
        else:
            yield _quoted(_message(each, breakdown.code))
    if len(errors) > ERRORS:
        yield f"There are {len(errors) - ERRORS} more errors."


def _message(diagnostic: Diagnostic, code: str) -> str:
    """
    Write an error as ocamlc does, with the line that it is about.
    """
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
_CLASH: Final = re.compile(
    r"has type\s+(.+?)\s+but an expression was expected of type\s+(.+?)(?:\n\S|$)",
    re.DOTALL,
)


def _misfit(diagnostic: Diagnostic) -> str:
    """
    Tell of an error in the tests: what they need, in no words of theirs.  Names and types are
    what the problem asks for; constants, and the cases of polymorphic variants, are not.
    """
    found = _UNBOUND.match(diagnostic.message)
    if found is not None:
        needed = _quoted(f"{found[1]} {found[2]}")
        return f"The tests need what it does not define:\n{needed}"
    found = _CLASH.search(diagnostic.message)
    types = (
        [" ".join(each.split()).strip('"') for each in found.groups()] if found else []
    )
    if not types or any(mark in each for each in types for mark in '"`'):
        return "The tests use it in a way that does not type."
    actual, expected = map(_quoted, types)
    return (
        f"An expression of the tests has type\n{actual}\nwhere this type is needed:"
        f"\n{expected}"
    )


def _places(breakdown: Graded) -> Iterator[str]:
    code = breakdown.code.encode("utf-8", "replace").split(b"\n")
    told = []
    for each in (breakdown.blame or ())[:PLACES]:
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
    if misfits := _lines_of(breakdown, Ground.MISFIT):
        yield f"The definitions that do not type with the tests, by their lines: {misfits}."


def _failing(breakdown: Graded) -> Iterator[str]:
    results = breakdown.tests.results
    failing = [each for each in results if each.outcome is not Outcome.PASSED]
    if not failing:
        return
    kinds: dict[str, list[int]] = {}
    for each in failing:
        kinds.setdefault(_kind(each), []).append(each.index)
    passed = breakdown.tests.passed
    lines = [f"{passed} of {breakdown.tests.total} tests pass. The others:"]
    lines += [f"- {_ranges(numbers)}: {kind}" for kind, numbers in kinds.items()]
    if suspects := _lines_of(breakdown, Ground.FAILING, Ground.FAILING_BRANCH):
        lines.append(
            f"The lines that failing tests alone need, or most of all: {suspects}."
        )
    yield "\n".join(lines)


def _lines_of(breakdown: Graded, *grounds: Ground) -> str:
    lines = {
        line
        for region in breakdown.regions or ()
        if region.ground in grounds
        for line in range(region.line, region.end_line + 1)
    }
    return _ranges(sorted(lines))


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

_RAISED: Final = re.compile(
    r"(?:Stdlib\.)?(Not_found|Failure|Invalid_argument|Division_by_zero|End_of_file|"
    r"Match_failure|Assert_failure|Sys_error|Exit)\b"
)


def _kind(result: CheckResult) -> str:
    """
    Say how a check ended.  Of an exception the name alone, and only if it is the standard
    library's: its argument, or a name of the program's own, could carry the check's input.
    """
    found = _RAISED.match(result.detail)
    if result.outcome is Outcome.RAISED and found is not None:
        return f"the exception {found[1]}"
    return _OUTCOMES[result.outcome]


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


# What chat templates and tokenizers begin a special token with: <|, </, <word>.
_SPECIAL: Final = re.compile(r"<(?=[|\uff5c/]|\w+>)")


def _quoted(text: str) -> str:
    """
    Quote lines: a mark before each, no control characters, no special tokens, and not too long.
    """
    lines = [
        "".join(c if c.isprintable() else "?" for c in line.replace("\t", "    "))
        for line in islice(text.splitlines(), LINES)
    ]
    return "\n".join(
        f"> {_SPECIAL.sub('< ', line[:COLUMNS])}".rstrip() for line in lines
    )
