"""
What the project was asked for is held by tests that exist.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "features.md"
ROWS = [
    line
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| document ")
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split(" | ")[1][:40])
def test_every_feature_has_a_test(row: str) -> None:
    """
    The last column names a test, a class of them, or a file.
    """
    found = re.search(r"`(tests/[\w/]+\.py)(?:::(\w+))?` \|$", row)

    assert found is not None
    path, name = found.groups()
    text = (ROOT / path).read_text(encoding="utf-8")
    assert re.search(
        rf"^(?:def|class) {name}\b" if name else r"^def test_", text, re.MULTILINE
    )
