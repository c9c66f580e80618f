"""What the tests of reports share: the command, what stands in the page that it makes, and a
browser.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from playwright.sync_api import Browser, sync_playwright

from cli.main import main
from tests.report.browsing import NAMES, Open, Opened
from tests.report.made import example, passing, scored, training

Invoke = Callable[..., Result]


def call(*arguments: str | Path) -> Result:
    """Call `ocaml-reward report` in this process."""
    words = ["report", *map(str, arguments)]
    return CliRunner().invoke(main, words, catch_exceptions=False)


@pytest.fixture
def invoke() -> Invoke:
    """Call the command."""
    return call


class Page:
    """A report's page, with what is packed inside of it."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text(encoding="utf-8")
        self.summary = json.loads(self._unpacked(self._part("summary")))

    def details(self) -> list[dict[str, Any]]:
        """Return what stands beside each completion."""
        return self._values("details")

    def problems(self) -> list[dict[str, Any] | None]:
        """Return the texts of the problem of each completion."""
        texts = self._values("problems")
        return [None if at is None else texts[at] for at in self.summary["rows"]["text"]]

    def _values(self, name: str) -> list[dict[str, Any]]:
        chunks = self._part(name).split()
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
    """Make a report and read what is in it."""

    def make(*arguments: str | Path) -> Page:
        path = tmp_path / "made.html"
        done = call(*arguments, "-o", path, "--overwrite")
        assert 0 == done.exit_code, done.output
        return Page(path)

    return make


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Start the system's browser once."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "no chromium: scripts/setup --dev installs it"
    with sync_playwright() as driver:
        # In a container neither a sandbox nor much shared memory is to be had.
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        started = driver.chromium.launch(executable_path=found, args=options)
        yield started
        started.close()


@pytest.fixture(scope="module")
def opened(browser: Browser) -> Iterator[Open]:
    """Open pages, none of which may ask for anything or complain of anything."""
    pages: list[Opened] = []

    def go(path: Path, *, theme: str = "light", width: int = 1280) -> Opened:
        pages.append(Opened(browser, path, theme=theme, width=width))
        return pages[-1]

    yield go
    for each in pages:
        each.context.close()

    assert [] == [error for each in pages for error in each.errors]
    assert [] == [url for each in pages for url in each.requests if url[:5] != "file:"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the report of a training."""
    folder = tmp_path_factory.mktemp("run")
    call(training(folder / "training", steps=6), "-o", folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the report of two completions of one problem, and one of another."""
    folder = tmp_path_factory.mktemp("records")
    path = scored(folder / "s.jsonl", [example(), passing(), passing(problem_id="b")])
    call(path, "-o", folder / "report.html")
    return folder / "report.html"
