"""The learning experiment, its parts: problems, planted mistakes, variants, report.

The experiment itself is `make learn`; what it came to stands in docs/learning.md.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from experiments.learn.base import batch, sample, share_wrong
from experiments.learn.signs import signs
from experiments.learn.tasks import (
    END,
    OPERATIONS,
    completion_with_mistakes,
    problems,
)
from experiments.learn.variants import VARIANTS, make_reward, settings_of
from ocaml_reward import Completion, Grader, Mark, Verdict
from tests.trainer.forked import ran
from tests.trainer.lines import step_lines
from trainer_plugin.data.split import duplicates_in
from trainer_plugin.reading import breakdowns
from trainer_plugin.run.tiny_models import make_tokenizer

ROOT = Path(__file__).parents[2]

TRAINING, HELD_OUT = problems(0, training=40, held_out=10)


def test_no_held_out_problem_is_trained_on() -> None:
    """The two sets share neither a prompt nor tests."""
    training = [task.problem for task in TRAINING]
    held_out = [task.problem for task in HELD_OUT]

    assert set() == duplicates_in(training, held_out)
    assert 50 == len({task.prompt for task in [*TRAINING, *HELD_OUT]})


def test_every_solution_earns_everything(grader: Grader) -> None:
    """Each operation's checks hold for its own solution."""
    seen = set()
    for task in TRAINING:
        text = f"{task.problem.reference}\n{END}"
        seen |= set(task.numbers)
        assert 1.0 == grader.grade(task.problem, Completion(text=text)).reward

    assert set(range(len(OPERATIONS))) == seen


def test_the_mistakes_meet_every_stage(grader: Grader) -> None:
    """Syntax, one or more type errors, wrong results, no marker, no end: all are planted,
    and some solutions are right.
    """
    rng = Random(0)
    found: Counter[tuple[str, int]] = Counter()
    rewards = set()
    for _ in range(150):
        task = rng.choice(TRAINING)
        text = completion_with_mistakes(task, rng, share=0.45)
        graded = grader.grade(task.problem, Completion(text=text))
        found[str(graded.verdict), min(2, graded.type_errors or 0)] += 1
        rewards.add(graded.reward)

    assert {
        (Verdict.SYNTAX_ERROR, 0),
        (Verdict.TYPE_ERROR, 1),
        (Verdict.TYPE_ERROR, 2),
        (Verdict.FAILED_TESTS, 0),
        (Verdict.PASSED, 0),
    } <= found.keys()
    assert len(rewards) > 10


def test_without_a_chance_of_mistakes_there_are_none() -> None:
    """The share is that of wrong functions."""
    rng = Random(0)
    task = TRAINING[0]
    texts = {completion_with_mistakes(task, rng, share=0.0) for _ in range(200)}

    assert f"{task.problem.reference}\n{END}" in texts
    # Besides: the marker missing, and the last function over and over.
    assert 3 == len(texts)


def test_mistakes_of_form_leave_nothing_to_run(grader: Grader) -> None:
    """A function that is wrong in its form alone does not parse or not type."""
    rng = Random(0)
    tasks, _ = problems(0, training=40, held_out=10, of_form=True)
    found: Counter[Verdict] = Counter()
    for _ in range(100):
        task = rng.choice(tasks)
        text = task.written(rng, share=1.0)
        found[grader.grade(task.problem, Completion(text=text)).verdict] += 1

    assert {Verdict.SYNTAX_ERROR, Verdict.TYPE_ERROR} == found.keys()


def test_lessons_without_a_mistake_come_first() -> None:
    """Their share of the steps, and all mistakes behind them."""
    shares = [share_wrong(step, 5, mistakes=0.9, taught=0.4) for step in range(5)]

    assert [0.0, 0.0, 0.9, 0.9, 0.9] == shares


def test_only_answers_are_learnt() -> None:
    """The prompt is masked, and the end of the text is part of the answer."""
    rng = Random(0)
    rows = [sample(task, rng, 0.5) for task in TRAINING[:3]]
    tokenizer = make_tokenizer(text for text, _ in rows)
    made = batch(tokenizer, rows)

    for place, (text, prompt) in enumerate(rows):
        learnt = [label for label in made["labels"][place].tolist() if label != -100]
        assert tokenizer.eos_token_id == learnt[-1]
        assert text.removeprefix(prompt) == tokenizer.decode(learnt[:-1])


