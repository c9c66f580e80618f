"""`problems strengthen`: what weak tests let through is caught, and nothing is made up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine
from problem_sets.certifying import Strengthened, strengthen

from .weak import EVALUATE, WEAK, problem


@pytest.mark.parametrize("name", sorted(WEAK))
def test_known_wrong_programs_are_caught(engine: Engine, name: str) -> None:
    """Of every kind of type checks are made that a wrong program fails, and the reference
    passes; they are judged outside of the code's process.
    """
    weak, wrong = WEAK[name]
    found = strengthen(engine, weak, wrong=[wrong])

    assert (1, 1, 0) == (found.wrong, found.wrong_before, found.wrong_after)
    assert found.mutants_after <= found.mutants_before <= found.mutants
    assert 0 == found.beside or name in {"abstract", "mutable"}
    assert ["passed", "failed_tests"] == verdicts(
        engine, found.problem, weak.reference or "", wrong
    )


def verdicts(engine: Engine, problem: Problem, *texts: str) -> list[str]:
    """Grade completions of a problem."""
    grader = Grader("concise", engine=engine, jobs=1)
    return [grader.grade(problem, Completion(text=each)).verdict for each in texts]


def test_the_same_call_gives_the_same_checks(engine: Engine) -> None:
    weak, wrong = WEAK["lists"]
    first, again = (strengthen(engine, weak, wrong=[wrong], seed=3) for _ in range(2))
    one = strengthen(engine, weak, wrong=[wrong], at_most=1)

    assert first == again
    assert 1 == len(one.checks)


def test_a_signature_in_a_prompt_is_no_call(engine: Engine) -> None:
    """`g : int -> int` shows no argument: no call becomes `g (:)`, and the others remain."""
    weak = problem(
        "val g : int -> int",
        "let g x = if x < 3 then x else 2 * x\n",
        *("g 0 = 0", "g 5 = 10"),
        prompt="`g : int -> int` doubles: `g 5` is `10`; it is given numbers up to 9.",
    )
    found = strengthen(engine, weak, wrong=["let g x = if x < 4 then x else 2 * x\n"])

    assert {} == found.left
    assert (1, 0) == (found.wrong_before, found.wrong_after)
    assert not any("(:)" in check for check in found.checks)


def doubts(found: Strengthened) -> set[str]:
    return {each.doubt for each in found.asked}


def test_what_is_not_promised_is_asked_about(engine: Engine) -> None:
    """An exception that nothing promises, a message of no example and a call that does not
    end become no checks; a promised exception does.
    """
    head = problem(
        "val head : int list -> (int, string) result",
        'let head = function [] -> Error "nothing" | x :: _ -> Ok x\n',
        *("head [1; 2] = Ok 1", "head [4] = Ok 4"),
    )
    wrong = 'let head = function [] -> Error "" | x :: _ -> Ok x\n'
    loop = problem(
        "val down : int -> int",
        'let rec down n = if n = 0 then 0 else if n = 7 then failwith "7" else down (n - 1)\n',
        *("down 0 = 0", "down 3 = 0"),
    )
    gets = "let get xs n = if n > 2 then raise Not_found else List.nth xs n\n"
    get = problem(
        "val get : int list -> int -> int",
        gets,
        "get [1; 2; 3] 2 = 3",
        "get [0] 0 = 0",
        prompt="Not_found where there is none such",
    )
    silent = strengthen(engine, head, wrong=[wrong], beyond=True)
    looping = strengthen(engine, loop, wrong=["let down n = if n > 3 then 1 else 0\n"])

    assert not any("head []" in check for check in silent.checks)
    assert {"the text of its error stands in no example"} == doubts(silent)
    assert silent.asked[0].catches
    assert not any("7" in check or "-1" in check for check in looping.checks)
    assert any("does not come to its end" in each for each in doubts(looping))
    assert any("raises where nothing promises" in each for each in doubts(looping))
    assert get.reference is not None
    raising = strengthen(engine, get, wrong=["let get xs n = List.nth xs n\n"], beyond=True)
    assert any("exception Not_found -> true" in each for each in raising.checks)


SUITE = """open OUnit2
let () = run_test_tt_main ("e" >::: [
  "n" >:: (fun _ -> assert_equal (-4) (eval (flip (Num 4)))) ])
"""


def test_what_several_answers_may_be_is_asked_about(engine: Engine) -> None:
    """A value of the code's own type that no example compares may be another one; what is
    added behind a suite is a suite.
    """
    weak = replace(
        problem(
            "type expr = Num of int | Add of expr * expr | Neg of expr\n"
            "val eval : expr -> int\nval flip : expr -> expr",
            f"{EVALUATE}let flip e = Neg e\n",
        ),
        tests=SUITE,
    )
    wrong = f"{EVALUATE}let flip e = Neg e\n".replace("eval a + eval b", "eval a")
    found = strengthen(engine, weak, wrong=[wrong])

    assert found.checks
    assert not any(each.startswith("flip") for each in found.checks)
    assert 'run_test_tt_main ("added" >::: [' in str(found.problem.tests)
    assert ["passed", "failed_tests"] == verdicts(
        engine, found.problem, weak.reference or "", wrong
    )


def test_right_programs_are_not_failed(engine: Engine) -> None:
    """A check that a right program fails is asked about, as the prompt leaves it open."""
    weak = problem(
        "val any : int list -> int",
        "let any = function [] -> 0 | x :: _ -> x\n",
        *("any [3] = 3", "any [] = 0", "any [0; 0] = 0"),
    )
    wrong = "let any xs = match xs with [] -> 0 | [x] -> x | _ -> 0\n"
    right = "let any = function [] -> 0 | xs -> List.nth xs (List.length xs - 1)\n"
    without = strengthen(engine, weak, wrong=[wrong])
    found = strengthen(engine, weak, wrong=[wrong], right=[right])

    assert ["failed_tests"] == verdicts(engine, without.problem, right)
    assert ["passed"] == verdicts(engine, found.problem, right)
    assert "a right program answers otherwise" in doubts(found)


def test_some_problems_are_left_alone(engine: Engine) -> None:
    """Problems without types or a sound reference stay as they are, and it is said why."""
    weak = WEAK["lists"][0]
    wrong_reference = replace(weak, reference="let climb _ = 1\n")
    # Which modules tests make inside of a check is not read.
    functor = problem(
        "module Make (K : sig type t end) : sig val n : int end",
        "module Make (K : sig type t end) = struct let n = 1 end\n",
        *("let module M = Make (Int) in M.n = 1",),
    )
    said = [
        strengthen(engine, each).skipped
        for each in (replace(weak, reference=None), wrong_reference)
    ]
    alone = strengthen(engine, functor, wrong=[functor.reference or ""])

    assert ["no reference", "the reference does not pass its own tests"] == said
    assert {"Make": "a functor"} == alone.left
    assert functor == alone.problem


def test_polymorphic_functions_stay_at_the_shown_types(engine: Engine) -> None:
    """Without a signature a type variable stands for what the checks show: an answer may have
    that type alone.
    """
    weak = replace(
        problem("", "let same a b = a = b\n", 'same "a" "a"', 'same "b" "b"'),
        signature=None,
    )
    found = strengthen(engine, weak, wrong=["let same _ _ = true\n"])

    assert found.checks
    assert all('"' in each for each in found.checks)
