"""JSON objects of a file, one a row, each with its place; and the fields inside them.

`.json` files hold one object, or a list of them; anything else is JSON Lines.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from ..errors import FormatError, ProblemError
from .lines import BadLine, Line, decode, name_of, open_bytes, text_lines
from .packing import BROKEN

LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
# Enough for a page of a data set, and still a load error rather than a full memory.
MAX_DOCUMENT_BYTES: Final = 1024**3
# Far more than any logger writes, and far less than breaks a JSON writer.
MAX_DEPTH: Final = 100
_BRACKET: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)

TYPE_NAMES: Final = {
    bool: "true or false",
    dict: "an object",
    float: "a number",
    int: "a number",
    list: "a list",
    str: "text",
    type(None): "null",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One object of a file.  `line` is its line, or its 1-based position in a list.  `order` is
    its place, from 0, and the number of all, where nothing else says whose it is.
    """

    file: str
    line: int
    fields: dict[str, object]
    repaired: bool
    order: tuple[int, int] | None = None


def json_rows(source: Path | IO[bytes], *, document: bool = False) -> Iterator[Row | BadLine]:
    """Yield the objects of a file in order; a `document` is one object, or a list of them.

    Raises FormatError for a file that cannot be opened.
    """
    file = name_of(source)
    with open_bytes(source) as stream:
        if not document:
            for line in text_lines(stream, file=file):
                yield line if isinstance(line, BadLine) else row_of(line, file)
            return
        try:
            raw = stream.read(MAX_DOCUMENT_BYTES)
        except BROKEN as error:
            raise FormatError(f"cannot read {file}: {error}") from error
    yield from document_rows(raw, file)


def document_rows(raw: bytes, file: str) -> Iterator[Row | BadLine]:
    """Yield the objects of one JSON document; JSON Lines under a `.json` name work too."""
    if not raw.strip():
        return
    line = decode(raw.removeprefix(b"\xef\xbb\xbf"), 1)
    try:
        value = parse(line.text)
    except FormatError as error:
        rows = [
            row_of(decode(part, number), file)
            for number, part in enumerate(raw.splitlines(), 1)
            if part.strip()
        ]
        if any(isinstance(row, Row) for row in rows):
            yield from rows
        else:
            yield BadLine(file=file, line=0, message=str(error))
        return
    items = value if isinstance(value, list) else [value]
    by_problem = _are_lists_of_texts(items)
    for number, item in enumerate(items, 1):
        if by_problem:
            yield Row(
                file=file,
                line=number,
                fields={"generations": item},
                repaired=line.repaired,
                order=(number - 1, len(items)),
            )
            continue
        yield as_row(item, Line(number=number, text="", repaired=line.repaired), file)


def _are_lists_of_texts(items: list[Any]) -> bool:
    """Tell a list of each problem's generations, which has no ids.

    (bigcode-project/bigcode-evaluation-harness bigcode_eval/evaluator.py, save_json_files)
    """
    return bool(items) and all(
        isinstance(each, list) and all(isinstance(text, str) for text in each) for each in items
    )


def row_of(line: Line, file: str) -> Row | BadLine:
    """Parse one line of JSON Lines."""
    try:
        return as_row(parse(line.text), line, file)
    except FormatError as error:
        return BadLine(file=file, line=line.number, message=str(error))


def as_row(value: object, line: Line, file: str) -> Row | BadLine:
    """Return the row of a JSON value, a bad line if it is no object."""
    if isinstance(value, dict):
        return Row(file=file, line=line.number, fields=value, repaired=line.repaired)
    message = f"expected a JSON object, found {TYPE_NAMES[type(value)]}"
    return BadLine(file=file, line=line.number, message=message)


def parse(text: str) -> object:
    """Parse JSON as loosely as is safe; raises FormatError with the reason.

    Raw control characters are taken, as several loggers write them.  NaN, infinities
    and numbers beyond a float's range become null and unpaired surrogates U+FFFD: none
    of them could be written out again.
    """
    # Before parsing: libraries raise Python's recursion limit, and then the parser's own recursion
    # would end the process.
    if text.count("[") + text.count("{") >= MAX_DEPTH and _depth(text) >= MAX_DEPTH:
        raise FormatError("not usable JSON: nested too deeply")
    try:
        value: object = json.loads(
            text, strict=False, parse_constant=lambda _: None, parse_float=finite
        )
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}"
        raise FormatError(f"not JSON: {error.msg} at {where}") from None
    except RecursionError:
        raise FormatError("not usable JSON: nested too deeply") from None
    except ValueError as error:
        raise FormatError(f"not usable JSON: {error}") from None
    return paired(value) if "\\ud" in text or "\\uD" in text else value


def json_in_text(text: str) -> Any:
    """Return the list or the object that a text is, read as JSON; None for any other text."""
    if text.lstrip()[:1] not in {"[", "{"}:
        return None
    try:
        return parse(text)
    except FormatError:
        return None


def _depth(text: str) -> int:
    """Return how deep the brackets of a JSON text are nested."""
    depth = most = 0
    for found in _BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        most = max(most, depth)
    return most


def finite(text: str) -> float | None:
    """Read a number, None if it is too large for a float."""
    number = float(text)
    return number if math.isfinite(number) else None


def paired(value: object) -> object:
    """Return a JSON value with all unpaired surrogates in it replaced."""
    match value:
        case str():
            return LONE_SURROGATE.sub("\ufffd", value)
        case list():
            return [paired(item) for item in value]
        case dict():
            return {paired(key): paired(item) for key, item in value.items()}
    return value


def first_of(fields: dict[str, object], names: Sequence[str]) -> str | None:
    """Return the first of these names that has a value other than null."""
    return next((name for name in names if fields.get(name) is not None), None)


def text_of(fields: dict[str, object], name: str) -> str:
    """Return a field that must be text; raises FormatError naming it."""
    value = fields[name]
    if isinstance(value, str):
        return value
    raise FormatError(f"{name}: expected text, found {TYPE_NAMES[type(value)]}")


def id_of(fields: dict[str, object], names: Sequence[str]) -> tuple[str, str]:
    """Return the name of the field that holds the problem's id, and the id as text.

    Ids are names and never paths: any text but the empty one will do, and whole numbers.
    Raises FormatError if there is none.
    """
    name = first_of(fields, names)
    if name is None:
        raise FormatError(f"no problem id (one of {', '.join(names)})")
    value = fields[name]
    if isinstance(value, float) and value.is_integer():
        # Tables that went through pandas have 7.0 where they had 7.
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise FormatError(f"{name}: expected an id, found {TYPE_NAMES[type(value)]}")
    if not value.strip():
        raise FormatError(f"{name}: the problem id is empty")
    return name, value


def object_of(value: object, name: str) -> dict[str, Any]:
    """Read an object, or the JSON of one in a cell, without what is null in it: in a table of rows
    with different keys the missing ones are.  Raises ProblemError for anything else.
    """
    if isinstance(value, str) and value.strip():
        try:
            value = parse(value)
        except FormatError:
            raise ProblemError(f"{name}: not a JSON object") from None
    if not value:
        return {}
    if not isinstance(value, dict):
        raise ProblemError(f"{name}: expected an object")
    return {key: each for key, each in value.items() if each is not None}


def json_list(text: str, name: str) -> object:
    """Read the list in a CSV cell: JSON, or words between commas or blanks."""
    if text.lstrip().startswith("["):
        try:
            return parse(text)
        except FormatError:
            raise ProblemError(f"{name}: not a JSON list") from None
    return re.split(r"[\s,]+", text.strip()) if text.strip() else None
