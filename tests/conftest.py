"""
Fixtures for every test.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

# A shell lets what it runs in the background ignore Ctrl-C, and programs inherit that.
# Here they are to meet it as they would in the foreground.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


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
