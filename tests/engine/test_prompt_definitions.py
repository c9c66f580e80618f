"""What a prompt defines and the tests use is the tests': honest code may leave it out, and wrong code
is not paid for another that suits it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from ocaml_reward import Completion, Grader, Problem, Verdict
from ocaml_reward.engine import Engine


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """Code of a prompt, tests that use it, code for `f` that is right or wrong, and a version of the
    prompt's that would make wrong code pass, if there may be one.
    """

    shown: str
    tests: str
    right: str = "let f n = n * 2"
    wrong: str = "let f n = n + 1"
    other: str = ""


APPROX = "let () = assert (H.approx (f 1.) 2.)\nlet () = assert (H.approx (f 2.) 3.)\n"
TREE = "type tree = Leaf | Node of tree * int * tree\n"
SIZE = "let rec size = function Leaf -> 0 | Node (l, _, r) -> size l + 1 + size r\n"
CASES = {
    "a module": Case(
        shown="module H = struct\n  let approx a b = abs_float (a -. b) < 1e-6\nend",
        tests=APPROX,
        right="let f x = x +. 1.",
        wrong="let f x = x",
        other="module H = struct let approx _ _ = true end",
    ),
    "what a functor makes": Case(
        shown="module Make (X : sig val eps : float end) = struct\n"
        "  let approx a b = abs_float (a -. b) < X.eps\nend\n"
        "module H = Make (struct let eps = 0.01 end)",
        tests=APPROX,
        right="let f x = x +. 1.",
        wrong="let f x = x",
        other="module H = struct let approx _ _ = true end",
    ),
    "a module of a type that is shown": Case(
        shown="module type S = sig val twice : int -> int end\n"
        "module H : S = struct\n  let twice n = n * 2\nend",
        tests="let () = assert (f 1 = H.twice 1)\nlet () = assert (f 2 = H.twice 2)\n",
        other="module H = struct let twice n = n + 1 end",
    ),
    "an application of the library's functor": Case(
        shown="module M = Map.Make (Int)",
        tests="let () = assert (M.find 1 (f 1) = 2)\n",
        right="module M = Map.Make (Int)\nlet f n = M.singleton n (n * 2)",
        wrong="module M = Map.Make (Int)\nlet f n = M.singleton n n",
        other="module M = struct let find _ _ = 2 end",
    ),
    "functions that call each other": Case(
        shown="let rec even n = n = 0 || odd (n - 1)\nand odd n = n > 0 && even (n - 1)",
        tests="let () = assert (even (f 1) && not (odd (f 3)))\n",
        wrong="let f n = n * 2 + 1",
        other="let even _ = true let odd _ = false",
    ),
    "names of one pattern": Case(
        shown="let lo, hi = (1, 3)",
        tests="let () = assert (f lo = 2 && f hi = 6)\n",
        other="let lo, hi = 1, 1",
    ),
    "data": Case(
        shown="let inputs = [1; 2; 3]",
        tests="let () = assert (List.map f inputs = [2; 4; 6])\n",
        other="let inputs = [1; 1; 1]\nlet inputs = []",
    ),
    "behind what is opened": Case(
        shown="open List\nlet total l = fold_left ( + ) 0 l",
        tests="let () = assert (total [f 2; f 3] = 10)\n",
        other="let total _ = 10",
    ),
    "a function of the code's type": Case(
        shown=TREE + SIZE,
        tests="let () = assert (size (f 1) = 0)\nlet () = assert (size (f 2) = 1)\n",
        right=TREE + "let f = function 1 -> Leaf | n -> Node (Leaf, n, Leaf)",
        wrong=TREE + "let f _ = Leaf",
        other="let size = let n = ref (-1) in fun _ -> incr n; !n",
    ),
    "a type that only tests make values of": Case(
        shown=TREE + SIZE,
        tests="let () = assert (f size [Leaf; Node (Leaf, 1, Leaf)] = [0; 1])\n",
        right="let f = List.map",
        wrong="let f g l = List.rev (List.map g l)",
    ),
    "a module of a type": Case(
        shown="module H = struct\n  type t = A | B of int\n  let same (a : t) b = a = b\n"
        "  let make n = B n\nend",
        tests="let () = assert (H.same (f 1) (H.B 2))\nlet () = assert (H.same (f 2) (H.make 4))\n",
        right="let f n = H.make (n * 2)",
        wrong="let f n = H.make (n + 1)",
    ),
    "a module that the code uses": Case(
        shown="module H = struct\n  let twice n = n * 2\n  let same a b = compare a b = 0\nend",
        tests="let () = assert (H.same (f 1) 2)\nlet () = assert (H.same (f 2) 4)\n",
        right="let f n = H.twice n",
        other="module H = struct let twice n = n + 1 let same _ _ = true end",
    ),
    "state": Case(
        shown="let journal = ref []",
        tests="let () = f 1; f 2; assert (!journal = [2; 1])\n",
        right="let journal = ref []\nlet f n = journal := n :: !journal",
        wrong="let journal = ref []\nlet f n = journal := [n]",
    ),
}
# Definitions of names that the library has too, on one line or more, and what would suit wrong code.
OPERATORS = {
    "=": ("let ( = ) a b = compare a b == 0", "f 2 = 4 && f 3 = 6", "let ( = ) _ _ = true"),
    "<>": ("let ( <> ) a b = not (a = b)", "not (f 2 <> 4)", "let ( <> ) _ _ = false"),
    "==": ("let ( == ) a b = a = b", "f 2 == 4 && f 3 == 6", "let ( == ) _ _ = true"),
    "compare": (
        "let compare a b = Stdlib.compare b a", "compare (f 2) 4 = 0 && compare (f 3) 5 = -1",
        "let compare _ b = if b > 4 then -1 else 0",
    ),
    "min": ("let min a b = if a < b then b else a", "min (f 2) 1 = 4", "let min _ _ = 4"),
    "not": ("let not b = if b then false else true", "not (f 2 <> 4)", "let not _ = true"),
    "&&": ("let ( && ) a b = if a then b else false", "f 2 = 4 && f 3 = 6", "let ( && ) _ _ = true"),
    "@": ("let ( @ ) a b = List.rev_append a b", "[0; f 1] @ [] = [2; 0]", "let ( @ ) _ _ = [2; 0]"),
    "List": (
        "module List = struct\n  include List\n  let sum = fold_left ( + ) 0\nend",
        "List.sum [f 2; f 3] = 10", "module List = struct include List let sum _ = 10 end",
    ),
}  # fmt: skip
CASES |= {
    f"{name}{', over two lines' * broken}": Case(
        shown=shown.replace(" = ", " =\n  ", 1)
        if broken and name not in ("=", "<>", "==")
        else shown.replace(") a b = ", ") a b =\n  ")
        if broken
        else shown,
        tests=f"let () = assert ({condition})\n",
        wrong="let f n = n * 3",
        other=other,
    )
    for name, (shown, condition, other) in OPERATORS.items()
    for broken in (False, True)
}


def _verdicts(engine: Engine, problem: Problem, codes: Sequence[str]) -> list[bool]:
    grader = Grader("concise", engine=engine, jobs=1)
    found = [grader.grade(problem, Completion(text=code)).verdict for code in codes]
    return [each is Verdict.PASSED for each in found]


@pytest.mark.parametrize("place", ["in prose", "continued", "in the reference"])
@pytest.mark.parametrize("name", CASES)
def test_it_is_the_tests(engine: Engine, name: str, place: str) -> None:
    """Right code passes with it and without it, and wrong code with none."""
    case = CASES[name]
    repeated = "" if case.shown in case.right else f"{case.shown}\n"
    prompt = f"Given\n```ocaml\n{case.shown}\n```\nwrite `f`."
    if place == "continued":
        prompt = f"{case.shown}\n\n(* Writes it. *)\nlet f n =\n"
    reference = (
        f"{repeated if 'type' not in case.right else ''}{case.right}"
        if place == "in the reference"
        else None
    )
    problem = Problem(id="p", tests=case.tests, prompt=prompt, reference=reference)
    right = [case.right]
    if not any(line in case.right for line in case.shown.splitlines()):
        right.append(f"{case.shown}\n{case.right}")
    wrong = [case.wrong]
    if case.other:
        wrong += [f"{case.other}\n{case.wrong}", f"{case.wrong}\n{case.other}"]

    assert [True] * len(right) == _verdicts(engine, problem, right)
    assert [False] * len(wrong) == _verdicts(engine, problem, wrong)


@pytest.mark.parametrize("name", ["a module", "what a functor makes", "data"])
def test_a_reference_that_leaves_it_out(engine: Engine, name: str) -> None:
    """The tests go with it all the same."""
    case = CASES[name]
    prompt = f"Given\n```ocaml\n{case.shown}\n```\nwrite `f`."
    problem = Problem(id="p", tests=case.tests, prompt=prompt, reference=case.right)
    codes = [case.right, f"{case.shown}\n{case.right}", f"{case.other}\n{case.wrong}"]

    assert [True, True, False] == _verdicts(engine, problem, codes)


def test_operators_of_the_code_alone(engine: Engine) -> None:
    """Without a word of them in the prompt the tests' are the library's."""
    for name, (_, condition, other) in OPERATORS.items():
        if name in ("compare", "min", "@", "List"):
            continue
        problem = Problem(id="p", tests=f"let () = assert ({condition})")
        codes = ["let f n = n * 2", f"{other}\nlet f n = n * 3"]

        assert [True, False] == _verdicts(engine, problem, codes)


def test_a_module_with_a_stub_is_asked_for(engine: Engine) -> None:
    prompt = (
        "Finish it:\n```ocaml\nlet twice n = 2 * n\n"
        'module H = struct\n  let f n = failwith "todo"\nend\n```'
    )
    problem = Problem(id="p", tests="let () = assert (H.f 2 = twice 2)", prompt=prompt)
    codes = [f"module H = struct let f n = n {each} end" for each in ("* 2", "+ 1")]

    assert [True, False] == _verdicts(engine, problem, codes)


def test_a_type_that_tests_define_is_theirs(engine: Engine) -> None:
    """They may call theirs as the prompt does its own, and say that it is the code's."""
    problem = Problem(
        id="half",
        prompt="Write\n\n```ocaml\ntype t = int\nval half : int -> t\n```",
        tests="open Half\ntype t = Half.t\nlet () = assert ((half 8 : t) = 4)\n",
        reference="type t = int\nlet half n = n / 2",
    )
    grader = Grader("concise", engine=engine, jobs=1)
    graded = [
        grader.grade(problem, Completion(text=f"type t = int\nlet half n = n / {by}"))
        for by in (2, 3)
    ]

    assert [Verdict.PASSED, Verdict.FAILED_TESTS] == [each.verdict for each in graded]