@pytest.fixture(scope="module")
def scored() -> dict[str, list[float | None]]:
    """Score the same batch under every variant: right, wrong result, one type error, two,
    no syntax.
    """
    task = TRAINING[0]
    right = str(task.problem.reference)
    first, second, third = right.splitlines()
    one, two = (line.replace(" = x ", " = 'c' ") for line in (first, second))
    zero = third.partition(" = ")[0] + " = y"
    texts = [
        right,
        f"{first}\n{second}\n{zero}",
        f"{one}\n{second}\n{third}",
        f"{one}\n{two}\n{third}",
        right.replace("let f", "lett f"),
    ]
    found = {}
    for variant in VARIANTS:
        reward = make_reward(variant, seed=1)
        found[variant] = reward(
            prompts=[task.prompt] * len(texts),
            completions=[f"{text}\n{END}" for text in texts],
            tests=[task.problem.tests] * len(texts),
            id=[task.problem.id] * len(texts),
        )
        reward.close()
    return found


def test_what_the_variants_tell_apart(scored: dict[str, list[Any]]) -> None:
    """The reward tells one type error from two, the first error alone does not, and pass or
    fail tells nothing but success; tests or success as most of it change no order.
    """
    graduated, first, passing = (
        scored[name] for name in ("graduated", "first error", "pass or fail")
    )
    tests, solved = scored["mostly tests"], scored["solved"]

    assert sorted(graduated, reverse=True) == graduated
    assert graduated[2] > graduated[3] > graduated[4]
    assert first[2] == first[3] == graduated[2]
    assert [1.0, 0.0, 0.0, 0.0, 0.0] == passing
    assert sorted(tests, reverse=True) == tests
    assert tests[0] - tests[1] > graduated[0] - graduated[1]
    assert [1, *(each / 5 for each in graduated[1:])] == pytest.approx(solved, abs=1e-6)
    # What these change is which tokens the credit goes to, or what divides it.
    for name in ("", " without holes", " at random"):
        assert solved == scored[f"located{name}"] == scored[f"located{name} by group"]
    for name in ("graduated located", "graduated located by group"):
        assert graduated == scored[name]
    assert passing == scored["pass or fail by batch"] == scored["rejection fine-tuning"]
    assert [1.0, 0.75, 0.25, 0.25, 0.0] == scored["furthest phase"]


def test_a_check_that_few_pass_weighs_more() -> None:
    """If two pass as many checks, the one with the rarer ones earns more; if all pass all, nothing
    changes.
    """
    (task, *_), _ = problems(31, training=1, held_out=0, uneven=True)
    first, second, third = task.lines()
    wrong = [line.partition(" = ")[0] + " = x" for line in (first, second, third)]
    texts = [
        "\n".join([*lines, END])
        for lines in (
            (first, wrong[1], wrong[2]),
            (first, wrong[1], wrong[2]),
            (wrong[0], wrong[1], third),
        )
    ]
    columns: dict[str, Any] = {
        "prompts": [task.prompt] * 3, "tests": [task.problem.tests] * 3, "id": ["one"] * 3
    }  # fmt: skip
    reward = make_reward("rarity", seed=1)
    common, again, rare = (each or 0.0 for each in reward(completions=texts, **columns))
    alike = reward(completions=[f"{task.problem.reference}\n{END}"] * 3, **columns)
    plain = [each.reward for each in reward.last.breakdowns] if reward.last else []
    reward.close()

    assert common == again < rare
    assert plain == alike


def test_what_the_variants_change_in_the_trainer() -> None:
    """Credit by place divides by the spread of the batch, the others by that of the group, as
    TRL does, where the name does not say it.
    """
    found = {variant: settings_of(variant) for variant in VARIANTS}
    sequence, located = "reward.credit=sequence", "reward.credit=located"
    group, batch = "grpo.scale_rewards=group", "grpo.scale_rewards=batch"

    assert (sequence, group) == found["pass or fail"] == found["solved"]
    assert (sequence, batch) == found["pass or fail by batch"]
    assert (located, batch) == found["located"] == found["graduated located"]
    assert (located, group) == found["located at random by group"]
    assert (sequence, group, "reward.min_reward=0.5") == found["rejection fine-tuning"]


