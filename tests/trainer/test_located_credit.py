"""What parts of the code are worth beside those of the group, and which token gets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocaml_reward import Completion, Grader, Ground, Problem, Region
from trainer_plugin.located.credit import (
    ALIKE,
    CAUSES,
    UNKNOWN,
    Comparison,
    compare_groups,
    error_candidates,
    known_parts,
    token_credits,
    token_places,
)

RIGHT, WRONG, OPEN = Ground.PASSING, Ground.FAILING, Ground.UNTESTED
SETTINGS = settings(max_examples=80, deadline=None)


def region(ground: Ground, *names: str, at: tuple[int, int] = (0, 4)) -> Region:
    """Make a region of a completion that is nothing but code."""
    return Region(
        start=at[0],
        stop=at[1],
        line=1,
        end_line=1,
        ground=ground,
        names=names,
        places=(at,),
    )


# Three know of f and differ, all know of g and are alike; the last has no code that parses.
GROUP = (
    (region(RIGHT, "f"), region(RIGHT, "g", at=(5, 9))),
    (region(RIGHT, "f"), region(RIGHT, "g", at=(5, 9))),
    (region(Ground.HOLDS_ERROR, "f"), region(OPEN, "g", at=(5, 9))),
    (region(Ground.UNPARSED, at=(2, 9)),),
)


# The deviation of their six known parts from the mean, 1/2.
EVERY = sqrt(1 / 4 * 6 / 5)


def compared(group: Sequence[Sequence[Region]], scale: str) -> Comparison:
    """Compare the completions of one group."""
    known = [known_parts(each) for each in group]
    return compare_groups(known, [0] * len(known), scale=scale)[0]


def worths(scale: str) -> list[list[float]]:
    """Say what each region of the group is worth."""
    comparison = compared(GROUP, scale)
    return [[comparison.credit(one) for one in each] for each in GROUP]


@pytest.mark.parametrize(
    ("scale", "f", "anything"),
    [
        ("group", stdev([1, 1, 0]) + 1e-4, EVERY + 1e-4),
        ("batch", EVERY + 1e-4, EVERY + 1e-4),
        ("none", 1.0, 1.0),
    ],
)
def test_a_part_is_compared_with_its_like(scale: str, f: float, anything: float) -> None:
    """A definition with those of its name, what has none with all parts, of which each completion's
    weigh 1; what differs from no other and what is unknown are worth nothing.
    """
    expected = [
        [(1 - 2 / 3) / f, 0.0],
        [(1 - 2 / 3) / f, 0.0],
        [(0 - 2 / 3) / f, 0.0],
        [(0 - 1 / 2) / anything],
    ]
    assert expected == [pytest.approx(each) for each in worths(scale)]


@pytest.mark.parametrize("names", [(), ("helper",)])
@pytest.mark.parametrize("ground", [RIGHT, Ground.UNPARSED])
def test_many_parts_of_one_completion_decide_nothing(
    ground: Ground, names: tuple[str, ...]
) -> None:
    """Hundreds of statements or helpers change little of what another's part is worth."""
    many = [
        [region(ground, *(f"{each}{n}" for each in names)) for n in range(count)]
        for count in (3, 300)
    ]
    few, spam = (compared([*GROUP, parts], "group").credit(GROUP[3][0]) for parts in many)

    assert -2 < few < 0
    assert pytest.approx(few, rel=0.1) == spam


def test_groups_are_compared_apart() -> None:
    """What is wrong in one group says nothing of another's, whatever they are divided by."""
    known = [known_parts(each) for each in (*GROUP[:2], *GROUP[:1], *GROUP[2:3])]
    found = compare_groups([known[at] for at in (0, 2, 1, 3)], "abab", scale="batch")
    alike, differing = found["a"], found["b"]

    assert 0.0 == alike.credit(GROUP[0][0])
    assert differing.credit(GROUP[0][0]) > 0 > differing.credit(GROUP[2][0])


def test_a_definition_counts_once() -> None:
    found = known_parts(
        [
            region(RIGHT, "f"),
            region(Ground.HOLDS_ERROR, "f"),
            region(Ground.ERROR, "f"),
            region(OPEN, "h"),
            region(WRONG),
            region(WRONG),
        ]
    )
    assert ((("f",), 0.0), ((), 0.0), ((), 0.0)) == found


def gained(
    regions: tuple[Region, ...], spans: list[tuple[int, int]], **more: Any
) -> list[tuple[Any, str | None]]:
    """Give tokens of a completion of the group their credit, of which 4 is its own."""
    given = {"advantage": 4.0, "share": 0.5} | more
    shift = given.pop("shift", 0)
    places = token_places(spans, regions, shift=shift)
    found = token_credits(places, regions, compared(GROUP, "none"), **given)
    return [(pytest.approx(one.advantage), one.cause) for one in found]


def test_tokens_have_credit_by_their_place() -> None:
    """Half goes by the part; text outside of the code, and what has no character, keeps all;
    of two parts that has the token which has more of it.
    """
    tokens = [(0, 2), (2, 4), (4, 5), (3, 7), (3, 6), (6, 9), (9, 12), (12, 12)]
    wrong = (2 - 1 / 3, "holds_error")

    assert [
        wrong,
        wrong,
        (4.0, None),
        (2.0, UNKNOWN),
        wrong,
        (2.0, UNKNOWN),
        (4.0, None),
        (4.0, None),
    ] == gained(GROUP[2], tokens)
    assert [(2.0, ALIKE)] == gained(GROUP[0], [(6, 7)])
    assert [(3.0, UNKNOWN)] == gained(GROUP[2], [(6, 7)], share=0.25)


