"""What one line of compiler output can be.  Nothing here looks at the lines around it.

Every pattern is anchored and its repetitions cannot overlap, so that a line of any
length is read in linear time: completions choose much of this text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from ..model import DiagnosticKind, Span


class Voice(Enum):
    """Who speaks outside of the compiler's own reports."""

    TOOL = auto()
    LINKER = auto()
    FATAL = auto()


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """A header; `text` is what follows its colon on the same line."""

    file: str | None
    span: Span | None
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """The word that opens a message; `width` is its length with colon and space."""

    kind: DiagnosticKind
    number: int | None
    name: str | None
    width: int
    text: str


# Numbers are at most nine digits: `int` refuses 4,300 and more.
# (ocaml/ocaml testsuite/tests/basic-more/morematch.compilers.reference)
_PLACE = re.compile(
    r"(?:File \"(?P<file>[^\"]*+)\"(?:, (?=l)|(?=:))|(?=L))"
    r"(?:[lL]ines? (?P<line>[0-9]{1,9})(?:-(?P<end>[0-9]{1,9}))?"
    r"(?:, characters (?P<column>-?[0-9]{1,9})-(?P<end_column>-?[0-9]{1,9}))?)?"
    r":(?: (?P<text>.*))?\Z",
    re.DOTALL,
)

_NAME = r"[\w.'-]{1,99}"
_LABEL = re.compile(
    rf"(?:(?P<error>Error)(?: \((?P<fatal>warning|alert)(?P<of>[^()]{{0,120}})\))?"
    rf"|(?P<soft>Warning|Alert)"
    rf"(?P<soft_of>(?: [0-9]{{1,9}})?(?: \[{_NAME}\]| {_NAME})?)"
    rf"):(?: (?P<text>.*))?\Z",
    re.DOTALL,
)
_WARNING_ID = re.compile(rf"(?: ([0-9]{{1,9}}))?(?: \[({_NAME})\])?\Z")
_ALERT_ID = re.compile(rf"(?: ({_NAME}))?\Z")

_HINT = re.compile(r"[ \t]*Hint:(?: (?P<text>.*))?\Z", re.DOTALL)

_EXCERPT = re.compile(r" *+[0-9]{1,9} ?\|(?: |\Z)")
_MARKER = re.compile(r"[ \t^]++\Z")

_VOICES = (
    (Voice.FATAL, re.compile(r"(?:>> )?Fatal error: ")),
    (
        Voice.TOOL,
        re.compile(
            r"(?:\S*/)?(?:findlib|ocaml(?:find|c|cp|opt|optp|dep|lex|mktop|mklib|run)?"
            r"|(?:ba|da)?sh)(?:\.opt|\.byte|\.exe)?: "
        ),
    ),
    (
        Voice.LINKER,
        re.compile(
            r"(?:\S*/)?(?:[a-z0-9_]++-)*+"
            r"(?:ld|ld\.[a-z]+|collect2|gcc|cc|clang|as|ar|flexlink)(?:-[0-9]+)?: "
            r"|\S*(?:\.[os]: |\.[chs]:[0-9]+:|\.[ch]: [IA]|\.[oa]\("
            r"|\(\.[a-z.]+\+0x[0-9a-f]+\): )"
            r"|\S*: undefined reference to |Undefined symbols for architecture "
        ),
    ),
)

# Lines that dune, make and ocamlbuild put around what the compiler says.
# (ocaml/dune issue 9351, ocaml-community/utop issue 273, dbuenzli/mtime issue 42)
_FRAMING = re.compile(
    r"(?:Entering|Leaving) directory '|g?make(?:\[[0-9]+\])?: "
    r"|Had [0-9]+ errors?, waiting |Success, waiting |\*{10} NEW BUILD "
    r"|\(cd (?=\S*_build/)\S*+ && |\+ \S*(?:ocaml|gcc|cc )"
    r"|Command exited with code |Compilation unsuccessful after "
    r"|Finished, [0-9]+ target"
)
# `      ocamlc .x.eobjs/byte/x.{cmi,cmo,cmt} (exit 2)`: dune 1 and 2 name the action,
# right-aligned in twelve columns. (jordwalke/rehp issue 33)
_ACTION = re.compile(
    r"(?=[ a-z]{12} )(?: *+)(?:ocaml[a-z]+|menhir|ppx|gcc) (?=\S*objs/)\S*+"
    r"(?: \(exit [0-9]+\))?\Z"
)


