"""What a problem gives stands before code that does not define it itself, once for code and tests: a
completion may repeat it, in part or not at all.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import Engine
from ocaml_reward.model import StdioCase

TREE = "type tree = Leaf | Node of tree * int * tree"
SIZE = "let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r"
OF_TREE = "let () = assert (size (Node (Leaf, 1, Node (Leaf, 2, Leaf))) = 2)"
WRONG = SIZE.replace(" + 1", "")


def fenced(*codes: str) -> str:
    """Show code in fences."""
    return "Given\n" + "and\n".join(f"```ocaml\n{each}\n```\n" for each in codes) + "write it."


def test_it_counts_for_nothing(engine: Engine) -> None:
    """Neither shares nor lines nor regions are about it, and the record says where it stands."""
    prompt = fenced(f"{TREE}\nmodule M = struct\nlet x = 1\nend\nlet two = M.x + 1")
    problem = Problem(id="p", tests=OF_TREE, prompt=prompt)
    grader = Grader("seed", engine=engine, jobs=1, regions=True)
    for code, shares in {
        "let rec size = function (": (0.0, None),
        "let y = two\nlet rec size = function (": (0.5, None),
        'let size t : int = two ^ "é"': (None, 0.9),
        WRONG: (None, 1.0),
    }.items():
        found = grader.grade(problem, Completion(text=code))
        places = [place for region in found.regions or () for place in region.places]

        # Later compilers make other nodes of the same text.
        nearly = pytest.approx((shares[0], shares[1]), abs=0.02)
        assert nearly == (found.parsed_share, found.typed_fraction)
        assert code == found.code[found.given[-1][1] :]
        assert "min_lines" in {each.code for each in found.penalties}
        assert places
        assert all(region.places for region in found.regions or ())


def test_programs_are_given_what_stands_before_their_own(engine: Engine) -> None:
    """Also one that is judged by what it prints, and only what it lacks."""
    cases = (StdioCase(stdin="", stdout="3"),)
    prompt = "type pair = int * int\n\nlet sum (pair : pair) : int ="
    grader = Grader("concise", engine=engine, jobs=1)
    run = "let () = print_int (sum (1, 2))"
    for problem, code in (
        (Problem(id="p", tests=cases, prompt=prompt), f"  fst pair + snd pair\n{run}"),
        (
            Problem(id="p", tests=cases, prompt=prompt),
            f"let sum (pair : pair) = fst pair + snd pair\n{run}",
        ),
        (
            Problem(id="p", tests=cases, given="let sum (a, b) = a + b"),
            "print_int (sum (1, 2))",
        ),
        (Problem(id="p", tests=cases, given="let sum (a, b) = a - b"), f"let sum _ = 3\n{run}"),
    ):
        assert grader.grade(problem, Completion(text=code)).verdict == "passed", code


@pytest.mark.parametrize("reference", ["let get r = !r", None])
def test_it_may_redefine_what_the_library_has(engine: Engine, reference: str | None) -> None:
    """Tests then mean the problem's own, as the code does."""
    problem = Problem(
        id="p",
        given="module R : sig type 'a ref val ref : 'a -> 'a ref val ( ! ) : 'a ref -> 'a end =\n"
        "struct type 'a ref = 'a Stdlib.ref let ref = Stdlib.ref let ( ! ) = Stdlib.( ! ) end\n"
        "include R",
        tests="let () = let r = ref 4 in assert (get r = 4)\n"
        "let () = let r = ref 5 in assert (!r = 5)",
        reference=reference,
    )
    grader = Grader("concise", engine=engine, jobs=1)

    assert grader.grade(problem, Completion(text="let get r = !r")).verdict == "passed"
    wrong = Completion(text="let get (_ : int ref) = 3")
    assert grader.grade(problem, wrong).verdict == "failed_tests"
