"""The definitions at the top of a program, found without a parser: what they are called, and
which names they take from what stands before them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from .lexing import Source

WORD = re.compile(r"[A-Za-z_][\w']*")

# More than are in a megabyte of code; bounds the work on spam.
_MOST_TOKENS = 200_000
# Not in an operator's name, as in `( let* )`.
_KEYWORD = re.compile(
    r"(?<![\w'.~?])(?:let|in|and|end|struct|sig|object|begin|type|module|exception|class"
    r"|open|include|external)(?![\w'])(?![$&*+\-/:<=>@^|]{1,20}\s{0,9}\))|;;"
)
_BEFORE = re.compile(r"\w[\w']*|;;|[(|:]")
_OPERATOR = re.compile(
    r"\w+\s*(?:rec\b\s*)?\(\s*(?:([!$%&*+\-./:<=>?@^|~#]+)|((?:let|and)[$&*+\-/:<=>@^|]+))\s*\)"
)
_ATTRIBUTE = re.compile(r"^(\w+)\[@[^\]]{0,80}\]", re.MULTILINE)
_OPENERS = frozenset(("struct", "sig", "object", "begin"))
_ITEMS = frozenset(
    ("type", "module", "exception", "class", "open", "include", "external")
)
# Behind one of these the word belongs to what has begun already, as in `let open M in`.
_INSIDE = frozenset(("(", "|", ":", "let", "with", "module", "class", "and", "include"))
# A constructor, or a field: what a type defines besides its name.
# Whole words only, or a long one would be tried from each of its letters on.
_MEMBER = re.compile(r"(?<![\w'])(?:[A-Z][\w']*+(?!\.)|[a-z_][\w']*+(?=\s*+:))")
_TYPE_VARIABLE = re.compile(r"'([a-z_]\w*)")
_REC = re.compile(r"\brec\b")
_HEAD_WORDS = frozenset(("rec", "nonrec", "private", "virtual", "_"))
# A name in use; of a path only what it begins with.
_USED = re.compile(
    r"(?<![\w'])(?:([A-Z][\w']*)(?:\s*\.\s*[A-Za-z_][\w']*)*"
    r"|((?:let|and)[$&*+\-/:<=>@^|]++|[a-z_][\w']*))|([!$%&*+\-./:<=>?@^|~#]++)"
)
_SIGNS = frozenset(("=", "->", "|", ":", "."))
# Types and defaults of parameters bind nothing.
_NO_BINDER = re.compile(r":[^),=;]*")
_LOWER = re.compile(r"(?<![\w'.])[a-z_][\w']*")
_STRUCTURE = re.compile(
    r"\s*(?:let|type|open|module|exception|external|include|class)\b"
)
_BRACKET = re.compile(
    r"(?<![\w'.~?])(?:begin|object|sig|struct|end|do|done|val)(?![\w'])|[()\[\]{}]"
)
_CLOSES = {")": "(", "]": "[", "}": "{", "end": "end", "done": "do"}
_OPEN_END = re.compile(
    r"(?:[=|,(\[{+*/^@<&-]|[|-]>|(?<![\w'])(?:and|do|else|fun|function|if|in|let|match|of"
    r"|open|rec|then|try|type|when|with))\Z"
)
# What a toplevel or a writer in a hurry puts between definitions.
_NO_SOURCE = re.compile(r"\.\.\.|\u2026|^#[ \t]|^- :", re.MULTILINE)
_END = "\nend"
# How far modules within modules are looked into.
_DEPTH = 20
_VALUE = re.compile(r"[a-z_][\w']*")


@dataclass(frozen=True, eq=False)
class Definition:
    """A definition at the top of the code, or several that are joined by `and`.

    `text` begins at `start`, without comments and literals; `names` are what it defines,
    constructors and fields among them, `heads` those names without these.
    """

    kind: str
    start: int
    text: str
    names: frozenset[str]
    heads: frozenset[str]
    joined: bool

    @property
    def stop(self) -> int:
        """Where it ends, and the next one begins."""
        return self.start + len(self.text)

    @cached_property
    def uses(self) -> frozenset[str]:
        """The names in it that are not bound within it."""
        head, _, inside = self.text.partition("struct")
        text = head if self.kind == "module" else self.text
        found = _used(text)
        # Names bound further in may be others elsewhere in it; parameters are the same all through.
        parameters = _NO_BINDER.sub("", text.partition("=")[0])
        bound = set() if self.joined else set(_LOWER.findall(parameters))
        if self.kind == "module" and self.text.count("struct") <= _DEPTH:
            found |= uses(Source(inside))
        own = set(self.names)
        if self.kind in ("let", "module") and not _REC.search(self.text):
            # Behind its head such a name is what it was before.
            own -= _used(text.partition("=")[2])
            bound -= self.names
        return frozenset(found - _SIGNS - bound - own)


class Program(NamedTuple):
    """The definitions of a text, and whether an `end` in it closes what began before."""

    items: tuple[Definition, ...]
    ends_more: bool

    @property
    def names(self) -> frozenset[str]:
        """All that it defines."""
        return frozenset[str]().union(*(item.names for item in self.items))


@lru_cache(maxsize=64)
def definitions(source: Source) -> Program:
    """Find the items at the top, where a `let` that never meets its `in` is one."""
    blank = source.without_literals
    # The kind of each item and where it begins; of those joined by `and`, where each does.
    found: list[tuple[str, list[int]]] = []
    # For each `let` without its `in` so far, how many items stand before it; for each `struct`,
    # `begin` and the like, how many of those `let`s do.
    lets: list[int] = []
    frames: list[int] = []
    ends_more = False
    for token in islice(_KEYWORD.finditer(blank), _MOST_TOKENS):
        word, start = token[0], token.start()
        if word in _OPENERS:
            frames.append(len(lets))
        elif word == "end":
            ends_more = ends_more or not frames
            del lets[frames.pop() if frames else len(lets) :]
        elif word == "in" and lets:
            place = lets.pop()
            del found[len(found) if frames else place :]
        elif word == "let":
            lets.append(len(found))
        if not frames:
            _note(found, word, start, blank)
    ends = [starts[0] for _, starts in found[1:]] + [len(blank)]
    items = [
        _definition(kind, starts, blank, end)
        for (kind, starts), end in zip(found, ends, strict=False)
    ]
    return Program(tuple(items), ends_more)


def defined_names(code: str) -> frozenset[str]:
    """Return the names that a text defines at its top."""
    return definitions(Source(code)).names


def opens_structure(blank: str) -> bool:
    """Tell whether the first word of a blanked text can open an OCaml file."""
    return bool(_STRUCTURE.match(blank))


def is_whole(source: Source) -> bool:
    """Tell whether a text is a row of definitions with a beginning and an end, which other
    code may stand before and behind.
    """
    blank = source.without_literals
    if not opens_structure(blank) or _NO_SOURCE.search(blank):
        return False
    # A local definition that never meets its `in` leaves what it stands in open.
    code = source.without_comments
    if any(
        _is_open(code[each.start : each.stop]) for each in definitions(source).items
    ):
        return False
    # A comment or a string that never ends takes in whatever comes behind it.
    if not Source(source.text + _END).without_literals.endswith(_END):
        return False
    frames: list[str] = []
    for word in _BRACKET.findall(blank):
        if word == "val" and not frames:
            # An interface, or what a toplevel answers.
            return False
        if word in _CLOSES:
            if not frames or frames.pop() != _CLOSES[word]:
                return False
        elif word != "val":
            frames.append(word if word in "([{do" else "end")
    return not frames


def is_open(source: Source) -> bool:
    """Tell whether a text ends in a word or a sign that something has to follow."""
    return _is_open(source.without_comments)


def _is_open(text: str) -> bool:
    return bool(_OPEN_END.search(text.rstrip()[-20:]))


def uses(source: Source) -> frozenset[str]:
    """Return the names that a program takes from what stands before it."""
    known: set[str] = set()
    found: set[str] = set()
    for item in definitions(source).items:
        found |= item.uses - known
        known |= item.names
    return frozenset(found)


def needed(
    source: Source, names: Collection[str], but: Collection[str] = ()
) -> tuple[list[tuple[int, int]], set[str]]:
    """Find the definitions of some names and what these use: where they stand, and the names
    that are left.  What `but` names is defined again later, and leads to nothing by itself.
    """
    left = set(names)
    ranges: list[tuple[int, int]] = []
    opened: list[tuple[int, int]] = []
    for item in reversed(definitions(source).items):
        if item.kind in ("open", "include"):
            opened.append((item.start, item.stop))
        elif item.names & left and (ranges or item.names.isdisjoint(but)):
            ranges.append((item.start, item.stop))
            left = (left - item.names) | item.uses
    return sorted([*ranges, *opened]) if ranges else [], left


@lru_cache(maxsize=256)
def outermost(uses: tuple[str, ...], reference: str | None) -> tuple[str, ...]:
    """Leave out of `uses` what a reference solution has inside its modules alone: where tests
    open what a functor of the code's makes (`module S = Make (Int) open S`), the values of
    that module look like others that the code is to define.
    """
    program = definitions(Source(reference or ""))
    if any(item.kind in ("open", "include") for item in program.items):
        return uses
    modules = (item.text for item in program.items if item.kind == "module")
    inside = {word for text in modules for word in WORD.findall(text)} - program.names
    return tuple(use for use in uses if use not in inside or not _VALUE.fullmatch(use))


def _used(text: str) -> set[str]:
    return {each[1] or each[2] or each[3] for each in _USED.finditer(text)}


def _note(
    found: list[tuple[str, list[int]]], word: str, start: int, blank: str
) -> None:
    if word == "and" and found:
        found[-1][1].append(start)
    elif word in ("let", ";;") or (word in _ITEMS and _begins(blank, start)):
        found.append((word, [start]))


def _begins(blank: str, start: int) -> bool:
    before = _BEFORE.findall(blank[max(0, start - 80) : start])
    return not before or before[-1] not in _INSIDE


def _definition(kind: str, starts: list[int], blank: str, end: int) -> Definition:
    parts = [blank[a:b] for a, b in zip(starts, [*starts[1:], end], strict=True)]
    heads = frozenset[str]().union(*(_heads(kind, part) for part in parts))
    names = heads.union(*(_members(kind, part) for part in parts))
    text = blank[starts[0] : end]
    return Definition(kind, starts[0], text, names, heads, len(parts) > 1)


def _members(kind: str, text: str) -> frozenset[str]:
    if kind != "type":
        return frozenset()
    parameters = _TYPE_VARIABLE.findall(text[:200].partition("=")[0])
    return frozenset(_MEMBER.findall(text)).difference(parameters)


def _heads(kind: str, text: str) -> frozenset[str]:
    # An attribute may stand behind the keyword: `let[@inline] f x`.
    if "[@" in text[:80]:
        text = _ATTRIBUTE.sub(r"\1", text[:400])
    head = text[:200].partition("=")[0]
    words = [word for word in WORD.findall(head)[1:] if word not in _HEAD_WORDS]
    if kind == "let":
        if operator := _OPERATOR.match(text[:200]):
            return frozenset([operator[1] or " ".join(operator[2].split())])
        # A tuple such as `let even, odd = …` binds each of its names.
        return frozenset(words if "," in head else words[:1])
    if kind == "type" and head.endswith("+"):
        # `type t += A` defines A, and t before it.
        return frozenset(_MEMBER.findall(text.partition("=")[2]))
    if kind == "type":
        return frozenset(words).difference(_TYPE_VARIABLE.findall(head))
    if kind in ("exception", "external", "class"):
        return frozenset(words[:1])
    if kind == "module":
        # `module type S`; what stands behind a module's own name is what it is made of.
        return frozenset(words[1:2] if words[:1] == ["type"] else words[:1])
    return frozenset()
