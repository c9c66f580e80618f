"""Finds a program's top-level definitions, their names, and the names that they use, without a
parser.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from .lexing import Source

WORD = re.compile(r"[A-Za-z_][\w']*")
ITEM = "let|type|open|module|exception|external|include|class"
"""The words with which a definition begins, as a part of an expression."""

# A megabyte of code has fewer; bounds the work on spam.
_MOST_TOKENS = 60_000
# Not inside an operator's name, as in `( let* )`. (ucsd-progsys/nate sp14/0000)
_KEYWORD = re.compile(
    r"(?<![\w'.~?])(?:let|in|and|end|struct|sig|object|begin|type|module|exception|class"
    r"|open|include|external)(?![\w'])(?![$&*+\-/:<=>@^|]{1,20}\s{0,9}\))|;;(?:\s*+;;)*+"
)
_BEFORE = re.compile(r"\w[\w']*|;;|[(|:]")
# (exercism/ocaml exercises/practice/forth)
_OPERATOR = re.compile(
    r"\w+\s*(?:rec\b\s*)?\(\s*(?:([!$%&*+\-./:<=>?@^|~#]+)|((?:let|and)[$&*+\-/:<=>@^|]+))\s*\)"
)
# (ucsd-progsys/nate sp14/1703)
_TUPLE = re.compile(r"\w++\s*+(?:\(|[a-z_][\w']*+\s*+,)")
# (ocaml/ocaml stdlib/bytes.ml:557)
_ATTRIBUTE = re.compile(r"^(\w+)\[@[^\]]{0,80}\]", re.MULTILINE)
_OPENERS = frozenset(("struct", "sig", "object", "begin"))
_ITEMS = frozenset(ITEM.split("|"))
# After one of these tokens a keyword continues the current item, as in `let open M in`.
_INSIDE = frozenset(("(", "|", ":", "let", "with", "module", "class", "and", "include"))
# A constructor or a field. Matches whole words only, or a long word would be tried from each of its
# letters. (sauravbhattacharya001/Ocaml-sample-code tests/test_sat_solver.ml)
_MEMBER = re.compile(r"(?<![\w'])(?:[A-Z][\w']*+(?!\.)|[a-z_][\w']*+(?=\s*+:))")
_LABEL = re.compile(r"(?<![\w'])[a-z_][\w']*+\s*+:")
_TYPE_VARIABLE = re.compile(r"'([a-z_]\w*)")
_REC = re.compile(r"\brec\b")
_HEAD_WORDS = frozenset(("rec", "nonrec", "private", "virtual", "_"))
# A used name; for a path only its first component.
_USED = re.compile(
    r"(?<![\w'])(?:([A-Z][\w']*)(?:\s*\.\s*[A-Za-z_][\w']*)*"
    r"|((?:let|and)[$&*+\-/:<=>@^|]++|[a-z_][\w']*))|([!$%&*+\-./:<=>?@^|~#]++)"
)
_SIGNS = frozenset(("=", "->", "|", ":", "."))
# The type behind a colon, but not the value behind `~label:`.
# (sauravbhattacharya001/Ocaml-sample-code tests/test_sat_solver.ml)
_ANNOTATION = re.compile(r"[~?][a-z_][\w']*+\s*+:|(?<!:):(?![:=])((?:[^()=;]|\([^()]*\))*+)")
# `?(size = size)` uses another value of the name. (ocaml/ocaml stdlib/arg.ml:277)
_DEFAULT = re.compile(r"\?\(\s*([a-z_][\w']*+)[^=()]*=\s*\1(?![\w'])")
_LOWER = re.compile(r"(?<![\w'.])[a-z_][\w']*")
_STRUCTURE = re.compile(rf"\s*(?:{ITEM})\b")
_BRACKET = re.compile(
    r"(?<![\w'.~?])(?:begin|object|sig|struct|end|do|done|val)(?![\w'])|[()\[\]{}]"
)
_CLOSES = {")": "(", "]": "[", "}": "{", "end": "end", "done": "do"}
# (kirang89/ocamler-grpo eval/ocaml_tests_sample.csv:27)
_OPEN_END = re.compile(
    r"(?:[=|,(\[{+*/^@<&-]|[|-]>|(?<![\w'])(?:and|do|else|fun|function|if|in|let|match|of"
    r"|open|rec|then|try|type|when|with))\Z"
)
# Text that a toplevel, or a writer who abbreviates, puts between definitions.
# (jaylene-zhang/ArtifactProgramming2025 Explain/q30/Llama3.1 8B_q30_answer_5)
_NO_SOURCE = re.compile(r"\.\.\.|\u2026|^#[ \t]|^- :", re.MULTILINE)
_END = "\nend"
# Maximum nesting of modules that is analysed.
_DEPTH = 20
_VALUE = re.compile(r"[a-z_][\w']*")
_NAMESPACES = {"let": "value", "external": "value", "exception": "member"}

Key = tuple[str, str]
"""A name with its namespace: a value, a type and a label of one name are three definitions."""


@dataclass(frozen=True, eq=False)
class Definition:
    """A top-level definition, or several joined by `and`.

    `text` begins at `start`, without comments and literals. `names` are the defined names,
    including constructors and fields; `heads` are those without constructors and fields.
    """

    kind: str
    start: int
    text: str
    names: frozenset[str]
    heads: frozenset[str]
    joined: bool

    @property
    def stop(self) -> int:
        """Return the end of the definition, where the next one begins."""
        return self.start + len(self.text)

    @cached_property
    def keys(self) -> frozenset[Key]:
        """Return all defined names with their namespaces."""
        space = _NAMESPACES.get(self.kind, self.kind)
        return frozenset((space if name in self.heads else "member", name) for name in self.names)

    @cached_property
    def offers(self) -> frozenset[Key]:
        """Return what a use may refer to: types and, as one kind, all else."""
        return frozenset(use(name, is_type=space == "type") for space, name in self.keys)

    @cached_property
    def uses(self) -> frozenset[Key]:
        """Return the names used but not bound in the definition; each is a type or anything else."""
        head, _, inside = self.text.partition("struct")
        text = head if self.kind == "module" else self.text
        if self.kind in ("type", "exception"):
            # A label may have the name of its type, `{ suit : suit }`.
            found = {use(name, is_type=True) for name in _used(_LABEL.sub("", text))}
            return frozenset(found - self.offers)
        found = _keys_used(text)
        # Names bound deeper inside may be rebound; parameters are the same throughout.
        parameters, _ = _apart(text.partition("=")[0])
        names = set() if self.joined else set(_LOWER.findall(parameters))
        if self.kind == "module" and self.text.count("struct") <= _DEPTH:
            found |= definitions(Source(inside)).uses
        own = set(self.offers)
        if self.kind in ("let", "module") and not _REC.search(self.text):
            # After its head such a name refers to the earlier definition.
            own -= _keys_used(text.partition("=")[2])
            names -= self.names
        names.difference_update(_DEFAULT.findall(self.text))
        return frozenset(found - own - {use(name) for name in names})


@dataclass(frozen=True, eq=False)
class Program:
    """The definitions of a text."""

    source: Source
    items: tuple[Definition, ...]

    @cached_property
    def names(self) -> frozenset[str]:
        """Return all names that it defines."""
        return frozenset[str]().union(*[item.names for item in self.items])

    @cached_property
    def heads(self) -> frozenset[str]:
        """Return these names without constructors and fields."""
        return frozenset[str]().union(*[item.heads for item in self.items])

    @cached_property
    def keys(self) -> frozenset[Key]:
        """Return all names with their namespaces."""
        return frozenset[Key]().union(*[item.keys for item in self.items])

    @cached_property
    def uses(self) -> frozenset[Key]:
        """Return the names that it uses from earlier code."""
        known: set[Key] = set()
        found: set[Key] = set()
        for item in self.items:
            found |= item.uses - known
            # A label hides no value.
            labels = {name for space, name in item.keys if space == "member" and name[0].islower()}
            known |= item.offers - set(map(use, labels))
        return frozenset(found)

    def needed(self, used: Collection[Key]) -> tuple[list[tuple[int, int]], set[Key]]:
        """Find the definitions of used names and of the names that these use.

        Returns their ranges, and the names not found.
        """
        left = set(used)
        ranges: list[tuple[int, int]] = []
        for item in reversed(self.items):
            if item.offers & left:
                ranges.append((item.start, item.stop))
                left = (left - item.offers) | item.uses
        return ranges[::-1], left


@lru_cache(maxsize=64)
def definitions(source: Source) -> Program:
    """Return the top-level items; a `let` without its `in` is one.
    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw1/Gemini 1.5 Flash 8B_hw1_answer_5)
    """
    blank = source.without_literals
    # The kind and offset of each item; for definitions joined by `and`, the offset of each.
    found: list[tuple[str, list[int]]] = []
    # For each open `let`, the number of items before it; for each open `struct`, `begin` or the
    # like, the number of open `let`s.
    lets: list[int] = []
    frames: list[int] = []
    for token in islice(_KEYWORD.finditer(blank), _MOST_TOKENS):
        word = token[0]
        if word == "let":
            lets.append(len(found))
        elif word == "in":
            if lets:
                place = lets.pop()
                del found[len(found) if frames else place :]
            continue
        elif word in _OPENERS:
            frames.append(len(lets))
        elif word == "end":
            del lets[frames.pop() if frames else len(lets) :]
            continue
        if not frames and word == "and" and found:
            found[-1][1].append(token.start())
        elif not frames and _begins(word, blank, token.start()):
            found.append((word, [token.start()]))
    ends = [starts[0] for _, starts in found[1:]] + [len(blank)]
    items = [
        _definition(kind, starts, blank, end)
        for (kind, starts), end in zip(found, ends, strict=False)
    ]
    return Program(source, tuple(items))


def defined_names(code: str) -> frozenset[str]:
    """Return the names that a text defines at its top level, without constructors and fields."""
    return definitions(Source(code)).heads


def opens_structure(blank: str) -> bool:
    """Return whether the first word of a blanked text can start an OCaml file."""
    return bool(_STRUCTURE.match(blank))


def is_whole(source: Source) -> bool:
    """Return whether a text is a complete sequence of definitions.

    Other code may then be put before and after it.

    (jaylene-zhang/ArtifactProgramming2025 CodeGen/hw5/Llama3.1 8B_hw5_answer_5)
    """
    blank = source.without_literals
    if not opens_structure(blank) or _NO_SOURCE.search(blank):
        return False
    # A local definition without its `in` leaves the enclosing expression open.
    code = source.without_comments
    if any(is_open(code[each.start : each.stop]) for each in definitions(source).items):
        return False
    # An unterminated comment or string would swallow the code after it.
    if not Source(source.text + _END).without_literals.endswith(_END):
        return False
    frames: list[str] = []
    for word in _BRACKET.findall(blank):
        if word == "val" and not frames:
            # An interface, or the output of a toplevel.
            return False
        if word in _CLOSES:
            if not frames or frames.pop() != _CLOSES[word]:
                return False
        elif word != "val":
            frames.append(word if word in "([{do" else "end")
    return not frames


def is_open(code: str) -> bool:
    """Return whether code without comments ends in a word or symbol after which something has to
    follow.
    """
    return bool(_OPEN_END.search(code.rstrip()[-20:]))


@lru_cache(maxsize=256)
def outermost(uses: tuple[str, ...], reference: str | None) -> tuple[str, ...]:
    """Remove names from `uses` that a reference solution defines only inside its modules.

    If tests open the result of the code's functor (`module S = Make (Int) open S`), values of that
    module look like names that the code has to define.

    (ocaml/ocaml.org practice/050)
    """
    program = definitions(Source(reference or ""))
    if any(item.kind in ("open", "include") for item in program.items):
        return uses
    modules = (item.text for item in program.items if item.kind == "module")
    inside = {word for text in modules for word in WORD.findall(text)} - program.names
    return tuple(use for use in uses if use not in inside or not _VALUE.fullmatch(use))


def use(name: str, *, is_type: bool = False) -> Key:
    """Return what the use of a name refers to."""
    # Modules and constructors do not differ from each other, wherever they stand.
    return "type" if is_type and name[0].islower() else "value", name


def _used(text: str) -> set[str]:
    """Return the names that code uses."""
    return {each[1] or each[2] or each[3] for each in _USED.finditer(text)} - _SIGNS


def _keys_used(text: str) -> set[Key]:
    """Return the names that code uses: in annotations types, elsewhere anything else."""
    code, annotations = _apart(text)
    types = {use(name, is_type=True) for name in _used(annotations)}
    return types | {use(name) for name in _used(code)}


def _apart(text: str) -> tuple[str, str]:
    """Return code without its annotations, and these."""
    types = [each for each in _ANNOTATION.findall(text) if each]
    return _ANNOTATION.sub(lambda found: " " if found[1] else found[0], text), " ".join(types)


def _begins(word: str, blank: str, start: int) -> bool:
    """Tell whether a keyword begins an item, and is not inside one.
    (exercism/ocaml exercises/practice/forth)
    """
    if word not in _ITEMS or word == "let":
        return word == "let" or word[0] == ";"
    before = _BEFORE.findall(blank[max(0, start - 80) : start])
    return not before or before[-1] not in _INSIDE


def _definition(kind: str, starts: list[int], blank: str, end: int) -> Definition:
    """Return a definition from its parts' start positions."""
    parts = [blank[a:b] for a, b in zip(starts, [*starts[1:], end], strict=True)]
    heads = frozenset[str]().union(*[_heads(kind, part) for part in parts])
    names = heads.union(*[_members(part) for part in parts]) if kind == "type" else heads
    text = blank[starts[0] : end]
    return Definition(kind, starts[0], text, names, heads, len(parts) > 1)


