"""Finds the fenced blocks of a completion as models write them.

This accepts more than CommonMark: one-line fences, a closing fence after the last line of code, an
unclosed fence. It takes linear time and accepts any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .definitions import opens_structure
from .lexing import Source

# (jaylene-zhang/ArtifactProgramming2025 Repair/Qwen2.5 7B_hw10_buggy_code_38_answer_2)
OCAML_TAGS = frozenset({"", "ocaml", "ml"})
# The look-ahead at the first character lets the search skip all others fast.
# (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw9_buggy_code_37_answer_4)
_RUN = re.compile(r"[`~](?:(?<=`)``+|(?<=~)~~+)")
_INDENT = re.compile(r"[ \t]*")
# (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw2_buggy_code_18_answer_4)
_TAG = re.compile(
    r"[ \t]*(?:\{[ \t]*\.?([\w+#-]++)[^}\n]*+\}|([A-Za-z][\w+#.-]*)?)[ \t]*(.*)",
    re.DOTALL,
)
_CODE_START = re.compile(
    r"(?:let|open|type|module|exception|external|include|class|match|fun|function"
    r"|if)\b|\(\*"
)
# A closing fence of which a limit cut off the end (pchiwan/markdown-truncate issue 7).
# (the-crypt-keeper/can-ai-code topk1_mobiuslabsgmbh-Mixtral-8x7B-Instruct-v0.1-:20)
_CUT_FENCE = re.compile(r"\n[ \t]*``?\s*\Z")
# Bounds the work on megabytes of fences.
# (the-crypt-keeper/can-ai-code greedy-vllm_Dracones-WizardLM-2-8x22B-exl2-4.0bp:6)
_MOST = 20_000


class Block(NamedTuple):
    """One fenced block.

    `start` and `stop` include the fences; the content starts at `inside`. The tag is in lower case;
    up to `indent` blanks were removed from each line of the content.

    (jaylene-zhang/ArtifactProgramming2025 Explain/q06/GPT4o_q06_answer_3)
    """

    start: int
    end: int
    content: str
    tag: str = ""
    closed: bool = True
    inside: int = 0
    indent: int = 0

    def kept(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the ranges of the text that its content consists of."""
        if not self.indent:
            yield self.inside, self.inside + len(self.content)
            return
        place = self.inside
        for line in self.content.splitlines(keepends=True):
            # Only "\n" ends a line here, and blanks are removed only after one.
            if place == self.inside or text[place - 1] == "\n":
                place += min(_width(text, place), self.indent)
            yield place, place + len(line)
            place += len(line)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fenced:
    """A text split into blocks, in order, and the prose around them."""

    blocks: tuple[Block, ...]
    prose: str


@dataclass(kw_only=True, slots=True)
class _Open:
    start: int
    content: int
    run: str
    indent: int = 0
    tag: str = ""


def find_blocks(text: str, *, inside: bool = False) -> Fenced:
    """Split a text at its fences.

    With `inside` the text starts in a block, as after a prompt that opened one
    (noonghunna/benchlocal-cli issue 120). With more than 20,000 fence lines no fence counts.

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw1/Llama3.1 8B_hw1_answer_1)
    """
    if _is_code(text):
        return Fenced(blocks=(), prose=text)
    reader = _Reader(text)
    if inside:
        reader.open = _Open(start=0, content=0, run="```")
    line_start = 0
    for _ in range(_MOST):
        if not (found := _RUN.search(text, line_start)):
            break
        line_start = max(line_start, text.rfind("\n", line_start, found.start()) + 1)
        newline = text.find("\n", found.end())
        line_end = len(text) if newline < 0 else newline
        reader.read(line_start, line_end, found)
        if newline < 0:
            break
        line_start = newline + 1
    return reader.finish()


def _is_code(text: str) -> bool:
    """Tell whether a text is OCaml, with fences in its comments and literals only, as are
    lambda/translclass.ml of ocaml/ocaml and data/cookbook/xml-generate/00-ezxmlm.ml of ocaml.org.
    """
    if not (_RUN.search(text) and _CODE_START.match(text.lstrip())):
        return False
    code = Source(text).without_literals
    return opens_structure(code) and not _RUN.search(code)


