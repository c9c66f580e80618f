"""Penalties: who is punished, who must not be, and what is left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_reward.model import Credits, Part, Penalty
from ocaml_reward.penalties import apply
from ocaml_reward.scheme import load
from tests.scored_texts import (
    CAPPED,
    CONCISE,
    END,
    ONE_TYPE_ERROR,
    PROGRAM,
    codes,
    fenced,
    graded,
    report,
    stubs,
)


def test_a_right_answer_earns_all() -> None:
    """Tests passed, marker set and nothing to punish: exactly 1."""
    result = graded(f"{PROGRAM}{END}")

    assert [] == codes(result)
    assert 1.0 == result.reward


class TestRunaway:
    """The completion hit its length limit without its end."""

    def test_it_keeps_a_share_of_its_reward(self) -> None:
        """A factor keeps runaways apart by their quality, where a cap makes them equal."""
        result = graded(PROGRAM, truncated=True)

        assert ["runaway"] == codes(result)
        assert 0.285 == result.reward
        assert "length limit reached" in result.penalties[0].evidence

    def test_a_cap_bounds_it_too(self) -> None:
        """Under the scheme capped nothing above the cap is left."""
        result = graded(PROGRAM, truncated=True, scheme=CAPPED)

        assert ["runaway", "runaway_cap"] == codes(result)
        assert 0.05 == result.reward
        assert graded(PROGRAM, ONE_TYPE_ERROR, truncated=True, scheme=CAPPED).reward < 0.052

    @pytest.mark.parametrize("truncated", [False, None])
    def test_a_completion_that_ended_is_none(self, *, truncated: bool | None) -> None:
        """Where the model stopped by itself, or nobody knows, nothing is taken."""
        assert [] == codes(graded(PROGRAM, truncated=truncated))

    def test_the_end_marker_is_an_end(self) -> None:
        """What the model writes behind its end marker may be cut off."""
        assert [] == codes(graded(f"{PROGRAM}{END}", truncated=True))

    @pytest.mark.parametrize("behind", ["\nThis is", "\n\nNow another: let g = 1", "\n```\nNote"])
    def test_who_goes_on_behind_the_marker_has_not_ended(self, behind: str) -> None:
        """A marker in the middle is no end; a closing fence behind it changes nothing."""
        text = f"```ocaml\n{PROGRAM}\n{END}\n```"
        result = graded(f"{text}{behind}", truncated=True)

        assert [] == codes(graded(text, truncated=True))
        assert ["runaway"] == codes(result)
        assert "length limit reached behind the end marker" == result.penalties[0].evidence
        assert [] == codes(graded(f"{text}{behind}", truncated=False))

    def test_without_a_marker_the_length_decides(self) -> None:
        """In a scheme without an end marker every truncated completion is a runaway."""
        result = graded(f"{PROGRAM}{END}", truncated=True, scheme=CONCISE)

        assert ["runaway"] == codes(result)


class TestMinLines:
    """Fewer lines of code than the scheme wants earn nothing."""

    SHORT = "let rec sum = function\n  | [] -> 0\n  | x :: r -> x + sum r\n"

    def test_a_short_answer_earns_nothing_in_letter(self) -> None:
        """The seeds want eight lines; comments and blank lines do not make up for code."""
        padded = self.SHORT + "(* one *)\n\n" * 10
        found = graded(padded + END, scheme=load("letter"))

        assert ["min_lines"] == codes(found)
        assert 0.0 == found.reward
        assert "3 lines of code (minimum 8)" == found.penalties[0].evidence

    def test_a_short_answer_that_is_right_loses_nothing_in_seed(self) -> None:
        """There it loses its reward only where a check fails, or none is run."""
        wrong = report(passed=3)

        assert 1.0 == graded(self.SHORT + END).reward
        assert ["min_lines"] == codes(graded(self.SHORT + END, wrong))

    def test_a_short_answer_is_welcome_in_concise(self) -> None:
        """A fenced one-liner with the right answer earns everything there."""
        one_line = fenced("let sum = List.fold_left ( + ) 0")

        assert [] == codes(graded(one_line, scheme=CONCISE))
        assert 1.0 == graded(one_line, scheme=CONCISE).reward


class TestApply:
    """Credits times factors, under the caps."""

    def test_factors_multiply_and_caps_bound(self) -> None:
        runaway = Penalty(code="runaway", factor=0.3, evidence="")
        capped = Penalty(code="runaway_cap", factor=1.0, cap=0.05, evidence="")
        earned = Credits(tests=0.5)

        assert 0.15 == apply(earned, [runaway])
        assert 0.05 == apply(earned, [runaway, capped])
        assert 0.003 == apply(Credits(tests=0.01), [runaway, capped])
        assert 0.5 == apply(earned, [])

    def test_rewards_have_six_decimals(self) -> None:
        """Records compare equal to the last digit."""
        assert 0.333333 == apply(Credits(tests=1 / 3), [])


class TestIdle:
    """Functions that ignore every argument or only raise keep a tenth."""

    NAMES = ("average", "double", "sum")

    def test_stubs_keep_a_tenth(self) -> None:
        """What the scheme pays for types and compiling is multiplied; the evidence says why."""
        result = graded(PROGRAM + END, stubs(*self.NAMES))
        (penalty,) = result.penalties

        assert 0.035 == result.reward
        assert ("idle", 0.1) == (penalty.code, penalty.factor)
        assert (
            "no check passes, and average, double, sum ignore every argument or only raise"
            == penalty.evidence
        )

    def test_an_attempt_at_one_is_an_attempt(self) -> None:
        """All that is asked for has to be a stub, and no check may pass."""
        lucky = replace(stubs(*self.NAMES), results=report(passed=1).results)

        assert [] == codes(graded(PROGRAM, stubs("sum", "double")))
        assert [] == codes(graded(PROGRAM, lucky))

    def test_the_last_of_equal_names_counts(self) -> None:
        """A stub that is defined again is none."""
        found = stubs(*self.NAMES)
        again = replace(found, parts=(*(found.parts or ()), Part(names=("sum",))))

        assert [] == codes(graded(PROGRAM, again))