def test_a_completion_whose_parts_tell_nothing_keeps_its_advantage() -> None:
    """It falls back to the credit of the sequence, also within its parts, where they are
    unknown or all the group's are alike.
    """
    parts = (region(OPEN, "f"), region(RIGHT, "g", at=(5, 9)))

    assert [(4.0, UNKNOWN), (4.0, ALIKE)] == gained(parts, [(0, 4), (5, 9)])
    assert [(4.0, None)] == gained((), [(0, 4)])


def test_the_answer_may_begin_later() -> None:
    """Thoughts that a template takes off stand before it; code in pieces has several places."""
    pieces = Region(
        start=0,
        stop=4,
        line=1,
        end_line=1,
        ground=WRONG,
        names=("f",),
        places=((0, 2), (6, 8)),
    )
    tokens = [(0, 10), (10, 12), (12, 16), (16, 18)]
    causes = [cause for _, cause in gained((pieces,), tokens, shift=10)]

    assert [None, "failing", None, "failing"] == causes


REGIONS = st.lists(
    st.tuples(st.sampled_from(Ground), st.sampled_from([(), ("f",), ("g",)])),
    max_size=4,
).map(
    lambda drawn: tuple(
        region(ground, *names, at=(5 * place, 5 * place + 4))
        for place, (ground, names) in enumerate(drawn)
    )
)


PROBLEM = Problem(id="p", tests="let () = assert (f 1. = 2.)\nlet () = assert (g 1 = 1)")
ANSWER = "Here you are, ü:\n```ocaml\n(* é *)\nlet f x = x +. 1\nlet g x = x\n```\n"


def test_a_token_has_the_weights_of_the_places_it_lies_in() -> None:
    """Of a definition that does not type; one that does is as right as without."""
    with Grader(jobs=1, regions=True) as grader:
        found = grader.grade(PROBLEM, Completion(text=ANSWER))
    places = error_candidates(found)
    likeliest = max(places, key=lambda each: each[2])
    right = (region(RIGHT, "f"), region(RIGHT, "g", at=(5, 9)))
    regions = found.regions or ()
    comparison = compared([regions, right], "none")
    spans = [(at, at + 1) for at in range(len(ANSWER))]
    found_credits = token_credits(
        token_places(spans, regions, candidates=places),
        regions,
        comparison,
        advantage=0.0,
        share=1.0,
    )
    blame = [-each.advantage for each in found_credits]
    constant, name = ANSWER.index("1\n"), ANSWER.index("f x")

    assert "1" == ANSWER[likeliest[0] : likeliest[1]]
    assert max(blame) == blame[constant] > blame[ANSWER.index("+.")] > 0 == blame[name]
    assert UNKNOWN == found_credits[name].cause


def test_a_definition_without_such_a_place_is_suspected_as_a_whole() -> None:
    """As where the record has none of it."""
    with Grader(jobs=1, regions=True) as grader:
        found = grader.grade(PROBLEM, Completion(text=ANSWER))
    start = ANSWER.index("let f")

    assert {1.0} == {weight for *_, weight in error_candidates(replace(found, blame=None))}
    assert start in {each[0] for each in error_candidates(replace(found, blame=None))}


class TestLaws:
    """What holds of any group."""

    @SETTINGS
    @given(
        group=st.lists(REGIONS, min_size=2, max_size=6),
        scale=st.sampled_from(["group", "batch", "none"]),
        seed=st.integers(0, 99),
    )
    def test_a_group_gains_nothing(
        self, group: list[tuple[Region, ...]], scale: str, seed: int
    ) -> None:
        """Over all definitions of one name credit sums to 0, in whatever order they come."""
        known = [known_parts(each) for each in group]
        comparison = compared(group, scale)
        for name in ("f", "g"):
            worth = [
                comparison.credit(region(RIGHT if value else WRONG, name))
                for each in known
                for names, value in each
                if names == (name,)
            ]
            assert pytest.approx(0.0, abs=1e-9) == sum(worth)
        Random(seed).shuffle(group)
        assert comparison == compared(group, scale)

    @SETTINGS
    @given(
        group=st.lists(REGIONS, min_size=2, max_size=6),
        cuts=st.lists(st.integers(0, 20), max_size=9).map(sorted),
        own=st.floats(-3, 3, width=32),
    )
    def test_without_a_share_every_token_has_the_advantage(
        self, group: list[tuple[Region, ...]], cuts: list[int], own: float
    ) -> None:
        """Exactly the completion's own; and whatever the share is, a cause is named that
        metrics know.
        """
        comparison = compared(group, "group")
        spans = list(pairwise(cuts))
        for each in group:
            places = token_places(spans, each)
            plain = token_credits(places, each, comparison, advantage=own, share=0.0)
            assert [own] * len(spans) == [one.advantage for one in plain]
            assert {one.cause for one in plain} <= {None, *CAUSES}