def test_a_coin_falls_as_its_seed_says(scored: dict[str, list[Any]]) -> None:
    """Either way about as often, whatever was written, and with another seed otherwise."""
    task = TRAINING[0]
    told = []
    for seed in (1, 1, 2):
        reward = make_reward("random reward", seed=seed)
        told.append(
            reward(
                prompts=[task.prompt] * 64,
                completions=["let f = 1"] * 64,
                tests=[task.problem.tests] * 64,
                id=[task.problem.id] * 64,
            )
        )
        reward.close()

    assert {0.0, 1.0} == {*told[0]}
    assert 16 < sum(each or 0.0 for each in told[0]) < 48
    assert told[0] == told[1] != told[2]
    assert {*scored["random reward"]} <= {0.0, 1.0}


def test_the_control_deals_out_the_same_rewards(scored: dict[str, list[Any]]) -> None:
    """Shuffled rewards are the rewards, at other places."""
    assert sorted(scored["graduated"]) == sorted(scored["shuffled"])
    assert scored["graduated"] != scored["shuffled"]


def test_the_control_of_places_deals_out_what_is_known() -> None:
    """Parts keep their places, as many are right and wrong, but others; all of a definition
    is one or the other.
    """
    task = TRAINING[0]
    right = f"{task.problem.reference}\n{END}"
    wrong = right.replace(" = x ", " = 'c' ")
    found = {}
    for variant in ("located", "located at random"):
        reward = make_reward(variant, seed=1)
        reward(
            prompts=[task.prompt] * 4,
            completions=[right, wrong] * 2,
            tests=[task.problem.tests] * 4,
            id=[task.problem.id] * 4,
        )
        reward.close()
        assert reward.last is not None
        found[variant] = [each.regions or () for each in reward.last.breakdowns]
    parts = []
    for completions in found.values():
        marks: dict[tuple[int, tuple[str, ...]], set[Mark]] = {}
        for number, regions in enumerate(completions):
            for each in regions:
                marks.setdefault((number, each.names), set()).add(each.mark)
        assert all(len(each) == 1 for each in marks.values())
        parts.append([min(each) for each in marks.values()])
    places = [
        [each.places for regions in completions for each in regions]
        for completions in found.values()
    ]

    assert places[0] == places[1]
    assert sorted(parts[0]) == sorted(parts[1])
    assert parts[0] != parts[1]


def test_credit_by_place_has_the_right_sign() -> None:
    """A token of a function that is right, where others of the group are wrong, gains; with
    what is known dealt out at random it gains as often as with one advantage for all.
    """
    counted = signs(0.6, of_form=False, tasks=6, jobs=1)
    share = {name: each[1] / each.total() for name, each in counted.items()}

    assert share["located"] > 0.8 > share["solved"]
    assert share["located"] > 0.8 > share["located at random"]


def test_the_experiment_for_real(tmp_path: Path) -> None:
    """A base of three steps and a training of two: the curve, the report and the logs."""
    words = ["--seeds=1", "--base-steps=3", "--steps=2", "--held-out=4"]
    words += ["--starts", "none", "--first", "0", "--variants", "located"]
    words += ["--set", "grpo.learning_rate=1e-3"]
    folders = [f"--out={tmp_path}", f"--report={tmp_path}"]
    done = ran(tmp_path / "said", "experiments.learn", *words, *folders)
    assert 0 == done.returncode, done.stderr
    folder = tmp_path / "none" / "seed0" / "located"
    told = json.loads((folder / "result.json").read_text(encoding="utf-8"))

    assert "none  seed 0  located" in done.stdout
    assert [0, 2] == [point["step"] for point in told["points"]]
    assert [32, 32] == [sum(p["verdicts"].values()) for p in told["points"]]
    assert 0 < told["score_share"] < 1
    assert "| located |" in (tmp_path / "learn.txt").read_text(encoding="utf-8")
    assert (tmp_path / "learn-none.svg").read_text(encoding="utf-8").startswith("<svg")
    assert ["lr=0.00e+00", "lr=2.00e-04"] == [
        re.findall(r"lr=\S+", step)[0] for step in step_lines(folder)
    ]
    assert all(breakdown.regions is not None for _, breakdown in breakdowns(folder))
