"""
Which definitions give nothing that is made of what they are given, by the parser.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.model import CheckReport

IDLE = (
    "raise Exit",
    "-1",
    "exit (List.length x)",
    "List.assoc x [ ([ 0 ], 0) ]",
    "List.assoc x []",
    "Hashtbl.find (Hashtbl.create 1) x",
    "let t = Hashtbl.create 1 in Hashtbl.find t x",
    "let keys = x in let open Hashtbl in find (create 1) keys",
    "[||].(List.length x)",
    "let y = x in List.length y / (List.length y - List.length y)",
    "if x <> x then List.hd x else raise Exit",
    "assert (x <> x); List.hd x",
    "while x = x do () done; List.hd x",
    "let n = 2 * 0 in if n > 0 then List.hd x else raise Exit",
    "let rec go y = go (0 :: y) in go x",
    "let rec go y = 1 + go (0 :: y) in go x",
    "let (_ : int) = raise Exit in List.hd x",
    "List.fold_left (fun so_far _ -> so_far) 7 x",
    "x |> List.fold_left (fun _ _ -> raise Exit) 0",
    "let r = ref 7 in List.iter (fun y -> ignore y) x; !r",
    "let r = ref [] in r := [ 7 ]; List.assoc x [ ([ 0 ], List.hd !r) ]",
    "match x with [] -> raise Exit | y :: _ -> y / 0",
    "match x with [] -> raise Exit | y :: _ when false -> y | _ :: t -> List.hd [] / 0",
    "try List.hd x / 0 with Division_by_zero -> raise Not_found",
    "let stub y = List.find (fun z -> z = y) [] in stub (List.hd x)",
)
ATTEMPTS = (
    "List.hd x",
    "List.length x / 2",
    "List.assoc 1 x",
    "List.fold_left (fun n y -> if y > 1 then n + 1 else n) 0 x",
    "List.fold_left ( + ) 0 x",
    "let rec count = function [] -> 0 | _ :: t -> 1 + count t in count x",
    "let rec even = function [] -> 0 | _ :: t -> odd t\n"
    "  and odd = function [] -> 1 | _ :: t -> even t in even x",
    # It never ends, but not for want of trying.
    "let rec last l = match l with [] -> last l | _ :: t -> last t in last x",
    "let n = ref 0 in List.iter (fun y -> if y > 1 then incr n) x; !n",
    "let t = Hashtbl.create 1 in List.iter (fun y -> Hashtbl.add t y y) x; Hashtbl.find t 1",
    "let a = Array.make 9 0 in List.iteri (fun i y -> a.(i) <- y) x; a.(0)",
    "let a = Array.make_matrix 2 2 0 in let row = a.(0) in row.(0) <- List.hd x; a.(0).(0)",
    "let b = Buffer.create 1 in List.iter (fun _ -> Buffer.add_char b '1') x;\n"
    "  int_of_string (Buffer.contents b)",
    "let exception Found of int in\n"
    "  try List.iter (fun y -> raise (Found y)) x; 0 with Found y -> y",
    "let rec k l c = match l with [] -> c 0 | y :: t -> k t (fun r -> c (r + y)) in k x Fun.id",
    "let o = object val mutable n = 0 method add y = n <- n + y method n = n end in\n"
    "  List.iter o#add x; o#n",
    "let module M = Map.Make (Int) in M.find 1 (M.add 1 (List.hd x) M.empty)",
    "let l = lazy (raise Exit) in if x = [] then Lazy.force l else List.hd x",
    "let ( let* ) = Option.bind in\n"
    "  Option.get (let* y = List.nth_opt x 0 in Some (y + 1))",
    'Scanf.sscanf (string_of_int (List.hd x)) "%d" (fun n -> n)',
    "let compose f g y = f (g y) in compose succ List.length x",
    "(fun y -> List.length y) x",
    'int_of_string (List.hd (List.map (Printf.sprintf "%d") x))',
    'x |> List.map (Printf.ksprintf Fun.id "%d") |> List.length',
    "List.init 3 (fun i -> List.nth x i) |> List.hd",
)


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


def idle_names(report: CheckReport) -> set[str]:
    return {name for part in report.parts or () if part.idle for name in part.names}


@pytest.fixture
def idle(check: Callable[..., CheckReport]) -> Callable[[str], set[str]]:
    """
    Name the idle definitions of some code.
    """
    return lambda code: idle_names(check(code, "let () = assert true"))


def defined(bodies: tuple[str, ...]) -> str:
    return "".join(f"let f{n} x =\n  {body}\n\n" for n, body in enumerate(bodies))


def test_what_gives_nothing_of_its_argument_is_idle(
    idle: Callable[[str], set[str]],
) -> None:
    """
    What only raises, goes round, or takes its results from elsewhere is idle, however busy
    it looks.
    """
    names = idle(defined(IDLE))

    assert [] == [body for n, body in enumerate(IDLE) if f"f{n}" not in names]


def test_what_is_made_of_the_argument_is_an_attempt(
    idle: Callable[[str], set[str]],
) -> None:
    """
    Through calls, places in memory, exceptions, and counts of what is there.
    """
    names = idle(defined(ATTEMPTS))

    assert [] == [body for n, body in enumerate(ATTEMPTS) if f"f{n}" in names]


def test_whole_definitions_are_told_apart(idle: Callable[[str], set[str]]) -> None:
    """
    Also where a function is given some of its arguments, and the others come later.
    """
    assert [] == [code for code in WHOLE_IDLE if "f" not in idle(code)]
    assert [] == [code for code in WHOLE_ATTEMPTS if "f" in idle(code)]


def test_what_changes_its_argument_is_an_attempt(
    idle: Callable[[str], set[str]],
) -> None:
    """
    A function that answers () may work by what it does.
    """
    assert set() == idle("let f a = a.(0) <- 1")
    assert set() == idle("let kept = ref 0\nlet f x = kept := x")
    assert set() == idle("type t = { mutable n : int }\nlet f r = r.n <- 1")
    assert set() == idle("let f x = print_int x")
    assert {"f"} == idle("let f x = ignore x")


def test_what_stands_behind_the_end_is_idle(idle: Callable[[str], set[str]]) -> None:
    """
    A program that ends before a definition never comes to it; at its end it has all.
    """
    assert {"f"} == idle("let () = exit 0\nlet f x = x + 1")
    assert set() == idle("let f x = x + 1\nlet () = exit 0")
    assert set() == idle("let () = assert (1 = succ 0)\nlet f x = x + 1")


def test_modules_and_names_of_the_program_are_its_own(
    idle: Callable[[str], set[str]],
) -> None:
    """
    A module is idle if all in it is; what it may hide from the library is not the library's.
    """
    assert {"M"} == idle("module M = struct let f x = List.assoc x [] end")
    assert set() == idle("module M = struct let f x = List.hd x end")
    stub = "module M = struct let g x = List.hd x let f x = List.assoc x [] end\n"
    assert {"f"} == idle(stub + "open M") == idle(stub + "include M")
    assert set() == idle(stub + "open M\nlet f x = g x")
    assert set() == idle("module N = struct include Map end\n" + stub + "open N")
    assert set() == idle("let raise x = x\nlet f x = raise x")
    assert set() == idle(
        "module List = struct let assoc x _ = x end\nlet f x = List.assoc x []"
    )
    assert set() == idle("open struct let failwith x = x end\nlet f x = failwith x")
    assert set() == idle(
        "module F (K : sig val hd : int list -> int end) = struct let f x = K.hd x end"
    )


def test_a_program_that_prints_nothing_of_what_it_reads_is_idle(
    check: Callable[..., CheckReport],
) -> None:
    """
    Reading alone is no attempt; printing a word for what was read, or a count of it, is.
    """

    def is_idle(code: str) -> bool:
        whole, *_ = check(code, "let () = assert true").parts or ()
        return whole.idle

    loop = "(try while true do {} done with End_of_file -> ()); {}"

    assert is_idle('let () = ignore (read_line ()); print_string "0"')
    assert is_idle('let n = Scanf.scanf "%d" Fun.id\nlet () = failwith "later"')
    assert is_idle(
        f"let () = {loop.format('ignore (input_line stdin)', 'print_int 1')}"
    )
    assert not is_idle("let () = print_string (read_line ())")
    assert not is_idle('let () = Scanf.scanf "%d" (Printf.printf "%d")')
    assert not is_idle('let () = if read_int () > 1 then print_string "a"')
    assert not is_idle(
        "let n = ref 0\nlet () = "
        + loop.format("ignore (input_line stdin); incr n", "print_int !n")
    )
    assert is_idle('let () = print_string "0"')


def test_no_program_is_too_much(idle: Callable[[str], set[str]]) -> None:
    """
    Calls within calls, and definitions by the thousand, end soon; then nothing is known.
    """
    nested = "List.map (fun y -> " * 60 + "raise Exit" + ") [ x ]" * 60
    chain = "".join(f"let g{n} x = g{n - 1} (g{n - 1} x)\n" for n in range(1, 2000))

    assert {"f"} == idle(f"let f x = List.hd ({nested})") | {"f"}
    assert set() == idle(f"let g0 x = x + 1\n{chain}")
