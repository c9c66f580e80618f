"""Inputs for programs, made of what their cases look like."""

from __future__ import annotations

from random import Random

import pytest

from ocaml_reward import Problem, StdioCase
from ocaml_reward.engine import Engine
from problem_sets.certifying import strengthen
from problem_sets.strengthening.inputs import inputs_of
from problem_sets.strengthening.layout import layout_of

COUNTED = ["3\n4 -2 9\n", "0\n", "2\n5\n5\n"]
LINES = ["2\nred\nblue\n", "1\ngreen\n"]
GRID = ["2 3\n##.\n..#\n", "1 1\n.\n"]
COMMANDS = ["push 2\npush 3\nadd\n", "push 7\nadd\npush 1\n", "add\n"]
UNTIL_ZERO = ["3\n1\n0\n", "8\n0\n"]
EDGES = ["1 2\n2 3\n", "4 1\n"]


def tame(cases: list[str]) -> list[str]:
    """List the inputs that are like the cases."""
    return [each.text for each in inputs_of(cases, Random(0)) if not each.strange]


@pytest.mark.parametrize(
    ("cases", "counts", "last"),
    [
        (COUNTED, "tokens", ""),
        (LINES, "lines", ""),
        (GRID, "grid", ""),
        (COMMANDS, "", ""),
        (UNTIL_ZERO, "", "0"),
    ],
)
def test_a_layout_is_what_all_cases_have(cases: list[str], counts: str, last: str) -> None:
    """What a first line counts, and what ends an input, is found and kept in each new input."""
    layout = layout_of(cases)
    made = tame(cases)

    assert (counts, last) == (layout.counts, layout.last)
    assert len(made) > 20
    assert not set(made) & set(cases)
    for text in made:
        again = layout_of([*cases, text])
        assert (counts, last) == (again.counts, again.last), text


def test_what_no_case_shows_is_strange() -> None:
    """Numbers beyond those shown, lines of another form and an empty input are not tame; rows
    that always have two numbers keep two.
    """
    numbers = {int(each) for text in tame(COUNTED) for each in text.split()[1:]}

    assert numbers <= set(range(-2, 10))
    assert all(len(line.split()) == 2 for each in tame(EDGES) for line in each.split("\n")[:-1])
    assert {"push", "add"} == {
        line.split()[0] for each in tame(COMMANDS) for line in each.splitlines()
    }
    assert "" not in tame(COMMANDS)
    assert any(each.strange for each in inputs_of(COUNTED, Random(0)))


REFERENCE = """let () =
  let n = Scanf.scanf " %d" Fun.id in
  let xs = List.init n (fun _ -> Scanf.scanf " %d" Fun.id) in
  List.iter (Printf.printf "%d\\n") (List.sort_uniq compare xs)
"""
WRONG = REFERENCE.replace("sort_uniq", "sort")


def test_a_program_gets_cases_that_catch_more(engine: Engine) -> None:
    """A program that prints what is there twice is caught by a case that the reference
    passes; the same call adds the same cases.
    """
    cases = (
        StdioCase(stdin="3\n3 1 2\n", stdout="1\n2\n3\n"),
        StdioCase(stdin="1\n4\n", stdout="4\n"),
    )
    weak = Problem(id="sorted", prompt="Sort.", tests=cases, reference=REFERENCE)
    found = strengthen(engine, weak, wrong=[WRONG])
    added = found.problem.tests[len(cases) :]

    assert (1, 0) == (found.wrong_before, found.wrong_after)
    assert cases == found.problem.tests[: len(cases)]
    assert len(found.checks) == len(added) > 0
    assert any(
        isinstance(each, StdioCase) and len(set(each.stdout.split())) < int(each.stdin.split()[0])
        for each in added
    )
    assert found == strengthen(engine, weak, wrong=[WRONG])


def test_one_case_shows_no_layout(engine: Engine) -> None:
    """Of a problem with one case nobody knows what inputs may look like."""
    case = StdioCase(stdin="1\n4\n", stdout="4\n")
    alone = Problem(id="one", tests=(case,), reference=REFERENCE)

    assert "one case does not show what inputs look like" == strengthen(engine, alone).skipped
