"""
Prompts that end in code: a definition that they break off in, which a completion may continue,
and the types and helpers before it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .definitions import (
    Definition,
    definitions,
    is_open,
    is_whole,
    needed,
    opens_structure,
    uses,
)
from .lexing import Source
from .markdown import find_blocks
from .prose import runs_of_code

__all__ = ["PromptCode", "continued", "preceded", "prompt_code"]

_BEGINS = re.compile(r"^(?:let|module(?!\s+type))\b", re.MULTILINE)
_ANYWHERE = re.compile(r"(?<![\w'])(?:let|module(?!\s+type))\b")
_DEFINES = re.compile(r"\A(?:let|module)\b[^=]{0,2000}=")
# Of a definition: a parameter in front of its sign, or behind it.
_FUNCTION = re.compile(
    r"\A(?:let|and)\s+(?:rec\s+)?(?:[\w']+|\([^)]*\))\s*(?:[^\s=:]|(?::[^=]*)?=\s*fun)"
)
_OCAML = frozenset(("", "ocaml", "ml"))
_STRUCTURE_WORD = re.compile(r"(?<![\w'.])(?:struct|sig|object|begin|end)(?![\w'])")


class PromptCode(NamedTuple):
    """
    The code that a prompt ends in: whole definitions, the definition that it breaks off in, and
    whether that waits for items, as a `struct` does; `in_fence` if a fence is open at its end.
    `shown` is what stands in its fenced blocks, where it does not end in code.
    """

    given: str
    opened: str
    in_structure: bool
    in_fence: bool
    shown: str = ""


@lru_cache(maxsize=256)
def prompt_code(prompt: str) -> PromptCode:
    """
    Find `let rec f (x : int) : int =`, or more of a definition, at the end of a prompt, and
    the code before it.
    """
    fenced = find_blocks(prompt + "\n").blocks
    in_fence = bool(fenced) and fenced[-1].end > len(prompt)
    if fenced and not prompt[fenced[-1].end :].strip():
        code = fenced[-1].content
    else:
        code = prompt[fenced[-1].end if fenced else 0 :]
        code = code.rstrip().rstrip("`")
    start, in_structure = _opened(code)
    opened, before = code[start:].rstrip(), code[:start]
    if shown := runs_of_code(before):
        # Where prose follows, the code is only spoken of, unless a definition goes on from it.
        ends = not before[shown[-1].end :].strip()
        before = "\n".join(run.content.rstrip() + "\n" for run in shown)
        before = before if opened or ends else ""
    source = Source(before)
    given = before if not source.lines or is_whole(source) else ""
    blocks = [] if given or opened else [b for b in fenced if b.tag in _OCAML]
    whole = [b.content.rstrip() for b in blocks if is_whole(Source(b.content))]
    return PromptCode(given, opened, in_structure, in_fence, "\n".join(whole))


def continued(code: Source, prompt: PromptCode, wanted: frozenset[str]) -> str | None:
    """
    Put the definition that the prompt breaks off in before code that is only the rest of it.
    """
    if not prompt.opened or not code.lines:
        return None
    program = definitions(code)
    blank = code.without_literals
    own = _names(prompt.opened) or wanted
    first = program.items[0].start if program.items else -1
    is_program = first == len(blank) - len(blank.lstrip())
    # A program of its own, under a wrong name, is no rest; what ends a structure is.
    ends = prompt.in_structure and program.ends_more
    if (is_program and not ends) or own & program.names:
        return None
    return f"{prompt.given}{prompt.opened}\n{code.text.lstrip(chr(10))}"


def preceded(
    code: Source, prompt: PromptCode, wanted: frozenset[str] = frozenset()
) -> str | None:
    """
    Put those of the prompt's definitions before code that it uses: who repeats the signature goes
    on from its types and helpers, too.  Of what is only shown these are the helpers and not the
    types, which may be asked for, nor what is `wanted` of the code.  What the code defines itself
    is its own.
    """
    text = prompt.given or prompt.shown
    if not text or not opens_structure(code.without_literals):
        return None
    given, own = Source(text), definitions(code).names
    if not prompt.given:
        own = own.union(
            *(i.names for i in definitions(given).items if _asked(i, wanted))
        )
    # Most code has all that it names, which is faster to see than what it takes.
    if not any(name in code.text for name in definitions(given).names - own):
        return None
    ranges, _ = needed(given, uses(code), own)
    text = "".join(given.text[start:stop] for start, stop in ranges).strip()
    return f"{text}\n{code.text.lstrip(chr(10))}" if text else None


def _asked(item: Definition, wanted: frozenset[str]) -> bool:
    """
    Tell whether what a prompt shows may be what it asks for.
    """
    if item.kind not in ("let", "module"):
        return True
    return not item.names.isdisjoint(wanted) and bool(_FUNCTION.match(item.text))


def _opened(code: str) -> tuple[int, bool]:
    """
    Find where the definition begins that code breaks off in; the code's end if none does.
    """
    source = Source(code)
    blank = source.without_literals
    begins = list(_BEGINS.finditer(blank)) or list(_ANYWHERE.finditer(blank))
    if begins:
        start = begins[-1].start()
        depth = 0
        for word in _STRUCTURE_WORD.findall(blank, start):
            depth += -1 if word == "end" else 1
        in_structure = depth > 0 and blank.startswith("module", start)
        ends_open = is_open(source) and _DEFINES.match(blank[start:])
        if in_structure or depth > 0 or ends_open:
            return start, in_structure
    return len(code), False


def _names(opened: str) -> frozenset[str]:
    return definitions(Source(opened)).names
