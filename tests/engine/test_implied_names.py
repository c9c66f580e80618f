"""Names that tests share with the standard library, of a problem that has neither a signature nor
a reference: the code's where the tests do not type with the library's.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome, Stage

RIGHT = {
    "a module's value that the library lacks": (
        "let () = assert (Queue.to_list (Queue.push 2 (Queue.push 1 Queue.empty)) = [ 1; 2 ])",
        "module Queue = struct\n  let empty = []\n  let push x q = q @ [ x ]\n"
        "  let to_list q = q\nend\n",
    ),
    "a module whose functions have other types": (
        "let () = assert (Stack.push 1 (Stack.create 3) = [ 1; 3 ])",
        "module Stack = struct\n  let create x = [ x ]\n  let push x s = x :: s\nend\n",
    ),
    "a module that goes on from the library's": (
        "let () = assert (Option.map2 ( + ) (Some 1) (Option.some 2) = Some 3)",
        "module Option = struct\n  include Option\n  let map2 f a b =\n"
        "    match (a, b) with Some x, Some y -> Some (f x y) | _ -> None\nend\n",
    ),
    "a function of more arguments": (
        "let () = assert (max 1 2 3 = 3)",
        "let max a b c = Stdlib.max a (Stdlib.max b c)\n",
    ),
    "beside names of the code's own": (
        "let q = make ()\nlet () = assert (List.sum (elements q) = 6)",
        "let make () = [ 1; 2; 3 ]\nlet elements q = q\n"
        "module List = struct\n  include List\n  let sum = fold_left ( + ) 0\nend\n",
    ),
}


STACK = """
module Stack = struct
  exception Empty
  exception Full of int
  type 'a t = { mutable items : 'a list; cap : int }
  let create cap = { items = []; cap }
  let push s x =
    if List.length s.items >= s.cap then raise (Full s.cap) else s.items <- x :: s.items
  let pop s = match s.items with [] -> raise Empty | x :: l -> s.items <- l; x
end
"""
PAIR = """
module Stack : sig
  type 'a t
  exception Empty
  exception Full of int
  val create : int -> 'a t
  val push : 'a t -> 'a -> unit
  val pop : 'a t -> 'a
end = struct
  exception Empty
  exception Full of int
  type 'a t = 'a list ref * int
  let create cap = (ref [], cap)
  let push (items, cap) x =
    if List.length !items >= cap then raise (Full cap) else items := x :: !items
  let pop (items, _) = match !items with [] -> raise Empty | x :: l -> items := l; x