def split(text: str) -> list[str]:
    """Cut output into lines, without carriage returns at their ends and build framing."""
    lines = (line.rstrip("\r") for line in text.split("\n"))
    return [line for line in lines if not _is_framing(line)]


def _is_framing(line: str) -> bool:
    """Tell whether a build tool has printed a line around the compiler's."""
    if line.startswith(" "):
        return _ACTION.match(line) is not None
    return _FRAMING.match(line) is not None


def read_place(line: str) -> Place | None:
    """Read PLACE = ('File "' NAME '"' [", " RANGE] | RANGE) ":" [" " TEXT]

    RANGE = ("line" | "lines") N ["-" N] [", characters " N "-" N]
    """
    if line[:1] not in {"F", "L"} or (found := _PLACE.match(line)) is None:
        return None
    span = None
    if found["line"] is not None:
        span = _span(found)
    file = found["file"]
    if file is None and span is None:
        return None
    # The compiler prints "_none_", line 1 where it knows of no place.
    # (ocaml/ocaml testsuite/tests/badly-ordered-deps/main.bytecode.reference)
    if file == "_none_":
        file, span = None, None
    return Place(file=file, span=span, text=(found["text"] or "").strip())


def _span(found: re.Match[str]) -> Span:
    """Return the span that a location line names."""
    # A `# 1 "x.ml"` directive inside a phrase can make an end precede its start.
    # (rocq-prover/rocq issue 14580)
    line = max(1, int(found["line"]))
    end_line = max(line, int(found["end"] or line))
    if found["column"] is None:
        return Span(line=line, end_line=end_line)
    column = max(0, int(found["column"]))
    end_column = max(0, int(found["end_column"]))
    if line == end_line:
        end_column = max(column, end_column)
    return Span(line=line, end_line=end_line, column=column, end_column=end_column)


def read_label(line: str) -> Label | None:
    """Read LABEL = KIND ":" [" " TEXT]

    KIND    = "Error" [" (warning" WARNING ")" | " (alert" ALERT ")"]
            | "Warning" WARNING | "Alert" ALERT
    WARNING = [" " N] [" [" NAME "]"]          (no name before 4.13, no number in dune)
    ALERT   = [" " NAME]

    (ANSSI-FR/xsvgen issue 5, ocaml/ocaml testsuite/tests/typing-deprecated/alerts.ml)
    """
    if line[:1] not in {"E", "W", "A"} or (found := _LABEL.match(line)) is None:
        return None
    text = found["text"] or ""
    width = len(line) - len(text) if found["text"] is not None else len(line) + 1
    if found["error"] and not found["fatal"]:
        return Label(kind=DiagnosticKind.ERROR, number=None, name=None, width=width, text=text)
    is_alert = "alert" in {found["fatal"], (found["soft"] or "").lower()}
    words = found["of"] if found["error"] else found["soft_of"]
    identity = (_ALERT_ID if is_alert else _WARNING_ID).match(words)
    if identity is None:
        return None
    return Label(
        kind=_KINDS[bool(found["error"]), is_alert],
        number=int(identity[1]) if not is_alert and identity[1] else None,
        name=identity[1] if is_alert else identity[2],
        width=width,
        text=text,
    )


_KINDS = {
    (False, False): DiagnosticKind.WARNING,
    (False, True): DiagnosticKind.ALERT,
    (True, False): DiagnosticKind.WARNING_AS_ERROR,
    (True, True): DiagnosticKind.ALERT_AS_ERROR,
}


def read_hint(line: str) -> str | None:
    """Read HINT = {" "} "Hint" ":" [" " TEXT]  (ocaml/dune issue 4809)"""
    found = _HINT.match(line)
    return None if found is None else found["text"] or ""


def read_voice(line: str) -> Voice | None:
    """Read VOICE = ("ocamlfind" | "findlib" | "ld" | "Fatal error" | ...) ":" TEXT

    (ocaml/opam-repository pull 15878, ocaml/ocaml.org issue 1221, ocaml/ocaml issue 10651)
    """
    if ":" not in line:
        return None
    return next((voice for voice, pattern in _VOICES if pattern.match(line)), None)


def is_excerpt(line: str) -> bool:
    """Tell whether a line is EXCERPT_LINE = {" "} N [" "] "|" [" " SOURCE]"""
    return _EXCERPT.match(line) is not None


def is_marker(line: str) -> bool:
    """Tell whether a line is MARKER = (" " | TAB | "^")+, the line under an excerpt"""
    return _MARKER.match(line) is not None


def indentation(line: str) -> int:
    """Count the spaces before the first other character."""
    return len(line) - len(line.lstrip(" "))
