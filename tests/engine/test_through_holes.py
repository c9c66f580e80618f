"""Code that does not type or parse, run through holes: what checks tell that meet none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ocaml_reward import Verdict
from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome, Stage

from .located import F_AND_G, Locate

Check = Callable[..., CheckReport]
Through = Callable[..., str]

# One word a check.
WORDS = {
    Outcome.PASSED: "pass",
    Outcome.FAILED: "fail",
    Outcome.RAISED: "raise",
    Outcome.MET_HOLE: "hole",
    Outcome.NOT_RUN: "none",
}


def words(report: CheckReport) -> str:
    """Write how the checks ended; empty where the code did not run through holes."""
    through = report.through_holes
    return " ".join(WORDS[each.outcome] for each in through.results) if through else ""


@pytest.fixture
def through(check: Check) -> Through:
    """Run code through holes and write how its checks ended."""

    def run(code: str, tests: object = F_AND_G, **other: str) -> str:
        return words(check(code, tests, holes=True, **other))

    return run


def test_a_check_that_meets_no_hole_tells(check: Check) -> None:
    """It passes or fails as on code that types; one that comes to an error meets a hole.  What
    was not asked for is not there, and nothing else in the report changes.
    """
    code = """\
let help x = x + 1
let f x = if x > 1 then help (x ^ "a") else help x
let g x = help x
"""
    asked = check(code, F_AND_G, holes=True)
    plain = check(code, F_AND_G)

    assert "pass hole fail" == words(asked)
    assert Stage.TYPE_ERROR is asked.stage
    assert () == asked.results
    assert plain == replace(asked, through_holes=None, blame=())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("let f x = x + 1\n\nlet h x = (x\n\nlet g x = x\n", "pass pass pass"),
        ("let f x = x + 1\nlet g x = (x\n", "pass pass hole"),
        ("let f x = x + 1\nlet h x = (x\nlet g x = h x\n", "pass pass hole"),
        ('let f x = x ^ 1\nlet h x = (x\nlet g x = "a"\n', ""),
        # What stands before a misspelt keyword parses.
        ("let f x = x + 1\nlett g x : int = x\n", "pass pass hole"),
        # A semicolon that takes the next definition for more of its own is all that is wrong.
        ("let f x = x + 1; (* one; *)\n\nlet g x = x\n", "pass pass pass"),
        # What a statement would have done is not done.
        ("let f x = x + 1\nlet () = (f\nlet g x = x + 1\n", "pass pass hole"),
    ],
)
def test_items_that_parse_run_without_the_one_that_does_not(
    check: Check, code: str, expected: str
) -> None:
    """The parts of what parses are known then, at their places."""
    report = check(code, F_AND_G, holes=True)
    parts = report.through_holes and report.through_holes.parts

    assert expected == words(report)
    assert Stage.SYNTAX_ERROR is report.stage
    assert report.parts is None
    assert {"let ", ""} >= {code[slice(*part.span)][:4] for part in parts or ()}


def test_limits_are_those_of_code_that_types(locate: Locate) -> None:
    """A check that loops without a hole times out, after a first look that gave up on it; it costs
    itself alone, as one that leaves does.
    """
    code = "let rec f x = if x > 1 then f x else x + 1\nlet h x = x ^ 1\n"
    found = locate(f"{code}let g x = exit x\n")

    assert [Outcome.PASSED, Outcome.TIMED_OUT, Outcome.EXITED] == [
        each.outcome for each in found.through_holes or ()
    ]
    assert (Verdict.TYPE_ERROR, 0) == (found.verdict, found.tests.passed)
