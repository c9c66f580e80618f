"""
The definitions at the top of a program, found without a parser: what they are called, and
which names stand in them.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

__all__ = ["WORD", "Definition", "definitions"]

WORD = re.compile(r"[A-Za-z_][\w']*")

# More than are in a megabyte of code; bounds the work on spam.
_MOST_TOKENS = 200_000
# Not in an operator's name, as in `( let* )`.
_KEYWORD = re.compile(
    r"(?<![\w'.~?])(?:let|in|and|end|struct|sig|object|begin|type|module|exception|class"
    r"|open|include|external)(?![\w'])(?![$&*+\-/:<=>@^|]{1,20}\s{0,9}\))|;;"
)
_BEFORE = re.compile(r"([A-Za-z_][\w']*|;;|[(|:])[^\w(|:]*$")
_OPERATOR = re.compile(
    r"\w+\s*(?:rec\b\s*)?\(\s*(?:([!$%&*+\-./:<=>?@^|~#]+)|((?:let|and)[$&*+\-/:<=>@^|]+))\s*\)"
)
_ATTRIBUTE = re.compile(r"^(\w+)\[@[^\]]{0,80}\]", re.MULTILINE)
_EXTENDS = re.compile(r"type\b[^=+]{0,200}(?:[+]'[^=+]{0,80}){0,4}\+=")
_OPENERS = frozenset(("struct", "sig", "object", "begin"))
_ITEMS = frozenset(
    ("type", "module", "exception", "class", "open", "include", "external")
)
# Behind one of these the word belongs to what has begun already, as in `let open M in`.
_INSIDE = frozenset(("(", "|", ":", "let", "with", "module", "class", "and", "include"))
# A constructor, or a field: what a type defines besides its name.
# Whole words only, or a long one would be tried from each of its letters on.
_MEMBER = re.compile(r"(?<![\w'])(?:[A-Z][\w']*+(?!\.)|[a-z_][\w']*+(?=\s*+:))")


@dataclass(kw_only=True, eq=False)
class Definition:
    """
    A definition at the top of the code; `group` is the same for those joined by `and`.
    """

    kind: str
    start: int
    group: int
    text: str = ""
    needed: bool = False

    @cached_property
    def names(self) -> frozenset[str]:
        """
        What it defines.
        """
        return _names(self.kind, self.text)

    @cached_property
    def words(self) -> Counter[str]:
        """
        Every name and keyword in it, with how often it stands there.
        """
        return Counter(WORD.findall(self.text))

    @property
    def end(self) -> int:
        """
        Where it ends.
        """
        return self.start + len(self.text)

    @property
    def recursive(self) -> bool:
        """
        Say whether a name of its own means itself, and not an earlier one.
        """
        return self.kind not in ("let", "module") or "rec" in self.words


def definitions(blank: str) -> list[Definition]:
    """
    Find the items at the top, where a `let` that never meets its `in` is one.
    """
    found: list[Definition] = []
    lets: list[int] = []
    frames: list[int] = []
    for token in islice(_KEYWORD.finditer(blank), _MOST_TOKENS):
        word, start = token[0], token.start()
        if word in _OPENERS:
            frames.append(len(lets))
        elif word == "end" and frames:
            del lets[frames.pop() :]
        elif word == "in" and lets:
            place = lets.pop()
            if not frames:
                del found[place:]
        elif word == "let":
            lets.append(len(found))
        if not frames and _begins(word, blank, start):
            last = found[-1] if found and word == "and" else None
            kind, group = (last.kind, last.group) if last else (word, start)
            found.append(Definition(kind=kind, start=start, group=group))
    ends = [item.start for item in found[1:]] + [len(blank)]
    for item, end in zip(found, ends, strict=False):
        item.text = blank[item.start : end]
    return found


def _begins(word: str, blank: str, start: int) -> bool:
    if word in _ITEMS:
        before = _BEFORE.search(blank[max(0, start - 80) : start])
        return before is None or before[1] not in _INSIDE
    return word in ("let", "and", ";;")


def _names(kind: str, text: str) -> frozenset[str]:
    # An attribute may stand behind the keyword: `let[@inline] f x`.
    text = _ATTRIBUTE.sub(r"\1", text[:400]) if "[@" in text[:80] else text
    head = text.partition("=")[0][:200]
    words = [word for word in WORD.findall(head)[1:] if word not in ("rec", "_")]
    if kind == "let":
        if operator := _OPERATOR.match(text):
            return frozenset([operator[1] or " ".join(operator[2].split())])
        return frozenset(words if "," in head else words[:1])
    if kind == "type" and _EXTENDS.match(text):
        # `type t += A` defines A, and t before it.
        return frozenset(_MEMBER.findall(text.partition("=")[2]))
    if kind in ("exception", "external"):
        # What it carries, and its type, were there before; the fields of a record were not.
        fields = (name for name in _MEMBER.findall(head) if kind == "exception")
        return frozenset((*words[:1], *(name for name in fields if name[0].islower())))
    if kind in ("open", "include", ";;"):
        return frozenset()
    if kind == "module":
        # `module type S`; what stands behind a module's own name is what it is made of.
        return frozenset(words[:2] if words[:1] == ["type"] else words[:1])
    return frozenset((*words, *_MEMBER.findall(text)))
