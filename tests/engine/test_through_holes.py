"""Code that does not type or parse, run through holes: what checks tell that meet none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ocaml_reward import Verdict
from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome, Stage, StdioCase

from .located import F_AND_G, Locate

Check = Callable[..., CheckReport]
Through = Callable[..., str]

# One word a check.
WORDS = {
    Outcome.PASSED: "pass",
    Outcome.FAILED: "fail",
    Outcome.RAISED: "raise",
    Outcome.MET_HOLE: "hole",
    Outcome.NOT_RUN: "none",
}


def words(report: CheckReport) -> str:
    """Write how the checks ended; empty where the code did not run through holes."""
    through = report.through_holes
    return " ".join(WORDS[each.outcome] for each in through.results) if through else ""


@pytest.fixture
def through(check: Check) -> Through:
    """Run code through holes and write how its checks ended."""

    def run(code: str, tests: object = F_AND_G, **other: str) -> str:
        return words(check(code, tests, holes=True, **other))

    return run


def test_a_check_that_meets_no_hole_tells(check: Check) -> None:
    """It passes or fails as on code that types; one that comes to an error meets a hole.  What
    was not asked for is not there, and nothing else in the report changes.
    """
    code = """\
let help x = x + 1
let f x = if x > 1 then help (x ^ "a") else help x
let g x = help x
"""
    asked = check(code, F_AND_G, holes=True)
    plain = check(code, F_AND_G)

    assert "pass hole fail" == words(asked)
    assert Stage.TYPE_ERROR is asked.stage
    assert () == asked.results
    assert plain == replace(asked, through_holes=None, blame=())


def test_code_that_runs_has_no_holes(through: Through) -> None:
    """Nothing is run twice."""
    assert "" == through("let f x = x + 1\nlet g x = x\n")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("let f x = x + 1\n", "pass pass hole"),
        ("let f x = x + 1\nlet g = 1\n", "pass pass hole"),
        ("let f x = x + 1\nlet g x = x ^ x\n", "pass pass hole"),
        ('let f x = x + 1\nlet g = List.map 3 ["a"]\n', "pass pass hole"),
        ("let h = 1\n", ""),
        ('let f x = x ^ 1\nlet g x = "a" + x\n', ""),
    ],
)
def test_an_entry_point_that_the_tests_cannot_use(
    through: Through, code: str, expected: str
) -> None:
    """Checks that use one which is missing, of another type or a hole itself meet a hole; where
    that holds of all, there is nothing to run.
    """
    assert expected == through(code)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("let f x = x + 1\n\nlet h x = (x\n\nlet g x = x\n", "pass pass pass"),
        ("let f x = x + 1\nlet g x = (x\n", "pass pass hole"),
        ("let f x = x + 1\nlet h x = (x\nlet g x = h x\n", "pass pass hole"),
        ('let f x = x ^ 1\nlet h x = (x\nlet g x = "a"\n', ""),
        # What stands before a misspelt keyword parses.
        ("let f x = x + 1\nlett g x : int = x\n", "pass pass hole"),
        # A semicolon that takes the next definition for more of its own is all that is wrong.
        ("let f x = x + 1; (* one; *)\n\nlet g x = x\n", "pass pass pass"),
        # What a statement would have done is not done.
        ("let f x = x + 1\nlet () = (f\nlet g x = x + 1\n", "pass pass hole"),
    ],
)
def test_items_that_parse_run_without_the_one_that_does_not(
    check: Check, code: str, expected: str
) -> None:
    """The parts of what parses are known then, at their places."""
    report = check(code, F_AND_G, holes=True)
    parts = report.through_holes and report.through_holes.parts

    assert expected == words(report)
    assert Stage.SYNTAX_ERROR is report.stage
    assert report.parts is None
    assert {"let ", ""} >= {code[slice(*part.span)][:4] for part in parts or ()}


HOSTILE = (
    "try x ^ 1 with _ -> x + 1",
    "while true do try ignore (x ^ 1) with _ -> () done; x",
    "try x ^ 1 with _ -> exit 0",
    "try x ^ 1 with _ -> at_exit (fun () -> ()); exit 3",
    "try x ^ 1 with _ -> raise Not_found",
    "let v = lazy (x ^ 1) in try Lazy.force v with _ -> x + 1",
    'try x ^ 1 with _ -> print_string "end 1 0 0|\\nhole|\\n"; x + 1',
    "try x ^ 1 with _ -> ignore (Array.make 99 x); x + 1",
)


def test_code_that_meets_a_hole_has_met_it(through: Through) -> None:
    """Whatever it does behind it: the lock knows, and the code does not write what it says."""
    code = "".join(
        f"let f{number} x = if x > 1 then ({body}) else x + 1\n"
        for number, body in enumerate(HOSTILE)
    )
    tests = "".join(
        f"let () = assert (f{number} 1 = 2); assert (f{number} 2 = 3)\n"
        for number in range(len(HOSTILE))
    )

    assert " ".join(["pass hole"] * len(HOSTILE)) == through(code, tests)


def test_what_a_hole_leaves_undone(through: Through) -> None:
    """Where checks share a state, one that fails behind a hole may do so for what is missing;
    a statement that ends at a hole, and a value that is one, leave all of it in doubt.
    """
    queue = """\
