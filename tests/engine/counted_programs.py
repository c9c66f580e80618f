"""Ill-typed programs with every mistake marked, read from the files in `counted`.

A program starts below a line `=== its name`.  Each mistake stands between ⟦ and ⟧, just
where the compiler puts its error; what only follows from one is not marked.  Below a
line `--- tests` stand tests, with marks of their own; the code then types by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ocaml_reward.model import Span

FOLDER = Path(__file__).parent / "counted"


@dataclass(frozen=True, kw_only=True, slots=True)
class Marked:
    """A program, its tests if it needs any, and where its mistakes are, in their order."""

    name: str
    code: str
    tests: str
    spans: tuple[Span, ...]


def marked(text: str) -> tuple[str, tuple[Span, ...]]:
    """Take the marks out of a text and return both."""
    kept: list[str] = []
    opened: list[tuple[int, int]] = []
    spans: list[Span] = []
    line, column = 1, 0
    for character in text:
        if character == "⟦":
            opened.append((line, column))
        elif character == "⟧":
            first, start = opened.pop()
            spans.append(Span(line=first, column=start, end_line=line, end_column=column))
        else:
            kept.append(character)
            line, column = (line + 1, 0) if character == "\n" else (line, column + 1)
    return "".join(kept), tuple(sorted(spans, key=place))


def place(span: Span) -> tuple[int, int, int, int]:
    """Order spans as they stand in a text."""
    return span.line, span.column or 0, span.end_line, span.end_column or 0


def _programs() -> Iterator[Marked]:
    for path in sorted(FOLDER.glob("*.txt")):
        _, *blocks = path.read_text(encoding="utf-8").split("\n=== ")
        for block in blocks:
            name, _, rest = block.partition("\n")
            code, _, tests = rest.partition("--- tests\n")
            (code, of_code), (tests, of_tests) = marked(code), marked(tests)
            yield Marked(
                name=f"{path.stem}: {name}",
                code=code,
                tests=tests,
                spans=of_code + of_tests,
            )


MARKED = {program.name: program for program in _programs()}
