"""Rescoring: what a record says is enough for another scheme, or the reason why it is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocaml_reward import SchemeError
from ocaml_reward.model import Breakdown, CheckReport, Completion, Fault
from ocaml_reward.reading.extraction import extract
from ocaml_reward.scheme import RewardScheme, load, with_overrides
from ocaml_reward.scoring import score
from ocaml_reward.scoring.rescoring import MissingInformation, Rescoring
from ocaml_reward.scoring.rewards import graded, ungraded
from ocaml_reward.testing import FakeEngine, problem
from tests.scored_texts import END, PASSING, PROGRAM, UNPARSED
from tests.scored_texts import report as passing
from tests.scoring_strategies import CHECKS, SCHEMES, SETTINGS, TEXTS, reports

SEED, CAPPED, CONCISE = map(load, ("seed", "capped", "concise"))
CHANGES = (
    "min_lines=1",
    "min_lines=3",
    "min_lines=12",
    "runaway.factor=1",
    "runaway.cap=0.2",
    "degenerate.factor=1",
    "degenerate.block_copies=2",
    "idle.factor=1",
    "unrelated.factor=1",
    "unrelated.factor=0.5",
    "efficiency.factor=0.8",
)
CHANGED = st.builds(
    with_overrides,
    SCHEMES,
    st.lists(st.sampled_from(CHANGES), max_size=2),
)
ENGINE = FakeEngine()


def told(
    text: str,
    report: CheckReport,
    scheme: RewardScheme,
    *,
    truncated: bool | None = None,
    checks: int = CHECKS,
) -> Breakdown:
    """Grade a text as the grader does."""
    extraction = extract(text, uses=("f",), end_marker=scheme.end_marker)
    found = report if extraction.has_code else None
    completion = Completion(text=text, truncated=truncated)
    return graded(
        problem(),
        score(found, extraction, completion, checks, scheme),
        extraction=extraction,
        truncated=truncated,
        report=found,
        checks=checks,
        label=scheme.label,
        engine=ENGINE,
        regions=None,
        total_ms=0.0,
    )


@given(
    text=TEXTS | st.builds("{}\n{}".format, TEXTS, st.just(END)),
    report=reports(),
    was=CHANGED,
    now=CHANGED,
    truncated=st.none() | st.booleans(),
    known=st.booleans(),
)
@SETTINGS
def test_rescoring_is_scoring(
    text: str,
    report: CheckReport,
    was: RewardScheme,
    now: RewardScheme,
    *,
    truncated: bool | None,
    known: bool,
) -> None:
    """Whatever the completion, the record under one scheme gives that of any other, or says
    what it lacks; it never guesses.
    """
    old = told(text, report, was, truncated=truncated)
    given_ = old if known else replace(old, truncated=None)
    expected = told(text, report, now, truncated=truncated)
    try:
        found = Rescoring(was, now).of(given_, known=known)
    except (MissingInformation, SchemeError):
        return

    assert replace(expected, truncated=given_.truncated) == found


@given(
    text=TEXTS,
    report=reports(),
    names=st.permutations(("seed", "capped", "decisive", "curriculum")),
    truncated=st.none() | st.booleans(),
)
@settings(SETTINGS, max_examples=50)
def test_schemes_with_one_marker_are_always_told(
    text: str, report: CheckReport, names: list[str], truncated: bool | None
) -> None:
    """Between shipped schemes that look for the same end marker no record lacks anything, old
    ones neither, and any of them becomes concise.
    """
    was, now = load(names[0]), load(names[1])
    old = told(text, report, was, truncated=truncated)

    for known in (True, False):
        found = Rescoring(was, now).of(old, known=known)
        assert told(text, report, now, truncated=truncated) == found
    found = Rescoring(was, CONCISE).of(old)
    assert told(text, report, CONCISE, truncated=truncated) == found


LONG = f"{PROGRAM}{END}\n"


@pytest.mark.parametrize(
    ("text", "was", "now", "truncated", "said"),
    [
        (LONG, ["idle.factor=1"], [], None, "idle.factor was turned off in seed@"),
        (LONG, ["degenerate.factor=1"], [], None, "degenerate.factor was turned off"),
        (LONG, [], ["degenerate.blocks=1"], None, "degenerate.blocks differs"),
        (PROGRAM, ["runaway.factor=1"], [], True, "whether a length limit ended"),
    ],
)
def test_what_a_record_lacks_is_said(
    text: str, was: list[str], now: list[str], truncated: bool | None, said: str
) -> None:
    """A record that does not say what the scheme looks at is refused with the reason."""
    first, other = with_overrides(SEED, was), with_overrides(SEED, now)
    report = replace(PASSING, results=PASSING.results[: 0 if "idle" in said else 3])
    old = told(text, report, first, truncated=truncated, checks=4)

    with pytest.raises(MissingInformation, match=said):
        Rescoring(first, other).of(old)


def test_a_record_from_before_says_less() -> None:
    """Without the key `truncated` nobody knows whether a marker at the very end was the limit."""
    old = told(LONG, PASSING, SEED, truncated=True, checks=4)

    assert "runaway" == Rescoring(SEED, CONCISE).of(old).penalties[0].code
    with pytest.raises(MissingInformation, match="length limit"):
        Rescoring(SEED, CONCISE).of(replace(old, truncated=None), known=False)
    with pytest.raises(MissingInformation, match="before there were reasons"):
        Rescoring(SEED, CAPPED).of(replace(old, reasons=None))


def test_what_was_not_scored_stays_so() -> None:
    """A completion that our side failed to score has no reward under any scheme."""
    old = ungraded("add", Fault(kind="MachineError", message="m"), SEED, ENGINE)

    assert (None, CAPPED.label) == (
        Rescoring(SEED, CAPPED).of(old).reward,
        Rescoring(SEED, CAPPED).of(old).scheme,
    )


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        (
            SEED,
            with_overrides(SEED, ["budget.check_cpu_s=3"]),
            "budget.check_cpu_s was 2",
        ),
        (CONCISE, SEED, "nobody has looked for"),
    ],
)
def test_what_would_run_otherwise_is_refused(
    was: RewardScheme, now: RewardScheme, said: str
) -> None:
    """Other budgets, and code that an end marker has cut, cannot be had from a record."""
    with pytest.raises(SchemeError, match=said):
        Rescoring(was, now)


def test_credit_of_a_marker_behind_no_program() -> None:
    """A marker behind text that defines nothing earns nothing under any scheme."""
    old = told(f"oh no\n{END}", UNPARSED, SEED)

    assert told(f"oh no\n{END}", UNPARSED, CAPPED) == Rescoring(SEED, CAPPED).of(old)


def test_steps_of_a_record_are_enough_for_efficiency() -> None:
    """And a record from before there were any is none for a scheme that pays for them."""
    pays = with_overrides(CONCISE, ["efficiency.factor=0.8"])
    known, old = (told(PROGRAM, passing(steps=steps), CONCISE, checks=4) for steps in (100, None))

    assert told(PROGRAM, passing(steps=100), pays, checks=4) == Rescoring(CONCISE, pays).of(known)
    assert Rescoring(CONCISE, CONCISE).of(old) == old
    with pytest.raises(MissingInformation, match="before steps were counted"):
        Rescoring(CONCISE, pays).of(old)
