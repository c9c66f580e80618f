"""A real browser, and reports opened in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

NAMES = ("chromium", "chromium-browser", "google-chrome")
WAIT_MS = 30_000
"""How long anything may take on a machine that does a lot besides."""


class Opened:
    """A page in a tab of its own, with what it complained of and what it asked for."""

    def __init__(
        self,
        browser: Browser,
        path: Path,
        *,
        theme: str,
        width: int,
        ready: str = "html[data-ready]",
    ) -> None:
        scheme = "dark" if theme == "dark" else "light"
        size = {"width": width, "height": 900}
        self.context = browser.new_context(color_scheme=scheme, viewport=size)  # type: ignore[arg-type]
        self.context.set_default_timeout(WAIT_MS)
        self.tab: Page = self.context.new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.tab.on("console", lambda said: self.errors.append(said.text))
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))
        self.tab.on("request", lambda asked: self.requests.append(asked.url))
        self.tab.goto(path.as_uri())
        self.tab.wait_for_selector(ready)

    def rows(self) -> list[str]:
        """Return the text of the rows of completions that are in sight."""
        return self.tab.locator("#completions .body .row").all_inner_texts()

    def count(self, text: str) -> None:
        """Wait until so many completions are counted."""
        expect(self.tab.locator("#count")).to_have_text(text, timeout=WAIT_MS)

    def background(self) -> str:
        """Return the colour of the page."""
        colour: str = self.tab.evaluate("getComputedStyle(document.body).backgroundColor")
        return colour


Open = Callable[..., Opened]
