"""No problem is on both sides of the split, also under another name."""

from __future__ import annotations

import pytest

from ocaml_reward import Problem
from trainer_plugin.data.split import duplicates_in, similar_problems, split


def problem(name: str, prompt: str, tests: str) -> Problem:
    """Make a problem for the split."""
    return Problem(id=name, prompt=prompt, tests=tests)


def test_families_share_a_prompt_or_tests() -> None:
    """Blanks and case aside, and passed on from one to the next."""
    problems = [
        problem("a", "Add  one", "assert (f 1 = 2)"),
        problem("b", "add one", "assert (f 2 = 3)"),
        problem("c", "something else", "assert  (f 2 = 3)"),
        problem("d", "alone", "assert (g 1)"),
    ]

    assert [[0, 1, 2], [3]] == sorted(similar_problems(problems))


@pytest.mark.parametrize("seed", range(5))
def test_the_split_never_parts_a_family(seed: int) -> None:
    """No prompt and no tests are on both sides, and the sizes add up."""
    problems = [
        problem(f"p{n}", f"prompt {n // 3}", f"assert (f {n % 17} = {n})") for n in range(60)
    ]
    training, validation = split(problems, held_out=10, seed=seed)
    one = [problems[place] for place in training]
    other = [problems[place] for place in validation]

    assert 0 < len(validation) <= 10
    assert list(range(60)) == sorted(training + validation)
    assert set() == duplicates_in(one, other)
    assert set() == {each.prompt for each in one} & {each.prompt for each in other}


def test_the_split_is_stable() -> None:
    """The same seed gives the same split in any order of the problems; another, another."""
    problems = [problem(f"p{n}", f"prompt {n}", f"assert (f {n})") for n in range(40)]

    def held(order: list[Problem], seed: int) -> set[str]:
        _, validation = split(order, held_out=8, seed=seed)
        return {order[place].id for place in validation}

    assert held(problems, 0) == held(problems[::-1], 0)
    assert held(problems, 0) != held(problems, 1)
