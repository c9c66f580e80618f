"""Whether some checks' arguments give the answers of others away.  Pure.

All arguments are in the code's process from its start.  Code that searches memory finds what
`encode "aaab"` is to answer where another check asks for `decode "3ab"`, and its own `decode`
tells which string it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ..model import Check
from .judgements import Values

KnownAnswers = Mapping[int, Values]
"""The values that each check compares with, by the check's place."""

_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?\Z)', re.DOTALL)
# A string in a value's form: its length, and its bytes in hexadecimal.  (ocaml/run/value_encode.c)
_IN_FORM = re.compile(r"(?:^| )s\d+:((?:[0-9a-f]{2}){2,})(?= |$)")


def gives_away(
    checks: Sequence[Check], told: KnownAnswers, silent: Collection[int] = ()
) -> bool:
    """Tell whether a string of two characters or more that one check expects is written in one
    that takes other names of the code, and is not what that one expects.  The `silent` checks,
    by place, expect nothing but that a statement returns.
    """
    answers = [
        {
            text
            for value in told.get(place, {}).values()
            for text in _IN_FORM.findall(value.form)
        }
        for place in range(len(checks))
    ]
    expected: dict[str, set[tuple[str, ...]]] = {}
    for check, texts in zip(checks, answers, strict=True):
        for text in texts:
            expected.setdefault(text, set()).add(check.needs or ())
    return any(
        needs != (check.needs or ())
        for place, (check, own) in enumerate(zip(checks, answers, strict=True))
        if place not in silent
        for text in _written(check.source) - own
        for needs in expected.get(text, ())
    )


def _written(source: str) -> set[str]:
    """Find the strings in a check's text, as forms have them; those with escapes are rare."""
    return {
        text.encode().hex()
        for text in _STRING.findall(source)
        if len(text) > 1 and "\\" not in text
    }
