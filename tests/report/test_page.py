"""
The page in a real browser: what it shows, how it answers, and that it fetches nothing.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from cli.report.making import Report
from cli.report.page import page as page_of
from cli.report.page import plotting_library
from cli.report.sources import find_sources
from ocaml_reward.testing import diagnostic
from tests.report.conftest import call
from tests.report.made import HOSTILE, example, passing, scored, training

NAMES = ("chromium", "chromium-browser", "google-chrome")
WAIT_MS = 30_000
"""
How long anything may take on a machine that does a lot besides.
"""


class Opened:
    """
    A page in a tab of its own, with what it complained of and what it asked for.
    """

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
        """
        Return the text of the rows of completions that are in sight.
        """
        return self.tab.locator("#completions .body .row").all_inner_texts()

    def count(self, text: str) -> None:
        """
        Wait until so many completions are counted.
        """
        expect(self.tab.locator("#count")).to_have_text(text, timeout=WAIT_MS)

    def background(self) -> str:
        """
        Return the colour of the page.
        """
        colour: str = self.tab.evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        return colour


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """
    Start the system's browser once.
    """
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, "no chromium: scripts/setup --dev installs it"
    with sync_playwright() as driver:
        # In a container neither a sandbox nor much shared memory is to be had.
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        started = driver.chromium.launch(executable_path=found, args=options)
        yield started
        started.close()


Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def opened(browser: Browser) -> Iterator[Open]:
    """
    Open pages, none of which may ask for anything or complain of anything.
    """
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
    """
    Make the report of a training.
    """
    folder = tmp_path_factory.mktemp("run")
    call(training(folder / "training", steps=6), "-o", folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    Make the report of two completions of one problem, and one of another.
    """
    folder = tmp_path_factory.mktemp("records")
    path = scored(folder / "s.jsonl", [example(), passing(), passing(problem_id="b")])
    call(path, "-o", folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def first_look(opened: Open, records: Path) -> Opened:
    """
    Open the report of records once.
    """
    return opened(records)


@pytest.fixture(scope="module")
def trained(opened: Open, run: Path) -> Opened:
    """
    Open the report of a training once.
    """
    return opened(run)


@pytest.fixture
def page(first_look: Opened) -> Opened:
    """
    Show the report of records with nothing chosen.
    """
    first_look.tab.keyboard.press("Escape")
    first_look.tab.click("text=Clear")
    first_look.count("3 of 3 completions.")
    return first_look


def test_a_training_is_drawn(trained: Opened) -> None:
    """
    Every picture of a training has curves, and a finding is marked in its own.
    """
    tab = trained.tab
    tab.evaluate("[...pictures.pending.keys()].forEach(drawNow)")
    titles = tab.locator("figcaption").all_inner_texts()
    shown = tab.locator("figure:has(svg.main-svg)").count()

    assert ["Reward", "What passes", "Groups without a difference"] == titles[:3]
    assert {"Credits by stage", "Verdicts over time", "Entropy", "Gradient norm"} < {
        *titles
    }
    assert {"Loss", "Learning rate", "Distribution of rewards"} < {*titles}
    assert len(titles) == shown
    assert (
        1
        == tab.locator("figure", has_text="Gradient norm").locator("path.point").count()
        - 6
    )
    assert "gradient-instability" in tab.locator("#health").inner_text()


def test_completions_are_narrowed_down(trained: Opened) -> None:
    """
    By verdict, problem, reward and step, and all at once; a click clears all of it.
    """
    page = trained
    page.count("26 of 26 completions.")
    page.tab.click(".chip[data-verdict=passed]")
    page.count("13 of 26 completions.")
    page.tab.fill("#filter-problem", "other")
    page.count("6 of 26 completions.")
    page.tab.fill("#filter-first", "5")
    page.count("2 of 26 completions.")
    page.tab.click("text=Clear")
    page.tab.fill("#filter-low", "0.99")
    page.count("13 of 26 completions.")


def test_text_is_searched(page: Opened) -> None:
    """
    Code and messages are searched, whatever their case.
    """
    page.tab.fill("#filter-text", "THIS EXPRESSION HAS TYPE")
    page.count("1 of 3 completions.")
    page.tab.fill("#filter-text", "let bad x = x + 1")
    page.count("2 of 3 completions.")


def test_the_table_is_sorted(page: Opened) -> None:
    """
    A column's head sorts by it, and once more the other way round.
    """
    page.tab.locator("#completions .head button", has_text="reward").click()
    first = page.rows()[0]
    page.tab.locator("#completions .head button", has_text="problem").click()

    assert "0.220" in first
    assert page.rows()[0].startswith("b")


def test_a_completion_is_explained(page: Opened) -> None:
    """
    The panel has the sum, each message under its line, parts in their colours and the checks.
    """
    tab = page.tab
    tab.click("#completions .body .row >> nth=0")
    panel = tab.locator("#panel")
    lines = panel.locator(".code > *").all_inner_texts()
    text = panel.inner_text()

    assert ["1\nlet bad x = x ^ 1", "error\nThis expression has type int"] == [
        re.sub(r"\n+", "\n", line).strip() for line in lines[:2]
    ]
    assert "^" == panel.locator(".error-here").inner_text()
    assert "let bad x = x ^ 1" == "".join(
        panel.locator(".text .region-wrong").all_inner_texts()
    )
    assert "check 1, line 5 of the tests: raised" in text
    assert "check 1, line 1 of the tests: met hole" in text
    assert "0.3; length limit reached" in text
    assert "1 type error, 87.5% of the code types" not in text
    assert "1 type error: 0.80 of it" in text


def test_the_panel_is_left_and_walked_by_keys(page: Opened) -> None:
    """
    The key j leads to the next completion, Escape back to the table.
    """
    tab = page.tab
    tab.click("#completions .body .row >> nth=0")
    tab.locator("#panel .code").wait_for()
    tab.keyboard.press("j")
    expect(tab.locator("#panel .about")).to_contain_text("passed")
    tab.keyboard.press("Escape")

    expect(tab.locator("#panel")).to_be_hidden()


def test_two_of_a_group_side_by_side(page: Opened) -> None:
    """
    Only lines that differ are marked, and both sums are shown.
    """
    tab = page.tab
    tab.click("#completions .body .row >> nth=0")
    tab.locator("#panel select").select_option(index=1)
    pairs = tab.locator(".diff .pair")
    expect(pairs).to_have_count(3)

    assert 1 == tab.locator(".diff .pair.changed").count()
    assert "let bad x = x ^ 1" in tab.locator(".diff .gone").inner_text()
    assert "let bad x = x + 1" in tab.locator(".diff .come").inner_text()
    assert 2 == tab.locator("#panel table.sum").count()


def test_a_problem_leads_to_its_completions(page: Opened) -> None:
    """
    Problems are told apart by how often they are solved, and lead to what they got.
    """
    page.tab.click("#problems [data-kind=always]")
    page.tab.click("#problems .body .row")
    page.count("1 of 3 completions.")


def test_light_and_dark(page: Opened, opened: Open, records: Path) -> None:
    """
    The page is as the system is, until its switch is used.
    """
    dark = opened(records, theme="dark")
    before = page.background()
    page.tab.click("#theme")
    page.tab.click("#theme")

    assert before != dark.background()
    assert page.background() == dark.background()
    assert "Dark" in page.tab.inner_text("#theme")


def test_a_narrow_window(opened: Open, run: Path) -> None:
    """
    On a telephone nothing makes the page wider than the window.
    """
    tab = opened(run, width=400).tab
    tab.evaluate("[...pictures.pending.keys()].forEach(drawNow)")

    assert 400 >= tab.evaluate("document.documentElement.scrollWidth")


def test_hostile_text_is_inert(opened: Open, tmp_path: Path) -> None:
    """
    Markup in a file's name, an id, code and messages is text, wherever it is shown.
    """
    hostile = example(
        problem_id=HOSTILE,
        code=f"{HOSTILE}\n(* \u202e {HOSTILE} *)",
        diagnostics=(diagnostic(HOSTILE, hint=HOSTILE),),
        scheme=HOSTILE,
        forbidden=(HOSTILE,),
    )
    first = scored(tmp_path / f"{HOSTILE.replace('/', '')}.jsonl", [hostile, hostile])
    second = scored(tmp_path / "plain.jsonl", [hostile])
    call(first, second, "-o", tmp_path / "r.html")
    tab = opened(tmp_path / "r.html").tab
    tab.evaluate("[...pictures.pending.keys()].forEach(drawNow)")
    tab.hover(".plot >> nth=2")
    tab.click("#completions .body .row >> nth=0")
    tab.locator("#panel select").wait_for()

    assert HOSTILE == tab.inner_text("#panel h3")
    assert HOSTILE in tab.inner_text("#panel .code")
    assert 0 == tab.locator("img, #panel b, main script").count()
    assert "pwned" not in tab.title().split("=")[0]
    assert HOSTILE not in (tmp_path / "r.html").read_text()


def test_no_other_script_runs_and_nothing_is_fetched(
    browser: Browser, records: Path
) -> None:
    """
    The page's own policy refuses scripts that are not its own, and the network.
    """
    page = Opened(browser, records, theme="light", width=1280, ready="#count")
    ran = page.tab.evaluate(
        """async () => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.head.append(script);
          const fetched = await fetch("https://example.org/").then(() => true, () => false);
          return [window.ran === true, fetched];
        }"""
    )
    page.context.close()

    assert [False, False] == ran
    assert [] == [url for url in page.requests if not url.startswith("file:")]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """
    Make a page of 20,000 completions from the rows of eight.
    """
    folder = tmp_path_factory.mktemp("large")
    few = [example(problem_id=f"p{number}") for number in range(7)]
    path = scored(folder / "s.jsonl", [*few, passing(problem_id="last")])
    report = Report(most=8)
    (source,) = find_sources([path])
    report.add(source, report=pytest.fail, step=lambda _: None)
    summary = report.summary()
    summary["rows"] = {name: rows * 2_500 for name, rows in summary["rows"].items()}
    summary["kept"] = summary["total"] = 20_000
    details = [*report.details()] * 2_500
    text = "".join(page_of(summary, details, plotting_library()))
    (folder / "large.html").write_text(text, encoding="utf-8")
    return folder / "large.html"


def test_twenty_thousand_completions(opened: Open, large: Path) -> None:
    """
    Only rows in sight exist; the last one is reached, and all are searched.
    """
    page = opened(large)
    page.count("20,000 of 20,000 completions.")
    page.tab.evaluate("completions.table.window.scrollTop = 1e9")
    expect(page.tab.locator("#completions .body .row >> nth=-1")).to_contain_text(
        "last"
    )
    page.tab.fill("#filter-text", "let bad x = x + 1")
    page.count("2,500 of 20,000 completions.")

    assert len(page.rows()) < 80
