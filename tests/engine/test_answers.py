"""
What a report says of the values that the code was seen to answer.
"""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Answers, StdioCase

Check = Callable[..., CheckReport]

TESTS = """let () =
  assert (f 1 = 2);
  assert (f 2 = 3);
  assert (f 3 = 4)
"""


def test_one_value_for_everything_is_seen(check: Check) -> None:
    """
    A constant is handed out as often as it is asked for, and is one value.
    """
    expected = Answers(values=3, distinct=1)

    assert expected == check("let f _ = 9", TESTS).answers


def test_different_values_are_told_apart(check: Check) -> None:
    """
    Values count by what they are, whether they pass or not.
    """
    assert Answers(values=3, distinct=3) == check("let f x = x", TESTS).answers
    assert Answers(values=3, distinct=2) == check("let f x = x / 2", TESTS).answers


def test_an_exception_is_no_value(check: Check) -> None:
    """
    What raises, loops or leaves hands out nothing.
    """
    nothing = Answers(values=0, distinct=0)

    assert nothing == check("let f _ = raise Exit", TESTS).answers
    assert nothing == check("let f _ = exit 0", TESTS).answers
    assert nothing == check("let rec f x = 1 + f x", TESTS).answers


def test_values_are_compared_where_the_same_is_asked(check: Check) -> None:
    """
    A check that asks another question gets another answer, even of a constant.
    """
    tests = TESTS + "let () = assert (try f 4 = 5 with Exit -> false)\n"
    report = check("let f _ = 9", tests)

    assert report.answers is not None
    assert 1 == report.answers.distinct


def test_what_a_program_prints_is_its_answer(check: Check) -> None:
    """
    Of a program judged on its output, each output is one value.
    """
    cases = (StdioCase(stdin="1", stdout="2"), StdioCase(stdin="2", stdout="3"))
    constant = check('let () = print_string "x"', cases)
    copy = check("let () = print_endline (read_line ())", cases)

    assert Answers(values=2, distinct=1, printed=True) == constant.answers
    assert Answers(values=2, distinct=2, printed=True) == copy.answers


def test_what_only_the_process_saw_is_unseen(check: Check) -> None:
    """
    A check that is decided beside the code and fails leaves its values unknown.
    """
    tests = "let () = assert (List.for_all (fun g -> g 1 = 2) [f; f])\n"
    report = check("let f _ = 9", tests)

    assert report.answers == Answers(values=0, distinct=0, unseen=1)


def test_code_that_never_ran_was_not_seen(check: Check) -> None:
    """
    Without a run there is nothing to know.
    """
    assert check("let f x = x ^ 1", TESTS).answers is None
