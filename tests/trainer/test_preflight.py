"""What a reward pays on a set before anything is learned from it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from ocaml_reward import Grader, Problem
from ocaml_reward.comparing.certificate import Certificate, Rate, beside, digest_of
from ocaml_reward.formats import load_problems
from trainer_plugin.config.value import ConfigError, DatasetConfig
from trainer_plugin.data.rows import read_entries
from trainer_plugin.run.preflight import certificate_lines, preflight

CORPUS: Final = Path(__file__).parents[2] / "test_corpus"
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


def test_how_good_the_tests_are_is_told(tmp_path: Path) -> None:
    """By the certificate beside the file, of the problems that the run has read; below 0.9 with a
    warning, and of other problems nothing.
    """
    source = tmp_path / "problems.jsonl"
    shutil.copy(CORPUS / "problems.jsonl", source)
    config = DatasetConfig(source=str(source))
    entries = read_entries(config.source, config, split="train")
    problems = [each.problem for each in entries if each.problem is not None]
    certificate = Certificate(
        id="x",
        digest=digest_of(problems[0]),
        tool="0",
        seed=0,
        right=Rate(passed=2, tried=2),
        near=Rate(passed=1, tried=4),
        empty=Rate(passed=0, tried=9),
        given=Rate(passed=0, tried=0),
    )
    assert [] == list(certificate_lines(str(source), problems))
    beside(source).write_text(f"{json.dumps(certificate.to_record())}\n", encoding="utf-8")
    told, warning = certificate_lines(str(source), problems)

    assert 49 == len(problems)
    assert f"certificate: J 0.750 of 1 of 49 problems, by {beside(source).name}" == told
    assert "warning: J is below 0.9" in warning
    assert load_problems(source).problems[problems[0].id] == problems[0]
    assert [] == list(certificate_lines(str(source), problems[1:]))
    assert [] == list(certificate_lines("someone/on-the-hub", problems))
