"""The reward as training goes on: phases, what it tells the trainer's log, bonuses."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from types import SimpleNamespace
from typing import Any

import pytest

from ocaml_reward.scheme import load, with_overrides
from ocaml_reward.testing import diagnostic, report
from tests.trainer.faked import ANSWERS, BAD, GOOD, SCHEME, TESTS, batch, reward
from trainer_plugin.callbacks import EvaluationEnd
from trainer_plugin.learning import LearningStep, step_from_logs


def test_the_scheme_follows_the_epoch() -> None:
    """The phases of a curriculum weigh the parts by the trainer's epoch."""
    scheme = with_overrides(load("curriculum"), ["min_lines=1"])
    made = reward(scheme=scheme)
    found = [
        batch(made, BAD, trainer_state=SimpleNamespace(epoch=epoch, global_step=0))[0]
        for epoch in (None, 0.2, 0.7, 1.0)
    ]

    assert [0.9, 0.9, 0.75, 0.675] == found
    assert [0.675] == batch(made, BAD), "outside training the final weights hold"


def test_phases_blend_if_asked() -> None:
    """With `blend` the weights move in a straight line within a phase."""
    scheme = with_overrides(load("curriculum"), ["min_lines=1"])
    made = reward(scheme=scheme, blend=True)
    state = SimpleNamespace(epoch=0.25, global_step=0)

    assert [0.825] == batch(made, BAD, trainer_state=state)


def test_what_is_not_known_is_not_logged() -> None:
    """A rank that could score nothing has no say in the averages over the ranks."""
    logged: dict[str, float] = {}
    batch(reward(), "let add = machine", log_metric=logged.__setitem__)

    own = {"ocaml/fault_rate", "ocaml/score_seconds", "ocaml/engine_replaced"}
    assert own == logged.keys()
    assert 1.0 == logged["ocaml/fault_rate"]


def test_metrics_are_over_what_was_scored() -> None:
    """A completion that the machine failed moves the rate of faults, and no other figure."""
    logged: dict[str, float] = {}
    more: dict[str, float] = {}
    batch(reward(), GOOD, BAD, log_metric=logged.__setitem__)
    batch(reward(), GOOD, "let add = machine", BAD, log_metric=more.__setitem__)

    logged.pop("ocaml/score_seconds")
    more.pop("ocaml/score_seconds")
    assert logged | {"ocaml/fault_rate": pytest.approx(1 / 3)} == more
    assert {
        "ocaml/pass_at_1": 0.5,
        "ocaml/pass_at_all": 1.0,
        "ocaml/best_of_n": 1.0,
        "ocaml/frac_zero_std": 0.0,
        "ocaml/final_reward": pytest.approx(0.8375),
        "ocaml/final_reward_variance": pytest.approx(0.02640625),
        "ocaml/compile_rate": 1.0,
        "ocaml/type_errors_mean": 0.0,
        "ocaml/runaway_rate": 0.0,
        "ocaml/clock_rate": 0.0,
        "ocaml/fault_rate": 0.0,
        "ocaml/engine_replaced": 0.0,
        "ocaml/credits/structural": 0.05,
        "ocaml/credits/type": 0.2,
        "ocaml/credits/compile": 0.1,
        "ocaml/credits/tests": pytest.approx(0.4875),
    } == logged


def test_what_is_logged_reaches_the_rules_of_health() -> None:
    """A live run reads each figure that has a field in a step."""
    logged: dict[str, float] = {}
    batch(reward(), GOOD, BAD, log_metric=logged.__setitem__)
    step = step_from_logs({"reward": 0.5, **logged}, name="syntax_aware", step=1)
    assert step is not None
    read = {name for name, value in asdict(step).items() if value is not None}

    names = {key.removeprefix("ocaml/") for key in logged}
    assert set() == names & {each.name for each in fields(LearningStep)} - read


def test_a_scheme_that_pays_for_a_solved_problem_logs_what_it_paid() -> None:
    logged: dict[str, float] = {}
    scheme = with_overrides(load("decisive"), ["min_lines=1"])
    found = batch(reward(scheme=scheme), GOOD, BAD, log_metric=logged.__setitem__)

    assert [1.0, pytest.approx(0.135)] == found
    assert 0.4 == logged["ocaml/credits/solved"]
    assert 0.8 == logged["ocaml/available/solved"]
    assert pytest.approx(0.0975) == logged["ocaml/credits/tests"]


def test_an_evaluation_is_as_a_whole_what_is_logged() -> None:
    """The mean over batches of what the trainer is told is over all problems, also where the
    last batch has fewer, and the next evaluation begins anew.
    """
    made = reward()
    end = EvaluationEnd(made)
    end.on_train_begin()
    for _ in range(2):
        told: dict[str, list[float]] = {}
        for ids, texts in ((["a", "b", "c"], [GOOD, GOOD, BAD]), (["d"], [BAD])):
            batch(
                made,
                *texts,
                id=ids,
                tests=[TESTS] * len(ids),
                split=["validation"] * len(ids),
                log_metric=lambda name, value, told=told: told.setdefault(name, []).append(value),
            )
        end.on_evaluate()

        assert {2} == {len(values) for values in told.values()}
        assert pytest.approx(0.5) == sum(told["ocaml/pass_at_1"]) / 2
        # Two problems of four are solved: a deviation of 0.577, by the root of four.
        assert pytest.approx(0.2887, abs=1e-4) == (sum(told["ocaml/pass_at_1_error"]) / 2)
        assert pytest.approx(0.8375) == sum(told["ocaml/final_reward"]) / 2


