"""Converts the compiler's output to the diagnostics of a report.  Pure."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ...diagnostics import parse
from ...diagnostics.blame import weighed
from ...errors import EngineFault
from ...model import (
    Blame,
    CheckReport,
    Diagnostic,
    DiagnosticKind,
    MergedError,
    MergeReason,
    Part,
    Stage,
)
from .protocol import netstrings

EXHAUSTED = CheckReport(stage=Stage.COMPILER_LIMIT, type_errors=None)
"""The report on code that used up the compiler's time, stack or memory."""

# At most this many diagnostics in a record.
MOST = 50
_MESSAGE_CHARACTERS = 4000
# Characters of a message that are read before it is shortened; bytes of the compiler's output that
# are read, half from the beginning and half from the end: code can make it print megabytes.
_MESSAGE_READ = 5 * _MESSAGE_CHARACTERS
_MOST_READ = 2_000_000
# Our aliases in a message; from 5.4 on also as "( Ocaml-reward-harness ).".
_OURS = r"(?:\bSolution\*|Ocaml-reward-(?:pristine|harness|suites|ounit|rebuild))"
_ALIAS = re.compile(rf"{_OURS}\.|\( {_OURS} \)\.|(?<=\w)\*\*(?=\.)")

# Types and exceptions of our copy of the library are in modules of their own, and each type is an
# alias of the library's: "'a Type option.option = 'a option".
_HOME = re.compile(
    r"(?:\bOcaml-reward-pristine|\( Ocaml-reward-pristine \))\."
    r"(?:(?:Type|Exception) [\w']+|\( (?:Type|Exception) [\w']+ \))\."
)
# A character that occurs in no OCaml source and no name.
_MARK = "\0"
_WORD = re.compile(r"(?<!\s)(\s*)(\S+)")
# At most this many words of a type are compared with those after the sign.
_WORDS = 60

_HIDDEN = re.compile(
    r"(?:The module \S+|This) is an alias for\s+module Stdlib__(\w+), which is missing"
)

# Names that the compiler numbers over the life of a process: weak type variables, and names with a
# stamp, which is larger than any number that distinguishes equal names.
_WEAK = re.compile(r"(?<![\w'])'(_?)weak(\d+)")
_STAMP = re.compile(r"(?<![\w'])([A-Za-z_][\w']*)/([4-9]\d|\d{3,})(?!\w)")

# Two modules that do not match, before the explanation: two texts with a line between them, or all
# in one line.  Functors are excluded: their parameters are the whole explanation.
_BETWEEN = "is not included in|is not equal to|does not match|does not include"
_WHOLE = re.compile(
    r"(?:\A|(?<=\n))(?P<margin> *)"
    r"(?:(?:In module|At position) [^\n]*\n(?:(?P=margin) [^\n]*\n)*(?P=margin))?"
    r"(?:Modules|Module types|Module type declarations) do not match:"
    r"(?!\s+(?:functor|\$))[^\n]*\n"
    rf"(?:(?P=margin)(?: [^\n]*|{_BETWEEN})\n)*(?=(?P=margin)\S)"
)
_LEFT_OUT = re.compile(r"(?:\A|(?<=\n))(?P<margin> *)\.\.\.(?:\s+\.\.\.)*\s+(?=\S)")

_UNBOUND = "Unbound module "
_MODULE = re.compile(r"[A-Z][\w']*")

_ERRORS = (
    DiagnosticKind.ERROR,
    DiagnosticKind.WARNING_AS_ERROR,
    DiagnosticKind.ALERT_AS_ERROR,
)


class Counted(NamedTuple):
    """The result of counting type errors.

    The number of errors; the typed fraction; a diagnostic for each error; the candidate locations,
    as text for `blamed`; and the errors that were merged into others.
    """

    errors: int | None
    fraction: float | None
    diagnostics: tuple[Diagnostic, ...]
    blame: str
    merged: tuple[MergedError, ...] = ()


# The result for code that exhausted the counter.
UNCOUNTED = Counted(None, None, (), "")


