"""What a notebook shows of a breakdown."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from ocaml_reward import Grader, Problem
from ocaml_reward.model.notebook import CHARACTERS
from tests.example_breakdown import EXAMPLE

PROBLEM = Problem(id="half", tests="let () = assert (half 8 = 4); assert (half 7 = 3)")


class Texts(HTMLParser):
    """Collects the elements and the texts of HTML."""

    def __init__(self, html: str) -> None:
        """Read all of it."""
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, _: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_notebook_shows_what_went_wrong() -> None:
    """Verdict, reward, credits, penalties and failed checks, each in words."""
    with Grader("seed", jobs=1) as grader:
        found = Texts(grader.grade(PROBLEM, "let half x = x / 3")._repr_html_()).texts

    assert "failed_tests: runs, but not every check passes" in found
    assert ", reward 0.0000" in found
    assert "0.2000 of 0.20" in found
    assert "penalty min_lines: 1 line of code (minimum 8)" in found
    assert "check 1 failed: got 2, expected 4" in found
    assert "0 of 2 checks passed" in found
    assert "let half x = x / 3" in found


def test_what_the_code_says_is_text() -> None:
    """A model's code brings no element into the page, and not more than some length."""
    shown = Texts(replace(EXAMPLE, code="<script>1</script>" * CHARACTERS)._repr_html_())

    assert {"div", "b", "table", "tr", "td", "ul", "li", "pre"} == set(shown.tags)
    assert f"{('<script>1</script>' * CHARACTERS)[:CHARACTERS]}…" == shown.texts[-1]
