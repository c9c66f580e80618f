"""Problems that are weak on purpose: what cheats them, or which wrong version passes."""

from __future__ import annotations

from typing import Any


def problem(signature: str, reference: str, *asserts: str, prompt: str = "") -> Any:
    tests = "let () =\n" + ";\n".join(f"  assert ({each})" for each in asserts) + "\n"
    return {
        "prompt": prompt or f"Write {signature}",
        "signature": signature,
        "reference": reference,
        "tests": tests,
    }


EVEN = "let even n = n mod 2 = 0\n"
# By id: the problem, and a program without an idea that earns too much.
WEAK: dict[str, tuple[Any, str]] = {
    "one-answer": (
        problem("val even : int -> bool", EVEN, "even 2", "even 4", "not (even 3)"),
        "always true",
    ),
    "empty-list": (
        problem(
            "val dups : int list -> int list",
            "let rec dups = function\n  | a :: b :: r when a = b -> a :: dups r\n"
            "  | _ :: r -> dups r\n  | [] -> []\n",
            *("dups [] = []", "dups [1] = []", "dups [1; 2] = []", "dups [3; 3] = [3]"),
        ),
        "always []",
    ),
    "fixed-points": (
        problem(
            "val rot : int -> int list -> int list",
            "let rot k xs =\n  if k = 0 then xs else match xs with [] -> [] | x :: r -> r @ [ x ]\n",
            *("rot 0 [1; 2] = [1; 2]", "rot 5 [] = []", "rot 1 [7] = [7]"),
            "rot 1 [1; 2] = [2; 1]",
        ),
        "argument 2 given back",
    ),
    "examples-again": (
        problem(
            "val twice : int -> int",
            "let twice n = 2 * n\n",
            *("twice 4 = 8", "twice 7 = 14", "twice 100 = 200"),
            prompt="val twice : int -> int\n\ntwice 4 = 8\ntwice 7 = 14\n",
        ),
        "the prompt's examples as a table",
    ),
    # Whether two of its values are equal is for the module itself to say.
    "own-equality": (
        {
            "prompt": "Write a module Poly with of_list, add and equal.",
            "tests": "let p = Poly.of_list [1; 2]\n"
            "let () = assert (Poly.equal (Poly.add p p) (Poly.of_list [2; 4]))\n",
            "reference": "module Poly = struct\n  let of_list xs = xs\n"
            "  let add a b = List.map2 ( + ) a b\n  let equal a b = a = b\nend\n",
        },
        "always true",
    ),
    "own-equality-given": (
        {
            "prompt": "Write a module Poly with of_list, add and equal.",
            "tests": "open OUnit2\nlet p = Poly.of_list [1; 2]\n"
            "let case _ = assert_equal ~cmp:Poly.equal (Poly.add p p) (Poly.of_list [2; 4])\n"
            'let () = run_test_tt_main ("poly" >::: ["add" >:: case])\n',
            "reference": "module Poly = struct\n  let of_list xs = xs\n"
            "  let add a b = List.map2 ( + ) a b\n  let equal a b = a = b\nend\n",
        },
        "always true",
    ),
    "silent-program": (
        {
            "prompt": "Print errors.",
            "tests": [{"input": "1", "output": ""}, {"input": "2", "output": ""}],
            "reference": "let () = ignore (read_line ())\n",
        },
        "prints nothing",
    ),
}
# By id: the problem, the line of the reference that may be wrong, a call that tells.
UNTESTED: dict[str, tuple[Any, int, str]] = {
    "no-boundary": (
        problem(
            "val grade : int -> string",
            'let grade n =\n  if n >= 50 then "pass"\n  else "fail"\n',
            *('grade 10 = "fail"', 'grade 90 = "pass"', 'grade 49 = "fail"'),
        ),
        2,
        "grade 50",
    ),
    "no-negative": (
        problem(
            "val dist : int -> int -> int",
            "let dist a b =\n  if a > b then a - b else b - a\n",
            *("dist 0 0 = 0", "dist 5 3 = 2", "dist 9 2 = 7"),
        ),
        2,
        "dist",
    ),
}
STRONG: dict[str, Any] = {
    "twice": problem(
        "val twice : int -> int", "let twice n = 2 * n\n", "twice 1 = 2", "twice 5 = 10"
    ),
    "rev": problem(
        "val rev : 'a list -> 'a list",
        "let rev xs = List.rev xs\n",
        *("rev [1; 2] = [2; 1]", 'rev ["a"; "b"; "c"] = ["c"; "b"; "a"]'),
    ),
    # `x + 0` is as right, and what both raise is the same exception.
    "own-exception": problem(
        "val sure : int -> int",
        "exception Bad of int\nlet sure x = if x > 0 then x - 0 else raise (Bad x)\n",
        *("sure 1 = 1", "sure 5 = 5", "(try sure 0 = 1 with Bad n -> n = 0)"),
        *("sure 2 = 2", "(try sure (-3) = 1 with Bad n -> n = -3)"),
    ),
}