def counted(answer: Sequence[bytes]) -> Counted:
    """Return the counter's reply.  (ocaml/errors/count.ml)  Raises EngineFault."""
    try:
        count, fraction, blame, others, *reports = answer
        found = readable(b"".join(reports))
        pairs = list(netstrings(others))
        return Counted(
            max(1, int(count)),
            float(fraction),
            found,
            blame.decode(),
            tuple(
                MergedError(why=MergeReason(why.decode()), error=error)
                for why, report in zip(pairs[::2], pairs[1::2], strict=True)
                for error in readable(report)[:1]
            ),
        )
    except ValueError as error:
        raise EngineFault("the count of type errors is not readable") from error


def blamed(text: str, code: str) -> tuple[Blame, ...]:
    """Return the candidate locations of the errors, with weights.  Raises EngineFault."""
    try:
        places = weighed(text)
    except ValueError as error:
        raise EngineFault("what could be wrong is not readable") from error
    data = code.encode("utf-8", "replace")
    starts = [0, *(found.end() for found in re.finditer(b"\n", data))]

    def point(offset: int) -> tuple[int, int]:
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1]

    found = []
    for start, stop, weight in places:
        (line, column), (end_line, end_column) = point(start), point(stop)
        found.append(
            Blame(
                line=line,
                column=column,
                end_line=end_line,
                end_column=end_column,
                weight=weight,
            )
        )
    return tuple(found)


def first_error(report: CheckReport) -> str:
    """Return in one line the error that stopped the compiler."""
    for found in report.diagnostics:
        if found.kind in _ERRORS:
            where = f"{found.file}, line {found.span.line}: " if found.span else ""
            return where + " ".join(found.message.split())[:200]
    return report.stage.value.replace("_", " ")


def merged(
    own: tuple[Diagnostic, ...],
    more: tuple[Diagnostic, ...],
    units: frozenset[str] = frozenset(),
) -> tuple[Diagnostic, ...]:
    """Return ocamlc's diagnostics together with the errors that the counter found.

    Hints about `units` are dropped.
    """
    # ocamlc stops at its first error: an apparent error before it is text of the code in a warning.
    # The first error is kept as printed; the counter adds the others.
    last = max((n for n, d in enumerate(own) if d.kind is DiagnosticKind.ERROR), default=0)
    own = tuple(d for n, d in enumerate(own) if n >= last or d.kind is not DiagnosticKind.ERROR)
    known = {(d.file, d.span) for d in own if d.kind in _ERRORS}
    # Of several errors at one place, as of values that break a signature, ocamlc printed one.
    places = [(d.file, d.span) for d in more]
    others = tuple(
        d
        for n, (place, d) in enumerate(zip(places, more, strict=True))
        if place not in known or place in places[:n]
    )
    # The counter found ocamlc's error, too, perhaps at another end of the expression.
    both = own + (others[1:] if len(others) == len(more) else others)
    return tuple(_without_unsure_hint(each, units) for each in both[:MOST])


def readable(output: bytes) -> tuple[Diagnostic, ...]:
    """Return at most MOST diagnostics in the compiler's text, without our own names.

    Names that the compiler numbers are renumbered by their order in the text, so that equal
    programs have equal diagnostics after any history of the compiler.
    """
    if not output:
        return ()
    # Drop our own aliases for the code and the library.  The text may be long: a type can have any
    # length, and every line a warning.
    text = _at_home(_bounded(output).decode("utf-8", "replace"))
    text = _numbered(_ALIAS.sub("", text))
    # The jail's library lacks the interfaces that break type safety; ocamlc warns about it.
    text = _HIDDEN.sub(r"The module \1 is not there for graded code", text)
    found = parse(text)
    # The error comes after all warnings.
    kept = found if len(found) <= MOST else (*found[: MOST - 1], found[-1])
    return tuple(_shortened(_without_wholes(each)) for each in kept)


def _bounded(output: bytes) -> bytes:
    """Return an output without its middle lines if it is too long."""
    if len(output) <= _MOST_READ:
        return output
    half = _MOST_READ // 2
    head, tail = output[:half], output[-half:]
    return head[: head.rfind(b"\n") + 1] + tail[tail.find(b"\n") + 1 :]


