"""No regular expression of ours takes more than linear time, whatever text it is put to.

All of them are found in the source, so that a new one is tried without being named here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.linear.expressions import attacks
from tests.linear.found import expressions
from tests.linear.matching import steps

ROOT: Final = Path(__file__).parent.parent.parent
PACKAGES: Final = ("cli", "ocaml_reward", "trainer_plugin")
# Reads an exercise in a folder of the user's, and nothing that a model wrote.
IMPORTED: Final = ROOT / "ocaml_reward" / "formats" / "folders"
# What may stand behind a text so that nothing matches.
BEHIND: Final = ("", "\n", "x", "\0", '"', " ", "(", "1", "]")
# Four times the text may take eight times the steps, where all ways of a quadratic one take sixteen.
FEW, MANY, GROWTH = 10, 40, 8
MOST: Final = 30_000


def growth(pattern: re.Pattern[Any], *, searching: bool) -> str | None:
    """Find a text that takes a pattern far more steps where it is four times as long."""
    for attack in attacks(pattern, searching=searching):
        for behind in BEHIND:
            most, counts = MOST, []
            for number in (FEW, MANY):
                text = attack.before + attack.pump * number + behind
                counts.append(steps(pattern, text, searching=searching, most=most))
                most = GROWTH * counts[0]
            if max(counts) > most:
                return f"{attack.before!r} + {attack.pump!r} * n + {behind!r}: {counts}"
    return None


def files() -> Iterator[Path]:
    """Yield our modules that import `re`."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.parent != IMPORTED and re.search(
                r"^import re$", path.read_text("utf-8"), re.MULTILINE
            ):
                yield path


@pytest.mark.parametrize(
    "path", list(files()), ids=lambda path: str(path.relative_to(ROOT).with_suffix(""))
)
def test_every_expression_is_linear(path: Path) -> None:
    """No text makes the ways to read it more as it gets longer."""
    slow = {
        each.name: found
        for each in expressions(ROOT, path)
        if (found := growth(each.pattern, searching=each.searching))
    }

    assert {} == slow


@pytest.mark.parametrize(
    "pattern",
    [
        # All of these were ours.
        r"\A[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\Z",
        r"has type\s+(.+?)\s+but an expression was expected of type\s+(.+?)(?:\n\S|$)",
        r"(\s*)(\S+)",
        r"\b([A-Za-z_][\w']*)/([4-9]\d|\d{3,})(?!\w)",
        r"`((?:let|type|module|open)\b[^`]*=[^`]*)`",
        r"[ ]+\w+=nan",
        r"\b(?:let|and)!?\s+(?:[+-]?'\w+\s+)*([A-Za-z_][\w']*)",
        r"(val|type)[ \t]+\(?[ \t]*([^\s():]+)",
        r'"(?:[^"\\]|\\.)*"',
        # And these are known.
        "(a*)*b",
        "(?:a|b|ab)*c",
        r"\w++x",
        r"\s+$",
        r"^(\w+\s?)*$",
    ],
)
def test_what_is_not_linear_is_found(pattern: str) -> None:
    """A text that takes too many steps is known of each."""
    assert growth(re.compile(pattern, re.DOTALL), searching=True)


@pytest.mark.parametrize(
    "pattern",
    [
        r"^[ \t]*(?:```|~~~)",
        r"(?<!\w)\w+x",
        r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)',
        r"a|b|ab",
        r"(?<!\s)\s+$",
        r"[^=]{0,2000}=",
        r"(?>\b\w+)x|(?<=y)\d",
    ],
)
def test_what_is_linear_is_left_alone(pattern: str) -> None:
    """Anchors, looks to one side and bounds count."""
    assert growth(re.compile(pattern, re.MULTILINE | re.DOTALL), searching=True) is None
