"""Infers properties of the strings in examples; pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
# With fewer different words it may be chance that all are in the prompt.
_WORDS: Final = 4


def text_laws(strings: Sequence[str], prompt: str = "") -> frozenset[str]:
    """Return the properties of all strings shown, if they are not accidental.

    Args:
        strings: The strings, as OCaml.
        prompt: The prompt, which may list all permitted words.

    Returns:
        "balanced" brackets, "numeral" without leading zeros, "trimmed" if blanks only separate
            words, "once" if no word is repeated; `word w` for each permitted word `w`.
    """
    texts = [each[1:-1] for each in strings]
    found = {
        name
        for name, (applies, holds) in _LAWS.items()
        if sum(map(applies, texts)) >= 2 and all(map(holds, texts))
    }
    words = {word for text in texts for word in text.split()}
    named = set(re.findall(r"[^\W\d_]{2,}", _STRING.sub(" ", prompt)))
    if len(words) >= _WORDS and words <= named:
        found |= {f"word {word}" for word in words}
    return frozenset(found)


def breaks_text(laws: frozenset[str], text: str) -> bool:
    """Return whether a string is unlike all those shown.

    Args:
        laws: The properties of those shown.
        text: The string, as OCaml.

    Returns:
        Whether it breaks a property.
    """
    bare = text[1:-1]
    named = {each[5:] for each in laws if each.startswith("word ")}
    if named and not set(bare.split()) <= named:
        return True
    return any(name in laws and not holds(bare) for name, (_, holds) in _LAWS.items())


def _is_balanced(text: str) -> bool:
    """Tell whether the brackets in a text match."""
    opened: list[str] = []
    for sign in text:
        if sign in _PAIRS.values():
            opened.append(sign)
        elif sign in _PAIRS and (not opened or opened.pop() != _PAIRS[sign]):
            return False
    return not opened


def _is_numeral(text: str) -> bool:
    return text.isdigit() and (text == "0" or text[0] != "0")


def _is_trimmed(text: str) -> bool:
    return text == " ".join(text.split())


def _is_once(text: str) -> bool:
    words = text.split()
    return len(set(words)) == len(words)


# For each law, evidence that it applies, and the law.
_LAWS: Final[dict[str, tuple[Callable[[str], bool], Callable[[str], bool]]]] = {
    "balanced": (lambda text: bool(set(text) & _PAIRS.keys()), _is_balanced),
    "numeral": (lambda text: len(text) > 1 and text.isdigit(), _is_numeral),
    "trimmed": (lambda text: " " in text.strip(), _is_trimmed),
    "once": (lambda text: len(text.split()) > 2, _is_once),
}
