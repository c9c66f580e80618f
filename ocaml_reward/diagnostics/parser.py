"""Compiler output into diagnostics.  The docstring of each grammar function is its rule.

A report and what belongs to it are told from the next report by their left margin:
the compiler indents the text of an error, and puts headers in column 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Diagnostic, DiagnosticKind
from .body import Body, settle, sub_location
from .classify import classify, kind_of_voice
from .lines import (
    Label,
    Place,
    Voice,
    is_excerpt,
    is_marker,
    read_label,
    read_place,
    read_voice,
    split,
)

# Speakers that need several lines to say one thing. (ocaml/ocaml.org issue 1221)
_TALKATIVE = frozenset({Voice.LINKER, Voice.FATAL})


def parse(text: str) -> tuple[Diagnostic, ...]:
    """Read what ocamlc, ocamlopt, ocamlfind or dune printed, in the order it was printed.

    Total: any text gives a tuple, in time linear in its length.  Text that nobody known
    printed becomes one error of unknown source; blank text gives nothing.
    """
    return tuple(_Parser(split(text)).reports())


class _Parser:
    """A cursor over lines; each method consumes what its rule describes."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0

    def reports(self) -> Iterator[Diagnostic]:
        """Read REPORTS = {BLANK | LABELLED | VOICED | PLACED | UNKNOWN}"""
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line or line.isspace():
                self._at += 1
            elif (place := self._place()) is not None:
                yield self._placed(place)
            elif (label := read_label(line)) is not None:
                yield self._labelled(None, label)
            else:
                yield self._unlabelled(None, read_voice(line))

    def _place(self) -> Place | None:
        """Read PLACE, alone on its line, then [EXCERPT]

        EXCERPT = EXCERPT_LINE {EXCERPT_LINE | "..."} [MARKER]  (ucsd-progsys/nate sp14/1047)
        """
        if self._at == len(self._lines):
            return None
        place = read_place(self._lines[self._at])
        if place is None or place.text:
            return None
        self._at += 1
        start = self._at
        while (line := self._peek()) is not None and (
            is_excerpt(line) or (line == "..." and self._at > start)
        ):
            self._at += 1
        if line is not None and self._at > start and is_marker(line):
            self._at += 1
        return place

    def _placed(self, place: Place) -> Diagnostic:
        """Read PLACED = PLACE (LABELLED | [TEXT])"""
        line = self._peek()
        label = None if line is None else read_label(line)
        if label is not None:
            return self._labelled(place, label)
        return self._unlabelled(place, None)

    def _labelled(self, place: Place | None, label: Label) -> Diagnostic:
        """Read LABELLED = LABEL BODY {SUB}"""
        self._at += 1
        lines = [label.text, *self._body(is_placed=place is not None)]
        body = settle(lines, width=label.width)
        return self._diagnostic(place, body, kind=label.kind, number=label.number, name=label.name)

    def _unlabelled(self, place: Place | None, voice: Voice | None) -> Diagnostic:
        """Read VOICED = VOICE BODY; UNKNOWN = TEXT BODY"""
        lines: list[str] = []
        if place is None:
            lines.append(self._lines[self._at])
            self._at += 1
        lines += self._body(is_placed=place is not None, voice=voice)
        body = settle(lines or [""], width=0)
        return self._diagnostic(place, body, kind=kind_of_voice(body.message))

    def _body(self, *, is_placed: bool, voice: Voice | None = None) -> list[str]:
        """Read BODY = {TEXT}, up to a line in column 0 that begins something else

        A label without a place begins something else only where ocamlc, which prints a
        place each time, cannot have written it: after a blank line or one of its kind.
        (ocaml/dune test/blackbox-tests/test-cases/alias/aliases.t/run.t)
        """
        start = self._at
        is_after_blank = False
        while (line := self._peek()) is not None:
            if line and not line.isspace():
                if _is_place(line) or self._is_voice(line, voice):
                    break
                if (is_after_blank or not is_placed) and read_label(line) is not None:
                    break
                is_after_blank = False
            else:
                is_after_blank = True
            self._at += 1
        return self._lines[start : self._at]

    def _is_voice(self, line: str, current: Voice | None) -> bool:
        """Tell whether a line starts a message that is not one of the compiler's reports."""
        voice = read_voice(line)
        return voice is not None and (voice is not current or voice not in _TALKATIVE)

    def _subs(self) -> Iterator[tuple[Place, Body]]:
        """Read SUB = PLACE INDENTED_TEXT {TEXT}, where a LABEL would make it a report

        (ocaml/dune issue 12057)
        """
        while (line := self._peek()) is not None and _is_place(line):
            before = self._at
            place = self._place()
            line = self._peek()
            # A header with nothing under it was cut off: it may have been an error.
            if place is None or line is None or line[:1] not in {" ", "\t"}:
                self._at = before
                return
            yield place, settle(["", *self._body(is_placed=True)], width=None)

    def _diagnostic(
        self,
        place: Place | None,
        body: Body,
        *,
        kind: DiagnosticKind,
        number: int | None = None,
        name: str | None = None,
    ) -> Diagnostic:
        """Return the diagnostic with this body and the sub-messages that follow it."""
        hints = [body.hint]
        sub = list(body.sub)
        for where, text in self._subs():
            sub.append(sub_location(where, text.message))
            sub.extend(text.sub)
            hints.append(text.hint)
        file = None if place is None else place.file
        span = None if place is None else place.span
        source = classify(kind=kind, number=number, message=body.message, file=file, span=span)
        return Diagnostic(
            kind=kind,
            source=source,
            message=body.message,
            file=file,
            span=span,
            number=number,
            name=name,
            hint="\n".join(filter(None, hints)) or None,
            sub=tuple(sub),
        )

    def _peek(self) -> str | None:
        return self._lines[self._at] if self._at < len(self._lines) else None


def _is_place(line: str) -> bool:
    place = read_place(line)
    return place is not None and not place.text
