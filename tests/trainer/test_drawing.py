"""Which problems a training draws: settled ones less often, easy ones first."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ocaml_reward.testing import FakeEngine
from trainer_plugin import OCamlReward
from trainer_plugin.config.reading import load_config
from trainer_plugin.config.value import ConfigError
from trainer_plugin.data.datasets import difficulty_ranks
from trainer_plugin.data.rows import read_entries
from trainer_plugin.run.dynamic_sampling import (
    DrawSchedule,
    ProblemSampler,
    enable_dynamic_sampling,
)

from .training import trainer

IDS = [f"p{number}" for number in range(8)]


def drawn(turns: DrawSchedule, epochs: int, *, shuffled: bool = True) -> list[str]:
    """Train on eight problems, two at a time: p0 to p3 always pass, p4 passes now and then,
    the others never, and tell which were drawn.
    """
    draws = ProblemSampler(
        IDS,
        turns,
        problems_per_generation=2,
        completions_per_problem=3,
        repeats=2,
        shuffled=shuffled,
        seed=0,
    )
    found: list[str] = []
    for _ in range(epochs):
        stream = iter(draws)
        for _ in range(len(draws) // 12):
            rows = [next(stream) for _ in range(12)]
            chunk = [IDS[rows[0]], IDS[rows[3]]]
            assert rows == rows[:6] * 2
            assert rows[:6] == [rows[0]] * 3 + [rows[3]] * 3
            turns.note({name: outcome(name, found.count(name)) for name in chunk})
            found += chunk
    return found


def outcome(name: str, time: int) -> list[bool | None]:
    """Say which of three completions pass."""
    if name < "p4":
        return [True, True, True]
    if name == "p4":
        return [True, False, None]
    return [False, False, False] if time % 2 else [False, False, True]


def test_an_epoch_draws_every_problem_once_while_nothing_is_settled() -> None:
    """As TRL's own sampler does; a generation never has a problem twice."""
    found = drawn(DrawSchedule(share=0.25, after=2), 2)

    assert sorted(IDS) == sorted(found[:8])
    assert sorted(IDS) == sorted(found[8:])
    assert found[:8] != sorted(found[:8])
    assert all(one != other for one, other in zip(found[::2], found[1::2], strict=True))


def test_settled_problems_are_drawn_a_quarter_as_often() -> None:
    """Those that all completions solve come back every fourth time, others take their places."""
    found = drawn(DrawSchedule(share=0.25, after=2), 22)
    late = Counter(found[16:])

    assert 160 == late.total()
    for name in IDS[:4]:
        assert 0.2 < late[name] / late["p4"] < 0.32
    for name in IDS[5:]:
        assert 0.9 < late[name] / late["p4"] < 1.1


def test_a_share_of_zero_leaves_them_out() -> None:
    """What is settled comes no more, until nothing else is left."""
    turns = DrawSchedule(share=0, after=2)
    found = drawn(turns, 6)

    assert set(IDS[:4]) < set(found[8:16])
    assert set(IDS[4:]) == set(found[16:])
    for _ in range(2):
        turns.note({name: [False, False] for name in IDS[4:]})
    assert 8 == len(drawn(turns, 1)), "all are settled, and drawn all the same"


def test_what_is_no_longer_settled_is_drawn_as_others_are() -> None:
    """Two outcomes in a row settle a problem, one other ends it; a fault settles nothing."""
    turns = DrawSchedule(share=0.5, after=2)
    told: list[list[bool | None]] = [
        [True, True], [False, False], [False, None], [None, None], [False, True],
    ]  # fmt: skip
    settled = []
    for flags in told:
        turns.note({"p": flags})
        settled.append(turns.is_settled("p"))

    assert [False, False, True, True, False] == settled
    # Three turns a one apart, two of two.
    assert 7.0 == turns.next("p")


def test_a_run_that_goes_on_knows_what_came_before(tmp_path: Path) -> None:
    """The logs say it, up to the update that the run goes on after, and evaluations do not."""
    rows = [
        {"step": step, "split": split, "groups": {"p": {"passed": [True, True]}}}
        for step, split in [(1, "train"), (1, "eval"), (2, "train"), (3, "train")]
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "batch_metrics.jsonl").write_text(text)
    turns = DrawSchedule(share=0.5, after=2)
    turns.read(tmp_path, until=2)

    assert turns.is_settled("p")
    assert 3.0 == turns.next("p")


def test_draws_in_order_go_by_the_file() -> None:
    """Without chance the first problems of the file come first."""
    assert IDS == drawn(DrawSchedule(share=0.5, after=2), 1, shuffled=False)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (["hard", "easy", "medium"], ["easy", "medium", "hard"]),
        ([7, 2.5, 3], [2.5, 3, 7]),
        ([None, None, None], [None, None, None]),
    ],
)
def test_easy_problems_first(tmp_path: Path, told: list[object], expected: list[object]) -> None:
    """By words, by numbers, and by the reference's length where no row says anything."""
    rows = [
        {
            "id": str(n),
            "prompt": "f",
            "tests": "let () = ()",
            "reference": "x" * (9 - n),
        }
        | ({"difficulty": each} if each is not None else {})
        for n, each in enumerate(told)
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    config = load_config(environment={}).config.dataset
    ranks = difficulty_ranks(read_entries(str(path), config, split="train"))
    ordered = sorted(ranks, key=lambda name: ranks[name])

    assert expected == [told[int(name)] for name in ordered]
    if told[0] is None:
        assert ["2", "1", "0"] == ordered


def test_a_difficulty_without_a_place_is_refused(tmp_path: Path) -> None:
    """Half an order would be none."""
    rows = [
        {"id": each, "prompt": "f", "tests": "let () = ()", "difficulty": each}
        for each in ("easy", "gnarly")
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    config = load_config(environment={}).config.dataset

    with pytest.raises(ConfigError, match="problem 'gnarly': difficulty 'gnarly' is"):
        difficulty_ranks(read_entries(str(path), config, split="train"))


@pytest.mark.filterwarnings("default")
def test_the_trainer_draws_what_is_not_settled(tiny_model: Path, tmp_path: Path) -> None:
    """TRL's own trainer, with our sampler in place of its own: of eight problems six are known
    to be settled, and the other two are drawn in turns.
    """
    rows = [
        {
            "step": step,
            "split": "train",
            "groups": {f"p{n}": {"passed": [False, False]} for n in range(6)},
        }
        for step in (1, 2)
    ]
    log = tmp_path / "batch_metrics.jsonl"
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    settings = [f"grpo.output_dir={tmp_path}", "dataset.settled_share=0"]
    config = load_config(overrides=settings, environment={}).config
    score = OCamlReward(engine=FakeEngine)
    made, _ = trainer(tiny_model, tmp_path, score, max_steps=4, per_device_train_batch_size=2)
    before = len(made.get_train_dataloader())
    enable_dynamic_sampling(made, score, config, resumed_at=2)
    after = len(made.get_train_dataloader())
    made.train()
    found = [json.loads(line)["groups"] for line in log.read_text().splitlines()]

    assert before == after
    assert {"p6", "p7"} == {name for groups in found[:2] for name in groups}
    assert [list(groups) for groups in found[:2]] == [list(each) for each in found[2:]]
