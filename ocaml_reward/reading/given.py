"""Combines a completion's code with code that the problem gives.

Given code is put before the completion's or into it, except definitions that the completion has
itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .definitions import Definition, Key, definitions, opens_structure, uses
from .lexing import Source
from .source_map import Edit, Ranges

# Items of these kinds, and values that are not functions, must exist only once for all their users.
_ONE = frozenset(("type", "exception", "module", "class"))
# A parameter before or after the equals sign.
_FUNCTION = re.compile(
    r"\A(?:let|and)\s+(?:rec\s+)?(?:[\w']+|\([^)]*\))\s*(?:[^\s=:]|(?::[^=]*)?=\s*fun)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """Given definitions, and the names that the tests need; of a `whole` all definitions are
    needed.
    """

    code: str = ""
    needed: tuple[str, ...] = ()
    whole: bool = False


NOTHING: Final = Given()
"""The given code of problems that give none."""


def given_edits(code: Source, given: Given, *, opens: bool = False) -> list[Edit]:
    """Return the edits that put given code before or into the code.

    Inserted are the definitions that the code or the tests need and that the code lacks, with their
    dependencies; what is only opened is inserted if code `opens` it. A definition that uses one of
    the code's own is put after that one.
    """
    begins = opens_structure(code.without_literals)
    if not given.code or not code.lines or not (begins or given.whole):
        return []
    source = Source(given.code)
    own = _own(code)
    rows: dict[int, list[str]] = {}
    places: dict[str, int] = {}
    for item in _needed(source, code, given, own, opens=opens):
        if _is_replaced(item, own):
            place = max(own[head].stop for head in item.head_keys & own.keys())
        else:
            place = max((places.get(name, 0) for name in item.uses), default=0)
            text = source.text[item.start : item.stop].strip()
            rows.setdefault(place, []).append(text)
        places.update(dict.fromkeys(item.names, place))
    if 0 in rows and not begins:
        # Without ";;" an expression would become an argument of what precedes it.
        rows[0].append(";;")
    return [
        Edit(place, place, "\n".join([*[""] * bool(place), *rows[place], ""]))
        for place in sorted(rows)
    ]


def inserted_ranges(edits: Sequence[Edit]) -> Ranges:
    """Return the ranges of the edited text that edits inserted."""
    found: list[tuple[int, int]] = []
    moved = 0
    for edit in edits:
        found.append((edit.start + moved, edit.start + moved + len(edit.new)))
        moved += len(edit.new) - (edit.stop - edit.start)
    return tuple(found)


def without_ranges(text: str, ranges: Ranges) -> str:
    """Return a text without some ranges."""
    kept: list[str] = []
    done = 0
    for start, stop in ranges:
        kept.append(text[done:start])
        done = stop
    return "".join([*kept, text[done:]])


def byte_ranges(text: str, ranges: Ranges) -> tuple[tuple[int, int], ...]:
    """Convert ranges of characters to ranges of the text's UTF-8 bytes."""
    found: list[int] = []
    done = place = 0
    for edge in (edge for each in ranges for edge in each):
        place += len(text[done:edge].encode("utf-8", "replace"))
        done = edge
        found.append(place)
    return tuple(zip(found[::2], found[1::2], strict=True))


def _own(code: Source) -> dict[Key, Definition]:
    """Return the item that defines each name at the top level of the code.

    An `include` may define any name that is defined in a module.
    """
    items = definitions(code).items
    found: dict[Key, Definition] = {}
    for item in items:
        found.update(dict.fromkeys(item.head_keys, item))
    includes = [item for item in items if item.kind == "include"]
    if includes:
        for item in items:
            _, inside, text = item.text.partition("struct")
            for each in definitions(Source(text)).items if inside else ():
                found.update(dict.fromkeys(each.head_keys, includes[-1]))
    return found


def _is_replaced(item: Definition, own: Mapping[Key, Definition]) -> bool:
    """Return whether the code's own definitions replace an item for all its users."""
    if item.kind in _ONE:
        return not item.head_keys.isdisjoint(own)
    return bool(item.heads) and item.head_keys <= own.keys() and not _FUNCTION.match(item.text)


def _needed(
    source: Source,
    code: Source,
    given: Given,
    own: Mapping[Key, Definition],
    *,
    opens: bool,
) -> list[Definition]:
    """Return the given items that are needed by the code, the tests or each other."""
    items = definitions(source).items
    lacking = {key for each in items for key in each.keys}
    lacking.difference_update(own, definitions(code).keys)
    left = {name for _, name in lacking}
    if not given.whole:
        # Most code defines all names that it uses; a substring search shows that quickly.
        named = {name for name in left if name in code.text}
        left &= {*given.needed, *(uses(code) if named else ())}
    # Inside given code a name refers to the given definition.
    mentioned: set[str] = set()
    found: list[Definition] = []
    for item in reversed(items):
        if item.names and item.names.isdisjoint(left | mentioned):
            continue
        found.append(item)
        left -= item.names
        mentioned -= item.names
        if item.names and not _is_replaced(item, own):
            mentioned |= item.uses
    is_any = any(each.names and not _is_replaced(each, own) for each in found)
    return found[::-1] if given.whole or opens or is_any else []
