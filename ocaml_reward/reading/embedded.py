r"""
Code that is data of another language: in strings of Python, TOML or a shell, in YAML, or on one
line with `\n` for its line ends.

What stands in such a string becomes a block, and what is around it closes its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .beginnings import CODE, MARGIN
from .editing import Edit
from .fences import OCAML_TAGS, find_blocks
from .lexing import Source

__all__ = ["from_escapes", "from_strings"]

_ESCAPE = re.compile(r"\\([\\\"'nrt])")
_MEANINGS = {"n": "\n", "t": "\t", "r": ""}
_ESCAPED = re.compile(r"\\.", re.DOTALL)
# Three quotes, as a string or as a fence, and one in the words of a program or a shell.  A look
# at the first character lets the search skip all others fast.
_QUOTES = re.compile(
    r"[\"'`](?:((?<=\")\"\"|(?<=')'')\\?[ \t]*(?:(?:ocaml|ml)[ \t]*(?=\n))?\n{0,3}"
    rf"(?=([ \t]*){CODE})|(?<=[ (:=,\[\n][\"`])(?=\n?{CODE}[^\"`\n]{{0,300}}=)"
    rf"|(?<=[ (:=,\[\n]')(?=\n?{CODE}[^'\n]{{0,300}}=))",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"(?<![\w\"'])[rbuf]{1,2}\Z", re.IGNORECASE)
_QUOTE_ENDS = {
    quote: re.compile(rf"(?:[^{quote}\\]|\\.)*+{quote}", re.DOTALL) for quote in "'\"`"
}
# Between strings that are the lines of one text, or parts of it.
_GOES_ON = re.compile(r"\s*([,+]?)\s*(['\"])")
# Behind what is no element of a list.
_KEY = re.compile(r"\s{0,20}:")
# The text of a key of YAML, on lines below it that stand further in.
_SCALAR = re.compile(
    rf"^[ \t]{{0,40}}(?:-[ ])?[\w\"'./-]{{1,40}}:[ ]{{1,4}}[|>][-+\d]{{0,2}}[ \t]*\n(?:[ \t]*\n){{0,3}}"
    rf"(?=([ \t]{{1,40}}){CODE})",
    re.MULTILINE,
)
# A raw string of Rust, C++ or PowerShell, by how it ends.
_RAW = re.compile(
    rf"\b(?:r(\#{{1,4}})\"|R\"(\w{{0,16}})\()\n{{0,3}}(?=([ \t]*){CODE})|@(['\"])\n(?={CODE})"
)
_SIGNS = (
    *('"""', "'''", ": |", ": >", "r#", 'R"', "@'\n", '@"\n'),
    *(
        f"{quote}{word}"
        for quote in "'\"`"
        for word in ("let ", "type ", "open ", "module ", "exception ", "(*")
    ),
    *("`\nlet ", "`\ntype ", "`\nopen ", "`\nmodule ", "`\nexception ", "`\n(*"),
)
_LINE = re.compile(r"^([ \t]*)\S.*$", re.MULTILINE)
# A call of another language, as a text without any code at the margin begins.
_CALL = re.compile(r"\s*+[A-Za-z_][\w.]{0,60}\(")
_RUN = re.compile(r"`{3,}|~{3,}")
_MOST = 200


class _Part(NamedTuple):
    """
    A string: where it begins and ends with its marks, and where what is in it does; what is
    put between it and the one before; whether a backslash is one there.
    """

    start: int
    inside: int
    end: int
    stop: int
    before: str = ""
    is_raw: bool = False


class _Text(NamedTuple):
    """
    Strings that are one text, and how far in its lines stand.
    """

    parts: tuple[_Part, ...]
    margin: str = ""

    @property
    def stop(self) -> int:
        """
        Where the last of them ends.
        """
        return self.parts[-1].stop


def from_escapes(text: str) -> list[Edit]:
    r"""
    Find what writes `\n` as a line's end in a text or a block of one line, where it has one outside
    of literals: there OCaml has no backslash.
    """
    if "\\n" not in text:
        return []
    if "\n" not in text.strip():
        return _unescaped(text, 0, len(text))
    return [
        edit
        for block in find_blocks(text).blocks
        if block.is_ocaml and block.closed and "\n" not in block.content.strip()
        for edit in _unescaped(text, block.inside, block.inside + len(block.content))
    ]


def _unescaped(text: str, start: int, stop: int) -> list[Edit]:
    """
    Find what writes the escapes of a string as what they mean: those outside of OCaml's literals,
    or all of them where its quotes are escaped, too.
    """
    part = text[start:stop]
    blank = Source(part).without_literals
    found = list(_ESCAPE.finditer(part))
    meant = [each for each in found if blank[each.start()] == "\\"]
    if any(each[1] == '"' for each in meant):
        meant = found
    return [
        Edit(start + each.start(), start + each.end(), _meaning(each[1]))
        for each in meant
    ]


def _meaning(letter: str) -> str:
    return _MEANINGS.get(letter, letter)


def from_strings(text: str) -> list[Edit]:
    """
    Find what makes blocks of the code in strings and in YAML, in a fence of another language or
    where there is none; nothing where code stands before them, or in a fence of its own.
    """
    # Most texts have none of these, which is faster to see than where they stand.
    if not any(sign in text for sign in _SIGNS):
        return []
    blocks = find_blocks(text).blocks
    if any(block.is_ocaml and block.tag for block in blocks):
        return []
    if not blocks:
        # What is printed by the rest of a definition has hardly several lines of code.
        is_call = (
            text.count("\\n") > 1 and _CALL.match(text) and not MARGIN.search(text)
        )
        return list(_made(text, 0, len(text), "```", None, is_foreign=bool(is_call)))
    edits: list[Edit] = []
    for block in blocks[:_MOST]:
        run = _RUN.match(text, block.start)
        end = min(block.inside + len(block.content), block.end)
        if block.indent and block.closed:
            # Blanks were taken off its lines.
            end = max(block.inside, text.rfind("\n", block.inside, block.end))
        if run:
            edits += _made(text, block.inside, end, run[0], block.tag)
    return edits


