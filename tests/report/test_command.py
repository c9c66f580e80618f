"""The command `report`: where the page goes, how much it holds, that it is always the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.report.data import CompletionSample
from cli.report.figures import ReportFigures, error_kind
from cli.report.scored import ScoredCompletion
from ocaml_reward.testing import diagnostic
from tests.package.test_light_imports import RICH_NEEDS, brought_in
from tests.report.conftest import Invoke, Page
from tests.report.made import example, many, passing, scored, training

Made = Callable[..., Page]


def test_equal_sources_give_equal_bytes(invoke: Invoke, tmp_path: Path) -> None:
    """No clock and no chance is in a page."""
    folder = training(tmp_path / "run")
    pages = []
    for name in ("one.html", "two.html"):
        invoke(folder, "-o", tmp_path / name)
        pages.append((tmp_path / name).read_bytes())

    assert pages[0] == pages[1]


def test_a_page_is_not_replaced_unasked(invoke: Invoke, tmp_path: Path) -> None:
    """A file that is there stays, unless --overwrite is given."""
    source, page = scored(tmp_path / "s.jsonl"), tmp_path / "r.html"
    page.write_text("mine")
    refused = invoke(source, "-o", page)

    assert (2, f"ocaml-reward: {page} exists; replace it with --overwrite\n") == (
        refused.exit_code,
        refused.output,
    )
    assert "mine" == page.read_text()
    assert 0 == invoke(source, "-o", page, "--overwrite").exit_code
    assert page.read_text().startswith("<!doctype html>")


def test_a_source_is_never_overwritten(invoke: Invoke, tmp_path: Path) -> None:
    """A page does not take the place of what it is made of."""
    source = scored(tmp_path / "s.jsonl")
    before = source.read_bytes()
    done = invoke(source, "-o", source, "--overwrite")

    assert 2 == done.exit_code
    assert before == source.read_bytes()


def test_a_place_that_cannot_be_written(invoke: Invoke, tmp_path: Path) -> None:
    """A folder that is not there is said in one line, and nothing is left behind."""
    done = invoke(scored(tmp_path / "s.jsonl"), "-o", tmp_path / "no" / "r.html")

    assert 2 == done.exit_code
    assert done.output.endswith("No such file or directory\n")
    assert ["s.jsonl"] == [path.name for path in tmp_path.iterdir()]


def test_standard_output(invoke: Invoke, tmp_path: Path) -> None:
    """`-o -` writes the page, and nothing else, to standard output."""
    source = scored(tmp_path / "s.jsonl")
    invoke(source, "-o", tmp_path / "r.html")

    assert (tmp_path / "r.html").read_bytes() == invoke(source, "-o", "-").stdout_bytes


def test_more_completions_than_are_kept(made: Made, tmp_path: Path) -> None:
    """Of too many completions whole groups are kept, the same ones each time; the figures are
    of all, and the page knows that it is cut.
    """
    path = many(tmp_path / "many.jsonl", 160)
    page = made(path, "--completions", "24")
    rows = page.summary["rows"]
    groups = set(rows["problem"])

    assert (24, 160) == (page.summary["kept"], page.summary["total"])
    assert 160 == page.summary["sources"][0]["completions"]
    assert 3 == len(groups)
    assert [*range(8)] * 3 == rows["index"]
    assert sorted(rows["problem"]) == rows["problem"]
    assert 24 == len(page.details())
    assert rows == made(path, "--completions", "24").summary["rows"]
    assert groups <= set(made(path, "--completions", "48").summary["rows"]["problem"])


def test_what_is_left_out_costs_nothing() -> None:
    """A completion whose group comes too late is never made into text."""
    kept = CompletionSample(8)
    written = []

    def text() -> str:
        written.append("text")
        return written[-1]

    for number in range(400):
        kept.add((number // 8,), number % 8, text)

    assert 8 == len(kept)
    assert len(written) < 200


def test_no_completions_at_all(made: Made, tmp_path: Path) -> None:
    """`--completions 0` makes a page of pictures alone."""
    page = made(scored(tmp_path / "s.jsonl"), "--completions", "0")

    assert (0, 2, []) == (page.summary["kept"], page.summary["total"], page.details())


def test_what_stands_beside_a_completion(made: Made, tmp_path: Path) -> None:
    """The code, its diagnostics, checks and regions, and the sum with its reasons."""
    first, second = made(scored(tmp_path / "s.jsonl")).details()

    assert first["code"] == example().code
    assert [1, 14, 1, 15] == first["diagnostics"][0]["span"]
    assert [[0, 4, "passed", ""], [1, 5, "raised", "Not_found"]] == first["checks"]
    assert [[1, 1, "met_hole", ""]] == first["through"]
    assert ["wrong", "right"] == [mark for _, _, mark, _ in first["regions"]]
    assert ["structural", 0.05, 0.05, "end marker stands after the code"] == first["credits"][0]
    assert ["runaway", 0.066] == first["penalties"][0][:3:2]
    assert not {"diagnostics", "penalties", "regions"} & second.keys()


def test_long_code_is_cut(made: Made, tmp_path: Path) -> None:
    """A page stays small where a completion is not, and says how much is missing."""
    path = scored(tmp_path / "s.jsonl", [passing(), example(code="x" * 50_000)])
    cut = made(path).details()[1]

    assert (20_000, 30_000) == (len(cut["code"]), cut["cut"])


def test_problems_and_distribution(made: Made, tmp_path: Path) -> None:
    """Each problem has its completions, passes and rewards; each reward its bar."""
    path = scored(tmp_path / "s.jsonl", [example(), passing(), example(problem_id="z")])
    (source,) = made(path).summary["sources"]

    assert ["sum-list", "z"] == source["problems"]["id"]
    assert [1, 0] == source["problems"]["passed"]
    assert [0.61, 0.22] == source["problems"]["mean"]
    assert (2, 1) == (source["bins"][4], source["bins"][-1])
    assert [["expression of another type", 2]] == source["errors"]
    assert 0.25 == source["figures"]["pass_at_1"]


def test_curves_of_the_problems_that_change_most() -> None:
    """At most 24, of at most 60 points each, the greatest changes first; validation is apart."""
    figures = ReportFigures()
    for step in range(150):
        for number in range(30):
            one = example(problem_id=f"p{number:02}", reward=number / 30 * step / 150)
            split = "eval" if number == 29 else "train"
            figures.add(ScoredCompletion(breakdown=one, index=0, step=step, split=split))
    curves = figures.curves()

    assert [f"p{number:02}" for number in range(29, 5, -1)] == [each["problem"] for each in curves]
    assert [True, *[False] * 23] == [each["eval"] for each in curves]
    assert {50} == {len(each["x"]) for each in curves}


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Unbound value foo", "unbound value"),
        (
            "This expression has type int but an expression",
            "expression of another type",
        ),
        ("The constructor Add expects 2 argument(s),", "constructor's arguments"),
        ("Something that nobody has thought of", "other"),
    ],
)
def test_errors_by_kind(message: str, kind: str) -> None:
    """Type errors are told apart by how the compiler begins."""
    assert kind == error_kind(diagnostic(message))


def test_the_command_waits_for_no_library() -> None:
    """Neither plotly nor a training library is imported before a report is made."""
    allowed = {"cli", "click", "ocaml_reward", "rich", "trainer_plugin", *RICH_NEEDS}

    assert set() == brought_in("cli.report.command") - allowed


def test_without_plotly(tmp_path: Path) -> None:
    """Where the extra is not installed, one line says how to get it, exit code 3."""
    source = scored(tmp_path / "s.jsonl")
    program = (
        "import sys; sys.modules['plotly'] = None; from cli.main import main;"
        f" main(['report', {str(source)!r}, '-o', {str(tmp_path / 'r.html')!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert 3 == done.returncode
    assert "pip install 'ocaml-reward[report]'" in done.stderr
    assert 1 == done.stderr.count("\n")
