"""What a reward pays on a set before anything is learned from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ocaml_reward import Grader, Problem
from trainer_plugin.config.value import ConfigError
from trainer_plugin.run.preflight import preflight

ADD = Problem(
    id="add",
    tests="let () = assert (add 1 2 = 3)\nlet () = assert (add 0 0 = 0)",
    prompt="(* Adds. *)\nlet add (x : int) (y : int) : int =",
    reference="let add (x : int) (y : int) : int = x + y",
)
SAME = Problem(
    id="same",
    tests="let () = assert (same 0 = 0)",
    prompt="let same (x : int) : int =",
    reference="let same (x : int) : int = x",
)


@pytest.fixture(scope="module")
def decisive() -> Iterator[Grader]:
    """Grade under the scheme that `train` uses where nobody names one."""
    with Grader("decisive", jobs=1) as made:
        yield made


def test_it_says_what_right_and_empty_answers_earn(decisive: Grader) -> None:
    """References earn all there is, and what solves nothing next to nothing."""
    line = preflight([ADD] * 40, decisive)

    assert line.startswith(f"preflight: of 20 problems {decisive.scheme.label} pays ")
    assert "references 1.000, a constant 0.0" in line
    assert line.endswith("the prompt 0.000, nothing 0.000")


def test_tests_that_a_constant_passes_show(decisive: Grader) -> None:
    """Where a program without an idea passes every check, it is seen before training."""
    assert "references 1.000, a constant 1.000" in preflight([SAME], decisive)


def test_references_that_earn_less_than_1_are_refused() -> None:
    """Under the documents' letter a right answer of one line is too short."""
    with (
        Grader("letter", jobs=1) as grader,
        pytest.raises(ConfigError, match=r"least add: 0\.\d+.*reward.preflight=false"),
    ):
        preflight([ADD], grader)


def test_sets_without_references_have_no_figure_for_them(decisive: Grader) -> None:
    """What is not known is not a zero."""
    bare = Problem(id="add", tests=ADD.tests, prompt=ADD.prompt)

    assert "pays references -, a constant " in preflight([bare], decisive)