def _at_home(text: str) -> str:
    """Return a text with the library's own type names, without "alias = type" repetitions."""
    if not _HOME.search(text):
        return text
    # Words and the blanks before them, and which of them stay.
    parts = _WORD.findall(_HOME.sub(_MARK, text))
    bare = [word.replace(_MARK, "").replace("Stdlib.", "") for _, word in parts]
    kept: list[int] = []
    at = 0
    while at < len(parts):
        before = kept[-_WORDS:] if bare[at] == "=" else []
        own, behind = [bare[i] for i in before], bare[at + 1 : at + 1 + len(before)]
        count = _repeated(own, behind)
        if count and any(_MARK in parts[i][1] for i in kept[-count:]):
            for i in kept[len(kept) - count + 1 :]:
                parts[i] = (" ", parts[i][1])
            at += count
        else:
            kept.append(at)
        at += 1
    joined = "".join(blank + word for blank, word in (parts[i] for i in kept))
    return joined.replace(_MARK, "") + "\n"


def _repeated(before: Sequence[str], behind: Sequence[str]) -> int:
    """Return the number of words before a sign that are repeated after it."""
    counts = range(min(len(before), len(behind)), 0, -1)
    return next((n for n in counts if before[-n:] == behind[:n]), 0)


def _without_unsure_hint(found: Diagnostic, units: frozenset[str]) -> Diagnostic:
    """Return a diagnostic without a hint that a misspelt module is one of the `units`.

    The compiler only suggests modules that it has read so far, so a long-lived engine would give
    more hints than a fresh one.
    """
    if (
        found.hint is None
        or not found.message.startswith(_UNBOUND)
        or units.isdisjoint(_MODULE.findall(found.hint))
    ):
        return found
    return replace(found, hint=None)


def _without_wholes(found: Diagnostic) -> Diagnostic:
    """Return a diagnostic without the contents of modules that do not match.

    The compiler itself leaves out large ones only, by their size in memory, which differs between
    processes.
    """
    short = _WHOLE.sub(r"\g<margin>...\n", found.message[:_MESSAGE_READ])
    message = _LEFT_OUT.sub(r"\g<margin>...\n\g<margin>", short)
    return replace(found, message=message)


def _shortened(found: Diagnostic) -> Diagnostic:
    if len(found.message) <= _MESSAGE_CHARACTERS:
        return found
    return replace(found, message=found.message[:_MESSAGE_CHARACTERS])


def _numbered(text: str) -> str:
    """Return a message with its weak type variables and stamps numbered from 1."""
    weak: dict[str, int] = {}
    stamps: dict[str, dict[str, int]] = {}

    def named(found: re.Match[str]) -> str:
        number = weak.setdefault(found[2], len(weak) + 1)
        return f"'{found[1]}weak{number}"

    def stamped(found: re.Match[str]) -> str:
        own = stamps.setdefault(found[1], {})
        return f"{found[1]}/{own.setdefault(found[2], len(own) + 1)}"

    return _STAMP.sub(stamped, _WEAK.sub(named, text))


_ACTS, _KEEPS, _STUB = 1, 2, 4
_decode = json.JSONDecoder().decode


def parts(text: str) -> tuple[Part, ...] | None:
    """Return the program parts that the parser listed (ocaml/ast/line_ranges.ml), or None.

    Raises EngineFault.
    """
    if not text:
        return None
    try:
        found = [
            Part(
                names=tuple(names),
                lines=tuple(lines),
                needs=tuple(needs),
                acts=bool(flags & _ACTS),
                keeps=bool(flags & _KEEPS),
                stub=bool(flags & _STUB),
                span=(start, stop),
            )
            for names, lines, needs, flags, start, stop in _decode(text)
        ]
    except ValueError as error:
        raise EngineFault("what the code consists of is not readable") from error
    return tuple(found)


def unparsed(text: str) -> tuple[tuple[int, int], ...]:
    """Return the byte ranges of items that do not parse (ocaml/ast/item_split.ml).

    Raises EngineFault.
    """
    if not text:
        return ()
    try:
        places = [int(word) for word in text.split()]
        return tuple(zip(places[::2], places[1::2], strict=True))
    except ValueError as error:
        raise EngineFault("where the code does not parse is not readable") from error
