"""Laws of the penalties, for every shipped scheme."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from ocaml_reward.model import (
    CheckReport,
    Completion,
    Credits,
    Penalty,
    Stage,
    Verdict,
)
from ocaml_reward.penalties import apply
from ocaml_reward.reading.extraction import Extraction, How
from ocaml_reward.reading.lexing import Source
from ocaml_reward.reasons import Why
from ocaml_reward.scheme import RewardScheme, load
from ocaml_reward.scoring import score
from tests.scoring_strategies import (
    CODES,
    END,
    SCHEMES,
    SCORED,
    SETTINGS,
    TEXTS,
    reports,
    scored,
)


class TestPenalties:
    """Penalties: order does not matter, each applies at most once, total is capped by the
    scheme.
    """

    @given(
        factors=st.lists(st.floats(0, 1), max_size=5),
        caps=st.lists(st.floats(0, 1), max_size=2),
        earned=st.floats(0, 1),
        shuffle=st.randoms(use_true_random=False),
    )
    @SETTINGS
    def test_order_does_not_matter(
        self,
        factors: list[float],
        caps: list[float],
        earned: float,
        shuffle: Random,
    ) -> None:
        """The same penalties in any order leave the same reward, to the last digit."""
        penalties = [
            *(Penalty(code="x", factor=factor, evidence="") for factor in factors),
            *(Penalty(code="y", factor=1.0, cap=cap, evidence="") for cap in caps),
        ]
        expected = apply(Credits(tests=earned), penalties)
        shuffle.shuffle(penalties)

        assert expected == apply(Credits(tests=earned), penalties)
        assert expected <= round(earned, 6)
        assert all(expected <= round(cap, 6) for cap in caps)

    @given(**SCORED)
    @SETTINGS
    def test_each_applies_at_most_once(
        self,
        text: str,
        report: CheckReport,
        scheme: RewardScheme,
        *,
        truncated: bool | None,
    ) -> None:
        """No code stands twice among the penalties, and each gives its evidence."""
        penalties = scored(text, report, scheme, truncated=truncated).penalties
        codes = [penalty.code for penalty in penalties]

        assert sorted(set(codes)) == sorted(codes)
        assert all(penalty.evidence for penalty in penalties)

    @given(text=TEXTS, report=reports(), scheme=SCHEMES)
    @SETTINGS
    def test_running_away_never_pays(
        self, text: str, report: CheckReport, scheme: RewardScheme
    ) -> None:
        """The same text earns no more for having hit its length limit."""
        ended = scored(text, report, scheme, truncated=False)
        cut = scored(text, report, scheme, truncated=True)

        assert cut.reward <= ended.reward


class TestNothingForNothing:
    """A degenerate completion never earns more than an honest failed attempt, and never
    sits at a positive constant.
    """

    @given(
        code=CODES,
        copies=st.integers(4, 40),
        report=reports(),
        scheme=SCHEMES,
    )
    @SETTINGS
    def test_copies_earn_no_more_than_one(
        self, code: str, copies: int, report: CheckReport, scheme: RewardScheme
    ) -> None:
        """Writing the same block again and again never pays."""
        block = f"```ocaml\n{code}\n```\n"
        once = scored(f"{block}{END}", report, scheme, truncated=False)
        often = scored(f"{block * copies}{END}", report, scheme, truncated=False)

        assert often.reward <= once.reward

    @given(
        words=st.lists(st.sampled_from(("the", "answer", "is", "a", "list", "of"))),
        scheme=SCHEMES,
    )
    @SETTINGS
    def test_words_alone_earn_nothing(self, words: list[str], scheme: RewardScheme) -> None:
        """Text in which nothing parses earns 0, end marker or not."""
        report = CheckReport(stage=Stage.SYNTAX_ERROR, type_errors=None, parsed_share=0.0)
        text = "\n".join([" ".join(words)] * 9) + f"\n{END}"

        assert 0 == scored(text, report, scheme, truncated=False).reward


def test_the_extraction_of_nothing_scores_nothing() -> None:
    """An engine need not be asked about an empty completion."""
    empty = Extraction(source=Source(""), how=How.WHOLE, text="", prose="")
    result = score(None, empty, Completion(text=""), 3, load("seed"))

    assert (Credits(), ()) == (result.credits, result.penalties)
    assert (0.0, Verdict.NO_CODE) == (result.reward, result.verdict)
    assert Why.NO_CODE is result.reasons.tests.code