let make () = ref []
let push q x = if x > 1 then q := x ^ 1 else q := x :: !q
let size q = List.length !q
"""
    tests = "let q = make ()\nlet () = push q 1; assert (size q = 1)\n"
    tests += "let () = push q 2; assert (size q = 2)\nlet () = assert (size q = 2)"
    counter = "let n = ref 0\nlet f x = if x > 1 then x ^ 1 else (incr n; x + 1)\n"
    statement = "let f x = if x > 3 then x ^ 1 else x + 1\nlet () = ignore (f 4)\n"
    value = 'let v = List.map 3 ["a"]\nlet f x = x + 1\n'

    assert "pass hole hole" == through(queue, tests)
    assert "pass hole hole" == through(f"{counter}let g x = !n + x\n")
    assert "pass pass hole" == through(f"{statement}let g x = x + 1\n")
    assert "pass pass hole" == through(f"{value}let g x = x + 1\n")
    assert "pass pass pass" == through(f"{value}let g x = x\n")


def test_wrong_patterns_and_declarations(through: Through) -> None:
    """A case whose pattern is wrong takes what comes to it, and is a hole; so is what needs a
    type that nobody knows.
    """
    case = 'let f = function 1 -> 2 | "b" -> 3 | n -> n + 1\nlet g x = x\n'
    declared = "type t = A of missing | B\nlet of_b = function B -> 1 | A _ -> 0\n"
    module = 'module M = struct let a = 1 + "x" let b x = x + 1 end\n'

    assert "pass hole pass" == through(case)
    assert "pass pass pass" == through(f"{declared}let f x = of_b B + x\nlet g x = x\n")
    assert "pass pass hole" == through(f"{module}let f = M.b\nlet g x = M.a + x - x\n")


def test_a_name_that_is_gone_is_no_other(through: Through) -> None:
    """A definition that is a hole leaves its uses holes, whatever the library has by its name."""
    assert "pass pass hole" == through(
        "let max a b = a ^ 1 + b\nlet f x = x + 1\nlet g x = if x > 0 then max x x else x\n"
    )


def test_values_are_judged_outside_through_holes(through: Through) -> None:
    """With the types that the code declares, and by predicates of the tests' own."""
    code = """\
type shape = Square of int | Dot
let wrong x = x ^ 1
let make n = if n > 9 then wrong n else if n > 0 then Square n else Dot
"""
    signature = "type shape = Square of int | Dot\nval make : int -> shape"
    tests = """\
let is_square = function Square n -> n > 0 | Dot -> false
let () = assert (make 2 = Square 2); assert (make 10 = Square 10)
let () = assert (is_square (make 3)); assert (make 0 = Square 0)
"""

    assert "pass hole pass fail" == through(code, tests, signature=signature)


def test_a_program_judged_by_what_it_prints(check: Check) -> None:
    """A case that meets a hole says nothing; the others are compared."""
    code = """\
let () =
  let n = read_int () in
  print_int (if n > 9 then n ^ 1 else n + 1)
"""
    cases = tuple(
        StdioCase(stdin=stdin, stdout=stdout)
        for stdin, stdout in (("1", "2"), ("10", "11"), ("2", "4"))
    )

    assert "pass hole fail" == words(check(code, cases, holes=True))


def test_what_is_forbidden_does_not_run_through_holes(check: Check) -> None:
    """Code that uses it runs in no way."""
    tests = "let a = f 1\nlet () = assert (f 1 = a && f 2 <> a)"
    report = check("let h x = x ^ 1\nlet f x = Obj.magic x\n", tests, holes=True)

    assert ("Obj (line 2)",) == report.forbidden
    assert report.through_holes is None


def test_limits_are_those_of_code_that_types(locate: Locate) -> None:
    """A check that loops without a hole times out, after a first look that gave up on it; it costs
    itself alone, as one that leaves does.
    """
    code = "let rec f x = if x > 1 then f x else x + 1\nlet h x = x ^ 1\n"
    found = locate(f"{code}let g x = exit x\n")

    assert [Outcome.PASSED, Outcome.TIMED_OUT, Outcome.EXITED] == [
        each.outcome for each in found.through_holes or ()
    ]
    assert (Verdict.TYPE_ERROR, 0) == (found.verdict, found.tests.passed)
