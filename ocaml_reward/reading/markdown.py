"""Finds the fenced blocks of a completion as models write them.

This accepts more than CommonMark: one-line fences, a closing fence after the last line of code, an
unclosed fence. It takes linear time and accepts any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from .definitions import ITEM, opens_structure
from .lexing import Source
from .source_map import Ranges, together

# (jaylene-zhang/ArtifactProgramming2025 Repair/Qwen2.5 7B_hw10_buggy_code_38_answer_2)
OCAML_TAGS = frozenset({"", "ocaml", "ml"})
# The look-ahead at the first character lets the search skip all others fast.
# (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw9_buggy_code_37_answer_4)
_RUN = re.compile(r"[`~](?:(?<=`)``+|(?<=~)~~+)")
# Fences that open and close on one line.
_PAIR = re.compile(r"```(.*?)```")
# (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw2_buggy_code_18_answer_4)
_TAG = re.compile(
    r"[ \t]*(?:\{[ \t]*\.?([\w+#-]++)[^}\n]*+\}|([A-Za-z][\w+#.-]*)?)[ \t]*(.*)",
    re.DOTALL,
)
_CODE_START = re.compile(rf"(?:{ITEM}|match|fun|function|if)\b|\(\*")
# A closing fence of which a limit cut off the end (pchiwan/markdown-truncate issue 7).
# (the-crypt-keeper/can-ai-code topk1_mobiuslabsgmbh-Mixtral-8x7B-Instruct-v0.1-:20)
_CUT_FENCE = re.compile(r"\n[ \t]*``?\s*\Z")
# Bounds the work on megabytes of fences.
# (the-crypt-keeper/can-ai-code greedy-vllm_Dracones-WizardLM-2-8x22B-exl2-4.0bp:6)
_MOST = 20_000


class Block(NamedTuple):
    """One fenced block.

    `start` and `end` include the fences; what is between them starts at `inside`. The content are
    the `ranges` of the text, one a line if blanks were removed from its lines. The tag is in lower
    case.

    (jaylene-zhang/ArtifactProgramming2025 Explain/q06/GPT4o_q06_answer_3)
    """

    start: int
    end: int
    inside: int
    ranges: Ranges
    content: str
    tag: str = ""
    closed: bool = True

    def places(self, ranges: Ranges) -> Ranges:
        """Return the ranges of the text that are some ranges of the content."""
        return together(self.ranges).places(ranges)


def run_of(text: str, start: int, stop: int) -> Block:
    """Return a part of a text as a block without fences."""
    return Block(start, stop, start, [(start, stop)], text[start:stop])


class _Open(NamedTuple):
    """A block of which the end is not known; as many blanks as `lead` has are removed from lines."""

    start: int
    inside: int
    run: str
    lead: str = ""
    tag: str = ""

    def until(self, text: str, stop: int, end: int, *, closed: bool = True) -> Block:
        """Return the block that ends at `end`, and its content at `stop`."""
        inside = self.inside
        body = text[inside : max(inside, stop)]
        indent = len(self.lead) - len(self.lead.lstrip(" \t"))
        blanks = re.finditer(rf"^[ \t]{{1,{indent}}}", body, re.MULTILINE) if indent else ()
        edges = [0, *(edge for each in blanks for edge in each.span()), len(body)]
        lines = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]
        content = "".join(body[a:b] for a, b in lines)
        ranges = [(inside + a, inside + b) for a, b in lines]
        return Block(self.start, end, inside, ranges, content, self.tag, closed)


def find_blocks(text: str, *, inside: bool = False) -> list[Block]:
    """Return the blocks of a text; an open one ends with it, or with the first backticks of its
    closing fence.

    With `inside` the text starts in a block, as after a prompt that opened one
    (noonghunna/benchlocal-cli issue 120). After 20,000 fence lines no fence counts.

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw1/Llama3.1 8B_hw1_answer_1)
    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw5/Llama3.1 8B_hw5_answer_3)
    """
    if _is_code(text):
        return []
    blocks: list[Block] = []
    block = _Open(0, 0, "```") if inside else None
    for start, end, run in islice(_fence_lines(text), _MOST):
        if block:
            closed, block = _inside(text, block, start, end, run)
            blocks += closed
        elif run[0][0] == "`" and "```" in text[run.end() : end]:
            blocks += _one_line(text, start, end)
        else:
            block = _outside(text, start, end, run)
    if block:
        cut = _CUT_FENCE.search(text, block.inside)
        stop = cut.start() if cut and block.run[0] == "`" else len(text)
        blocks.append(block.until(text, stop, len(text), closed=stop < len(text)))
    return blocks


def _is_code(text: str) -> bool:
    """Tell whether a text is OCaml, with fences in its comments and literals only, as are
    lambda/translclass.ml of ocaml/ocaml and data/cookbook/xml-generate/00-ezxmlm.ml of ocaml.org.
    """
    if not (_RUN.search(text) and _CODE_START.match(text.lstrip())):
        return False
    code = Source(text).without_literals
    return opens_structure(code) and not _RUN.search(code)


def _fence_lines(text: str) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Yield the start and end of each line with fence characters, and the first run of them."""
    end = -1
    for run in _RUN.finditer(text):
        if run.start() > end:
            start = text.rfind("\n", max(end, 0), run.start()) + 1
            end = text.find("\n", run.end())
            end = len(text) if end < 0 else end
            yield start, end, run


