"""No text that is the same for any problem earns much on average."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from statistics import median

import pytest

from ocaml_reward import Breakdown, Completion, Grader
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines import select
from ocaml_reward.formats import CompletionLine, read_completions
from ocaml_reward.scheme import RewardScheme, with_overrides
from ocaml_reward.scoring.rescoring import Rescoring

from .corpus import CORPUS, problems, schemes
from .fixed import fixed_texts

# What loops would take minutes with the steps that schemes give it.
LITTLE_TIME = ("budget.check_steps=200000", "budget.most_steps=4000000", "budget.looping_factor=2")
LEAST_TIME = ("budget.check_steps=20000", "budget.most_steps=400000", "budget.looping_factor=1")
RUNS = ("failed_tests", "runtime_error")

Graded = list[tuple[str, Breakdown]]


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    engine = select.engine("warm")
    yield engine
    engine.close()


def seed(time: tuple[str, ...]) -> RewardScheme:
    """Return the scheme that texts are graded under; what other schemes make of it is what
    grading gives there, as tests/corpus/test_corpus.py has it.
    """
    return with_overrides(schemes()["seed"], time)


@pytest.fixture(scope="module")
def texts(engine: Engine) -> Graded:
    """Grade every text for every problem, and name each."""
    fixed = list(fixed_texts())
    pairs = [(problems()[problem], Completion(text=text)) for _, problem, text in fixed]
    graded = Grader(seed(LEAST_TIME), engine=engine).grade_many(pairs)
    return [(name, each) for (name, _, _), each in zip(fixed, graded, strict=True)]


@pytest.fixture(scope="module")
def tries(engine: Engine) -> Graded:
    """Grade the corpus' honest completions, and name the verdict that each was written to get."""
    chosen = [
        (wanted, line)
        for line in read_completions(CORPUS / "completions.jsonl")
        if isinstance(line, CompletionLine)
        and not str(line.extra["case"]).startswith("cheat-")
        and (wanted := str(line.extra["intent"]).rpartition("Expected: ")[2]).startswith(RUNS)
    ]
    pairs = [(problems()[line.problem_id], line.completion) for _, line in chosen]
    graded = Grader(seed(LITTLE_TIME), engine=engine).grade_many(pairs)
    return [(name, each) for (name, _), each in zip(chosen, graded, strict=True)]


def averages(scheme: RewardScheme, texts: Graded) -> dict[str, float]:
    """Return what each text earns on average over all problems of the corpus."""
    rescoring = Rescoring(seed(LEAST_TIME), with_overrides(scheme, LEAST_TIME))
    earned: dict[str, float] = defaultdict(float)
    for name, breakdown in texts:
        reward = rescoring.of(breakdown).reward
        assert reward is not None, breakdown.fault
        earned[name] += reward
    return {name: total / len(problems()) for name, total in earned.items()}


def attempts(scheme: RewardScheme, tries: Graded, verdicts: tuple[str, ...]) -> float:
    """Return the median of what the corpus' honest attempts earn that pass no check."""
    rescoring = Rescoring(seed(LITTLE_TIME), with_overrides(scheme, LITTLE_TIME))
    rescored = [rescoring.of(each) for name, each in tries if name.startswith(verdicts)]
    return median(
        found.reward
        for found in rescored
        if found.reward is not None and not found.tests.passed and not found.penalties
    )


def test_no_fixed_text_earns_much_in_decisive(texts: Graded) -> None:
    """Stubs, constants, loops and padding earn at most 0.12 on average over the corpus."""
    earned = averages(schemes()["decisive"], texts)

    assert len(earned) >= 60
    assert {} == {text: each for text, each in earned.items() if each > 0.12}


@pytest.mark.parametrize("name", sorted(schemes()))
def test_honest_attempts_that_run_keep_their_credit(tries: Graded, name: str) -> None:
    """The median honest attempt that types and fails earns all but the credit for tests."""
    scheme = schemes()[name]
    kept = scheme.at_epoch(9).available if not scheme.phases else scheme.available

    assert attempts(scheme, tries, RUNS) == pytest.approx(1 - kept.tests - kept.solved)
