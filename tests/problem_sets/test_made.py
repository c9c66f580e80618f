"""Made problems are graded fairly: the reference passes, a wrong program does not, and what is
not good enough gets more tests or is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine
from ocaml_reward.engine.engines.printing import Printing
from ocaml_reward.engine.engines.select import engine
from ocaml_reward.errors import InputError, ProblemError
from ocaml_reward.formats.sameness import likenesses
from ocaml_reward.scheme import load
from problem_sets import Inspector, Made, Oracle, Order, Tally, all_families, endless, make
from problem_sets.drafts import Draft, function, program
from problem_sets.drawing import Draw
from problem_sets.making import Drawn, Review
from problem_sets.oracle import Answer


@pytest.fixture(scope="module")
def running() -> Iterator[Engine]:
    """One engine for this file."""
    made = engine()
    yield made
    made.close()


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    """Make what tells expected results."""
    return Oracle(Printing())


@pytest.fixture(scope="module")
def one_of_each(oracle: Oracle) -> list[Made]:
    """Make a problem of every family."""
    order = Order(count=len(all_families()), seed=11)
    return list(make(order, oracle, None, Tally()))


def wrong(problem: Problem) -> str:
    """Write a program of the right types, if they are a function's, that solves nothing."""
    if problem.signature is None:
        return "let nothing = ()\n"
    name = problem.signature.removeprefix("val ").partition(" ")[0]
    count = (problem.reference or "").rpartition(f" {name} (")[2].count(" : ")
    types = (problem.reference or "").partition(f"let {name} ")[0]
    return f"{types}\nlet {name} {'_ ' * max(count, 1)} = raise Exit\n"


def test_references_pass_and_wrong_programs_do_not(
    one_of_each: list[Made], running: Engine
) -> None:
    """Of every family, the reference earns everything, and what solves nothing at most half of
    the tests.
    """
    problems = [each.problem for each in one_of_each]
    given = [
        (problem, Completion(text=code))
        for problem in problems
        for code in (problem.reference or "", wrong(problem))
    ]
    graded = list(Grader(load("concise"), engine=running, jobs=2).grade_many(given))
    rewards = [each.reward for each in graded]
    tallies = [each.tests for each in graded[1::2]]

    assert len(all_families()) == len({each.family for each in one_of_each})
    assert [1.0] * len(problems) == rewards[::2]
    assert all(2 * each.passed <= each.total for each in tallies)


def test_a_sample_is_good_enough(one_of_each: list[Made], running: Engine) -> None:
    """`validate` finds nothing in any, and `audit` little; what it finds is what more tests are
    for.
    """
    sample = [each.problem for each in one_of_each[::9]]
    reviews = Inspector(running, 2)(sample)
    good = [review for review in reviews if not review.defect]

    assert len(good) >= len(sample) * 2 / 3
    assert set() == {
        review.defect
        for review in reviews
        if review.defect and not review.defect.startswith(("a mutant", "weak"))
    }


def test_no_two_of_a_set_are_alike(oracle: Oracle) -> None:
    """A problem with the prompt or the tests of another one is dropped, and counted."""
    tally = Tally()
    order = Order(count=8, seed=1, families=("edits",))
    made = list(make(order, oracle, None, tally))
    marks = [mark for each in made for mark in likenesses(each.problem)]

    assert (8, 8) == (len(made), tally.kept)
    assert {("edits", "alike"): tally.drawn - 8} == tally.dropped
    assert tally.drawn > 8
    assert len(marks) == len(set(marks))


def test_a_problem_that_lacks_tests_gets_more(oracle: Oracle) -> None:
    """Calls that a review misses become checks; what a second review refuses is dropped, and
    counted.
    """
    name = "of_runs [77; 77]"
    asked: list[int] = []

    def review(problems: Sequence[Problem]) -> list[Review]:
        asked.append(len(problems))
        if len(asked) == 1:
            return [Review(defect="weak", calls_not_tested=(name,)) for _ in problems]
        return [Review(defect="still weak" if n else "") for n in range(len(problems))]

    tally = Tally()
    order = Order(count=2, families=("runs",), seed=3)
    kept, _ = make(order, oracle, review, tally)

    assert [2, 2, 1] == asked[:3]
    assert f"assert ({name} = " in str(kept.problem.tests)
    assert 1 == tally.dropped["runs", "still weak"]
    assert (3, 2) == (tally.drawn, tally.kept)


def test_a_program_that_prints_nothing_is_dropped(oracle: Oracle, running: Engine) -> None:
    """It has no case left, and no example in its prompt; the others of its batch are made."""
    family = all_families()["variables"]
    draft = program("quiet", "Print nothing.", "let () = ()\n", ["a\n", "b\n"])
    drawn = Drawn(family=family, draft=draft, choices=(), tone="plain", seed="x")
    (answers,) = oracle.answers([draft])
    problem = drawn.made(answers, 8).problem

    assert "Print nothing.\n" == problem.prompt
    assert "few different results" == Inspector(running, 1).review(problem).defect


def test_only_promised_exceptions_are_expected(oracle: Oracle) -> None:
    """A call whose exception the prompt says nothing of is no check; another is."""

    def draft(*raises: str) -> Draft:
        return function(
            Draw("x"),
            "third",
            [("n", "int")],
            "int",
            what="a third",
            body='if n < 0 then invalid_arg "n" else 12 / n',
            drawn_calls=["third 4", "third (-1)", "third 0"],
            raises=raises,
        )

    (silent,) = oracle.answers([draft()])
    (told,) = oracle.answers([draft("Invalid_argument")])
    refused = Answer(call="third (-1)", value="Invalid_argument _", raised=True)

    assert (Answer(call="third 4", value="3"),) == silent
    assert (Answer(call="third 4", value="3"), refused) == told


def test_a_reference_that_does_not_compile_is_named(oracle: Oracle) -> None:
    """A mistake of a family's is an error that says what the compiler has said."""
    broken = function(Draw("x"), "f", [("n", "int")], "int", what="it", body='n ^ "a"')

    with pytest.raises(ProblemError, match="type_error in line"):
        oracle.answers([broken])


def test_after_a_seed_the_next_goes_on(oracle: Oracle) -> None:
    """Without end, in the order that seeds give, and never the same again."""
    order = Order(count=1000, seed=3, families=("brackets",))
    first = [each.problem for each in make(order, oracle, None, Tally())]
    found = [each.problem for each in islice(endless(order, oracle, None), len(first) + 5)]

    assert first == found[: len(first)]
    assert len(found) == len({each.id for each in found})


def test_what_no_seed_can_bring_is_said(oracle: Oracle) -> None:
    order = Order(count=1, families=("ranges",), levels=("hard",))

    with pytest.raises(InputError, match="ranges: no more hard problems after seed 0"):
        next(endless(order, oracle, None))
