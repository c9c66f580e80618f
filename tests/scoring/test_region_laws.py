"""Laws of regions, for any report on any code."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward.model import (
    Branches,
    Check,
    CheckReport,
    CheckResult,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Ground,
    Outcome,
    Part,
    Span,
    Stage,
    ThroughHoles,
)
from ocaml_reward.scoring import located
from tests.scoring_strategies import SETTINGS

CODES = st.lists(
    st.sampled_from(["let f x = x\n", 'let é = "漢"\n', " ", "\n", "😀", "\ud800", "in "]),
    max_size=12,
).map("".join)
NAMES = st.sampled_from(["f", "g", "M", "M.f"])
PLACES = st.integers(-1, 60)
SPANS = st.builds(
    Span,
    line=st.integers(0, 9),
    end_line=st.integers(0, 9),
    column=st.none() | st.integers(0, 30),
    end_column=st.none() | st.integers(0, 30),
)
DIAGNOSTICS = st.builds(
    Diagnostic,
    kind=st.sampled_from(DiagnosticKind),
    source=st.just(DiagnosticSource.TYPER),
    message=st.just(""),
    file=st.sampled_from(["solution.ml", "tests.ml", None]),
    span=st.none() | SPANS,
)


@st.composite
def parts(draw: st.DrawFn) -> tuple[Part, ...]:
    """Make parts that lie anywhere and need any others."""
    count = draw(st.integers(0, 6))
    needs = st.lists(st.integers(0, max(count - 1, 0)), max_size=3, unique=True)
    return tuple(
        Part(
            names=draw(st.sets(NAMES, max_size=2).map(tuple)),
            needs=tuple(sorted(draw(needs))),
            acts=draw(st.booleans()),
            keeps=draw(st.booleans()),
            span=(draw(PLACES), draw(PLACES)),
        )
        for _ in range(count)
    )


@st.composite
def reports(draw: st.DrawFn) -> CheckReport:
    """Make a report that no engine gives, too."""
    broken = st.tuples(PLACES, PLACES)
    places = st.lists(broken, max_size=2).map(tuple)
    results = st.lists(st.sampled_from(Outcome), max_size=4).map(numbered)
    known = draw(results)
    holed = draw(results)
    through = st.builds(
        ThroughHoles,
        results=st.just(holed),
        parts=st.none() | parts(),
        errors=places,
        branches=branches(len(holed)),
        halted=st.booleans(),
    )
    return CheckReport(
        stage=draw(st.sampled_from(Stage)),
        type_errors=None,
        diagnostics=tuple(draw(st.lists(DIAGNOSTICS, max_size=4))),
        forbidden=tuple(draw(st.lists(st.just("Obj (line 2)"), max_size=1))),
        parts=draw(st.none() | parts()),
        unparsed=draw(places),
        results=known,
        branches=draw(branches(len(known))),
        halted=draw(st.booleans()),
        through_holes=draw(st.none() | through),
    )


def branches(checks: int) -> st.SearchStrategy[Branches | None]:
    """Make branches that lie anywhere, which the checks enter or not."""
    entered = st.none() | st.sets(st.integers(0, 6), max_size=4).map(tuple)
    return st.none() | st.builds(
        Branches,
        spans=st.lists(st.tuples(PLACES, PLACES), max_size=5).map(tuple),
        entered=st.lists(entered, min_size=checks, max_size=checks).map(tuple),
    )


def numbered(outcomes: list[Outcome]) -> tuple[CheckResult, ...]:
    """Make the results of checks, in order."""
    return tuple(
        CheckResult(index=number, line=number, outcome=outcome)
        for number, outcome in enumerate(outcomes, 1)
    )


CHECKS = st.lists(
    st.builds(
        Check,
        index=st.integers(1, 4),
        line=st.integers(1, 9),
        source=st.just(""),
        needs=st.none() | st.lists(NAMES, max_size=2).map(tuple),
        span=st.none() | SPANS,
    ),
    max_size=4,
)


@given(report=reports(), code=CODES, checks=CHECKS, uses=st.lists(NAMES, max_size=2))
@SETTINGS
def test_regions_are_stretches_of_the_code(
    report: CheckReport, code: str, checks: list[Check], uses: list[str]
) -> None:
    """They lie in the code, in order, apart from each other, and neither begin nor end with a
    blank; lines are those of their characters; the same again gives the same.
    """
    found = located(report, code, checks, uses=uses)

    assert found == located(report, code, checks, uses=uses)
    assert all(0 <= each.start < each.stop <= len(code) for each in found)
    assert all(one.stop <= other.start for one, other in pairwise(found))
    for each in found:
        text = code[each.start : each.stop]
        assert text == text.strip()
        assert each.line == 1 + code.count("\n", 0, each.start)
        assert each.end_line == 1 + code.count("\n", 0, each.stop - 1)


@given(report=reports(), code=CODES, checks=CHECKS, uses=st.lists(NAMES, max_size=2))
@SETTINGS
def test_what_passes_is_right_and_what_fails_alone_is_wrong(
    report: CheckReport, code: str, checks: list[Check], uses: list[str]
) -> None:
    """The counts of a region say what it is marked by, where no error speaks louder; with
    both kinds it may be known that nothing else is at fault.
    """
    by_checks = {
        (True, True): {
            Ground.BOTH,
            Ground.FAILING,
            Ground.FAILING_BRANCH,
            Ground.PASSING_BRANCH,
        },
        (True, False): {Ground.PASSING, Ground.PASSING_BRANCH},
        (False, True): {Ground.FAILING, Ground.FAILING_BRANCH},
        (False, False): {Ground.UNTESTED},
    }
    wrong = [
        each
        for each in located(report, code, checks, uses=uses)
        if each.ground in set().union(*by_checks.values())
        and each.ground not in by_checks[each.passed > 0, each.failed > 0]
    ]

    assert [] == wrong


def test_no_report_has_no_regions() -> None:
    """Where there is no code there is nothing to speak of."""
    assert () == located(None, "", [])
