"""
No text that is the same for any problem earns on average what trying does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from statistics import median

import pytest

from ocaml_reward import Completion, Grader
from ocaml_reward.engine import Engine, select
from ocaml_reward.formats import CompletionLine, read_completions
from ocaml_reward.scheme import RewardScheme, with_overrides

from .corpus import CORPUS, Remembering, problems, schemes
from .fixed import fixed_texts

# What loops would take minutes with the time that schemes give it.
LITTLE_TIME = ("budget.check_cpu_s=0.1", "budget.tests_cpu_s=0.2")
OFF = "idle.factor=1"
STOPS_EARLY = ("type_error", "interface_error")
RUNS = ("failed_tests", "runtime_error")

Texts = list[tuple[str, str, str]]


@pytest.fixture(scope="module")
def warm() -> Iterator[Engine]:
    engine = Remembering(select.engine("warm"))
    yield engine
    engine.close()


def averages(engine: Engine, scheme: RewardScheme, texts: Texts) -> dict[str, float]:
    """
    Return what each text earns on average over all problems of the corpus.
    """
    grader = Grader(with_overrides(scheme, LITTLE_TIME), engine=engine)
    pairs = [(problems()[problem], Completion(text=text)) for _, problem, text in texts]
    earned: dict[str, float] = defaultdict(float)
    for (name, _, _), found in zip(texts, grader.grade_many(pairs), strict=True):
        assert found.reward is not None, found.fault
        earned[name] += found.reward
    return {name: total / len(problems()) for name, total in earned.items()}


def attempts(engine: Engine, scheme: RewardScheme, verdicts: tuple[str, ...]) -> float:
    """
    Return the median of what the corpus' honest attempts earn that pass no check.
    """
    lines = [
        line
        for line in read_completions(CORPUS / "completions.jsonl")
        if isinstance(line, CompletionLine)
        and not str(line.extra["case"]).startswith("cheat-")
        and str(line.extra["intent"]).rpartition("Expected: ")[2].startswith(verdicts)
    ]
    grader = Grader(with_overrides(scheme, LITTLE_TIME), engine=engine)
    pairs = [(problems()[line.problem_id], line.completion) for line in lines]
    return median(
        found.reward
        for found in grader.grade_many(pairs)
        if found.reward is not None and not found.tests.passed and not found.penalties
    )


@pytest.mark.parametrize("name", sorted(schemes()))
def test_no_fixed_text_earns_what_an_attempt_does(warm: Engine, name: str) -> None:
    """
    Stubs, constants, loops and padding earn less, on average over the corpus, than the
    median honest attempt that fails every check, whether that types or not.

    A cast of what is given is right here and there, and what it keeps is from the checks
    that it passes: it earns less than an attempt that types.
    """
    scheme = schemes()[name]
    least = attempts(warm, scheme, (*STOPS_EARLY, *RUNS))
    typed = attempts(warm, scheme, RUNS)
    earned = averages(warm, scheme, list(fixed_texts()))
    lucky = {"casts", "casts, padded"}

    assert len(earned) >= 60
    assert {} == {
        text: each
        for text, each in earned.items()
        if each >= (typed if text in lucky else least)
    }


def test_what_only_raises_earns_next_to_nothing(warm: Engine) -> None:
    """
    However it is written and whatever fills it, it keeps a tenth where it types.
    """
    texts = [each for each in fixed_texts() if "raise" in each[0]]
    seed = averages(warm, schemes()["seed"], texts)
    concise = averages(warm, schemes()["concise"], texts)

    assert 0.05 > max(seed.values())
    assert 0.08 > max(concise.values())


def test_without_the_rule_stubs_earn_more(warm: Engine) -> None:
    """
    The rule is what holds them down, where a scheme asks for no lines.
    """
    texts = [each for each in fixed_texts() if each[0] == "raises behind module"]
    scheme = with_overrides(schemes()["concise"], [OFF])

    assert 0.2 < averages(warm, scheme, texts)["raises behind module"]


@pytest.mark.parametrize("name", sorted(schemes()))
def test_honest_attempts_that_run_keep_their_credit(warm: Engine, name: str) -> None:
    """
    The median honest attempt that types and fails earns all but the credit for tests.
    """
    scheme = schemes()[name]
    kept = scheme.at_epoch(9).available if not scheme.phases else scheme.available

    assert attempts(warm, scheme, RUNS) == pytest.approx(1 - kept.tests - kept.solved)
