"""
The sign in a text that nobody has seen answer: its answers have nothing to do with what it
is given.
"""

from __future__ import annotations

import pytest

from ocaml_reward.reading.lexing import Source
from ocaml_reward.scoring.idleness import ignoring, reads_nothing

STUBS = (
    "let f x = raise Exit",
    'let f (x : int list) : int =\n  failwith "not yet"',
    "let rec f x = f x",
    "let rec f x y = f (x) y",
    "let rec f x = 1 + f x",
    "let f x = 0",
    "let f = fun _ -> []",
    "let f = function _ -> []",
    "let f x = let rec loop () = loop () in loop ()",
    "let f x = let rec loop y = loop y in loop x",
    "let f x = while true do () done; raise Exit",
    "let f x = let y = x in ignore y; raise Exit",
    "let f a b = let die z = failwith z in die a",
    "let f x = let open List in let exception E of int in let _y : int = 3 in raise Exit",
    "let f x = let module M = struct let z = 1 end in raise Exit [@@inline]",
    "let f x = List.hd []",
    "let stub _ = raise Exit\nlet f = stub",
    "let stub x = raise Exit\nlet f x = stub x",
    "let g x = raise Exit\nlet h x = g x\nlet f x = h x",
)
ATTEMPTS = (
    "let rec f = function [] -> 0 | x :: r -> x + f r",
    "let f xs = let r = ref 0 in List.iter (fun x -> r := !r + x) xs; !r",
    "let f = List.rev",
    "let f xs = xs |> List.map succ",
    "let f xs =\n  let rec go acc = function\n    | [] -> acc\n    | h :: t -> go (h :: acc) t"
    " in\n  go [] xs",
    "let f = let rec go acc = function [] -> acc | h :: t -> go (h :: acc) t in go []",
    # It never ends, but not for want of trying.
    "let rec f l = match l with [] -> f l | _ :: tl -> f tl",
    "let f xs = match xs with [] -> None | x :: _ -> Some x",
    "let f s =\n  let b = Buffer.create 3 in\n  String.iter (Buffer.add_char b) s;\n"
    "  Buffer.contents b",
    "let f xs = try List.find (fun x -> x > 3) xs with Not_found -> 0",
    "let f ~x ?(y = 1) () = x + y",
    "let f (a, b) = { a; b }",
    "let f r = { r with x = 1 }",
    "let f n = for i = 0 to n do () done; n",
    "let f a b = if a < b then a else b",
    "let f n = let a = Array.make n 0 in for i = 1 to n do a.(i) <- i done; a",
    "let f x =\n  let args = List.rev x in\n  let (_, res) = List.fold_left g 0 args in\n  res",
    "let g xs = List.length xs\nlet f xs = g xs",
    # Counted, marked or noted where something holds of what is given.
    "let f s =\n  let n = ref 0 in\n  for i = 0 to String.length s - 1 do\n"
    "    if s.[i] >= 'Z' then\n      n := !n + 1\n  done;\n  !n",
    "let f s = let n = ref 0 in String.iter (fun c -> if c = 'a' then incr n) s; !n",
    "let f a x =\n  let r = ref (-1) in\n  Array.iteri (fun i y -> if y = x then r := i) a;\n  !r",
    "let f xs = let dup = ref false in List.iter (fun x -> if x > 0 then dup := true) xs;"
    " !dup",
    # What is called for what it does.
    "let f s =\n  let b = Buffer.create 3 in\n  let rec go i =\n"
    "    if i > 1 then Buffer.add_char b s.[i];\n    if i < 9 then go (i + 1)\n  in\n"
    "  go 0;\n  Buffer.contents b",
    # Another language's words for it.
    "let f xs =\n  let s = ref 0 in\n  List.iter (fun x -> s += x) xs;\n  !s",
)


def judged(code: str) -> bool:
    return bool(ignoring(Source(code), frozenset(["f"])))


@pytest.mark.parametrize("code", STUBS)
def test_a_stub_is_known(code: str) -> None:
    """
    What raises, loops or gives a constant, behind whatever, has nothing of its argument.
    """
    assert judged(code)


@pytest.mark.parametrize("code", ATTEMPTS)
def test_an_attempt_is_none(code: str) -> None:
    """
    A result that is made of what is given is an attempt, right or wrong.
    """
    assert not judged(code)


def test_giving_back_what_was_given_is_no_attempt() -> None:
    """
    A function that returns its argument as it is has done nothing, unless it chose.
    """
    assert judged("let f x = x")
    assert judged("let f x y = y")
    assert not judged("let f x y = if x > y then x else y")


def test_a_condition_is_an_attempt() -> None:
    """
    Where nobody saw the answers, asking about what is given is enough, and so is a call of
    one's own or a name that may be meant for what is made of it.
    """
    assert judged("let f x = true")
    assert not judged("let f x = if x > 1 then true else false")
    assert not judged("let f xs = let lenght = len xs in length * 2")
    assert judged("let f xs = let lenght = 1 in length * 2")
    assert not judged("let rec f x = hd + f tl")


def test_every_name_that_is_wanted_is_judged() -> None:
    """
    One that does something is an attempt; one that is missing cannot be told.
    """
    names = frozenset(["f", "g"])

    assert names == ignoring(Source("let f x = 0\nlet g x = 1"), names)
    assert names != ignoring(Source("let f x = 0\nlet g x = x + 1"), names)
    assert names != ignoring(Source("let f x = 0"), names)


def test_modules_are_judged_by_what_is_in_them() -> None:
    """
    A module of stubs is a stub.
    """
    stub = "module M = struct\n  type t = int\n  let f x = raise Exit\n  let g = 0\nend"
    names = frozenset(["M"])

    assert names == ignoring(Source(stub), names)
    assert names != ignoring(Source(stub.replace("raise Exit", "x + 1")), names)


def test_a_program_that_never_reads_is_known() -> None:
    """
    Of a whole program, reading is what could make a difference.
    """
    assert reads_nothing(Source('let () = print_endline "read_line"'))
    assert not reads_nothing(Source("let () = print_int (read_int ())"))
