"""
Which whole programs give nothing that is made of what they are given, by the parser.
"""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.model import CheckReport
from tests.engine.test_idling import idle_names

# Definitions of f, as they stand.
WHOLE_IDLE = (
    "let f x = if x = x then raise Exit else raise Not_found",
    "let f x = match x with [] -> raise Exit | _ :: _ -> raise Not_found",
    "let f x = begin match x with _ -> assert false end",
    "let f x = if x > 1 then true else false",
    "let f = let k a _ = a in k []",
    "let f x = let k ~a _ = a in k 0 ~a:1",
    "let rec f x = hd + f tl",
    "module M = struct let f x = raise Exit end\nlet f = M.f",
)
WHOLE_ATTEMPTS = (
    # What a function that waits for more will be given is made of what is given.
    "let f = let rec go n = function [] -> n | _ :: t -> go (n + 1) t in go 0",
    "let f = let rec go n = function [] -> n | h :: t -> go h t in go 0",
    "let rec go n = function [] -> n | h :: t -> go (h + n) t\nlet f = go 0",
    "let k a b = b\nlet f = k 0",
    "let k ~a b = b\nlet f = k ~a:0",
    "let f = List.map (fun y -> y + 1)",
    # It looks at the wrong one, which is a mistake like others.
    "let f l = let rec rev x l = match x with [] -> x | h :: t -> rev (h :: x) t in rev [] l",
    "let f xs = let rec go n = function [] -> n | _ :: t -> go (n + 1) t in xs |> go 0",
)


def test_whole_definitions_are_told_apart(
    check: Callable[..., CheckReport],
) -> None:
    """
    Also where a function is given some of its arguments, and the others come later.
    """

    def idle(code: str) -> set[str]:
        return idle_names(check(code, "let () = assert true"))

    assert [] == [code for code in WHOLE_IDLE if "f" not in idle(code)]
    assert [] == [code for code in WHOLE_ATTEMPTS if "f" in idle(code)]


def test_a_module_without_a_value_gives_nothing(
    check: Callable[..., CheckReport],
) -> None:
    """
    Types and exceptions alone are no attempt; a class, or what is included, may be one.
    """

    def idle(code: str) -> set[str]:
        return idle_names(check(code, "let () = assert true"))

    assert "M" in idle("module M = struct type t = A exception E end")
    assert "M" in idle("module M = struct end")
    assert "F" in idle("module F (X : sig end) = struct type t = A end")
    assert "M" in idle("module M = struct module N = struct type t end end")
    assert "M" not in idle("module M = struct include List end")
    assert "M" not in idle("module M = struct class c = object end end")
    assert "M" not in idle("module M = struct type t let f x = x + 1 end")


def test_a_functor_gets_what_it_is_given(
    check: Callable[..., CheckReport],
) -> None:
    """
    What a parameter's functions give is what those of the module give that stands for it.
    """

    def idle(code: str) -> set[str]:
        return idle_names(check(code, "let () = assert true"))

    functor = "module F (X : sig val v : int -> int end) = struct let g a = X.v a end\n"
    use = "module M = F ({})\nlet f x = M.g x"
    stub, attempt = "let v _ = raise Exit", "let v y = y + 1"

    assert "f" in idle(functor + use.format(f"struct {stub} end"))
    assert "f" not in idle(functor + use.format(f"struct {attempt} end"))
    assert "f" in idle(f"{functor}module S = struct {stub} end\n" + use.format("S"))
    assert "f" not in idle(
        f"{functor}module S = struct {attempt} end\n" + use.format("S")
    )
    # Once given another one, a functor may be either's.
    both = f"module S = F (struct {attempt} end)\n"
    assert "f" not in idle(functor + both + use.format(f"struct {stub} end"))
    assert "f" not in idle(functor + use.format("Unknown"))
    two = (
        "module F (X : sig val v : int end) (Y : sig val w : int -> int end) =\n"
        "struct let g a = Y.w a + X.v end\n"
        "module M = F (struct let v = 1 end) (struct let w _ = raise Exit end)\n"
        "let f x = M.g x"
    )
    assert "f" in idle(two)
    assert "f" not in idle(two.replace("w _ = raise Exit", "w y = y + 3"))
