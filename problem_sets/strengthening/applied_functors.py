"""Finds the modules that tests create by applying functors; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ocaml_reward.reading.lexing import Source

_ITEM: Final = re.compile(
    r"^(?=(?:module|let|type|exception|open|include|external|class|;;)(?![\w']))",
    re.MULTILINE,
)
_MODULE: Final = re.compile(r"module\s+([A-Z][\w']*)\s*(?::[^=]*)?=\s*([A-Z][\w']*)?")


def applied_modules(tests: str, functors: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Find the top-level modules of tests for which functors of the code are applied.

    Args:
        tests: The tests, as OCaml.
        functors: The names of the functors.

    Returns:
        The definitions of all top-level modules, and the names of those created by a functor; empty
            if there is none.
    """
    known = frozenset(functors)
    bare = Source(tests).without_literals
    starts = [found.start() for found in _ITEM.finditer(bare)]
    items: list[str] = []
    names: list[str] = []
    for start, stop in zip(starts, [*starts[1:], len(tests)], strict=True):
        found = _MODULE.match(bare, start, stop)
        if found is None:
            continue
        items.append(tests[start:stop].rstrip().removesuffix(";;"))
        if found[2] in known and "(" in bare[found.end() : stop]:
            names.append(found[1])
    return ("\n".join(items) + "\n", tuple(names)) if names else ("", ())
