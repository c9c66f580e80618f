"""
Prompts that end in an open signature, which a completion may continue.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .fences import find_blocks
from .lexing import Source
from .outline import opens_structure

__all__ = ["continued"]

_SIGNATURE = re.compile(r"\blet\s+(?:rec\s+)?[a-z_]")
_DEFINED = re.compile(r"let\s+(?:rec\s+)?([a-z_][\w']*)")
_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def continued(code: Source, prompt: str, names: frozenset[str]) -> str | None:
    """
    Put the prompt's open signature before code that is only its body.
    """
    opening = _open_signature(prompt)
    if opening is None or not code.lines:
        return None
    signature, preamble = opening
    wanted = names
    if not wanted:
        defined = _DEFINED.match(signature.lstrip())
        wanted = frozenset({defined[1]} if defined else ())
    found = code.outline
    # A program of its own, under a wrong name, is no body.
    if wanted & found.names or found.opens_with_definition:
        return None
    return f"{preamble}{signature}\n{code.text.lstrip(chr(10))}"


@lru_cache(maxsize=256)
def _open_signature(prompt: str) -> tuple[str, str] | None:
    """
    Find `let rec f (x : int) : int =` at the end of a prompt, and the code before it
    (types that it names) where all of that is code.
    """
    prompt = prompt.rstrip().rstrip("`~").rstrip()
    starts = [found.start() for found in _SIGNATURE.finditer(prompt)]
    # Only a signature of the last few definitions can still be open.
    for start in reversed(starts[-3:]):
        signature = prompt[start:]
        if _is_open(Source(signature).without_literals):
            return signature.rstrip(), _preamble(prompt[:start])
    return None


def _is_open(signature: str) -> bool:
    """
    Tell a signature that ends in its only top-level `=`.
    """
    signature = signature.rstrip()
    if not signature.endswith("="):
        return False
    depth = 0
    for place, char in enumerate(signature):
        depth += _DEPTH.get(char, 0)
        if char == "=" and depth == 0:
            return place == len(signature) - 1
    return False


def _preamble(before: str) -> str:
    fenced = find_blocks(before).blocks
    # The fence around the signature is open where the prompt is cut here.
    if fenced and fenced[-1].end >= len(before):
        before = fenced[-1].content
    bare = Source(before).without_literals
    return before if not bare.strip() or opens_structure(bare) else ""
