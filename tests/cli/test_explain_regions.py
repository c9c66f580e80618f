"""What `explain` shows of the parts of the code."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console
from rich.text import Text

from cli.explain.explanation import Explanation, explanation_lines
from cli.explain.listing import listing
from cli.explain.regions import region_lines
from cli.explain.sources import CheckSources
from ocaml_reward import Ground, Region
from ocaml_reward.model import CheckResult, Outcome
from tests.example_breakdown import EXAMPLE, replace_code

CODE = "let f x =\n\tlet é = x in\n  é\nlet g x = x\n(* 漢 *) let h x = x\n"


def region(
    text: str, ground: Ground, name: str = "", *, passed: int = 0, failed: int = 0
) -> Region:
    """Make the region of a text that the code has once."""
    start = CODE.index(text)
    stop = start + len(text)
    return Region(
        start=start,
        stop=stop,
        line=1 + CODE.count("\n", 0, start),
        end_line=1 + CODE.count("\n", 0, stop),
        ground=ground,
        names=(name,) if name else (),
        passed=passed,
        failed=failed,
    )


FOUND = (
    region("let f x =", Ground.PASSING, "f", passed=2),
    region("let é = x in", Ground.PASSING, passed=2),
    region("  é", Ground.PASSING, "f", passed=2),
    region("let g x = x", Ground.FAILING, "g", failed=1),
    region("let h x = x", Ground.UNTESTED, "h"),
)


def test_branches_stand_below_their_definition() -> None:
    """The words around branches are shown once, and of a branch its own text."""
    found = (
        region("let f x =", Ground.BOTH, "f", passed=1, failed=1),
        region("let é = x in", Ground.PASSING_BRANCH, "f", passed=1, failed=1),
        region("  é", Ground.BOTH, passed=1, failed=1),
        region("let g x = x", Ground.FAILING_BRANCH, "f", failed=1),
    )
    shown = [line.plain for line in region_lines(replace_code(EXAMPLE, CODE, found), width=80)]

    assert [
        "  ? line 1-3      f                     needed by checks: 1 passed, 1 failed",
        "  ✓ line 2        let é = x in          entered by checks: 1 passed, 1 failed",
        "  ✗ line 4        let g x = x           entered by checks: 1 failed",
    ] == shown


def test_a_definition_is_a_line() -> None:
    """What stands in a body is shown with its definition, where the same is known of it."""
    shown = [line.plain for line in region_lines(replace_code(EXAMPLE, CODE, FOUND), width=80)]

    assert [
        "  ✓ line 1-3      f                     needed by checks: 2 passed",
        "  ✗ line 4        g                     needed by checks: 1 failed",
        "  ? line 5        h                     no check that ran needs it",
    ] == shown


def styled(line: Text, style: str) -> list[str]:
    """Return the parts of a line that have a style."""
    return [line.plain[s.start : s.end] for s in line.spans if s.style == style]


def test_the_code_is_coloured() -> None:
    """Right parts are green and wrong ones red, tabs and wide characters or not; a console
    without colours shows the text alone.
    """
    lines = list(listing(CODE, (), width=80, regions=FOUND))
    plain = Console(width=80, color_system=None)
    with plain.capture() as captured:
        for line in lines:
            plain.print(line)

    assert [["let f x ="], ["let é = x in"], ["  é"], [], []] == [
        styled(line, "green") for line in lines
    ]
    assert [[], [], [], ["let g x = x"], []] == [styled(line, "red") for line in lines]
    assert "\x1b" not in captured.get()


def test_checks_through_holes_are_shown_apart() -> None:
    """A check that met a hole is neither good nor bad."""
    found = tuple(
        CheckResult(index=number, line=number, outcome=outcome)
        for number, outcome in enumerate((Outcome.PASSED, Outcome.MET_HOLE), 1)
    )
    case = Explanation(
        title="",
        breakdown=replace(EXAMPLE, through_holes=found),
        scheme=None,
        sources=CheckSources(checks={1: "assert (f 1 = 2)"}),
    )
    shown = [line.plain for line in explanation_lines(case, width=80)]
    start = shown.index("checks through holes, which nothing is paid for")

    assert [
        "  ✓   1  line 1    passed         assert (f 1 = 2)",
        "  ?   2  line 2    met hole",
    ] == shown[start + 1 : start + 3]
