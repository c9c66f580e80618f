"""
Fixtures for every test.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--promote",
        action="store_true",
        help="accept what was produced as the new golden files",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """
    Check that a file holds exactly this text; `--promote` writes it instead.
    """

    def check(path: Path, actual: str) -> None:
        if request.config.getoption("--promote"):
            path.write_bytes(actual.encode())
            return
        expected = path.read_bytes().decode() if path.exists() else ""

        assert expected == actual, f"{path.name} differs; if right: pytest --promote"

    return check
