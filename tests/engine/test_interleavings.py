"""Servers that die, hang, answer twice, late, never or for another request: every reward is the
right one or none, never another completion's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine.engines import exchange, warm
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.sandbox import choose

from .relay import RelayedJail

PROBLEM = Problem(
    id="next",
    tests="let () = assert (f 1 = 2)\nlet () = assert (f 5 = 6)",
    budget=(("compile_wall_s", 0.5), ("tests_wall_s", 0.5)),
)
# What each is worth under `concise`.
PROGRAMS = {
    "let f x = x + 1": 1.0,
    "let f x = x * 2": 0.65,
    "let f x = x ^ 1": 0.17,
    "let f x = (": 0.0,
}
ACTIONS = (
    "pass", "twice", "late", "never", "renumbered", "dies", "half", "unasked", "other",
)  # fmt: skip


@pytest.fixture(scope="module")
def relayed() -> Iterator[tuple[Grader, list[str]]]:
    """Make a grader whose servers are relayed, and what is to be done to their next answers."""
    actions: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        real = choose("auto")
        patch.setattr(warm, "choose", lambda _: RelayedJail(real, actions))
        patch.setattr(exchange, "GRACE_S", 0.5)
        with Grader("concise", engine=WarmEngine(), jobs=1) as grader:
            grader.prepare(PROBLEM)
            yield grader, actions


numbers = itertools.count()


@settings(max_examples=15, deadline=None)
@given(
    work=st.lists(
        st.tuples(st.sampled_from(list(PROGRAMS)), st.sampled_from(ACTIONS)),
        min_size=1,
        max_size=6,
    )
)
def test_a_reward_is_right_or_none(
    relayed: tuple[Grader, list[str]], work: list[tuple[str, str]]
) -> None:
    """Whatever becomes of answers, and of the servers that they come from."""
    grader, actions = relayed
    actions.extend(action for _, action in work)
    found = []
    for code, _ in work:
        text = f"{code}\n(* {next(numbers)} *)\n"
        breakdown = grader.grade(PROBLEM, Completion(text=text))
        found.append((code, breakdown.reward))
    actions.clear()

    assert [] == [
        (code, reward)
        for code, reward in found
        if reward is not None and reward != pytest.approx(PROGRAMS[code])
    ]
    # Once nobody meddles all is well again.
    for code, worth in PROGRAMS.items():
        text = f"{code}\n(* {next(numbers)} *)\n"
        reward = grader.grade(PROBLEM, Completion(text=text)).reward
        assert pytest.approx(worth) == reward


def test_each_action_is_noticed(relayed: tuple[Grader, list[str]]) -> None:
    """A server whose answer is not as it has to be is replaced, and the reward is right: the
    question was asked again.
    """
    grader, actions = relayed
    for action in set(ACTIONS) - {"pass", "late"}:
        before = sum(grader.replaced.values())
        actions.append(action)
        for code in ("let f x = x + 1", "let f x = 1 + x"):
            text = f"{code}\n(* {next(numbers)} *)\n"
            assert 1.0 == grader.grade(PROBLEM, Completion(text=text)).reward
        assert before + 1 == sum(grader.replaced.values()), action
    assert {"stray answer", "fault"} == set(grader.replaced)
