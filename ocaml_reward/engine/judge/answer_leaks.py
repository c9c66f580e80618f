"""Detects checks whose arguments contain the expected result of another check.  Pure.

The code's process has all arguments in memory from its start.  Code that searches its memory finds
the expected result of `encode "aaab"` if another check calls `decode "3ab"`, and its own `decode`
shows which string it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ...model import Check
from ..messages.values import Values

ExpectedValues = Mapping[int, Values]
"""The expected values of each check, by the check's place."""

_STRING = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:"|\\?\Z)', re.DOTALL)
# A string in an encoded value (ocaml/run/value_encode.c): its length, its bytes in hexadecimal.
_IN_FORM = re.compile(r"(?:^| )s\d+:((?:[0-9a-f]{2}){2,})(?= |$)")


def leaks_answers(
    checks: Sequence[Check],
    expected: ExpectedValues,
    without_expected_value: Collection[int] = (),
) -> bool:
    """Tell whether a check's text contains a string that another check expects.

    Only strings of at least two characters count, only if the two checks use different names of
    the code, and not if the first check expects the same string.  Checks `without_expected_value`,
    by place, only require that a statement returns.
    """
    strings = [
        {
            text
            for value in expected.get(place, {}).values()
            for text in _IN_FORM.findall(value.form)
        }
        for place in range(len(checks))
    ]
    names_of: dict[str, set[tuple[str, ...]]] = {}
    for check, texts in zip(checks, strings, strict=True):
        for text in texts:
            names_of.setdefault(text, set()).add(check.needs or ())
    return any(
        needs != (check.needs or ())
        for place, (check, own) in enumerate(zip(checks, strings, strict=True))
        if place not in without_expected_value
        for text in _strings_in(check.source) - own
        for needs in names_of.get(text, ())
    )


def _strings_in(source: str) -> set[str]:
    """Return the string literals of a check, encoded as in values; without those with escapes."""
    return {
        text.encode().hex()
        for text in _STRING.findall(source)
        if len(text) > 1 and "\\" not in text
    }
