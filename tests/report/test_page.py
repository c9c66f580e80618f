"""The page in a real browser: what it shows, and how it answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ocaml_reward.model import Blame, Credits, Ground, Region, Verdict
from ocaml_reward.record import breakdown_to_dict
from tests.report.browsing import Open, Opened
from tests.report.conftest import call
from tests.report.made import HOSTILE, example, scored, twin_training


@pytest.fixture(scope="module")
def first_look(opened: Open, records: Path) -> Opened:
    """Open the report of records once."""
    return opened(records)


@pytest.fixture(scope="module")
def trained(opened: Open, run: Path) -> Opened:
    """Open the report of a training once."""
    return opened(run)


@pytest.fixture
def page(first_look: Opened) -> Opened:
    """Show the report of records with nothing chosen."""
    first_look.tab.keyboard.press("Escape")
    first_look.tab.click("text=Clear")
    first_look.count("3 of 3 completions.")
    return first_look


def test_a_training_is_drawn(trained: Opened) -> None:
    """Every picture of a training is there unscrolled, and a finding is marked in its own."""
    tab = trained.tab
    titles = tab.locator("figcaption").all_inner_texts()
    shown = tab.locator("figure:has(svg.main-svg)").count()
    gradient = tab.locator("figure", has_text="Gradient norm")

    assert ["Reward", "What passes", "Groups without a difference"] == titles[:3]
    assert {"Credits by stage", "Verdicts over time", "Entropy", "Gradient norm"} < {*titles}
    assert {"Loss", "Learning rate", "Distribution of rewards"} < {*titles}
    assert len(titles) == shown
    # A point a step, and the mark of the finding.
    assert 6 + 1 == gradient.locator("path.point").count()
    assert "gradient-instability" in tab.locator("#health").inner_text()


def test_impossible_twins_have_a_column_and_a_picture(opened: Open, tmp_path: Path) -> None:
    """How many pass at first and at last, and the finding in the picture of their figure."""
    call(twin_training(tmp_path / "run"), "-o", tmp_path / "r.html")
    tab = opened(tmp_path / "r.html").tab
    heads = tab.locator("#overview th").all_inner_texts()
    cells = tab.locator("#overview td").all_inner_texts()
    picture = tab.locator("figure", has_text="Impossible twins passed")

    assert "0.0 % → 50.0 %" == cells[heads.index("twins passed") - 1]
    assert 2 + 1 == picture.locator("path.point").count()
    assert "cheating" in tab.locator("#health").inner_text()


def test_completions_are_narrowed_down(trained: Opened) -> None:
    """By verdict, problem, reward and step, and all at once; a click clears all of it."""
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
    page.tab.fill("#filter-text", "THIS EXPRESSION HAS TYPE")
    page.count("1 of 3 completions.")
    page.tab.fill("#filter-text", "let bad x = x + 1")
    page.count("2 of 3 completions.")


def test_the_table_is_sorted(page: Opened) -> None:
    """A column's head sorts by it, and once more the other way round."""
    page.tab.locator("#completions .head button", has_text="reward").click()
    first = page.rows()[0]
    page.tab.locator("#completions .head button", has_text="problem").click()

    assert "0.220" in first
    assert page.rows()[0].startswith("b")


def test_a_completion_is_explained(page: Opened) -> None:
    """The panel has the sum, each message under its line, parts in their colours and the checks."""
    tab = page.tab
    tab.click("#completions .body .row >> nth=0")
    panel = tab.locator("#panel")
    panel.locator(".code").wait_for()
    lines = panel.locator(".code > *").all_inner_texts()
    text = panel.inner_text()

    assert ["1\nlet bad x = x ^ 1", "error\nThis expression has type int"] == [
        re.sub(r"\n+", "\n", line).strip() for line in lines[:2]
    ]
    assert "^" == panel.locator(".error-here").inner_text()
    assert "let bad x = x ^ 1" == "".join(panel.locator(".text .region-wrong").all_inner_texts())
    assert "check 1, line 5 of the tests: raised" in text
    assert "check 1, line 1 of the tests: met hole" in text
    assert "0.3; length limit reached" in text
    assert "1 type error, 87.5% of the code types" not in text
    assert "1 type error: 0.80 of it" in text


def test_credit_is_drawn_on_the_characters(opened: Open, tmp_path: Path) -> None:
    """Each character, numbers too, has the mark of its part, the likely mistake a line above; the
    legend names the marks that are there.
    """
    code = "let bad x = x ^ 1\nlet other y = 2\n"
    suspect = Blame(line=1, column=12, end_line=1, end_column=17, weight=0.6)
    regions = (
        Region(start=0, stop=17, line=1, end_line=1, ground=Ground.HOLDS_ERROR),
        Region(start=18, stop=33, line=2, end_line=2, ground=Ground.UNTESTED),
    )
    source = scored(tmp_path / "s.jsonl", [example(code=code, regions=regions, blame=(suspect,))])
    call(source, "-o", tmp_path / "r.html")
    tab = opened(tmp_path / "r.html").tab
    tab.click("#completions .body .row")
    tab.locator("#panel .code").wait_for()
    marks = tab.locator("#panel .text span").evaluate_all(
        "all => all.map((each) => [each.textContent, getComputedStyle(each).backgroundImage])"
    )
    drawn = {text: image.partition("(")[0] for text, image in marks if text.strip()}

    assert "repeating-linear-gradient" == drawn["1"]
    assert "radial-gradient" == drawn["2"]
    assert "x ^ 1" == "".join(tab.locator("#panel .text .blame-likely").all_inner_texts())
    assert ["wrong", "unknown", "suspect"] == tab.locator("#panel .sample").all_inner_texts()


