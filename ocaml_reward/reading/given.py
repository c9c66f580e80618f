"""Code that a problem gives: it stands before a completion's, or amid it, as far as this does not
define the same itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .definitions import Definition, definitions, opens_structure, uses
from .lexing import Source
from .source_map import Edit, Ranges

# Of these, and of values that are no functions, there is one for all that mentions it.
_ONE = frozenset(("type", "exception", "module", "class"))
# A parameter in front of the sign, or behind it.
_FUNCTION = re.compile(
    r"\A(?:let|and)\s+(?:rec\s+)?(?:[\w']+|\([^)]*\))\s*(?:[^\s=:]|(?::[^=]*)?=\s*fun)"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Given:
    """Code as a row of definitions, and the names that the tests need, of these or of others; of a
    `whole` everything is needed.
    """

    code: str = ""
    needed: tuple[str, ...] = ()
    whole: bool = False


NOTHING: Final = Given()
"""What problems give that give nothing."""


def lent(code: Source, given: Given, *, opens: bool = False) -> list[Edit]:
    """Find what stands before the code of what is given: what the code or the tests need and the
    code does not define, with what that needs in turn; what is only opened if code `opens` it.
    What mentions something that the code has itself stands behind that.
    """
    begins = opens_structure(code.without_literals)
    if not given.code or not code.lines or not (begins or given.whole):
        return []
    source = Source(given.code)
    own = _own(code)
    rows: dict[int, list[str]] = {}
    places: dict[str, int] = {}
    for item in _needed(source, code, given, own, opens=opens):
        if _is_the_codes(item, own):
            place = max(own[head].stop for head in item.heads & own.keys())
        else:
            place = max((places.get(name, 0) for name in item.uses), default=0)
            text = source.text[item.start : item.stop].strip()
            rows.setdefault(place, []).append(text)
        places.update(dict.fromkeys(item.names, place))
    if 0 in rows and not begins:
        # An expression would be an argument of what stands before it.
        rows[0].append(";;")
    return [
        Edit(place, place, "\n".join([*[""] * bool(place), *rows[place], ""]))
        for place in sorted(rows)
    ]


def put_in(edits: Sequence[Edit]) -> Ranges:
    """Tell where what edits put in stands in the text that they make."""
    found: list[tuple[int, int]] = []
    moved = 0
    for edit in edits:
        found.append((edit.start + moved, edit.start + moved + len(edit.new)))
        moved += len(edit.new) - (edit.stop - edit.start)
    return tuple(found)


def without(text: str, ranges: Ranges) -> str:
    """Cut some ranges out of a text."""
    kept: list[str] = []
    done = 0
    for start, stop in ranges:
        kept.append(text[done:start])
        done = stop
    return "".join([*kept, text[done:]])


def in_bytes(text: str, ranges: Ranges) -> tuple[tuple[int, int], ...]:
    """Tell where ranges of characters stand in a text's UTF-8."""
    found: list[int] = []
    done = place = 0
    for edge in (edge for each in ranges for edge in each):
        place += len(text[done:edge].encode("utf-8", "replace"))
        done = edge
        found.append(place)
    return tuple(zip(found[::2], found[1::2], strict=True))


def _own(code: Source) -> dict[str, Definition]:
    """Find the items that have given a name at the top of the code; what includes a module may have
    given any that stands in a module.
    """
    items = definitions(code).items
    found: dict[str, Definition] = {}
    for item in items:
        found.update(dict.fromkeys(item.heads, item))
    includes = [item for item in items if item.kind == "include"]
    if includes:
        for item in items:
            _, inside, text = item.text.partition("struct")
            for each in definitions(Source(text)).items if inside else ():
                found.update(dict.fromkeys(each.heads, includes[-1]))
    return found


def _is_the_codes(item: Definition, own: Mapping[str, Definition]) -> bool:
    """Tell whether all that mentions what an item defines means the code's own."""
    if item.kind in _ONE:
        return not item.heads.isdisjoint(own)
    return (
        bool(item.heads) and item.heads <= own.keys() and not _FUNCTION.match(item.text)
    )


def _needed(
    source: Source,
    code: Source,
    given: Given,
    own: Mapping[str, Definition],
    *,
    opens: bool,
) -> list[Definition]:
    """Find the items that are needed, by code, by tests or by each other."""
    items = definitions(source).items
    left = {name for each in items for name in each.names}
    left.difference_update(own, definitions(code).names)
    if not given.whole:
        # Most code has all that it names, which is faster to see than what it takes.
        named = {name for name in left if name in code.text}
        left &= {*given.needed, *(uses(code) if named else ())}
    # What something given mentions is what that was where it is given.
    mentioned: set[str] = set()
    found: list[Definition] = []
    for item in reversed(items):
        if item.names and item.names.isdisjoint(left | mentioned):
            continue
        found.append(item)
        left -= item.names
        mentioned -= item.names
        if item.names and not _is_the_codes(item, own):
            mentioned |= item.uses
    is_any = any(each.names and not _is_the_codes(each, own) for each in found)
    return found[::-1] if given.whole or opens or is_any else []
