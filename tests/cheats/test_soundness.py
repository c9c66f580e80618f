"""
Casts that need no forbidden name, by holes in the compilers' type systems, are forbidden;
code that only looks like one is not.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Problem
from ocaml_reward.engine import CheckRequest, Engine

ANSWER = "let answer n = n + 1\n"
PROBLEM = Problem(id="soundness", tests="let () = assert (answer 1 = 2)\n")

EITHER = "type ('a, 'b) either = L of 'a | R of 'b\n"
CELL = EITHER + "type ('a, 'b) cell = { mutable b : ('a, 'b) either }\n"
EQUAL = "type (_, _) eq = Refl : ('a, 'a) eq\n"
HIDDEN = "type 'a h = H : ('a -> 'b) * ('b -> 'a) -> 'a h\nlet h = H (Fun.id, Fun.id)\n"

CASTS = {
    "changed by a guard": CELL + "let f c v = match c with { b = R _ } -> 0\n"
    "  | _ when (c.b <- R v; false) -> 1 | { b = L y } -> y",
    "changed by a call": CELL
    + "let f c g = match c with { b = R _ } -> 0 | _ when g () -> 1 | { b = L y } -> y",
    "changed by an operator of one's own": CELL + "let ( = ) c v = c.b <- R v; false\n"
    "let f c v = match c with { b = R _ } -> 0 | c when c = v -> 1 | { b = L y } -> y",
    "changed by a lazy pattern": EITHER
    + "let f c l = match c, l with { contents = R _ }, _ | _, (lazy true) -> 0\n"
    "  | { contents = L y }, _ -> y",
    "changed in an array": EITHER + "let f c v = match c with [| R _ |] -> 0\n"
    "  | _ when (c.(0) <- R v; false) -> 1 | [| L y |] -> y | _ -> 2",
    "changed in an inline record": EITHER
    + "type t = T of { mutable b : (int, string) either }\n"
    "let f g = function T { b = R _ } -> 0 | _ when g () -> 1 | T { b = L y } -> y",
    "changed while memory is collected": CELL + "let () = Gc.finalise ignore (ref 0)\n"
    "let f c s = match c with { b = R _ } -> 0 | _ when s ^ s = s -> 1 | { b = L y } -> y",
    "equal by an include": EQUAL + "include (struct type 'a t = unit let e = Refl end :"
    " sig type 'a t val e : ('a t, 'b t) eq end)",
    "equal by a functor": EQUAL
    + "module F (X : sig type 'a t end) = struct type 'a u = 'a X.t end\n"
    "include F (struct type _ t = int end)",
    "equal by a name that is bound": EQUAL
    + "type 'a t = < m : 'a. 'a -> 'a >\nlet f : int t -> string t = fun x -> x",
    "equal by a constraint": EQUAL + "type 'a t = int constraint 'a = _ list",
    "hidden, matched by name": HIDDEN + "let f x = match h with H (p, t) -> t (p x)",
    "hidden, matched by let": HIDDEN + "let f x = let H (p, t) = h in t (p x)",
    "hidden, matched in place": HIDDEN
    + "let f x = match H (Fun.id, Fun.id) with H (p, t) -> t (p x)",
    "hidden, matched in a module": HIDDEN
    + "module M = struct let h = h end\nlet f x = match M.h with H (p, t) -> t (p x)",
}

HARMLESS = {
    "a guard that compares": CELL
    + "let f c n = match c with { b = R _ } -> 0 | { b = L y } when y > n -> 1 | _ -> 2",
    "a guard beside what stays": EITHER
    + "let f c g = match c with R _ -> 0 | L y when g y -> 1 | L _ -> 2",
    "a place that is only named": (
        "type t = { mutable size : int }\n"
        "let f g t = match t with { size } when g size -> 1 | _ -> 2"
    ),
    "what a reference held": (
        "let f g r = match !r with Some x when g x -> 1 | Some _ -> 2 | None -> 3"
    ),
    "an array of names": "let f g = function [| a; b |] when g a b -> 1 | _ -> 2",
    "a phantom type": (
        "module M : sig type 'a t val x : int t end = struct type 'a t = unit let x = () end"
    ),
    "an expression of any type": (
        "type _ e = Int : int -> int e | If : bool e * 'a e * 'a e -> 'a e | B : bool -> bool e\n"
        "let rec eval : type a. a e -> a = function\n"
        "  | Int n -> n | B b -> b | If (c, a, b) -> if eval c then eval a else eval b"
    ),
    "a hidden state": (
        "type 'a stream = Stream : 's * ('s -> ('a * 's) option) -> 'a stream\n"
        "let next = function Stream (s, f) -> f s\n"
        "let first t = match t with Stream (s, f) -> Option.map fst (f s)"
    ),
    "a hidden type alone": (
        "type shown = Shown : 'a * ('a -> string) -> shown\n"
        "let one = Shown (1, string_of_int)\n"
        "let text = match one with Shown (x, show) -> show x"
    ),
    "another name for a type": EQUAL + "type 'a t = 'a list\ntype ints = int t",
}


def forbidden(engine: Engine, code: str) -> tuple[str, ...]:
    tests = engine.prepare(PROBLEM)
    report = engine.check(CheckRequest(code=f"{code}\n{ANSWER}", tests=tests))
    return report.forbidden


@pytest.mark.parametrize("code", CASTS.values(), ids=CASTS.keys())
def test_casts_are_forbidden(engine: Engine, code: str) -> None:
    """
    Each way to a cast is found, in other spellings too.
    """
    assert forbidden(engine, code)


@pytest.mark.parametrize("code", HARMLESS.values(), ids=HARMLESS.keys())
def test_harmless_code_is_not(engine: Engine, code: str) -> None:
    """
    What honest code does with the same features is left alone.
    """
    assert not forbidden(engine, code)
