"""How difficult a problem is, counted in its reference, and what a solution's text is without
its names and constants.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ocaml_reward.reading.lexing import Source

LEVELS: Final = ("easy", "medium", "hard")

_TOKEN = re.compile(r"[\w'.]+|[^\w\s]+")
_NUMBER = re.compile(r"(?<![\w.'])\d[\d_]*\.?\d*(?![\w'])")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\\n]|\\.[0-9]*)\'')
_INDENT = 2

FEATURES: Final[Mapping[str, re.Pattern[str]]] = {
    name: re.compile(rf"\b(?:{words})\b" if words[0].isalpha() else words)
    for name, words in {
        "arrays": r"Array\.\w+|Bytes\.\w+",
        "exceptions": r"raise|try|invalid_arg|failwith|exception",
        "functors": r"functor|module\s+\w+\s*\(",
        "higher order": r"fun|function|List\.(?:map|filter|fold_left|fold_right)",
        "laziness": r"lazy|Lazy\.\w+|Seq\.\w+",
        "loops": r"for|while",
        "maps and sets": r"Hashtbl\.\w+|Map\.Make|Set\.Make",
        "matching": r"match|function",
        "modules": r"struct|sig",
        "mutation": r":=|<-|\bref\b",
        "recursion": r"let\s+rec",
        "types": r"type",
    }.items()
}
"""Parts of the language, by what shows that a reference uses them."""

# Points of the sum below from which on a problem is medium, and hard: they cut the families'
# problems, each family counted alike, into thirds.
_MEDIUM, _HARD = 9.0, 13.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Difficulty:
    """What was counted in a reference.

    Attributes:
        tokens: Words and signs, comments aside.
        depth: How many levels its lines are indented, at the most.
        features: The parts of the language that it uses.
    """

    tokens: int
    depth: int
    features: tuple[str, ...]

    @property
    def points(self) -> float:
        """Return the sum of points: one for 15 words or signs, for a level of indentation, for a
        part of the language.
        """
        return self.tokens / 15 + self.depth + len(self.features)

    @property
    def level(self) -> str:
        """Return the level: one of `LEVELS`."""
        if self.points < _MEDIUM:
            return "easy"
        return "medium" if self.points < _HARD else "hard"


def measure(reference: str) -> Difficulty:
    """Count what a reference is made of."""
    code = Source(reference).without_literals
    lines = [line for line in code.split("\n") if line.strip()]
    indents = [len(line) - len(line.lstrip()) for line in lines]
    return Difficulty(
        tokens=len(_TOKEN.findall(code)),
        depth=max(indents, default=0) // _INDENT,
        features=tuple(name for name, sign in FEATURES.items() if sign.search(code)),
    )


def skeleton(reference: str, name: str) -> str:
    """Return what two references share that differ in constants and blanks at the most.

    Args:
        reference: The code.
        name: What it defines, which is left out.

    Returns:
        Its words and signs.
    """
    code = Source(reference).without_comments
    code = _NUMBER.sub("0", _LITERAL.sub('""', code))
    if name:
        code = re.sub(rf"\b{re.escape(name)}\b", "it", code)
    return " ".join(_TOKEN.findall(code))
