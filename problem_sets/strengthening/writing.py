"""Writes values and calls as OCaml; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from ocaml_reward.model.types import Type

MOST: Final = 24
"""Maximum number of values of a type, counting those like shown ones."""
_SIMPLE: Final = re.compile(r"[\w.']+|\"(?:[^\"\\]|\\.)*\"")


@dataclass(frozen=True, slots=True)
class Text:
    """A value as OCaml; `strange` if no example shows one like it."""

    text: str
    strange: bool = False


def atom(text: str) -> str:
    """Put brackets around text that is not one word of OCaml."""
    if _SIMPLE.fullmatch(text) or _is_enclosed(text):
        return text
    return f"({text})"


def _is_enclosed(text: str) -> bool:
    """Tell whether a text is one expression in brackets."""
    if text[:1] not in {"(", "[", "{"}:
        return False
    depth, place = 0, 0
    for found in re.finditer(r"\"(?:[^\"\\]|\\.)*\"|'[^'\\]'|[\[({]|[\])}]", text):
        place = found.end()
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(found[0], 0)
        if depth == 0:
            break
    return depth == 0 and place == len(text)


def joined(opening: str, between: str, row: Sequence[Text], closing: str) -> Text:
    """Join values in brackets."""
    text = opening + between.join(each.text for each in row) + closing
    return Text(text, any(each.strange for each in row))


def rows(parts: Sequence[list[Text]], most: int = MOST) -> Iterator[list[Text]]:
    """Combine values of parts: all combinations of the first few, then all in parallel."""
    if not parts:
        yield []
        return
    few = max(2, int(most ** (1 / len(parts))))
    seen = [list(row) for row in product(*(part[:few] for part in parts))]
    longest = max(map(len, parts))
    # The largest ones, which include deep trees.
    seen += [
        [part[-1] if at == place else part[0] for place, part in enumerate(parts)]
        for at in range(len(parts))
    ]
    seen.append([part[-1] for part in parts])
    for place in range(longest):
        row_ = [part[(place * (at + 1)) % len(part)] for at, part in enumerate(parts)]
        if row_ not in seen:
            seen.append(row_)
    yield from seen[: max(most, few ** len(parts) + len(parts) + 1)]


def applied(name: str, row: Sequence[Text]) -> Text:
    """Apply a constructor or `ref` to its arguments."""
    strange = any(each.strange for each in row)
    if len(row) == 1:
        return Text(f"{name} {atom(row[0].text)}", strange)
    return Text(f"{name} ({', '.join(each.text for each in row)})", strange)


def record(labels: Sequence[str], row: Sequence[Text], path: str) -> Text:
    """Write a record."""
    fields = "; ".join(f"{label} = {each.text}" for label, each in zip(labels, row, strict=True))
    return Text(f"{{ {path}{fields} }}", any(each.strange for each in row))


def call(name: str, takes: Sequence[tuple[str, Type]], row: Sequence[Text | str]) -> str:
    """Write a call; an optional argument with an empty text is left out."""
    texts = [each if isinstance(each, str) else each.text for each in row]
    words = [
        label.replace("?", "~") + atom(text)
        for (label, _), text in zip(takes, texts, strict=True)
        if text
    ]
    return " ".join([name, *words])