def _outside(text: str, start: int, end: int, run: re.Match[str]) -> _Open | None:
    """Read a line with a fence outside a block: it may open one.
    (the-crypt-keeper/can-ai-code topk1_TheBloke-deepseek-coder-1.3b-instruct-AWQ:27)
    """
    lead = text[start : run.start()]
    tag, after = _tag(text[run.end() : end])
    inside = min(end + 1, len(text))
    if after and _CODE_START.match(after):
        # ```ocaml let f x = …, with the code continuing on the next lines.
        inside = run.end() + len(text[run.end() : end].rstrip()) - len(after)
    elif after and lead.strip():
        return None
    if lead.strip() and run[0][0] == "~":
        return None
    return _Open(run.start(), inside, run[0], "" if lead.strip() else lead, tag)


def _one_line(text: str, start: int, end: int) -> Iterator[Block]:
    """Read fences that open and close on one line.
    (the-crypt-keeper/can-ai-code topk1_TheBloke-Orca-2-13B-AWQ:9)
    """
    for pair in islice(_PAIR.finditer(text, start, end), _MOST // 2):
        tag, code = _tag(pair[1])
        if _CODE_START.match(code):
            stop = pair.start(1) + len(pair[1].rstrip())
            inside = stop - len(code)
            yield Block(pair.start(), pair.end(), inside, [(inside, stop)], code, tag)


def _inside(
    text: str, block: _Open, start: int, end: int, run: re.Match[str]
) -> tuple[list[Block], _Open | None]:
    """Read a line inside a block: it may close the block, and open another.
    (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw6_buggy_code_32_answer_2)
    """
    lead, line = text[start : run.start()], text[start:end].rstrip()
    if run[0].startswith(block.run) and not lead.strip():
        rest = text[run.end() : end]
        tag, after = _tag(rest)
        if not tag or after or (rest[0].isspace() and tag not in OCAML_TAGS):
            return [block.until(text, start - 1, run.end())], None
        # A fence with a tag cannot close: the writer forgot to close the block and opens the next.
        inside = min(end + 1, len(text))
        following = _Open(run.start(), inside, block.run, lead, tag)
        return [block.until(text, start - 1, run.start())], following
    if block.run[0] == "`" and line.endswith(block.run):
        # let f x = x```: the fence closes after the last line of code.
        return [block.until(text, start + line.rindex(block.run), end)], None
    return [], block


def _tag(rest: str) -> tuple[str, str]:
    """Split the text after an opening fence into the language, in lower case, and the rest.
    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw1/Gemini 1.5 Flash 8B_hw1_answer_5)
    """
    found = _TAG.match(rest)
    if not found:
        return "", rest.strip()
    tag, after = found[1] or found[2] or "", found[3].rstrip()
    if after and _CODE_START.fullmatch(tag) and not _CODE_START.match(after):
        # ```let f x = x: the apparent tag is the first word of the code.
        return "", rest.strip()
    return tag.lower(), after