@pytest.mark.parametrize("override", ["runaway.factor=0.3", "runaway.factor=1"])
def test_runaways_are_counted_whatever_they_cost(override: str) -> None:
    """The rate of runaways is that of completions cut off before their end, in schemes too
    that take nothing from them.
    """
    logged: dict[str, float] = {}
    scheme = with_overrides(SCHEME, [override])
    batch(
        reward(scheme=scheme, longest=3),
        "let add x y = x + y", "let add x y = x + y", GOOD,
        completion_ids=[[1, 2], [1, 2, 3], [1, 2, 3]],
        log_metric=logged.__setitem__,
    )  # fmt: skip

    assert pytest.approx(1 / 3) == logged["ocaml/runaway_rate"]


def test_the_final_reward_knows_no_phase() -> None:
    """What early stopping looks at does not move when a curriculum does."""
    scheme = with_overrides(load("curriculum"), ["min_lines=1"])
    made = reward(scheme=scheme)
    logged: list[float] = []
    for epoch in (0.0, 0.7, 2.0):
        state = SimpleNamespace(epoch=epoch, global_step=0)
        kept: dict[str, float] = {}
        batch(made, BAD, trainer_state=state, log_metric=kept.__setitem__)
        logged.append(kept["ocaml/final_reward"])

    assert [0.675] * 3 == logged


def test_extra_columns_are_always_whole() -> None:
    """The table of completions needs a value per completion in each column."""
    extra: dict[str, list[Any]] = {}
    batch(reward(), GOOD, "let add = machine", log_extra=extra.__setitem__)

    assert {2} == {len(values) for values in extra.values()}
    assert ["passed", "ungraded"] == extra["verdict"]
    assert ["add", "add"] == extra["problem_id"]


def test_bonuses_are_paid_if_the_scheme_says_so() -> None:
    """Passing more checks than the best so far, and compiling without warnings, each add."""
    scheme = with_overrides(SCHEME, ["shaping.enabled=true"])
    warned = report("passed", "passed", diagnostics=[diagnostic("w", kind="warning")])
    made = reward({**ANSWERS, "let add y x = x + y": warned}, scheme=scheme)
    train = {"split": ["train"]}

    assert [0.755] == batch(made, BAD, **train), "the first check ever, no warning"
    assert [0.705] == batch(made, BAD, **train), "no better than before"
    assert [1.05] == batch(made, "let add y x = x + y\n(* END *)", **train)
    assert [1.0] == batch(made, GOOD, split=["validation"]), "never in evaluation"


def test_rare_checks_count_more_if_asked() -> None:
    """In training a check weighs the share of the group's scored completions that does not pass it;
    other figures stay.
    """
    other = "let add y x = x + y"
    made = reward({**ANSWERS, other: report("passed", "failed")}, rare_checks=True)
    texts = (GOOD, BAD, BAD, f"{other}\n(* END *)")
    train = {"split": ["train"] * 4}
    # The first check fails twice in four, the second once: a third of the tests' 0.65, or two.
    rewards = [1.0, 0.566667, 0.566667, 0.783333]

    assert rewards == batch(made, *texts, **train)
    assert [*rewards, None] == batch(made, *texts, "let add = machine", split=["train"] * 5)
    assert [1.0, 0.675, 0.675, 0.675] == batch(made, *texts, split=["validation"] * 4)
    assert [1.0, 1.0] == batch(made, GOOD, GOOD, split=["train"] * 2), "no check is rare"
    assert made.last is not None
    assert [1.0, 1.0] == made.last.final_rewards


def test_with_rare_checks_part_of_a_check_earns_part_of_its_weight() -> None:
    """A check of which a part is right earns no more than it would if all were."""
    nearly = report("passed", "failed")
    results = (nearly.results[0], replace(nearly.results[1], partial=0.9))
    other = "let add y x = x + y"
    answers = {**ANSWERS, other: replace(nearly, results=results)}
    made = reward(answers, rare_checks=True)

    # The first check weighs a quarter, the second a tenth of that.
    found = batch(made, BAD, f"{other}\n(* END *)", GOOD, GOOD, split=["train"] * 4)
    assert [0.409091, 0.994091, 1.0, 1.0] == found


def test_with_rare_checks_caps_hold() -> None:
    """A rare check lifts nothing above the cap of a penalty."""
    other = "let add y x = x + y"
    scheme = with_overrides(SCHEME, ["runaway.cap=0.05"])
    answers = {**ANSWERS, other: report("passed", "failed")}
    made = reward(answers, rare_checks=True, ends=[9], scheme=scheme)
    texts = (BAD, other, *[BAD] * 6)
    cut = {"completion_ids": [[9], [1], *[[9]] * 6]}

    assert 0.05 == batch(made, *texts, split=["train"] * 8, **cut)[1]


def test_a_penalty_forfeits_bonuses() -> None:
    """Running away is not paid for, however many checks pass."""
    scheme = with_overrides(SCHEME, ["shaping.enabled=true"])
    made = reward(scheme=scheme, ends=[9])
    found = batch(made, "let add x y = x + y", completion_ids=[[1]])

    assert [0.285] == found
