"""Infers the layout of a program's inputs from its cases; pure.

A prompt specifies a layout, but only the cases are machine-readable. Properties common to all cases
are taken for required, and an input without one is strange.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .examples import breaks, laws_of
from .prompt_domain import prompt_domain

PIECE: Final = re.compile(r"-?\d+(?:\.\d+)?|[A-Za-z_]\w*|\s+|.")
"""A number, a word, blanks, or one symbol."""
_WHOLE: Final = re.compile(r"(?<![\w.])-?\d+(?![\w.])")
_REPEATED: Final = re.compile(r"((?:\s|[,;])(?:#|w))(?:\1)*")
_COMMANDS: Final = 12
# Where a prompt tells how large numbers are, these are tried: what a slow right program ends with.
_BEYOND: Final = (6, 50, 200)


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """Common properties of the inputs of all cases.

    Attributes:
        counts: What the first number counts: "tokens", "lines", or with the second number a "grid"
            of rows and columns; "" if nothing.
        sizes: The numbers of items shown, or of lines if nothing is counted.
        last: The last line, if all cases share it and it occurs nowhere else; or "".
        forms: The forms of lines; `w w+` if some have more words than others.
        commands: Words at the beginning of lines, which are literal in a form.
        cells: The cells of a grid.
        spaced: Whether the cells of a grid are separated by blanks.
        low: The smallest number shown, or 1.
        high: The largest.
        laws: Properties of all sequences of numbers, and of numbers in lines of a form.
        more: Numbers beyond those shown that the prompt allows.
        symbols: The signs of which all lines are made, if the prompt lists them.
    """

    counts: str
    sizes: frozenset[int]
    last: str
    forms: frozenset[str]
    commands: frozenset[str]
    cells: tuple[str, ...]
    spaced: bool
    low: int
    high: int
    laws: frozenset[str]
    symbols: frozenset[str] = frozenset()
    more: tuple[int, ...] = ()

    def items(self, stdin: str) -> list[str]:
        """Return the items of an input: lines, or the counted tokens."""
        lines = _lines(stdin)
        if self.counts == "tokens":
            return stdin.split()[1:]
        if self.counts:
            return lines[1:]
        return lines[:-1] if self.last else lines

    def framed(self, items: Sequence[str]) -> str:
        """Return an input with such items."""
        if self.counts == "tokens":
            return f"{len(items)}\n{' '.join(items)}\n" if items else "0\n"
        lines = list(items)
        if self.counts == "grid":
            columns = len(self.cells_of(items[0])) if items else 0
            lines = [f"{len(items)} {columns}", *items]
        elif self.counts == "lines":
            lines = [str(len(items)), *items]
        elif self.last:
            lines.append(self.last)
        return "".join(f"{line}\n" for line in lines)

    def cells_of(self, line: str) -> list[str]:
        """Return the cells of a row."""
        return line.split() if self.spaced else list(line)

    def strange(self, items: Sequence[str]) -> bool:
        """Return whether an input lacks a common property of the cases."""
        if len(items) not in self.sizes and (
            len(self.sizes) == 1 or len(items) == 0 or len(items) > 2 * max(self.sizes)
        ):
            return True
        if self.counts == "tokens":
            lines = [" ".join(items)]
        else:
            lines = list(items)
            bare = [each for each in lines if not (self.symbols and set(each) <= self.symbols)]
            forms = {form(each, self.commands) for each in bare}
            if self.counts != "grid" and any(
                not {each, _loose(each)} & self.forms for each in forms
            ):
                return True
        if self.last and self.last in items:
            return True
        numbers = [int(each) for line in lines for each in _WHOLE.findall(line)]
        if any(not self.low <= each <= self.high for each in numbers):
            return True
        return any(breaks(self.laws, _row(line)) for line in lines)


def layout_of(cases: Sequence[str], prompt: str = "") -> Layout:
    """Infer the common properties of inputs, and those that the prompt tells."""
    domain = prompt_domain(prompt)
    rows = [_lines(each) for each in cases]
    counts = next((each for each in _COUNTED if all(map(_COUNTED[each], rows))), "")
    lasts = {each[-1] if each else "" for each in rows}
    last = ""
    if not counts and len(cases) > 1 and len(lasts) == 1:
        (same,) = lasts
        alone = all(same not in each[:-1] for each in rows)
        last = same if alone and any(len(each) > 1 for each in rows) else ""
    skipped = 1 if counts else 0
    bodies = [each[skipped : -1 if last else None] for each in rows]
    lines = [line for each in bodies for line in each]
    commands = _commands(lines)
    spaced = any(" " in line.strip() for line in lines)
    cells: dict[str, None] = {}
    if counts == "grid":
        for line in lines:
            cells |= dict.fromkeys(line.split() if spaced else line)
    beyond = tuple(n for n in _BEYOND if domain.most and n <= domain.most)
    forms = {form(each, commands) for each in lines}
    loose = Counter(map(_loose, forms))
    numbers = [int(each) for line in lines for each in _WHOLE.findall(line)]
    tokens = [len(" ".join(each).split()) for each in bodies]
    sizes = tokens if counts == "tokens" else [len(each) for each in bodies]
    return Layout(
        counts=counts,
        sizes=frozenset(sizes),
        last=last,
        forms=frozenset((*forms, *(each for each in loose if loose[each] > 1))),
        commands=commands,
        cells=tuple(cells),
        spaced=spaced,
        low=min(-9 if domain.negative else 1, *numbers, 1),
        high=max([*numbers, 12 if domain.negative else 1, *beyond]),
        more=beyond,
        laws=frozenset(
            law
            for law in laws_of(
                [_row(" ".join(each)) for each in bodies]
                if counts == "tokens"
                else [_row(each) for each in lines]
            )
            if domain.holds(law, len(cases))
        ),
        symbols=domain.alphabet if set("".join(lines)) <= domain.alphabet else frozenset(),
    )


def form(line: str, commands: frozenset[str]) -> str:
    """Return the form of a line: `push #`, `w w w`."""
    signs = []
    for place, piece in enumerate(PIECE.findall(line)):
        if re.match(r"-?\d", piece):
            signs.append("#." if "." in piece else "#")
        elif re.match(r"[A-Za-z_]", piece):
            signs.append(piece if place == 0 and piece in commands else "w")
        else:
            signs.append(piece)
    return "".join(signs)


def _loose(exact: str) -> str:
    """Return a form in which the number of repetitions does not matter."""
    return _REPEATED.sub(r"\1+", exact)


def _commands(lines: Sequence[str]) -> frozenset[str]:
    """Return the words at the beginning of lines, if they are few and recur."""
    first = [found[0] for line in lines if (found := re.match(r"[A-Za-z_]\w*", line.strip()))]
    few = frozenset(first)
    return few if len(few) <= _COMMANDS and 2 * len(few) <= len(first) else frozenset()


def _lines(stdin: str) -> list[str]:
    return stdin.splitlines()


def _row(line: str) -> str:
    """Return a line of numbers as a list, as in examples of calls."""
    parts = re.split(r"[\s,;]+", line.strip())
    return f"[{'; '.join(parts)}]" if all(map(_WHOLE.fullmatch, parts)) else ""


def _number(text: str) -> int:
    """Return the number in a text, -1 if it is none."""
    return int(text) if re.fullmatch(r"\d{1,6}", text) else -1


def _counts_tokens(lines: Sequence[str]) -> bool:
    """Tell whether the first token is the number of those after it."""
    tokens = " ".join(lines).split()
    return bool(tokens) and _number(tokens[0]) == len(tokens) - 1


def _counts_lines(lines: Sequence[str]) -> bool:
    """Tell whether the first line is the number of those after it."""
    return bool(lines) and _number(lines[0].strip()) == len(lines) - 1


def _counts_grid(lines: Sequence[str]) -> bool:
    """Tell whether the first line has the numbers of the rows and columns below it."""
    head = lines[0].split() if lines else []
    if len(head) != 2 or _number(head[0]) != len(lines) - 1:
        return False
    columns = _number(head[1])
    return all(columns in (len(each.split()), len(each)) for each in lines[1:])


_COUNTED: Final = {
    "grid": _counts_grid,
    "lines": _counts_lines,
    "tokens": _counts_tokens,
}
