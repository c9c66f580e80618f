"""Reads the code of prompts: an unfinished definition to continue, the types and helpers shown,
and the names asked for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from .definitions import definitions, is_open, is_whole
from .lexing import Source
from .markdown import OCAML_TAGS, find_blocks
from .prose import runs_of_code
from .source_map import Edit

_BEGINS = re.compile(r"^let\b", re.MULTILINE)
_DEFINES = re.compile(r"\Alet\b[^=]{0,2000}=")
_DECLARED = re.compile(r"^val\b.*", re.MULTILINE)

# A definition in backticks, where a prompt has no other code.
# (ocaml-sf/learn-ocaml-corpus exercises/fpottier/generic_sorting/descr.md:183)
_INLINE = re.compile(r"`((?:let|type|module|open)\b[^`=]*=[^`]*)`")
_BLOCK_OR_LINE = re.compile(r"```|~~~|^(?:let|type|open|module|exception)\b", re.MULTILINE)

_NAME = r"(?:\(\s*[^\s()\w]+\s*\)|[a-z_][\w']*)"
# Names requested in code: `let rec f (x : int) =`, `val f :`, `module Stack :`; in English only
# "implement a module Stack" and "write stack.ml". (sauravbhattacharya001/Ocaml-sample-code tests/test_compression.ml)
_REQUESTED = re.compile(
    rf"^(?:(?:let(?:\s+rec)?|and)\s+({_NAME})(?=[^\n=]*=\s*$)|val\s+({_NAME})\s*:"
    r"|module\s+([A-Z][\w']*)\s*[:=(])"
    r"|\b(?:[Ii]mplement|[Ww]rite|[Dd]efine|[Cc]reate)\s+(?:an?|the)\s+module\s+"
    r"(?:named\s+|called\s+)?[`']?([A-Z][\w']*)"
    r"|(?<![\w/.-])([a-z]\w*)\.ml(?!\w|\.\w)",
    re.MULTILINE,
)
# A name with which a quotation begins: `succ`, `compare : card -> card -> int`.
# (exercism/ocaml exercises/practice/meetup)
_QUOTED = re.compile(rf"`(?:(?:val|let(?:\s+rec)?)\s+)?({_NAME})(?![\w'.])")


class PromptCode(NamedTuple):
    """The code at the end of a prompt.

    These are whole definitions, the unfinished definition, and whether a fence is open at the end
    (`in_fence`).

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw2.txt)
    """

    given: str
    opened: str
    in_fence: bool


@lru_cache(maxsize=256)
def prompt_code(prompt: str) -> PromptCode:
    """Find `let rec f (x : int) : int =`, or more of a definition, at the end of a prompt, and the
    code before it.

    (nuprl/MultiPL-E prompts/humaneval-ml-reworded.jsonl row 1 .prompt)
    """
    fenced = find_blocks(prompt + "\n")
    in_fence = bool(fenced) and fenced[-1].end > len(prompt)
    if fenced and not prompt[fenced[-1].end :].strip():
        code = fenced[-1].content
    else:
        code = prompt[fenced[-1].end if fenced else 0 :].rstrip()
    start = _opened(code)
    opened, before = code[start:].rstrip(), code[:start]
    if shown := runs_of_code(before):
        # If prose follows, the code is only mentioned, unless a definition continues it.
        ends = not before[shown[-1].end :].strip()
        before = "\n".join(run.content.rstrip() + "\n" for run in shown)
        before = before if opened or ends else ""
    source = Source(before)
    given = before if not source.lines or is_whole(source) else ""
    return PromptCode(given, opened, in_fence)


def code_in(prompt: str) -> tuple[str, ...]:
    """Return the parts of a prompt that may be code, in order: blocks, and code between prose.
    (exercism/ocaml exercises/practice/hello-world)
    """
    if not _BLOCK_OR_LINE.search(prompt):
        prompt = _INLINE.sub(r"\n```ocaml\n\1\n```\n", prompt)
    prompt += "\n"
    found: list[str] = []
    place = 0
    for block in (*find_blocks(prompt), None):
        outside = prompt[place : block.start if block else len(prompt)]
        runs = [each.content for each in runs_of_code(outside)]
        found += [*runs, "\n".join(_DECLARED.findall(outside))] if runs else [outside]
        if block:
            place = block.end
            found += [block.content] if block.tag in OCAML_TAGS else []
    return tuple(each for each in found if each.strip())


def requested_names(prompt: str, *, has_reference: bool) -> tuple[str, ...]:
    """Return the names that a prompt asks for, in order.

    If the problem has a reference, those with which its quotations begin as well: of these the
    reference tells which the code has to define although the standard library has them.

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw2.txt)
    """
    names = [
        name
        for *each, file in _REQUESTED.findall(prompt)
        for name in (*each, file.capitalize())
        if name
    ]
    names += _QUOTED.findall(prompt) if has_reference else []
    return tuple(dict.fromkeys(name.strip("() \t\n") for name in names))


def continued(code: Source, prompt: PromptCode, wanted: frozenset[str]) -> list[Edit]:
    """Put the prompt's unfinished definition in place of the line ends before code that is only its
    rest.
    (kirang89/ocamler-grpo tests/test_environment.py:48)
    """
    if not prompt.opened or not code.lines:
        return []
    program = definitions(code)
    blank = code.without_literals
    own = definitions(Source(prompt.opened)).names or wanted
    first = program.items[0].start if program.items else -1
    is_program = first == len(blank) - len(blank.lstrip())
    # A complete program under a wrong name is not the rest.
    if is_program or own & program.names:
        return []
    return [Edit(0, len(code.text) - len(code.text.lstrip("\n")), f"{prompt.opened}\n")]


def _opened(code: str) -> int:
    """Return the offset of the code's unfinished definition, or the code's end."""
    source = Source(code)
    begins = [found.start() for found in _BEGINS.finditer(source.without_literals)]
    if (
        begins
        and is_open(source.without_comments)
        and _DEFINES.match(source.without_literals[begins[-1] :])
    ):
        return begins[-1]
    return len(code)
