"""The page in a real browser: narrow, hostile, shut off from the network, and very long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from cli.report.data import Report
from cli.report.page import page as page_of
from cli.report.page import plotting_library
from cli.report.sources import find_sources
from ocaml_reward.testing import diagnostic
from tests.report.browsing import Open, Opened
from tests.report.conftest import call
from tests.report.made import HOSTILE, example, passing, scored, training


def test_a_narrow_window(opened: Open, run: Path) -> None:
    """On a telephone nothing makes the page wider than the window."""
    tab = opened(run, width=400).tab

    assert 400 >= tab.evaluate("document.documentElement.scrollWidth")


def test_all_pictures_are_on_paper(opened: Open, run: Path) -> None:
    """Whoever prints gets each picture as wide as a page and dark on light, from a dark screen
    too; the screen is as it was afterwards.
    """
    tab = opened(run, theme="dark").tab
    seen = "[...document.querySelectorAll('.plot')].map((each) => each.layout)"
    screen = tab.evaluate(seen)
    tab.evaluate(
        f"""matchMedia("print").addEventListener("change", (media) => {{
          if (media.matches) window.printed = structuredClone({seen});
        }})"""
    )
    tab.pdf()
    printed = tab.evaluate("window.printed")
    tab.wait_for_function(f"{seen}.every((each) => each.width !== 660)")

    assert {660} == {each["width"] for each in printed}
    assert ["#1c2530"] * len(printed) == [each["font"]["color"] for each in printed]
    assert len(screen) == len(printed) > 10
    assert ["#dde5ee"] * len(screen) == [each["font"]["color"] for each in tab.evaluate(seen)]


def test_what_a_narrow_window_shows_of_completions(opened: Open, records: Path) -> None:
    """Verdicts are in sight, and a difference is one column: a line that both have stands
    there once.
    """
    tab = opened(records, width=400).tab
    verdict = tab.locator("#completions .body .pill").first.bounding_box()
    tab.click("#completions .body .row >> nth=0")
    tab.locator("#panel select").select_option(index=1)
    shown = tab.locator(".diff .side:visible")
    expect(shown).to_have_count(4)

    assert verdict is not None
    assert verdict["x"] + verdict["width"] <= 400
    assert 1 == len({each["x"] for each in map(box, shown.all())})


def box(node: Locator) -> dict[str, float]:
    """Return where something is shown."""
    found = node.bounding_box()
    assert found
    return dict(found)  # type: ignore[arg-type]


def test_hostile_text_is_inert(opened: Open, tmp_path: Path) -> None:
    """Markup in a file's name, an id, code and messages is text, wherever it is shown."""
    hostile = example(
        problem_id=HOSTILE,
        code=f"{HOSTILE}\n(* \u202e {HOSTILE} *)",
        diagnostics=(diagnostic(HOSTILE, hint=HOSTILE),),
        scheme=HOSTILE,
        forbidden=(HOSTILE,),
    )
    first = scored(tmp_path / f"{HOSTILE.replace('/', '')}.jsonl", [hostile, hostile])
    second = scored(tmp_path / "plain.jsonl", [hostile])
    run = training(tmp_path / "run", steps=2)
    told = {"step": 1, "rule": HOSTILE, "seen": HOSTILE, "advice": HOSTILE}
    (run / "health.jsonl").write_text(json.dumps(told) + "\n")
    call(first, second, run, "-o", tmp_path / "r.html")
    tab = opened(tmp_path / "r.html").tab
    tab.hover(".plot >> nth=0")
    drawn = tab.locator("figure", has_text="Slowest problems").locator("svg").all()
    shown = " ".join(each.text_content() or "" for each in drawn)
    tab.click("#completions .body .row >> nth=0")
    tab.locator("#panel select").wait_for()

    assert HOSTILE[:20] in shown
    assert HOSTILE in tab.inner_text("#health")
    assert HOSTILE == tab.inner_text("#panel h3")
    assert HOSTILE in tab.inner_text("#panel .code")
    assert 0 == tab.locator("img, #panel b, main script").count()
    assert "pwned" not in tab.title().split("=")[0]
    assert HOSTILE not in (tmp_path / "r.html").read_text()


def test_no_other_script_runs_and_nothing_is_fetched(browser: Browser, records: Path) -> None:
    """The page's own policy refuses scripts that are not its own, and the network."""
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
    """Make a page of 20,000 completions from the rows of eight."""
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
    text = "".join(page_of(summary, details, report.problems(), plotting_library()))
    (folder / "large.html").write_text(text, encoding="utf-8")
    return folder / "large.html"


def test_twenty_thousand_completions(opened: Open, large: Path) -> None:
    """Only rows in sight exist; the last one is reached, and all are searched."""
    page = opened(large)
    page.count("20,000 of 20,000 completions.")
    page.tab.evaluate("completions.table.window.scrollTop = 1e9")
    expect(page.tab.locator("#completions .body .row >> nth=-1")).to_contain_text("last")
    page.tab.fill("#filter-text", "let bad x = x + 1")
    page.count("2,500 of 20,000 completions.")

    assert len(page.rows()) < 80
