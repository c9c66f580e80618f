"""Laws of a program's inputs are learnt from two cases, and no input that is added breaks one."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from ocaml_reward import Problem, StdioCase
from ocaml_reward.engine import Engine
from problem_sets.certifying import Examiner
from problem_sets.strengthening.inputs import inputs_of

Rows = list[list[str]]


def counts_rest(rows: Rows) -> bool:
    return int(rows[0][0]) == sum(map(len, rows[1:]))


def head_and_row(rows: Rows) -> bool:
    return len(rows) == 2 and len(rows[0]) == 2 and int(rows[0][0]) == len(rows[1])


def edges(rows: Rows) -> bool:
    count, most = int(rows[0][1]), int(rows[0][0])
    ends = [int(each) for row in rows[1:] for each in row]
    return len(rows) == count + 1 and all(1 <= each <= most for each in ends)


def signs(rows: Rows) -> bool:
    return int(rows[0][0]) == len(rows[1][0])


def clock(rows: Rows) -> bool:
    found = re.fullmatch(r"(\d\d):(\d\d)", rows[0][0])
    return found is not None and int(found[1]) < 24 and int(found[2]) < 60


def maze(rows: Rows) -> bool:
    text = "".join(each for row in rows[1:] for each in row)
    height, width = map(int, rows[0])
    even = all(len(row[0]) == width for row in rows[1:])
    return len(rows) == height + 1 and even and 1 == text.count("S") == text.count("E")


def pair(rows: Rows) -> bool:
    return int(rows[0][0]) <= int(rows[0][1])


LAWS: list[tuple[list[str], Callable[[Rows], bool]]] = [
    (["3\n4 1 2\n", "2\n7 7\n"], counts_rest),
    (["3\n4\n1\n2\n", "1\n7\n"], counts_rest),
    (["3 8\n1 2 5\n", "2 0\n10 25\n"], head_and_row),
    (["3 2\n1 2\n2 3\n", "4 3\n1 4\n4 2\n3 3\n"], edges),
    (["3\nabc\n", "5\nhello\n"], signs),
    (["09:30 45\n", "23:50 20\n"], clock),
    (["2 3\nS..\n##E\n", "1 2\nSE\n"], maze),
    (["1 4\n", "2 9\n", "5 5\n"], pair),
]


@pytest.mark.parametrize(("cases", "holds"), LAWS)
def test_no_input_breaks_a_law(cases: list[str], holds: Callable[[Rows], bool]) -> None:
    """A number that counts, one that bounds, widths, order, and signs that are there once."""
    made = [
        each.text
        for seed in range(3)
        for each in inputs_of(cases, Random(seed))
        if not each.strange
    ]

    assert all(holds([line.split() for line in each.splitlines()]) for each in cases)
    # Words of a length that a number tells are not made.
    assert made or holds is signs
    assert [] == [each for each in made if not holds([line.split() for line in each.splitlines()])]


MEAN = """let () =
  let n = Scanf.scanf " %d" Fun.id in
  let xs = List.init n (fun _ -> Scanf.scanf " %f" Fun.id) in
  Printf.printf "%f\\n" (List.fold_left ( +. ) 0. xs /. float_of_int n)
"""


def test_no_case_expects_what_is_no_number(engine: Engine) -> None:
    """The mean of nothing is -nan here and nan elsewhere."""
    cases = (
        StdioCase(stdin="0\n", stdout="-nan\n"),
        StdioCase(stdin="2\n1 2\n", stdout="1.500000\n"),
        StdioCase(stdin="1\n4\n", stdout="4.000000\n"),
    )
    mean = Problem(id="mean", prompt="Print the mean.", tests=cases[1:], reference=MEAN)
    found = Examiner(engine).examine(mean, search=True)

    assert found.search is not None
    assert len(found.search.candidates) > 10
    assert not any(re.search("nan|inf", each.check) for each in found.search.candidates)
