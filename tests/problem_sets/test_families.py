"""Families draw problems that differ in what has to be written, the same ones every time."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from problem_sets import SETS, SPLITS, Family, Order, all_families
from problem_sets.drawing import Draw
from problem_sets.making import drafts
from problem_sets.measuring import LEVELS, measure, skeleton

FAMILIES = list(all_families().values())

by_family = pytest.mark.parametrize("family", FAMILIES, ids=lambda each: each.name)


@by_family
def test_a_family_gives_twenty_problems(family: Family) -> None:
    """With one seed a family has 20 problems whose references differ in more than constants."""
    drawn = list(islice(drafts(family, Order(count=20, seed=4)), 20))
    shapes = {skeleton(each.draft.reference, each.draft.name) for each in drawn}

    assert 20 == len(shapes)
    assert 20 == len({each.choices for each in drawn})


@by_family
def test_held_out_choices_are_never_trained_on(family: Family) -> None:
    """What is picked for a held-out problem is picked for no problem of training, whatever the
    seeds.
    """
    seen: dict[str, set[tuple[str, ...]]] = {split: set() for split in SPLITS}
    for split in SPLITS:
        for seed in (1, 2):
            order = Order(count=6, seed=seed, split=split)
            seen[split] |= {each.choices for each in islice(drafts(family, order), 6)}

    assert set() == seen["training"] & seen["held-out"]
    assert all(seen.values())


def test_there_are_families_of_every_kind() -> None:
    """There are at least 60 families, over at least 18 topics, each with a name of its own."""
    assert len(FAMILIES) >= 60
    assert len({each.topic for each in FAMILIES}) >= 18
    assert len(FAMILIES) == len({each.about for each in FAMILIES})


def test_draws_are_the_same_everywhere() -> None:
    """What a seed gives is written down here: no version of Python changes it."""
    draw = Draw("a seed")
    picked = draw.pick({"one": 1, "two": 2, "three": 3})
    numbers = [draw.between(-9, 9) for _ in range(8)]

    assert (picked, draw.choices) == (2, ("two",))
    assert numbers == [-9, 5, -2, 7, 8, 3, -9, -5]
    assert draw.sample("abcdef", 3) == ["a", "b", "f"]


def test_the_starter_set_is_the_one_that_was_measured(
    golden: Callable[[Path, str], None],
) -> None:
    """What `--set starter` draws of each family is on record: where that changes, its figures
    in docs/problems.md are to be measured again.
    """
    said = [
        f"{family.name} "
        + hashlib.sha256(
            "".join(
                f"{each.choices} {each.tone} {each.draft}\n"
                for each in islice(drafts(family, SETS["starter"]), 9)
            ).encode()
        ).hexdigest()[:16]
        for family in FAMILIES
    ]

    golden(Path(__file__).with_name("starter.txt"), "\n".join(said) + "\n")


def test_a_level_is_measured() -> None:
    """Longer, deeper code with more of the language in it is no easier."""
    short = measure("let f x = x + 1\n")
    long = measure(
        "let f xs =\n  let rec go acc = function\n    | [] -> acc\n    | x :: rest ->\n"
        "      (match x with\n       | Some y when y > 0 -> go (acc + y) rest\n"
        "       | Some _ | None -> raise Not_found)\n  in\n  go 0 xs\n"
    )

    assert short.level == "easy"
    assert LEVELS.index(long.level) > LEVELS.index(short.level)
    assert ("exceptions", "matching", "recursion") == tuple(
        name for name in long.features if name != "higher order"
    )
