"""Branches: what checks went through that fail is told from what only right answers took."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import Ground, Verdict
from ocaml_reward.engine import BUDGET, CheckReport
from ocaml_reward.model import Stage

from .branch_programs import PROGRAMS, Program
from .located import Locate, rows

Check = Callable[..., CheckReport]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_the_branch_with_the_mistake_is_blamed(program: Program, locate: Locate) -> None:
    """What a reader of the checks would say of each branch, of programs with one mistake."""
    found = rows(locate(program.code, program.tests))
    by_ground = {
        ground: {text for text, each, _ in found if each is ground}
        for ground in (Ground.FAILING_BRANCH, Ground.PASSING_BRANCH)
    }

    assert {
        Ground.FAILING_BRANCH: {*program.wrong},
        Ground.PASSING_BRANCH: {*program.right},
    } == by_ground


def test_what_chooses_between_branches_is_unknown(locate: Locate) -> None:
    """Where branches explain what fails, nobody knows of the words around them; a check that
    enters none of them leaves the definition wrong.
    """
    tests = 'let () = assert (f 0 = "a"); assert (f 1 = "b")'
    explained = locate('let f n = if n = 0 then "a" else "c"\n', tests)
    raised = locate(
        "let f n = if n = 0 then 0 else if n / (n - 1) = 1 then 1 else 2\n",
        "let () = assert (f 0 = 0); assert (f 1 = 1); assert (f 2 = 2)",
    )

    assert [
        ("let f n = if n = 0 then", Ground.BOTH, ("f",)),
        ('"a"', Ground.PASSING_BRANCH, ("f",)),
        ("else", Ground.BOTH, ("f",)),
        ('"c"', Ground.FAILING_BRANCH, ("f",)),
    ] == rows(explained)
    # The outer branch raises before an inner one is entered.
    assert (
        "if n / (n - 1) = 1 then",
        Ground.FAILING_BRANCH,
        ("f",),
    ) in rows(raised)


def test_two_mistakes_are_blamed_by_their_own_checks(locate: Locate) -> None:
    """Each check that fails blames of its branches the one that fails most often."""
    found = locate(
        "let f n = match n with 0 -> 9 | 1 -> 1 | 2 -> 9 | _ -> 3\n",
        "let () = assert (f 0 = 0); assert (f 1 = 1); assert (f 2 = 2); assert (f 3 = 3)",
    )

    assert [("9", Ground.FAILING_BRANCH), ("9", Ground.FAILING_BRANCH)] == [
        row[:2] for row in rows(found) if row[1] is Ground.FAILING_BRANCH
    ]


def test_branches_of_code_that_does_not_type(locate: Locate) -> None:
    """What checks went through that met no hole is right or wrong by them; what stands around
    the error stays wrong, and what nobody went through is unknown.
    """
    found = locate(
        "let f n = match n with\n"
        '  | 0 -> 0\n  | 1 -> "one"\n  | 2 -> 9\n  | n when n > 5 -> 7\n  | n -> n\n',
        "let () = assert (f 0 = 0); assert (f 1 = 1); assert (f 2 = 2); assert (f 3 = 3)",
    )

    assert Verdict.TYPE_ERROR is found.verdict
    assert [
        ("let f n = match n with\n  | 0 ->", Ground.HOLDS_ERROR),
        ("0", Ground.PASSING_BRANCH),
        ("| 1 ->", Ground.HOLDS_ERROR),
        ('"one"', Ground.ERROR),
        ("| 2 ->", Ground.HOLDS_ERROR),
        ("9", Ground.FAILING_BRANCH),
        ("| n when n > 5 ->", Ground.HOLDS_ERROR),
        ("7", Ground.UNTESTED),
        ("| n ->", Ground.HOLDS_ERROR),
        ("n", Ground.PASSING_BRANCH),
    ] == [row[:2] for row in rows(found)]


def test_two_errors_leave_the_other_branches_to_run(check: Check) -> None:
    """A hole for a wrong operator is no larger than what it computes: of a match the other
    cases run, though two of them do not type.
    """
    report = check(
        'let f n = match n with\n  | 0 -> 0\n  | 1 -> "one"\n  | 2 -> [2]\n  | n -> n\n',
        "let () = assert (f 0 = 0); assert (f 1 = 1); assert (f 2 = 2); assert (f 3 = 3)",
        holes=True,
    )

    assert report.through_holes is not None
    assert ["passed", "met_hole", "met_hole", "passed"] == [
        result.outcome.value for result in report.through_holes.results
    ]


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        (
            "let f n =\n  let id = if n > 9 then fun x -> x else fun x -> x in\n"
            "  match id n with 0 -> 0 | _ -> fst (id (1, 2))\n",
            False,
        ),
        (
            "type _ t = I : int t | B : bool t\n"
            "let zero : type a. a t -> a = function I -> 0 | B -> false\n"
            "let f n = if n = 0 then zero I else if zero B then 1 else 2\n",
            True,
        ),
        (
            "let rec count n sum = if n = 0 then sum else count (n - 1) (sum + 1)\n"
            "let f n = match n with 0 -> 0 | _ -> count 1_000_000 0\n",
            True,
        ),
        (
            "let table = if true then Hashtbl.create 3 else Hashtbl.create 5\n"
            "let f n = match n with 0 -> Hashtbl.length table | _ -> 2\n",
            True,
        ),
        (
            "let f = function 0 -> 0 | _ -> (fun ?(x = if true then 2 else 3) () -> x) ()\n",
            True,
        ),
    ],
    ids=["general", "gadt", "last calls", "weak", "defaults"],
)
def test_code_is_what_it_was(code: str, seen: bool, check: Check) -> None:
    """CoverageRun branches have the types that they had, and calls at their end are last calls;
    of what does not type when it is watched nothing is told.
    """
    tests = "let () = assert (f 0 = 0); assert (f 1 = 1)"
    report = check(code, tests, branches=True)

    assert Stage.EXECUTABLE is report.stage
    assert seen is bool(report.branches and all(report.branches.entered))


def test_the_branches_of_checks_that_end_the_process(check: Check) -> None:
    """Those of all that go on and of the first that does not are seen, others stay unknown."""
    budget = BUDGET.flat(2_000_000)
    report = check(
        "let rec f n = match n with 0 -> 0 | 1 -> f 1 | 2 -> f 2 | _ -> 3\n",
        "let () = assert (f 0 = 0)\nlet () = assert (f 1 = 1)\n"
        "let () = assert (f 2 = 2)\nlet () = assert (f 3 = 3)\n",
        budget=budget,
        branches=True,
    )

    assert report.branches is not None
    assert ((0,), (1,), None, (3,)) == report.branches.entered


def test_what_overflows_the_stack_does_so_in_a_small_one(check: Check) -> None:
    """It goes round the same branches there, and takes a tenth of the time; what enters a
    branch but far down is not seen. Checks with an end have the stack that they had.
    """
    report = check(
        "let rec f n = match n with\n  | 0 -> 0\n  | 1_000_000 -> 1 + f (-10)\n"
        "  | -200_000 -> 1 + f (-200_001)\n  | n -> 1 + f (n - 1)\n",
        "let () = assert (f 100_000 = 100_000)\nlet () = assert (f 1_000_000 = 0)\n"
        "let () = assert (f 200_000 = 200_000)\n",
        branches=True,
    )

    assert report.branches is not None
    assert ["passed", "stack_overflow", "passed"] == [
        result.outcome.value for result in report.results
    ]
    assert ((0, 3), (1, 3), (0, 3)) == report.branches.entered


def test_no_more_than_so_many_branches_are_watched(check: Check) -> None:
    """The first 256, in the order of the text."""
    cases = "".join(f"  | {n} -> {n}\n" for n in range(300))
    report = check(
        f"let f n = match n with\n{cases}  | _ -> 0\n",
        "let () = assert (f 255 = 255); assert (f 256 = 256); assert (f 300 = 1)",
        branches=True,
    )

    assert report.branches is not None
    assert 256 == len(report.branches.spans)
    assert ((255,), (), ()) == report.branches.entered


def test_nobody_looks_unasked_or_where_checks_agree(check: Check) -> None:
    """Where all checks pass, or all fail, or nobody asks, the code runs once."""
    tests = "let () = assert (f 0 = 0); assert (f 1 = 1)"
    half = "let f n = if n = 0 then 0 else 2\n"

    assert None is check(half, tests).branches
    assert None is check("let f n = if n = 0 then 0 else 1\n", tests, branches=True).branches
    assert None is check("let f n = if n = 0 then 3 else 2\n", tests, branches=True).branches
    asked = check(half, tests, branches=True)
    assert ((0,), (1,)) == (asked.branches and asked.branches.entered)


NOTE = 'external note : string -> string -> unit = "ocaml_reward_note"\n'


@pytest.mark.parametrize("more", ["", "let wrong = 1 + true\n"], ids=["types", "holed"])
def test_what_code_says_of_branches_changes_no_check(more: str, locate: Locate) -> None:
    """Code that breaks its process may say that it entered any branch, in any form: outcomes,
    reward and verdict stay what they are.
    """
    tests = "assert (f 1 = 1);; assert (f 2 = 2);; assert (f 3 = 7);;"
    code = f"let f x = say (); if x > 1 then x else 1\n{more}"
    honest = locate(f"{NOTE}let say () = ()\n{code}", tests)

    for said in ("went x", "went", "went -1", "went 9999999", "went 1 2", "begin x"):
        found = locate(f'{NOTE}let say () = note "{said}" ""\n{code}', tests)
        assert found.fault is None
        assert honest.verdict is found.verdict
        assert honest.reward == found.reward
        assert honest.tests.results == found.tests.results