def _members(text: str) -> frozenset[str]:
    """Return the constructors and labels of a type definition."""
    parameters = _TYPE_VARIABLE.findall(text[:200].partition("=")[0])
    return frozenset(_MEMBER.findall(text)).difference(parameters)


def _heads(kind: str, text: str) -> frozenset[str]:
    """Return the names that a definition itself defines. (ocaml/ocaml stdlib/format.ml:92)"""
    # An attribute may follow the keyword: `let[@inline] f x`.
    if "[@" in text[:80]:
        text = _ATTRIBUTE.sub(r"\1", text[:400])
    head = text[:200].partition("=")[0]
    words = [word for word in WORD.findall(head)[1:] if word not in _HEAD_WORDS]
    if kind == "let":
        if operator := _OPERATOR.match(text[:200]):
            return frozenset([operator[1] or " ".join(operator[2].split())])
        # A tuple such as `let even, odd = …` binds each of its names; parameters may be one, too.
        return frozenset(words if "," in head and _TUPLE.match(head) else words[:1])
    if kind == "type" and head.endswith("+"):
        # `type t += A` defines A; t was defined before.
        return frozenset(_MEMBER.findall(text.partition("=")[2]))
    if kind == "type":
        return frozenset(words).difference(_TYPE_VARIABLE.findall(head))
    if kind == "module" and words[:1] == ["type"]:
        return frozenset(words[1:2])
    # The words after a module's own name belong to its contents.
    return frozenset(words[:1] if kind in ("exception", "external", "class", "module") else ())
