"""
Take the OCaml out of what a model wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .blocks import read_fences
from .channels import next_turn
from .lexing import Source
from .markers import is_last, tail, without_foreign_marker
from .origins import Origins, Piece, cut, joined, kept
from .signature import continued, preceded
from .taking import How, take
from .thoughts import normal_ranges, normalised, spoken, spoken_ranges
from .unwrapping import unwrapped

__all__ = ["Extraction", "How", "Traced", "extract", "traced"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """
    The code of a completion, and what the penalties need to know about the rest.

    `source` is the code, for readers who want it lexed; `fenced_blocks` are all blocks that
    could be OCaml by their tags, or all there are if none is; `prose` is the text outside every fence, `text` the completion without its thoughts.  `end_marker_present` says that
    the marker stands after the code, `ends_with_marker` that it ends the text, too, but for a closing
    fence; `end_markers` counts it anywhere in `text`.
    `wanted` are the names that the tests use, without what they take from a module;
    `prompt` is the problem's.
    """

    source: Source
    how: How
    text: str
    prose: str
    fenced_blocks: tuple[str, ...] = ()
    end_marker_present: bool = False
    ends_with_marker: bool = False
    end_markers: int = 0
    wanted: frozenset[str] = frozenset()
    prompt: str = ""

    @property
    def code(self) -> str:
        """
        The text of the code.
        """
        return self.source.text

    @property
    def has_code(self) -> bool:
        """
        Say whether the code is more than blanks and comments.
        """
        if self.source.lines:
            return True
        # A comment that never ends is a mistake in code, which the lexer reports.
        code = self.code.rstrip()
        return bool(code) and not code.endswith("*)")


class Traced(NamedTuple):
    """
    An extraction, and what tells where its code stands in the completion.
    """

    extraction: Extraction
    origins: Callable[[], Origins]


def extract(
    text: str,
    *,
    uses: Sequence[str] = (),
    prompt: str = "",
    end_marker: str | None = None,
) -> Extraction:
    """
    Find the code in a completion's text.

    Thoughts are dropped.  Among the fenced blocks that may be OCaml the one that
    defines most of the names in `uses` is taken, the first of equals; the longest where
    none defines any.  Without a fence the whole text is code.  Code that defines none of
    `uses`, under a `prompt` that ends in an open signature, continues that signature.

    Never raises, and takes time linear in the text.
    """
    return _extracted(text, uses, prompt, end_marker)[0]


def traced(
    text: str,
    *,
    uses: Sequence[str] = (),
    prompt: str = "",
    end_marker: str | None = None,
) -> Traced:
    """
    Find the code as `extract` does, and how to tell where each of its characters stands
    in the text.
    """
    extraction, taken = _extracted(text, uses, prompt, end_marker)

    def origins() -> Origins:
        said = spoken_ranges(normalised(text))
        return taken().after(kept(said)).after(kept(list(normal_ranges(text))))

    return Traced(extraction, origins)


def _extracted(
    text: str, uses: Sequence[str], prompt: str, end_marker: str | None
) -> tuple[Extraction, Callable[[], Origins]]:
    """
    Find the code; what comes second tells where it stands in what is said.
    """
    unwrapping = unwrapped(spoken(normalised(text)))
    text = unwrapping.text
    asked = normalised(prompt)
    names = _simple_names(uses)
    reading = read_fences(text, asked, names)
    # What stands behind another's turn answers what nobody has asked.
    turn = text[: next_turn(text)]
    own = reading if turn == text else read_fences(turn, asked, names)
    found = take(turn, own, asked, names, end_marker)
    how, code, made = found.how, found.code, found.made
    present = False
    if end_marker:
        present = end_marker in tail(found.last or code, end_marker) + found.after
        code = without_foreign_marker(code, end_marker)
    taken = code
    if continuing := continued(code, asked, names):
        how, code = How.CONTINUATION, Source(continuing)
    elif names and (continuing := preceded(code, asked)):
        code = Source(continuing)
    extraction = Extraction(
        source=code,
        how=how,
        text=text,
        prose=reading.fenced.prose,
        fenced_blocks=tuple(block.content for block in reading.counted),
        end_marker_present=present,
        ends_with_marker=present and is_last(end_marker or "", text),
        end_markers=text.count(end_marker) if end_marker else 0,
        wanted=names,
        prompt=prompt,
    )

    def origins() -> Origins:
        length = len(taken.text)
        # What a signature was put before has lost the line ends that it began with.
        own = len(taken.text.lstrip("\n")) if continuing else length
        signature = Piece(0, len(code.text) - own, None)
        stands = made().after(unwrapping.origins())
        return joined([signature, *cut(stands, length - own, length)])

    return extraction, origins


def _simple_names(uses: Sequence[str]) -> frozenset[str]:
    """
    Reduce `Stack.push` to `Stack` and `( + )` to `+`.
    """
    plain = (use.strip("() ") for use in uses)
    return frozenset(
        name.partition(".")[0] if name[:1].isalpha() else name for name in plain
    )
