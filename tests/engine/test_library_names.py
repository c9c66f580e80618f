"""Exercises may be to write the library's own: queue.ml, an option type, an operator.  Tests then take
these names from the code, in each way in which they can name them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from ocaml_reward import Completion, Grader, Problem, Verdict
from ocaml_reward.engine import Engine

QUEUE = """\
type 'a t = 'a list ref
let create () = ref []
let enqueue x q = q := !q @ [x]
let poll q = match !q with [] -> failwith "poll" | x :: r -> q := r; x
let is_empty q = !q = []
let length q = List.length !q
"""
STACK = """\
type 'a t = 'a list ref
let create () = ref []
let push x q = q := x :: !q
let pop q = match !q with [] -> failwith "pop" | x :: r -> q := r; x
let length q = List.length !q
let top q = List.hd !q
"""
SET = """\
module type S = sig type t val empty : t val add : int -> t -> t val mem : int -> t -> bool end
module Ints : S = struct type t = int list let empty = [] let add x s = x :: s let mem = List.mem end
"""
OPTION = """\
type 'a option = None | Some of 'a
let first = function [] -> None | x :: _ -> Some x
let get = function Some x -> x | None -> 0
"""
INSIDE = f"module Inside = struct\n{OPTION}end\nopen Inside\nlet count = List.length\n"
DOUBLED = """\
let ( @@ ) a b = List.append a b
let rec dup = function [] -> [] | x :: r -> [x; x] @@ dup r
"""
LONGEST = """\
let compare a b = String.length a - String.length b
let longest l = List.hd (List.rev (List.sort compare l))
"""
COUNTER = """\
module Counter (K : sig type t val zero : t end) = struct
  let start = K.zero
  let twice x = (x, x)
