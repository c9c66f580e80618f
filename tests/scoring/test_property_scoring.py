"""Laws of scoring, for every shipped scheme: each class quotes the sentence it proves."""

from __future__ import annotations

import itertools
import math
from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward.model import (
    CheckReport,
    Outcome,
    Stage,
    Verdict,
)
from ocaml_reward.penalties import MIN_LINES, apply
from ocaml_reward.reasons import FIGURES, Why
from ocaml_reward.scheme import RewardScheme
from tests.scoring_strategies import (
    CHECKS,
    CODES,
    END,
    ORDER,
    PASSED_OR_NOT,
    SCHEMES,
    SCORED,
    SETTINGS,
    TEXTS,
    reports,
    results,
    scored,
)


class TestBounds:
    """0 <= reward <= 1; reward 1 iff every test passes, the end marker is there and no
    penalty applies.
    """

    @given(**SCORED)
    @SETTINGS
    def test_a_reward_is_between_0_and_1(
        self,
        text: str,
        report: CheckReport,
        scheme: RewardScheme,
        *,
        truncated: bool | None,
    ) -> None:
        """Nothing a model writes, and nothing an engine finds, leaves the range; the parts
        stay within what the scheme makes available.
        """
        result = scored(text, report, scheme, truncated=truncated)

        assert 0 <= result.reward <= 1
        assert round(result.reward, 6) == result.reward
        for part, codes in FIGURES.items():
            earned = getattr(result.credits, part)
            reason = getattr(result.reasons, part)
            if reason is None:
                assert ("solved", 0) == (part, scheme.available.solved + earned)
                continue
            assert getattr(scheme.available, part) == reason.available
            assert 0 <= earned <= reason.available + 1e-9
            assert reason.code in codes

    @given(**SCORED)
    @SETTINGS
    def test_the_parts_and_their_reasons_make_the_reward(
        self,
        text: str,
        report: CheckReport,
        scheme: RewardScheme,
        *,
        truncated: bool | None,
    ) -> None:
        """What the parts earned is the reward before penalties, and each earned what its
        reason says.
        """
        result = scored(text, report, scheme, truncated=truncated)
        reasons = result.reasons
        ends = reasons.structural.code is Why.END_MARKER
        ran = reasons.tests.code is Why.CHECKS
        passed, total = reasons.tests.passed or 0, reasons.tests.total or 1
        solved = reasons.solved is not None and reasons.solved.code is Why.SOLVED
        earned = (
            reasons.structural.available * ends,
            reasons.type.available * (reasons.type.share or 0),
            reasons.compile.available * (reasons.compile.share or 0),
            reasons.tests.available * ran * passed / total,
            scheme.available.solved * solved,
        )

        assert astuple(result.credits) == pytest.approx(earned, abs=1e-9)
        assert round(min(result.credits.total, 1), 6) == apply(result.credits, ())
        assert result.reward <= apply(result.credits, ())
        if not result.penalties:
            assert result.reward == apply(result.credits, ())

    @given(
        text=TEXTS | CODES.map(lambda code: f"{code}{END}"),
        report=reports()
        | st.just(
            CheckReport(
                stage=Stage.EXECUTABLE,
                type_errors=0,
                results=results([Outcome.PASSED] * CHECKS),
            )
        ),
        scheme=SCHEMES,
        truncated=st.none() | st.booleans(),
    )
    @SETTINGS
    def test_only_a_perfect_completion_earns_1(
        self,
        text: str,
        report: CheckReport,
        scheme: RewardScheme,
        *,
        truncated: bool | None,
    ) -> None:
        """A reward of 1 means all tests passed, finished and unpunished; and the reverse."""
        result = scored(text, report, scheme, truncated=truncated)
        wanted = scheme.available.structural
        finished = math.isclose(wanted, result.credits.structural, abs_tol=1e-9)
        perfect = result.verdict is Verdict.PASSED and not result.penalties and finished

        assert perfect == (result.reward == 1)


class TestMonotone:
    """One more passing test, a later stage reached, or one fewer error never lowers credit."""

    @given(
        text=TEXTS,
        outcomes=PASSED_OR_NOT,
        place=st.integers(0, CHECKS - 1),
        scheme=SCHEMES,
    )
    @SETTINGS
    def test_one_more_passing_test(
        self, text: str, outcomes: list[Outcome], place: int, scheme: RewardScheme
    ) -> None:
        """Passing a check instead of ending it in any other way never costs reward."""
        worse = CheckReport(stage=Stage.EXECUTABLE, type_errors=0, results=results(outcomes))
        outcomes = [*outcomes[:place], Outcome.PASSED, *outcomes[place + 1 :]]
        better = replace(worse, results=results(outcomes))

        assert (
            scored(text, worse, scheme, truncated=None).reward
            <= scored(text, better, scheme, truncated=None).reward
        )

    @given(
        text=TEXTS,
        stage=st.sampled_from([Stage.TYPE_ERROR, Stage.INTERFACE_ERROR]),
        errors=st.integers(1, 30),
        typed=st.tuples(st.floats(0, 1), st.floats(0, 1)),
        scheme=SCHEMES,
        truncated=st.none() | st.booleans(),
    )
    @SETTINGS
    def test_one_error_fewer(
        self,
        text: str,
        stage: Stage,
        errors: int,
        typed: tuple[float, float],
        scheme: RewardScheme,
        *,
        truncated: bool | None,
    ) -> None:
        """Mending a type error never costs reward, whatever share of the code types."""
        worse = CheckReport(stage=stage, type_errors=errors + 1, typed_fraction=typed[0])
        better = CheckReport(stage=stage, type_errors=errors, typed_fraction=typed[1])

        assert (
            scored(text, worse, scheme, truncated=truncated).reward
            <= scored(text, better, scheme, truncated=truncated).reward
        )

    @given(
        text=TEXTS,
        pair=st.sampled_from(list(itertools.combinations(ORDER, 2))),
        errors=st.integers(1, 30),
        parsed=st.floats(0, 1),
        scheme=SCHEMES,
        truncated=st.none() | st.booleans(),
    )
    @SETTINGS
    def test_a_later_stage(
        self,
        text: str,
        pair: tuple[Stage, Stage],
        errors: int,
        parsed: float,
        scheme: RewardScheme,
        *,
        truncated: bool | None,
    ) -> None:
        """Getting further through the compiler never costs reward; nor does parsing, but
        for padding, of which nothing is known before.
        """
        worse, better = (
            scored(
                text,
                CheckReport(stage=stage, type_errors=errors, parsed_share=parsed),
                scheme,
                truncated=truncated,
            )
            for stage in pair
        )
        padded = any(penalty.code == MIN_LINES.code for penalty in better.penalties)

        assert worse.reward <= better.reward or (pair[0] is Stage.SYNTAX_ERROR and padded)

    @given(text=TEXTS, errors=st.integers(0, 99), scheme=SCHEMES)
    @SETTINGS
    def test_exhausting_the_compiler_pays_no_more_than_an_error(
        self, text: str, errors: int, scheme: RewardScheme
    ) -> None:
        """A compiler brought to its limit earns no more than any honest type error."""
        limit = CheckReport(stage=Stage.COMPILER_LIMIT, type_errors=None)
        honest = CheckReport(stage=Stage.TYPE_ERROR, type_errors=errors)

        assert (
            scored(text, limit, scheme, truncated=None).reward
            <= scored(text, honest, scheme, truncated=None).reward
        )
