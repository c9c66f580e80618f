"""
What the tests of reports share: the command, and what stands in the page that it makes.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main

Invoke = Callable[..., Result]


def call(*arguments: str | Path) -> Result:
    """
    Call `ocaml-reward report` in this process.
    """
    words = ["report", *map(str, arguments)]
    return CliRunner().invoke(main, words, catch_exceptions=False)


@pytest.fixture
def invoke() -> Invoke:
    """
    Call the command.
    """
    return call


class Page:
    """
    A report's page, with what is packed inside of it.
    """

    def __init__(self, path: Path) -> None:
        self.text = path.read_text(encoding="utf-8")
        self.summary = json.loads(self._unpacked(self._part("summary")))

    def details(self) -> list[dict[str, Any]]:
        """
        Return what stands beside each completion.
        """
        chunks = self._part("details").split()
        return [each for chunk in chunks for each in json.loads(self._unpacked(chunk))]

    def _part(self, name: str) -> str:
        found = re.search(rf'id="data-{name}">([^<]*)<', self.text)
        assert found, name
        return found[1]

    @staticmethod
    def _unpacked(text: str) -> str:
        return gzip.decompress(base64.b64decode(text)).decode()


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., Page]:
    """
    Make a report and read what is in it.
    """

    def make(*arguments: str | Path) -> Page:
        path = tmp_path / "made.html"
        done = call(*arguments, "-o", path, "--overwrite")
        assert 0 == done.exit_code, done.output
        return Page(path)

    return make