end
"""
# Right code, and what is wrong instead in a text of it.
CODES = {
    "Queue": (QUEUE, "!q @ [x]", "x :: !q"),
    "Stack": (STACK, "x :: !q", "!q @ [x]"),
    "Set": (SET, "let mem = List.mem", "let mem _ _ = false"),
    "option": (OPTION, "x :: _ -> Some x", "_ :: _ -> None"),
    "option in a module": (INSIDE, "x :: _ -> Some x", "_ :: _ -> None"),
    "@@": (DOUBLED, "[x; x]", "[x]"),
    "compare": (LONGEST, "List.rev ", ""),
    "functor": (COUNTER, "(x, x)", "(x, K.zero)"),
}
INTERFACES = {
    "Queue": "type 'a t\nval create : unit -> 'a t\nval enqueue : 'a -> 'a t -> unit\n"
    "val poll : 'a t -> 'a\nval is_empty : 'a t -> bool\nval length : 'a t -> int",
    "Stack": "type 'a t\nval create : unit -> 'a t\nval push : 'a -> 'a t -> unit\n"
    "val pop : 'a t -> 'a\nval length : 'a t -> int",
}
# The code, the prompt and the tests.
FORMS = [
    (
        "Queue",
        "Implement the module Queue.",
        "open Queue\nlet () = let q : int t = create () in enqueue 1 q; enqueue 2 q; assert (poll q = 1); assert (poll q = 2)\n",
    ),
    (
        "Queue",
        "Implement the module Queue.",
        "let () = let q = Queue.create () in Queue.enqueue 1 q; Queue.enqueue 2 q; assert (Queue.poll q = 1); assert (Queue.poll q = 2)\n",
    ),
    (
        "Queue",
        "Write queue.ml.",
        "let () = let q : int Queue.t = Queue.create () in Queue.enqueue 1 q; Queue.enqueue 2 q; assert (Queue.poll q = 1); assert (Queue.poll q = 2)\n",
    ),
    (
        "Queue",
        "Implement the module Queue.",
        "module Q = Queue\nlet () = let q = Q.create () in Q.enqueue 1 q; Q.enqueue 2 q; assert (Q.poll q = 1); assert (Q.length q = 1)\n",
    ),
    (
        "Queue",
        "Implement the module Queue.",
        "let () = Queue.(let q = create () in enqueue 1 q; enqueue 2 q; assert (poll q = 1); assert (length q = 1))\n",
    ),
    (
        "Queue",
        "Implement the module Queue.",
        "open Queue\nlet q = create ()\nlet () = assert (is_empty q)\nlet () = enqueue 1 q; enqueue 2 q\nlet () = assert (poll q = 1)\n",
    ),
    (
        "Stack",
        "Implement the module Stack.",
        "open Stack\nlet () = let q : int t = create () in push 1 q; push 2 q; assert (pop q = 2); assert (length q = 1)\n",
    ),
    (
        "Stack",
        "Implement the module Stack.",
        "let () = let q = Stack.create () in Stack.push 1 q; Stack.push 2 q; assert (Stack.pop q = 2); assert (Stack.length q = 1)\n",
    ),
    (
        "Stack",
        "Implement a module Stack.",
        "let () = let q = Stack.create () in Stack.push 1 q; Stack.push 2 q; assert (Stack.pop q = 2)\nlet () = try ignore (Stack.pop (Stack.create ())); assert false with Failure _ -> ()\n",
    ),
    (
        "Stack",
        "Implement the module Stack.",
        'open OUnit2\nopen Stack\nlet suite = "s" >::: ["a" >:: (fun _ -> let q = create () in push 1 q; push 2 q; assert_equal 2 (pop q)); "b" >:: (fun _ -> assert_raises (Failure "pop") (fun () -> pop (create ())))]\nlet () = run_test_tt_main suite\n',
    ),
    (
        "Set",
        "Implement the module Set.",
        "module I : Set.S = Set.Ints\nlet () = assert (I.mem 1 (I.add 1 I.empty))\nlet () = assert (not (I.mem 2 (I.add 1 I.empty)))\n",
    ),
    (
        "Set",
        "Implement the module Set.",
        "let () = assert Set.Ints.(mem 1 (add 1 empty))\nlet () = assert (not Set.Ints.(mem 2 (add 1 empty)))\n",
    ),
    (
        "Set",
        "Implement the module Set.",
        "open Set\nlet () = assert Ints.(mem 1 (add 1 empty))\nlet () = assert (not Ints.(mem 2 (add 1 empty)))\n",
    ),
    (
        "option",
        "Write first and get, with an option of your own.",
        "let () = assert (get (first [1]) = 1)\nlet () = assert (get (first []) = 0)\n",
    ),
    (
        "option",
        "Write first with an option of your own.",
        "let () = assert (first [1] = Some 1)\nlet () = assert (first ([] : int list) = None)\n",
    ),
    (
        "@@",
        "Write dup.",
        "let () = assert (dup [1;2] = [1;1;2;2])\nlet () = assert (List.length @@ dup [1] = 2)\n",
    ),
    (
        "compare",
        "Write longest.",
        'let () = assert (longest ["a";"abc";"ab"] = "abc")\nlet () = assert (List.sort compare [3;1] = [1;3])\n',
    ),
    (
        "option in a module",
        "Write first.",
        'open OUnit2\nlet () = run_test_tt_main ("s" >::: [ "one" >:: (fun _ -> assert_equal (Some 1) (first [1])); "none" >:: (fun _ -> assert_equal None (first ([] : int list))) ])',
    ),
    (
        "functor",
        "Write a functor Counter.",
        "module C = Counter (struct type t = int let zero = 0 end)\nlet () = assert (C.twice 3 = (3, 3))",
    ),
]


def problems() -> Iterator[tuple[str, Problem]]:
    """Give each form with a reference, without, with an interface in the prompt, and with one as
    signature.
    """
    for number, (name, prompt, tests) in enumerate(FORMS):
        reference = CODES[name][0]
        at = f"{number} {name}"
        yield name, Problem(id=at, prompt=prompt, tests=tests, reference=reference)
        yield name, Problem(id=f"{at}, no reference", prompt=prompt, tests=tests)
        if interface := INTERFACES.get(name):
            shown = f"{prompt}\n```ocaml\n{interface}\n```\n"
            yield name, Problem(id=f"{at}, shown", prompt=shown, tests=tests, reference=reference)
            yield (
                name,
                Problem(id=f"{at}, signature", prompt=prompt, tests=tests, signature=interface),
            )


PROBLEMS = list(problems())


@pytest.mark.parametrize(("name", "problem"), PROBLEMS, ids=[each.id for _, each in PROBLEMS])
def test_they_are_the_code_s(engines: Callable[[str], Engine], name: str, problem: Problem) -> None:
    right, text, instead = CODES[name]
    grader = Grader("concise", engine=engines("warm"), jobs=1)

    assert text in right
    assert grader.grade(problem, Completion(text=right)).verdict is Verdict.PASSED
    wrong = Completion(text=right.replace(text, instead))
    assert grader.grade(problem, wrong).verdict is not Verdict.PASSED


def test_a_module_that_tests_only_use_is_the_library_s(engines: Callable[[str], Engine]) -> None:
    """Whatever names the reference shares with it."""
    problem = Problem(
        id="p",
        prompt="Write push and total.",
        tests="let () = let q = Queue.create () in Queue.push 1 q; assert (total q = 1)\n"
        "open Stack\nlet () = let s = create () in push 2 s; assert (pop s = total_of 2)",
        reference="let total q = Queue.fold ( + ) 0 q\nlet total_of n = n\nlet length q = Queue.length q",
    )
    grader = Grader("concise", engine=engines("warm"), jobs=1)

    assert problem.reference
    assert grader.grade(problem, Completion(text=problem.reference)).verdict is Verdict.PASSED