def test_problems_have_curves(opened: Open, tmp_path: Path) -> None:
    """Each problem whose rewards change has a curve, which leads to its completions."""
    records = [
        breakdown_to_dict(example(problem_id=name, reward=reward))
        | {"step": step, "split": "train"}
        for step in range(1, 7)
        for name, reward in (("up", step / 10), (HOSTILE, 1 - step / 6), ("level", 0.5))
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records))
    call(path, "-o", tmp_path / "r.html")
    page = opened(tmp_path / "r.html")
    curves = page.tab.locator(".curve")

    assert [HOSTILE, "up"] == curves.locator(".name").all_inner_texts()
    assert ["▼ 0.75 → 0.08", "▲ 0.15 → 0.55"] == curves.locator(".muted").all_inner_texts()
    assert 0 == page.tab.locator("img, .curve b").count()
    assert 6 == curves.nth(1).locator("circle").count()
    curves.nth(1).click()
    page.count("6 of 18 completions.")


def test_a_conversation_is_shown(opened: Open, tmp_path: Path) -> None:
    """What `evaluate --turns` keeps of earlier tries stands above the code, as text."""
    record = scored(tmp_path / "scored.jsonl")
    first, *rest = record.read_text("utf-8").splitlines()
    told = [
        {"role": "assistant", "content": f"let bad x = 1\n{HOSTILE}"},
        {"role": "user", "content": "The program does not parse.\n\n> Error"},
    ]
    row = json.loads(first)
    row["input"] = {"conversation": told}
    record.write_text("\n".join([json.dumps(row), *rest]) + "\n", "utf-8")
    call(record, "-o", report := tmp_path / "report.html")
    page = opened(report)
    page.tab.click("#completions .body .row >> nth=0")
    shown = page.tab.locator("#panel .said pre")
    shown.first.wait_for()

    assert [each["content"] for each in told] == shown.all_inner_texts()
    assert "pwned" != page.tab.title()
    page.tab.keyboard.press("Escape")
    page.tab.click("#completions .body .row >> nth=1")
    page.tab.locator("#panel .code").wait_for()
    assert 0 == page.tab.locator("#panel .said").count()


def test_the_panel_is_left_and_walked_by_keys(page: Opened) -> None:
    """The key j leads to the next completion, Escape back to the table."""
    tab = page.tab
    tab.click("#completions .body .row >> nth=0")
    tab.locator("#panel .code").wait_for()
    tab.keyboard.press("j")
    expect(tab.locator("#panel .about")).to_contain_text("passed")
    tab.keyboard.press("Escape")

    expect(tab.locator("#panel")).to_be_hidden()


def test_two_of_a_group_side_by_side(page: Opened) -> None:
    """Only lines that differ are marked, and both sums are shown."""
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
    """Problems are told apart by how often they are solved, and lead to what they got."""
    page.tab.click("#problems [data-kind=always]")
    page.tab.click("#problems .body .row")
    page.count("1 of 3 completions.")


def test_light_and_dark(page: Opened, opened: Open, records: Path) -> None:
    """The page is as the system is, until its switch is used."""
    dark = opened(records, theme="dark")
    before = page.background()
    page.tab.click("#theme")
    page.tab.click("#theme")

    assert before != dark.background()
    assert page.background() == dark.background()
    assert "Dark" in page.tab.inner_text("#theme")


def test_pictures_of_zeros(opened: Open, tmp_path: Path) -> None:
    """Where nothing earns anything the axes are those of the figures, and none goes below 0."""
    nothing = example(reward=0.0, verdict=Verdict.NO_CODE, credits=Credits(), reasons=None)
    scored(tmp_path / "s.jsonl", [nothing, nothing])
    run = tmp_path / "run"
    run.mkdir()
    rows = [{"step": n, "reward": 0.0, "grad_norm": 0.0} for n in range(1, 5)]
    (run / "metrics.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    call(tmp_path / "s.jsonl", run, "-o", tmp_path / "r.html")
    tab = opened(tmp_path / "r.html").tab

    def ticks(title: str, axis: str) -> list[str]:
        figure = tab.locator(f'figure:has(figcaption:text-is("{title}"))')
        return figure.locator(f".{axis}tick text").all_text_contents()

    assert ["s.jsonl"] == ticks("Credits by stage", "y")
    assert ("0", "1") == (ticks("Credits by stage", "x")[0], ticks("Credits by stage", "x")[-1])
    assert ("0", "1") == (ticks("Reward", "y")[0], ticks("Reward", "y")[-1])
    assert "0" == ticks("Gradient norm", "y")[0]
