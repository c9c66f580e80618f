"""Regions of code whose own top level does not come to its end: no check has begun."""

from __future__ import annotations

import pytest

from ocaml_reward import Ground

from .located import Locate, rows

RIGHT = 'let f x = print_string ""; x * 2\nlet g x = x\n'


@pytest.mark.parametrize(
    "statement",
    [
        'let () = failwith "no input"',
        "let () = exit 0",
        "let () = while true do () done",
        "let () = print_int (read_int ())",
    ],
)
def test_a_statement_that_takes_every_check_is_wrong(
    locate: Locate, statement: str
) -> None:
    """Of the definitions, which no check has tried, nothing is known."""
    found = rows(locate(f"{RIGHT}{statement}\n"))

    assert [(statement, Ground.FAILING, ())] == found[-1:]
    assert {Ground.UNTESTED} == {ground for _, ground, _ in found[:-1]}


def test_what_such_a_statement_uses_may_be_at_fault(locate: Locate) -> None:
    """It is wrong with what it leads to, and a value where no statement is."""
    used = rows(locate(f"{RIGHT}let () = assert (g (f 1) = 1)\n"))
    value = rows(locate(f'{RIGHT}let table : int list = failwith "no table"\n'))

    assert {Ground.FAILING} == {ground for _, ground, _ in used}
    assert Ground.FAILING is value[-1][1]
    assert {Ground.UNTESTED} == {ground for _, ground, _ in value[:-1]}


def test_tests_that_do_not_get_to_a_check_have_begun(locate: Locate) -> None:
    """Where a definition of the tests raises in the code's hands, the code is what it needs."""
    found = locate(
        "let f x = List.hd x\nlet g x = x\nlet () = ignore (g 1)\n",
        "let first = f []\nlet () = assert (first = 1)",
    )

    assert ("let f x = List.hd x", Ground.FAILING, ("f",)) in rows(found)