class _Reader:
    """The state between two fence lines: inside a block, or outside."""

    def __init__(self, text: str) -> None:
        """Start at the beginning of a text, outside of blocks."""
        self.open: _Open | None = None
        self._text = text
        self._blocks: list[Block] = []

    def read(self, start: int, end: int, run: re.Match[str]) -> None:
        """Read a line with at least one run of fence characters; `run` is the first."""
        if self.open is None:
            self._outside(start, end, run)
        else:
            self._inside(self.open, start, end)

    def finish(self) -> Fenced:
        """Return all blocks at the end of the text; an open block ends with it, or with the first
        backticks of its closing fence.

        (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw5/Llama3.1 8B_hw5_answer_3)
        """
        if self.open:
            end = len(self._text)
            cut = _CUT_FENCE.search(self._text, self.open.content)
            stop = cut.start() if cut and self.open.run[0] == "`" else end
            self._close(self.open, stop, end, closed=stop < end)
        pieces: list[str] = []
        done = 0
        for block in self._blocks:
            pieces.append(self._text[done : block.start])
            done = block.end
        pieces.append(self._text[done:])
        return Fenced(blocks=tuple(self._blocks), prose="".join(pieces))

    def _outside(self, start: int, end: int, run: re.Match[str]) -> None:
        """Read a line with a fence outside a block: it may open one.
        (the-crypt-keeper/can-ai-code topk1_TheBloke-deepseek-coder-1.3b-instruct-AWQ:27)
        """
        text = self._text
        leads = not text[start : run.start()].strip()
        rest = text[run.end() : end]
        if run[0][0] == "`" and "```" in rest:
            self._one_line(start, end)
            return
        if run[0][0] == "~" and not leads:
            return
        tag, after = _tag(rest)
        content = min(end + 1, len(text))
        if after and _CODE_START.match(after):
            # ```ocaml let f x = …, with the code continuing on the next lines.
            content = end - len(after)
        elif after and not leads:
            return
        indent = _width(text, start) if leads else 0
        self.open = _Open(start=run.start(), content=content, run=run[0], indent=indent, tag=tag)

    def _one_line(self, start: int, end: int) -> None:
        """Read fences that open and close on one line: every second piece is inside.
        (the-crypt-keeper/can-ai-code topk1_TheBloke-Orca-2-13B-AWQ:9)
        """
        pieces = self._text[start:end].split("```", _MOST)
        stop = start - 3
        for number, piece in enumerate(pieces[:-1]):
            place, stop = stop, stop + 3 + len(piece)
            tag, after = _tag(piece)
            if number % 2 and _CODE_START.match(after):
                content = after.rstrip()
                inside = place + 3 + len(piece.rstrip()) - len(content)
                self._blocks.append(Block(place, stop + 3, content, tag, inside=inside))

    def _inside(self, block: _Open, start: int, end: int) -> None:
        """Read a line inside a block: it may close the block, and open another.
        (jaylene-zhang/ArtifactProgramming2025 Repair/Llama3.1 8B_hw6_buggy_code_32_answer_2)
        """
        line = self._text[start:end]
        if line.lstrip().startswith(block.run):
            at = start + line.index(block.run)
            rest = self._text[at:end].lstrip(block.run[0])
            tag, after = _tag(rest)
            if not tag or after or (rest[0].isspace() and tag not in OCAML_TAGS):
                self._close(block, start - 1, end - len(rest))
                return
            # A fence with a tag cannot close: the writer forgot to close the block and opens the
            # next.
            self._close(block, start - 1, at)
            self.open = _Open(
                start=at,
                content=min(end + 1, len(self._text)),
                run=block.run,
                indent=_width(self._text, start),
                tag=tag,
            )
        elif block.run[0] == "`" and line.rstrip().endswith(block.run):
            # let f x = x```: the fence closes after the last line of code.
            self._close(block, start + line.rstrip().rindex(block.run), end)

    def _close(self, block: _Open, content_end: int, end: int, *, closed: bool = True) -> None:
        """Add the open block, which ends here."""
        inside, indent = block.content, block.indent
        content = self._text[inside : max(inside, content_end)]
        if indent:
            pattern = re.compile(rf"^[ \t]{{1,{indent}}}", re.MULTILINE)
            content = pattern.sub("", content)
        self._blocks.append(Block(block.start, end, content, block.tag, closed, inside, indent))
        self.open = None


def _width(text: str, start: int) -> int:
    found = _INDENT.match(text, start)
    return found.end() - start if found else 0


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
