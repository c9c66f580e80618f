"""Feedback for a model about its program: bounded in length, with the program's own text quoted.

It depends only on `Findings`. For a hidden check these contain the outcome and nothing else: code
that reads a hidden input could encode it in any other detail of the run, such as the branch entered
or the exception raised.
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
from .report import ENDS_OTHERWISE, Blame, CheckResult, Outcome, Tally
from .verdict import Verdict

MOST_FEEDBACK: Final = 2000
"""Maximum length of a feedback in characters, some 600 tokens; a compiler's message has 150 on
average.
"""

ERRORS: Final = 3
PLACES: Final = 3
PUBLIC: Final = 2
"""Maximum number of errors, of places and of public tests in a feedback."""

LINES: Final = 12
COLUMNS: Final = 160
"""Maximum length of a quoted line."""


class FeedbackLevel(StrEnum):
    """Level of detail; each includes the ones before it.

    VERDICT is a sentence. COMPILER adds ocamlc's messages. LOCATED adds the likely location of the
    mistake and the failing tests, by number and kind. PUBLIC adds failing public tests.
    """

    VERDICT = "verdict"
    COMPILER = "compiler"
    LOCATED = "located"
    PUBLIC = "public"


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicCheck:
    """A public test as it may be shown, with its outcome."""

    source: str
    outcome: Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Findings:
    """All that feedback depends on.

    Attributes:
        verdict: The verdict; for a program that ran, a function of the outcomes.
        code: The program.
        diagnostics: The compiler's diagnostics of it.
        forbidden: The forbidden features that it uses.
        blame: Candidate locations of the mistake in ill-typed code.
        misfits: The first and the last line of each part that does not type with the tests.
        types_tell: Whether types in the tests may depend on what is hidden in them. A program may
            choose that: it defines the constructors `true` and `false` in two types, or reads a
            format string. Of such programs neither types nor misfits are told.
        outcomes: The outcome of each hidden check; empty for a program that did not run.
    """

    verdict: Verdict
    code: str
    diagnostics: tuple[Diagnostic, ...]
    forbidden: tuple[str, ...]
    blame: tuple[Blame, ...]
    misfits: tuple[tuple[int, int], ...]
    types_tell: bool
    outcomes: tuple[Outcome, ...]


class _Graded(Protocol):
    """The fields of a Breakdown that findings are taken from."""

    @property
    def verdict(self) -> Verdict: ...
    @property
    def code(self) -> str: ...
    @property
    def own_code(self) -> str: ...
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
    """Return the part of a grading that feedback may use."""
    results = graded.tests.results
    # While the tests run as they were written, the code can see them: how they end may tell what.
    hidden = any(each.detail.startswith(ENDS_OTHERWISE) for each in results)
    types_tell = bool(_TYPES_TELL.search(graded.own_code))
    return Findings(
        verdict=Verdict.FAILED_TESTS if hidden else graded.verdict,
        code=graded.code,
        diagnostics=graded.diagnostics,
        forbidden=graded.forbidden,
        blame=graded.blame or (),
        misfits=tuple(
            (each.line, each.end_line)
            for each in graded.regions or ()
            if each.ground is Ground.MISFIT and not types_tell
        ),
        types_tell=types_tell,
        outcomes=tuple(map(_told, results)),
    )


def _told(result: CheckResult) -> Outcome:
    """Return the outcome of a check as feedback tells it."""
    return Outcome.FAILED if result.detail.startswith(ENDS_OTHERWISE) else result.outcome


def public_checks(problem: Problem, graded: _Graded) -> tuple[PublicCheck, ...]:
    """Return a problem's public tests with their outcomes.

    Args:
        problem: A problem that has its public tests as its tests.
        graded: A grading under it.

    Returns:
        Each test with its lines of the tests' text, in order; none if the code did not run.
    """
    results = graded.tests.results
    if not isinstance(problem.tests, str):
        return tuple(
            PublicCheck(
                source=f"input:\n{case.stdin.rstrip()}\noutput:\n{case.stdout.rstrip()}",
                outcome=_told(each),
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
        found.append(PublicCheck(source="\n".join(source).strip(), outcome=_told(each)))
    return tuple(found)


def feedback(breakdown: _Graded, level: FeedbackLevel, public: Sequence[PublicCheck] = ()) -> str:
    """Return feedback about a program.

    Args:
        breakdown: The grading; LOCATED gives more if it has regions.
        level: The amount of detail.
        public: The public tests, for PUBLIC.

    Returns:
        At most MOST_FEEDBACK characters. Lines that begin with "> " quote the compiler or the
            program; no other line contains text that the program can choose.
    """
    found = findings(breakdown)
    parts = [f"The program {found.verdict.sentence}."]
    if level is not FeedbackLevel.VERDICT:
        parts += _lines(found)
    if level in {FeedbackLevel.LOCATED, FeedbackLevel.PUBLIC}:
        parts += _places(found)
        parts += _failing(found.outcomes)
    if level is FeedbackLevel.PUBLIC and public:
        parts += _shown(public)
    text = "\n\n".join(parts)
    if len(text) <= MOST_FEEDBACK:
        return text
    # Cut at the end of a line, so that no quoted line loses its mark.
    return text[: text.rindex("\n", 0, MOST_FEEDBACK - 4)] + "\n..."


def _lines(found: Findings) -> Iterator[str]:
    """Yield the paragraphs about forbidden features and errors."""
    if found.forbidden:
        yield f"It uses:\n{_quoted(', '.join(found.forbidden))}"
    errors = [
        each
        for each in found.diagnostics
        if each.kind in {DiagnosticKind.ERROR, DiagnosticKind.WARNING_AS_ERROR}
    ]
    for each in errors[:ERRORS]:
        # With any other verdict the error is in the code, whatever file a line directive names.
        with_tests = found.verdict is Verdict.INTERFACE_ERROR
        if with_tests and not each.is_of_code:
            yield _misfit(each, types_tell=found.types_tell)
        else:
            yield _quoted(_message(each, found.code))
    if len(errors) > ERRORS:
        yield f"There are {len(errors) - ERRORS} more errors."


def _message(diagnostic: Diagnostic, code: str) -> str:
    """Format an error as ocamlc does, with its source line."""
    parts = []
    if diagnostic.is_of_code and diagnostic.span is not None:
        parts = [f"{_place(diagnostic.span)}:", *_excerpt(diagnostic.span, code)]
    parts.append(f"Error: {diagnostic.message}")
    if diagnostic.hint is not None:
        parts.append(f"Hint: {diagnostic.hint}")
    # Locations elsewhere, as in the standard library, are named in the message.
    parts += [
        f"{_place(sub.span)}: {sub.message}"
        for sub in diagnostic.sub
        if sub.file == CODE_FILE and sub.span is not None
    ]
    return "\n".join(parts)


# From OCaml 5.2 on names and types are quoted.
_UNBOUND: Final = re.compile(r"(Unbound (?:value|module|type constructor)) \"?([\w.']+)\"?")
_TYPE_ENDS: Final = re.compile(r"\n(?=\S)")
_TYPES_TELL: Final = re.compile(r"\btype\b|printf|scanf|format", re.IGNORECASE)
# A parameter may be that of a constructor, as in `int expr`; those of these types are not.
_LIBRARY: Final = frozenset(
    ("array", "list", "option", "result", "ref", "Lazy.t", "Seq.t", "Hashtbl.t", "Queue.t")
)
_APPLIED: Final = re.compile(r"(?:[\w)\]}>'])\s+([A-Za-z_][\w.']*)")


def _misfit(diagnostic: Diagnostic, *, types_tell: bool) -> str:
    """Describe an error in the tests without quoting them.

    Names and types are part of what the problem requires and may be shown, if the program cannot
    make them tell; constants and the cases of polymorphic variants may not.
    """
    found = _UNBOUND.match(diagnostic.message)
    if found is not None:
        needed = _quoted(f"{found[1]} {found[2]}")
        return f"The tests need what it does not define:\n{needed}"
    types = _clash(diagnostic.message)
    applied = {name for each in types for name in _APPLIED.findall(each)}
    if (
        types_tell
        or not all(types)
        or any(mark in each for each in types for mark in '"`')
        or not applied <= _LIBRARY
    ):
        return "The tests use it in a way that does not type."
    actual, expected = map(_quoted, types)
    return f"An expression of the tests has type\n{actual}\nwhere this type is needed:\n{expected}"


def _clash(message: str) -> tuple[str, str]:
    """Return the actual and the expected type of an expression; empty if the message has none."""
    _, _, behind = message.partition("has type")
    actual, _, behind = behind.partition("but an expression was expected of type")
    expected = _TYPE_ENDS.split(behind.lstrip(), maxsplit=1)[0]
    first, second = (" ".join(each.split()).strip('"') for each in (actual, expected))
    return first, second


def _places(found: Findings) -> Iterator[str]:
    """Yield the paragraphs about where the mistake may be."""
    code = found.code.encode("utf-8", "replace").split(b"\n")
    located = []
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
        located.append(f"{_place(span)}: {text}")
    if located:
        places = "\n".join(located)
        yield f"The mistake is most likely in one of these places:\n{_quoted(places)}"
    if found.misfits:
        lines = {n for first, last in found.misfits for n in range(first, last + 1)}
        yield (
            "The definitions that do not type with the tests, by their lines:"
            f" {_ranges(sorted(lines))}."
        )


def _failing(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the paragraph about the tests that fail, by their outcome."""
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
    """Yield the paragraphs about failing tests that may be shown."""
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
    """Return numbers as ranges: "1-3, 5"."""
    runs = []
    for _, group in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        run = [number for _, number in group]
        runs.append(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}")
    more = f" and {len(runs) - LINES} more" if len(runs) > LINES else ""
    return ", ".join(runs[:LINES]) + more


def _place(span: Span) -> str:
    """Return a span in words."""
    one = span.line == span.end_line
    lines = f"line {span.line}" if one else f"lines {span.line}-{span.end_line}"
    if span.column is None or span.end_column is None:
        return lines
    return f"{lines}, characters {span.column}-{span.end_column}"


def _excerpt(span: Span, code: str) -> Iterator[str]:
    """Yield the line of code at a span, and a line that marks it."""
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
    """Quote lines: with a mark before each, without control characters and special tokens, and
    shortened.
    """
    lines = [
        "".join(c if c.isprintable() else "?" for c in line.replace("\t", "    "))
        for line in islice(text.splitlines(), LINES)
    ]
    return "\n".join("> " + SPECIAL_TOKEN.sub(r"\g<0> ", line[:COLUMNS]).rstrip() for line in lines)