end
"""
OUTER = "exception Empty\nexception Full of int\n" + STACK.replace(
    "  exception Empty\n  exception Full of int\n", ""
)
MADE = (
    "module Stack = struct\nmodule Make (X : sig val cap : int end) = struct"
    + STACK.replace("module Stack = struct", "").replace("cap =", "() =", 1)
    + "\nend"
).replace("{ items = []; cap }", "{ items = []; cap = X.cap }")
CLASS = """
module Stack = struct
  exception Empty
  exception Full of int
  class ['a] stack cap = object
    val mutable items : 'a list = []
    method push x =
      if List.length items >= cap then raise (Full cap) else items <- x :: items
    method pop = match items with [] -> raise Empty | x :: l -> items <- l; x
  end
end
"""
# What the tests say, with `M.` for the module and calls as they are written there.
USED = (
    "let () =\n  let s = %sM.create 1 in\n  M.push s 1;\n"
    "  assert (try M.push s 2; false with M.Full n -> n = 1);\n"
    "  assert (M.pop s = 1);\n"
    "  assert (try ignore (M.pop s); false with M.Empty -> true)\n"
)
BARE = (USED % "").replace("M.", "")
PLAIN = (USED % "").replace("M.", "Stack.")
EXCEPTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "caught": (PLAIN, (STACK, PAIR)),
    "of a type that is named": (
        (USED % "").replace("let s =", "let s : int M.t =").replace("M.", "Stack."),
        (STACK, PAIR),
    ),
    "in fields of the tests' own": (
        "type case = { s : int Stack.t }\nlet c = { s = Stack.create 1 }\n"
        + PLAIN.replace("Stack.create 1 in", "c.s in"),
        (STACK, PAIR),
    ),
    "with a field": (
        PLAIN.replace(
            "  assert", "  let { Stack.cap; _ } = s in\n  assert (s.Stack.cap = cap);\n  assert", 1
        ),
        (STACK,),
    ),
    "opened": (f"open Stack\n{BARE}", (STACK, PAIR)),
    "opened in an expression": (
        BARE.replace("let () =", "let () = Stack.(") + ")", (STACK, PAIR)
    ),
    "by another name": (f"module S = Stack\n{USED % ''}".replace("M.", "S."), (STACK, PAIR)),
    "by values of the tests' own": (
        "let push = Stack.push\nlet pop = Stack.pop\n"
        + PLAIN.replace("Stack.push", "push").replace("Stack.pop", "pop"),
        (STACK, PAIR),
    ),
    "handed on": (
        "let raises e f = match f () with _ -> false | exception found -> found = e\n"
        "let s = Stack.create 1\nlet () = Stack.push s 1\n"
        "let () = assert (raises (Stack.Full 1) (fun () -> Stack.push s 2))\n"
        "let () = assert (Stack.pop s = 1)\n"
        "let () = assert (raises Stack.Empty (fun () -> ignore (Stack.pop s)))\n",
        (STACK, PAIR),
    ),
    "rebound": (
        "exception Full = Stack.Full\n" + PLAIN.replace("with Stack.Full", "with Full"),
        (STACK, PAIR),
    ),
    "outside of the module": (
        PLAIN.replace("Stack.Full", "Full").replace("Stack.Empty", "Empty"), (OUTER,)
    ),
    "made by a functor": (
        "module S = Stack.Make (struct let cap = 1 end)\n"
        + (USED % "").replace("create 1", "create ()").replace("M.", "S."),
        (MADE,),
    ),
    "of an object": (
        PLAIN.replace("Stack.create", "new Stack.stack").replace("Stack.push s", "s#push")
        .replace("Stack.pop s", "s#pop"),
        (CLASS,),
    ),
    "as the library has them": (
        "let () = let s = Stack.create () in Stack.push 1 s; assert (Stack.pop s = 1);\n"
        "  assert (try ignore (Stack.pop s); false with Stack.Empty -> true)\n",
        (
            STACK.replace("push s x", "push x s").replace("create cap", "create ()")
            .replace("[]; cap }", "[]; cap = 3 }"),
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptions_and_types_of_the_codes_module(
    name: str, check: Callable[..., CheckReport]
) -> None:
    """However tests mention them: honest code passes, and code that raises another does not."""
    tests, codes = EXCEPTIONS[name]
    for code in codes:
        honest = check(code, tests)
        wrong = check(code.replace("raise Empty", "raise Not_found"), tests)

        assert {Outcome.PASSED} == {each.outcome for each in honest.results}
        assert {Outcome.PASSED} != {each.outcome for each in wrong.results}


@pytest.mark.parametrize("name", RIGHT)
def test_the_codes_is_meant(name: str, check: Callable[..., CheckReport]) -> None:
    """Right code passes, and code without the name lacks it."""
    tests, code = RIGHT[name]
    lacking = check("let make () = []\nlet elements q = q\n", tests)

    assert [Outcome.PASSED] == [each.outcome for each in check(code, tests).results]
    assert Stage.INTERFACE_ERROR is lacking.stage


def test_the_librarys_is_meant_where_the_tests_type_with_it(
    check: Callable[..., CheckReport],
) -> None:
    """Code that redefines what tests use of the library does not change what they say."""
    tests = "let () = assert (List.length (f 3) = 3)\nlet () = assert (abs (g 2) = 2)"
    fakes = (
        "let f _ = [ 1 ]\nlet g _ = 7\nlet abs _ = 2\n"
        "module List = struct\n  let length _ = 3\nend\n"
    )
    outcomes = [each.outcome for each in check(fakes, tests).results]

    assert [Outcome.FAILED, Outcome.FAILED] == outcomes


def test_a_signature_decides_where_there_is_one(
    check: Callable[..., CheckReport],
) -> None:
    """It names what the code owns: `List` is not among it, whatever the tests use."""
    tests = "let () = assert (List.sum (f 3) = 6)"
    code = (
        "let f _ = [ 1; 2; 3 ]\nmodule List = struct\n  include List\n"
        "  let sum = fold_left ( + ) 0\nend\n"
    )

    assert Stage.EXECUTABLE is check(code, tests).stage
    report = check(code, tests, signature="val f : int -> int list")
    assert Stage.INTERFACE_ERROR is report.stage


def test_the_only_name_of_tests_is_what_they_are_about(
    check: Callable[..., CheckReport],
) -> None:
    """Where it is one; tests of the code's constructors are about these."""
    tests = "let () = assert (abs (-3) = 3)"
    own = "let () = assert (List.length [A; B] = 2)"
    right, wrong = check("let abs x = max x (-x)", tests), check("let abs x = x", tests)
    constructors = check("type t = A | B", own)

    assert [Outcome.PASSED] == [each.outcome for each in right.results]
    assert [Outcome.FAILED] == [each.outcome for each in wrong.results]
    assert [Outcome.PASSED] == [each.outcome for each in constructors.results]
