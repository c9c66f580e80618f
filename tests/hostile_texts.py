"""Completions made to take long to read, of about any size in characters, as answers to a problem
whose tests use `f`: those that define it reach what looks at an answer's definitions.
"""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path

Shape = Callable[[int], str]

ANSWER = "let f x = x\n"
LINES = "".join(f"let u{n} = {n}\n" for n in range(8))

# One short text, over and over.
PIECES: dict[str, str] = json.loads(
    (Path(__file__).parent / "cases" / "hostile_pieces.json").read_text("utf-8")
)


def _repeated(piece: str) -> Shape:
    return lambda size: piece * (size // len(piece))


def _numbered(line: str, *, behind: str = ANSWER) -> Shape:
    """Repeat a line with N for its number and M for the next; what is `behind` follows."""

    def shape(size: int) -> str:
        pieces: list[str] = []
        left = size - len(behind)
        for number in count():
            piece = line.replace("N", str(number)).replace("M", str(number + 1))
            if (left := left - len(piece)) < 0:
                return "".join([*pieces, behind])
            pieces.append(piece)
        raise AssertionError

    return shape


def _around(before: str, piece: str, behind: str = "") -> Shape:
    return lambda size: before + piece * (size // len(piece)) + behind


def _turned(before: str, line: str, behind: str) -> Shape:
    """Give numbered lines with the last one first."""

    def shape(size: int) -> str:
        lines = _numbered(line, behind="")(size).splitlines(keepends=True)
        return before + "".join(reversed(lines)) + behind

    return shape


def _behind(lines: str, made: Shape) -> Shape:
    return lambda size: f"{made(size)}\n{lines}"


def _halves(before: str, first: str, second: str, behind: str = "") -> Shape:
    return lambda size: before + first * (size // 2 // len(first)) + second * (size // 2) + behind


def _misspelt(size: int) -> str:
    """Need a long name that is nearly one that is defined."""
    letters = string.ascii_lowercase
    name = (letters * (size // 2 // len(letters) + 1))[: size // 2]
    return f"let x{name} = 1\nlet f y = {name}x\n"


def _long_near_misses(size: int) -> str:
    """Need many names of a hundred letters that nearly are."""
    tail = string.ascii_lowercase * 4
    return _numbered(f"let a{tail}N = b{tail}M\nlet f x = b{tail}N\n")(size)


def _deep_modules(size: int) -> str:
    depth = size // 20
    return "module M = struct\n" * depth + "end\n" * depth + ANSWER


def _growing_indents(size: int) -> str:
    lines: list[str] = []
    for indent in _until(size, (2 * n + 8 for n in count())):
        lines += (" " * indent + "```\n", " " * indent + "```\n")
    return "".join(lines)


def _growing_ticks(size: int) -> str:
    return "".join("`" * (n + 3) + "\n" for n in _until(size, (n + 4 for n in count())))


def _until(size: int, lengths: Iterable[int]) -> Iterable[int]:
    for number, length in enumerate(lengths):
        if (size := size - length) < 0:
            return
        yield number


_BODY = "let f x =\n"
MADE: dict[str, Shape] = {
    "one identifier": _around("let f x = ", "a"),
    "one capital identifier in a type": _around("type f = ", "A", "."),
    "one identifier in a type": _around("type f = ", "a"),
    "one identifier, then spaces, in a type": _halves("type f = ", "a", " "),
    "one defined identifier": _around("let f", "a", " = f\n"),
    "one number": _around("let f x = ", "9"),
    "one string": _around('let f x = "', "a", '"\n'),
    "one open string": _around('let f x = "', "a"),
    "one comment": _around("let f x = x (* ", "a ", "*)\n"),
    "one open comment": _around("let f x = x (* ", "a "),
    "one tag": _around("```", "a"),
    "one attribute of a fence": _around("```{", "a"),
    "one attribute of a fence, then more": _halves("```{.", "a", " "),
    "one open block": _around("```ocaml\nlet f x = x\n", "x\n"),
    "one indent": _around("", " ", "```\nlet f x = x\n```\n"),
    "growing indents": _growing_indents,
    "growing fences": _growing_ticks,
    "distinct definitions": _numbered("let aN = aM\n"),
    "distinct definitions before": _numbered("let aM = aN\n", behind="let f = a1\n"),
    "distinct names on one line": _numbered("aN ", behind="\n"),
    "distinct names in the answer": _around(_BODY, "a b ", "\n"),
    "one name defined again": _around("", "let g = g + 1\n", "let f = g\n"),
    "one group": _around("let rec g x = g x\n", "and g x = g x\n", "let f = g\n"),
    "the answer again": _repeated("let f x =\n  x\n"),
    "the answer within modules": _repeated("module M = struct let f = 1 end\n"),
    "distinct modules": _numbered("module MN = struct let a = MM.a end\n"),
    "effects": _numbered("let () = aN := 1\n"),
    "effects on the answer": _numbered("let a = ref 0\nlet () = a := N\n"),
    "effects on each other": _turned(
        "let a0 = ref 0\n", "let aN = ref aM\nlet () = aN := 1\n", "let f x = !a0\n"
    ),
    "distinct operators": _numbered("let ( +N+ ) a b = a\n"),
    "operators in stars": lambda size: (
        "".join(
            f"let ( {'+' * (n % 50)}*{'-' * (n // 50 % 50)}/{'!' * (n // 2500)} ) = f\n"
            for n in range(size // 60)
        )
        + ANSWER
    ),
    "locals": _numbered("  let aN = 1 in\n", behind=""),
    "locals of the answer": lambda size: (
        _BODY + _numbered("  let aN = bN in\n", behind="  x\n")(size)
    ),
    "a chain of locals": lambda size: _BODY + _numbered("  let aM = aN in\n", behind="  x\n")(size),
    "a chain of locals that leads on": lambda size: (
        _BODY + _turned("", "  let aM = aN in\n", "  a0\n")(size)
    ),
    "a used chain of locals": lambda size: (
        _BODY + _turned("", "  let aN = aM in\n", "  a0\n")(size)
    ),
    "a used chain of locals, backwards": lambda size: (
        _BODY + _numbered("  let aN = aM in\n", behind="  a0\n")(size)
    ),
    "ignored calls of the answer": lambda size: (
        _BODY + _numbered("  ignore (gN aN);\n", behind="  x\n")(size)
    ),
    "near misses": _numbered("let aN = anN\nlet f x = anN\n"),
    "long near misses": _long_near_misses,
    "one near miss": _misspelt,
    "spaces behind a let": _around("let f x = let", " ", "= 1 in x\n"),
    "a long line that is ignored": _around("let f x = x\nignore", " a", ";\n"),
    "a long local": _around("let f x =\n let a =", " b", " in\n x\n"),
    "a local pattern": _around("let f x =\n let (", "a, ", "b) = x in\n a\n"),
    "constructors": _numbered("| AN ", behind="\nlet f x = A0\n"),
    "deep modules": _deep_modules,
    "twenty blocks": lambda size: (
        f"```ocaml\n{_numbered('let aN = aM' + chr(10), behind='')(size // 20)}```\n" * 19
        + f"```ocaml\n{ANSWER}```\n"
    ),
    "blocks of declarations": lambda size: (
        f"```ocaml\n{_numbered('type tN = int' + chr(10), behind='')(size // 9)}```\n" * 8
        + f"```ocaml\n{ANSWER}```\n"
        + "```ocaml\nlet () = ignore (f 1)\n```\n" * (size // 400)
    ),
    "code in JSON": _around('{"code": "', "let f x = x\\n", '"}'),
    "strings of code in JSON": _around('["let f x = x"', ', "let g x = x"', "]"),
    "carriage returns and lines": _around(_BODY, "  x +\r\n", "  x\n"),
    "inline code": _around("Use this: ", "`let f x = x` or ", "\n"),
    "deep parentheses": _halves("let f x = ", "(", ")"),
    "an open signature": _around("let f", " (x : int)", " : int =\n"),
    "ends without a definition": _around("x\n", "let\n", "(* END *)\n"),
    "a directive": _around('# 1 "', "a", '"\nlet f x = x\n'),
}

SHAPES: dict[str, Shape] = {
    **{f"{name}, in an answer": _around(ANSWER, piece) for name, piece in PIECES.items()},
    # Lines enough to be asked which of them the answer needs.
    **{name: _behind(LINES, made) for name, made in MADE.items()},
}


def shape(name: str, size: int) -> str:
    """Make a shape of about `size` characters."""
    return SHAPES[name](size)
