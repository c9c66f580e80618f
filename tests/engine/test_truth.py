"""`passed` means that plain OCaml agrees: in each form in which OCaml can hold assertions.

All of it, with generated problems, is `python -m benchmarks.truth`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from benchmarks.truth import plain
from ocaml_reward import Completion, Grader, Problem, Verdict
from ocaml_reward.engine import Engine
from tests.generated.assertions import FORMS, OUNIT_FORMS

CODE = "let f x = if x > %d then x + 1 else x\nlet g x = if x = %d then raise Exit else x"
# What holds of f and g where they have 0 and -1; and what each other version fails.
CONDITIONS = ("f 1 = 2", "f 2 = 3", "g 5 = 5", "f 3 + g 6 = 10")
RIGHT = CODE % (0, -1)
WRONG = [CODE % numbers for numbers in ((1, -1), (2, -1), (0, 5), (0, 6))]
ALL = {**FORMS, **{f"OUnit2: {name}": form for name, form in OUNIT_FORMS.items()}}


@pytest.mark.parametrize("name", [each for each in ALL if each != "OUnit2: made by code"])
def test_no_assertion_is_lost(engine: Engine, name: str) -> None:
    """Right code passes, and code passes nowhere that one assertion refuses, whichever it is."""
    libraries = ("ounit2",) if name.startswith("OUnit2") else ()
    problem = Problem(id=name, tests=ALL[name](CONDITIONS), libraries=libraries)
    grader = Grader("concise", engine=engine, jobs=1)
    found = [grader.grade(problem, Completion(text=code)).verdict for code in (RIGHT, *WRONG)]

    assert [True] + [False] * len(WRONG) == [each is Verdict.PASSED for each in found]


def test_what_cannot_be_numbered_is_refused(engine: Engine) -> None:
    """Cases that code makes are counted with a reference; without one the problem is refused."""
    tests = OUNIT_FORMS["made by code"](CONDITIONS)
    problem = Problem(id="made", tests=tests, libraries=("ounit2",), reference=RIGHT)
    grader = Grader("concise", engine=engine, jobs=1)
    found = [grader.grade(problem, Completion(text=code)).verdict for code in (RIGHT, *WRONG)]

    assert [True] + [False] * len(WRONG) == [each is Verdict.PASSED for each in found]


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """Tests with code that plain OCaml runs to their end, and code that it does not."""

    tests: str
    right: Sequence[str]
    wrong: Sequence[str]
    problem: Mapping[str, Any] = field(default_factory=dict)


COUNTER = "let n = ref %d\nlet next () = incr n; !n"
COUNTED: dict[str, Any] = {
    "right": [COUNTER % 0],
    "wrong": [COUNTER % 1, "let next () = 1", "let next () = 2"],
}
SORTED = "let sorted a = let b = Array.copy a in Array.sort compare b; Array.fill a 0 3 %d; %s"
CASES = {
    "arguments of a predicate": Case(
        tests="let data = [|3; 1; 2|]\n"
        "let () = assert (List.equal (=) (Array.to_list (sorted data))"
        " (List.sort compare (Array.to_list data)))",
        right=[SORTED % (0, "b"), SORTED % (9, "b")],
        wrong=[SORTED % (0, "a"), "let sorted a = a"],
    ),
    "arguments of arithmetic": Case(
        tests="let () = assert (next () * 10 + next () = 21)", **COUNTED
    ),
    "arguments of a helper": Case(
        tests="let near a b = abs (a - b) < 1\nlet () = assert (near (next () * 10 + next ()) 21)",
        **COUNTED,
    ),
    "elements of a list": Case(
        tests="let same a b = List.length a = List.length b && List.for_all2 (=) a b\n"
        "let () = assert (same [next (); next (); next ()] [3; 2; 1])",
        **COUNTED,
    ),
    "elements that a function of the tests' own sees": Case(
        tests="let () = assert (List.for_all2 (fun a b -> a = b) [next (); next ()] [2; 1])",
        **COUNTED,
    ),
    "let and": Case(
        tests="let () = let a = next () and b = next () in assert (a = 1 && b = 2)",
        **COUNTED,
    ),
    "data that the code is handed": Case(
        tests="let () = let a = [|1; 2; 3|] in let b = bump a in\n"
        "  assert (Array.for_all2 (fun x y -> y = x + 1) a b)",
        right=["let bump a = Array.map succ a"],
        wrong=[
            "let bump a = Array.fill a 0 3 0; [|1; 1; 2|]",
            "let bump a = a",
        ],
    ),
    "the code's own iter": Case(
        tests="let seen = ref []\n"
        "let () = iter (fun x -> seen := x :: !seen; assert (x > 0)) [1; 2; 3];\n"
        "  assert (!seen = [3; 2; 1])",
        right=["let iter = List.iter"],
        wrong=["let iter _ _ = ()", "let iter f l = List.iter f (List.rev l)"],
    ),
    "a failwith that does not raise": Case(
        tests="let failwith _ = ()\n"
        'let () = if f 2 = 4 then () else failwith "no"\n'
        "let () = assert (f 3 = 5)",
        right=["let f n = n + 2", "let f n = if n = 2 then 0 else n + 2"],
        wrong=["let f n = n + 1"],
    ),
    "the code's own compare": Case(
        tests="let () = assert (compare 1 2 = 7)\n"
        "let () = assert (List.sort Stdlib.compare [2; 1] = [1; 2])",
        right=["let compare _ _ = 7"],
        wrong=["let compare (a : int) b = Stdlib.compare a b"],
        problem={"signature": "val compare : int -> int -> int"},
    ),
    "numbers at random": Case(
        tests="let () = Random.init 7\nlet l = List.init 5 (fun _ -> Random.int 10)\n"
        "let () = assert (List.map f l = l)",
        right=["let f n = n", "let f n = Random.init 3; n"],
        wrong=["let f n = n + 1"],
    ),
    "a printer of the code's": Case(
        tests="let () = assert (Printexc.to_string (f 1) = Printexc.to_string Exit)",
        right=["let f _ = Exit"],
        wrong=["let f _ = Not_found"],
    ),
    "at the exit": Case(
        tests="let () = at_exit (fun () -> assert (f 1 = 1))\nlet () = assert (f 2 = 2)",
        right=["let f n = n"],
        wrong=["let f n = if n = 1 then 0 else n", "let f n = if n = 2 then 0 else n"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_tests_mean(engine: Engine, name: str) -> None:
    """Code passes exactly where plain OCaml comes to the end of the tests."""
    case = CASES[name]
    problem = Problem(id=name, tests=case.tests, **case.problem)
    grader = Grader("concise", engine=engine, jobs=1)
    codes = [*case.right, *case.wrong]
    expected = [True] * len(case.right) + [False] * len(case.wrong)
    found = [grader.grade(problem, Completion(text=each)).verdict for each in codes]

    assert expected == [plain(each, case.tests) for each in codes]
    assert expected == [each is Verdict.PASSED for each in found]


def test_a_statement_behind_a_suite_of_code_is_a_case(engine: Engine) -> None:
    tests = OUNIT_FORMS["made by code"](CONDITIONS) + "let () = assert (f 9 = 10)\n"
    problem = Problem(id="made", tests=tests, libraries=("ounit2",), reference=RIGHT)
    grader = Grader("concise", engine=engine, jobs=1)
    wrong = RIGHT.replace("let f x =", "let f x = if x = 9 then 0 else")
    found = [grader.grade(problem, Completion(text=c)) for c in (RIGHT, wrong)]

    assert RIGHT != wrong
    assert [Verdict.PASSED, Verdict.FAILED_TESTS] == [each.verdict for each in found]
