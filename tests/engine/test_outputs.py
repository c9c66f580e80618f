"""
What a program printed is held against what it had to, by the grader itself: whatever it printed,
that is as quick as it is long.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Completion, Grader, Problem, StdioCase, Verdict
from ocaml_reward.engine import Engine
from ocaml_reward.engine.outputs import difference
from ocaml_reward.model import Comparison

CLOSE = Comparison(absolute=1e-6)
NO_CAPITALS = Comparison(case_sensitive=False)


@pytest.mark.parametrize(
    "printed",
    ["1" * 1_000_000 + "x", "1." * 500_000, "e" * 1_000_000, "-" * 1_000_000, "1e" * 500_000,
     "." * 1_000_000, " 1" * 500_000, "9" * 1_000_000, "\r" * 1_000_000 + "1"],
    ids=["digits", "points", "letters", "signs", "exponents", "dots", "words", "number", "blanks"],
)  # fmt: skip
@pytest.mark.parametrize(
    "how",
    [CLOSE, Comparison(relative=1e-6), NO_CAPITALS, Comparison(unordered="tokens"),
     Comparison(unordered="lines"), None],
    ids=["absolute", "relative", "capitals", "tokens", "lines", "exact"],
)  # fmt: skip
def test_a_long_output_is_refused_at_once(printed: str, how: Comparison | None) -> None:
    """
    An expression that backtracks would take hours for each of these.
    """
    assert difference(printed, "1.5", how) is not None


def test_digits_do_not_hang_the_grader(engine: Engine) -> None:
    """
    A number that is none, of forty thousand digits, is a wrong answer like others.
    """
    problem = Problem(
        id="half", tests=(StdioCase(stdin="", stdout="1.5"),), comparison=CLOSE
    )
    code = "let () = print_string (String.make 40_000 '1' ^ \"x\")"
    grader = Grader("concise", engine=engine, jobs=1)
    found = grader.grade(problem, Completion(text=code))

    assert Verdict.FAILED_TESTS is found.verdict


@pytest.mark.parametrize(
    ("printed", "expected"),
    [("ye\u017f", "YES"), ("\u00df", "SS"), ("\u212a", "k"), ("\ufb01", "FI"), ("\u0130", "i")],
    ids=["long s", "sharp s", "Kelvin", "ligature", "dotted I"],
)  # fmt: skip
def test_letters_that_are_spelt_otherwise_are_others(
    printed: str, expected: str
) -> None:
    """
    Where capitals do not count, those of ASCII do not, and nothing else is taken for them.
    """
    assert difference(printed, expected, NO_CAPITALS) is not None
    assert difference(expected.lower(), expected, NO_CAPITALS) is None
    assert difference(printed, printed, NO_CAPITALS) is None
