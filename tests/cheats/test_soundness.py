"""
Casts that need no forbidden name, by holes in the compilers' type systems, are forbidden;
code that only looks like one is not.
"""

from __future__ import annotations

import pytest

from ocaml_reward import Problem
from ocaml_reward.engine import CheckReport, CheckRequest, Engine

ANSWER = "let answer n = n + 1\n"
# What the second check compares with stands beside the code.
TESTS = """let () =
  assert (answer 1 = 2);
  assert (let r = ref 1 in incr r; answer 1 = !r)
"""
PROBLEM = Problem(id="soundness", tests=TESTS)

EITHER = "type ('a, 'b) either = L of 'a | R of 'b\n"
CELL = EITHER + "type ('a, 'b) cell = { mutable b : ('a, 'b) either }\n"
EQUAL = "type (_, _) eq = Refl : ('a, 'a) eq\n"
FORGOTTEN = ": sig type 'a t val e : ('a t, 'b t) eq end)\n"
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
    "changed under a list": CELL.replace(") either }", ") either list }")
    + "let f c g = match c with { b = R _ :: _ } -> 0 | _ when g () -> 1\n"
    "  | { b = L y :: _ } -> y | _ -> 2",
    "changed in an option of one's own": EITHER
    + "type ('a, 'b) option = Some of 'a | None of 'b\n"
    "type t = { mutable b : (int, string) option }\n"
    "let f c g = match c with { b = None _ } -> 0 | _ when g () -> 1 | { b = Some y } -> y",
    "changed in what hides a type": (
        "type t = Nothing | T : 'a * ('a -> int) -> t\ntype c = { mutable t : t }\n"
        "let f c g = match c with { t = Nothing } -> 0 | _ when g () -> 1 | { t = T (x, f) } -> f x"
    ),
    "changed in a variant without a type": (
        "type c = { mutable v : [ `A of int | `B of string ] }\n"
        "let f c g = match c with { v = `B _ } -> 0 | _ when g () -> 1 | { v = `A y } -> y"
    ),
    "changed in its length": (
        "type c = { mutable a : int array }\n"
        "let f c g = match c with { a = [||] } -> 0 | _ when g () -> 1 | { a = [| x; y |] } -> x + y"
        " | _ -> 2"
    ),
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
    + "include (struct type 'a t = < m : 'a. 'a -> 'a > let e = Refl end "
    + FORGOTTEN,
    "equal by a constraint": EQUAL
    + "include (struct type 'a t = int constraint 'a = _ list end : sig type 'a t end)",
    "equal by an open": EQUAL
    + "open (struct type 'a t = unit let e = Refl end "
    + FORGOTTEN,
    "equal by a value's module": EQUAL
    + "module type S = sig type 'a t val e : ('a t, 'b t) eq end\n"
    "let m = (module struct type 'a t = unit let e = Refl end : S)\ninclude (val m)",
    "equal by a class type": EQUAL
    + "include (struct class type ['a] t = object end let e = Refl end "
    + FORGOTTEN,
    "equal by a class": EQUAL
    + "include (struct class ['a] t = object val x : 'a list = [] method m = 1 end\n"
    "let e = Refl end " + FORGOTTEN,
    "equal by a format": "include (struct type 'a t = unit\n"
    '  let e = ("" : (unit, unit, unit, unit, unit, unit) format6) end\n'
    "  : sig type 'a t val e : ('a t, unit, unit, unit, unit, 'b t) format6 end)\n"
    "let f : type a b. a -> b = fun x ->\n"
    "  match (e : (a t, unit, unit, unit, unit, b t) format6) with\n"
    "  | Format (End_of_format, _) -> x | _ -> assert false",
    "indexed by a class": "type 'a s = S of 'a\n"
    "module F (X : sig type 'a t end) = struct class type ['a] s = object\n"
    "  method m : 'a X.t end type (_, _) g = T : ('a s, 'a) g end",
    "indexed by a part with a name": (
        "module F (X : sig type 'a t end) = struct\n"
        "  type (_, _) g = T : ((_ as 'a) X.t, 'a) g end"
    ),
    "indexed by objects of a class": (
        "module F (X : sig type 'a t end) = struct\n"
        "  class type ['a] c = object method m : 'a X.t end\n"
        "  type (_, _) g = T : ('a #c as 'r, 'a) g end"
    ),
    "hidden, in a field of many types": HIDDEN
    + "type r = { h : 'a. 'a h }\nlet f { h } x = match h with H (p, t) -> t (p x)",
    "hidden, in a field that is matched": HIDDEN
    + "type r = { h : 'a. 'a h }\nlet f { h = H (p, t) } x = t (p x)",
    "hidden, in an extension": "type _ h = ..\n"
    "type _ h += H : ('a -> 'b) * ('b -> 'a) -> 'a h\nlet h = H (Fun.id, Fun.id)\n"
    "let f x = match h with H (p, t) -> t (p x) | _ -> x",
    "hidden, shown by a part with a name": (
        "type _ h = H : ('a -> 'b) * ('b -> 'a) -> (_ as 'a) h\n"
        "let h = H (Fun.id, Fun.id)\nlet f x = match h with H (p, t) -> t (p x)"
    ),
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
    "a list in a queue": (
        "type 'a queue = { mutable items : 'a list }\n"
        "let next p q = match q with { items = x :: _ } when p x -> Some x | _ -> None"
    ),
    "a linked list": (
        "type node = { v : int; mutable next : node option }\n"
        "let rec find p n = match n with { v; _ } when p v -> Some v | { next = None; _ } -> None\n"
        "  | { next = Some m; _ } -> find p m"
    ),
    "a tree that changes": (
        "type t = Leaf | Node of { mutable l : t; v : int; mutable r : t }\n"
        "let rec least p = function Node { l = Leaf; v; _ } when p v -> Some v\n"
        "  | Node { l; _ } -> least p l | Leaf -> None"
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
    "a forgotten parameter of a module with a name": EQUAL
    + "module M : sig type 'a t end = struct type 'a t = unit end\ninclude M",
    "a forgotten parameter, unsealed": EQUAL
    + "type 'a t = unit\ninclude struct let f (x : int t) : string t = x end",
    "a class that keeps its parameter": EQUAL
    + "include (struct class ['a] t (x : 'a) = object\n"
    "  val l = [x] method push (y : 'a) = y :: l end end : sig class ['a] t : 'a ->\n"
    "  object method push : 'a -> 'a list end end)",
    "an open library and a guard": "open List\n"
    + CELL
    + "let f c n = match c with { b = R _ } -> 0 | { b = L y } when y > n -> 1 | _ -> 2",
}


def checked(engine: Engine, code: str, problem: Problem = PROBLEM) -> CheckReport:
    tests = engine.prepare(problem)
    return engine.check(CheckRequest(code=f"{code}\n{ANSWER}", tests=tests))


def forbidden(engine: Engine, code: str, problem: Problem = PROBLEM) -> tuple[str, ...]:
    return checked(engine, code, problem).forbidden


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
