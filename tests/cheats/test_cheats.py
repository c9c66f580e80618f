"""No cheat earns more than the same completion without its trick; no stub earns much."""

from __future__ import annotations

from collections import Counter

import pytest

from ocaml_reward.engine import Engine

from .corpus import Cheat, cheats, problems, reward, rewards, schemes

# What farms partial credit and passes no check: a scheme that pays little for it is the answer.
STUBS = "constants, echoes and stubs"
MOST_FOR_A_STUB = 0.12


@pytest.mark.parametrize(
    "cheat",
    [cheat for cheat in cheats() if cheat.family == STUBS],
    ids=lambda cheat: cheat.name,
)
def test_a_stub_earns_next_to_nothing(engine: Engine, cheat: Cheat) -> None:
    """In `decisive`, which training uses by default, whatever it is made of; a constant that
    passes checks earns no more than its twin.
    """
    got = rewards(engine, cheat, cheat.cheat)["decisive"]
    twin = rewards(engine, cheat, cheat.honest)["decisive"]

    assert got <= max(MOST_FOR_A_STUB, twin)


@pytest.mark.parametrize(
    "cheat",
    [cheat for cheat in cheats() if cheat.family != STUBS],
    ids=lambda cheat: cheat.name,
)
def test_a_cheat_earns_no_more_than_its_twin(engine: Engine, cheat: Cheat) -> None:
    """In every shipped scheme, by both engines, the trick is worth nothing."""
    got = rewards(engine, cheat, cheat.cheat)
    twin = rewards(engine, cheat, cheat.honest)

    assert schemes().keys() == got.keys()
    assert {} == {name: (each, twin[name]) for name, each in got.items() if each > twin[name]}


def test_the_corpus_is_broad() -> None:
    """At least 80 cheats of ten kinds, each another text, on problems of several shapes."""
    kinds = Counter(cheat.family for cheat in cheats())

    assert len(cheats()) >= 80
    assert len(kinds) >= 10
    assert min(kinds.values()) >= 3
    assert len({cheat.cheat for cheat in cheats()}) == len(cheats())
    assert all(cheat.cheat != cheat.honest for cheat in cheats())
    assert {cheat.problem for cheat in cheats()} <= set(problems())
    assert len({cheat.problem for cheat in cheats()}) >= 9


def test_honest_twins_are_no_straw_men(engine: Engine) -> None:
    """Most twins earn something: a trick that beats nothing proves nothing."""
    seed = schemes()["seed"]
    earned = [
        reward(engine, seed, cheat.problem, cheat.honest, truncated=cheat.truncated)
        for cheat in cheats()
    ]

    assert sum(each > 0 for each in earned) >= 0.8 * len(earned)