def _made(
    text: str,
    start: int,
    stop: int,
    run: str,
    tag: str | None,
    *,
    is_foreign: bool = True,
) -> Iterator[Edit]:
    """
    Yield the edits for the strings in a part of a text that stands in a fence with a tag, or in
    none; whether all its quotes are those of another language's strings.
    """
    before = "\n" if tag is None else f"\n{run}\n"
    after = f"\n{run}\n" if tag is None else f"\n{run}\n{run}{tag}\n"
    for number, found in enumerate(_texts(text, start, stop, in_fence=is_foreign)):
        # What another language has before a string of its own is none of OCaml's.
        own = text.rfind("\n", start, begins := found.parts[0].start) + 1
        before_it = max(start, own) if tag and tag not in OCAML_TAGS else begins
        if number == _MOST or MARGIN.search(text, start, before_it):
            return
        opening = f"{before}{found.margin}{run}ocaml\n"
        for part in found.parts:
            yield Edit(part.start, part.inside, opening or part.before)
            yield from _written(text, part)
            opening = ""
        yield Edit(part.end, found.stop, after if part.end < stop else "")
        start = found.stop


def _written(text: str, part: _Part) -> list[Edit]:
    """
    Find what writes a string's escapes as what they mean, if its writer has thought of them: no
    line ends but escaped ones, or no backslash but in twos.
    """
    if part.is_raw:
        return []
    if "\n" not in text[part.inside : part.end]:
        return _unescaped(text, part.inside, part.end)
    escapes = list(_ESCAPED.finditer(text, part.inside, part.end))
    if all(found[0] == "\\\\" for found in escapes):
        return [Edit(*found.span(), "\\") for found in escapes]
    return []


def _texts(text: str, start: int, stop: int, *, in_fence: bool) -> Iterator[_Text]:
    place = start
    scalar = _SCALAR.search(text, place, stop)
    raw = _RAW.search(text, place, stop)
    while place < stop:
        opened = _QUOTES.search(text, place, stop)
        if raw and raw.start() < place:
            raw = _RAW.search(text, place, stop)
        if scalar and scalar.start() < place:
            scalar = _SCALAR.search(text, place, stop)
        others = [found.start() for found in (opened, scalar) if found]
        if raw and raw.start() <= min(others, default=stop):
            written = _raw(text, raw, stop)
            yield written
            place = written.stop
        elif scalar and not (opened and opened.start() < scalar.start()):
            end = _scalar_end(text, scalar.end(), stop, len(scalar[1]))
            begins = scalar.end()
            yield _Text((_Part(begins, begins, end, end, is_raw=True),), scalar[1])
            place = end
        elif opened:
            place = opened.end()
            # Outside of fences prose has other single quotes, and so has OCaml.
            known = in_fence or opened[1] or text[opened.start()] == "'"
            quoted = _tripled if opened[1] else _single
            if known and (found := quoted(text, opened, start, stop)):
                yield found
                place = max(place, found.stop)
        else:
            return


def _raw(text: str, opened: re.Match[str], stop: int) -> _Text:
    hashes, name, margin, quote = opened.groups()
    closing = f"\n{quote}@" if quote else f'"{hashes}' if hashes else f'){name}"'
    end = text.find(closing, opened.end(), stop)
    end = stop if end < 0 else end
    after = min(end + len(closing), stop)
    part = _Part(opened.start(), opened.end(), end, after, is_raw=True)
    return _Text((part,), margin or "")


def _tripled(text: str, opened: re.Match[str], start: int, stop: int) -> _Text:
    first = opened.start()
    named = _PREFIX.search(text, max(start, first - 3), first)
    prefix = named[0] if named else ""
    end = text.find(text[first] * 3, opened.end(), stop)
    end = stop if end < 0 else end
    places = (first - len(prefix), opened.end(), end, min(end + 3, stop))
    return _Text((_Part(*places, is_raw="r" in prefix.lower()),), opened[2])


def _single(text: str, opened: re.Match[str], _start: int, stop: int) -> _Text | None:
    """
    Find a string with those that go on from it, as the lines of a list or side by side.
    """
    parts: list[_Part] = []
    begins, inside, between = opened.start(), opened.end(), ""
    quote = text[begins]
    while closed := _QUOTE_ENDS[quote].match(text, inside, stop):
        end = closed.end() - 1
        parts.append(_Part(begins, inside, end, end + 1, between))
        goes_on = _GOES_ON.match(text, end + 1, stop)
        if goes_on is None or len(parts) == _MOST:
            break
        following = _QUOTE_ENDS[goes_on[2]].match(text, goes_on.end(), stop)
        if following and _KEY.match(text, following.end(), stop):
            break
        # An element of a list is a line.
        between = "\n" if goes_on[1] == "," and text[end - 2 : end] != "\\n" else ""
        begins, inside, quote = end, goes_on.end(), goes_on[2]
    return _Text(tuple(parts)) if parts else None


def _scalar_end(text: str, start: int, stop: int, width: int) -> int:
    """
    Find the end of the last line that stands so far in.
    """
    end = start
    for line in _LINE.finditer(text, start, stop):
        if len(line[1]) < width:
            break
        end = line.end()
    return end
