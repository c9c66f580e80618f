"""Texts that are hardly OCaml, and programs with an odd top level."""

from __future__ import annotations

from collections.abc import Callable
from random import Random


def _random(rng: Random) -> str:
    raw = rng.randbytes(rng.choice((1, 10, 300, 3000)))
    return raw.decode(rng.choice(("latin-1", "utf-8")), "surrogateescape")


def _nested(rng: Random) -> str:
    left, right = rng.choice(
        (
            ("(", ")"),
            ("[", "]"),
            ("begin ", " end"),
            ("let x = ", " in x"),
            ("(*", "*)"),
        )
    )
    depth = rng.choice((10, 200, 1000))
    return f"let f x = {left * depth}1{right * depth}"


def _long(rng: Random) -> str:
    count = rng.choice((100, 5000))
    return rng.choice(
        (
            f"let f x = {'1 + ' * count}x",
            f'let s = "{"é" * count}" let f x = x',
            f"let f x = x (* {'long ' * count} *)",
            f"let f x = [{'1;' * count}]",
            f"let f x = {'9' * count}",
            f"let {'f' * count} x = x",
            "\n" * count + "let f x = x +",
            f'let f x = "{"%d" * (count // 10)}" ^^ x',
        )
    )


_TEXTS = (
    "let f x = \x00 x",
    "let f x = x\x00",
    "\x1b[31mlet f x = x\x1b[0m",
    'let f x = "\x1b]0;title\x07" + x',
    "\ufefflet f x = x + 1",
    "let f x = x\r\n\r\n+ 1\r",
    "let f x = x + \u200b1",
    "let \ud800 x = x",
    'let f x = "\udcff" + x',
    "let é x = x + 1",
    '# 1 "/etc/passwd"\nlet f x = x + "a"',
    '# 9999999 "other.ml"\nlet f x = y',
    '# 0 ""\nlet f x = y',
    '#use "other.ml";;\nlet f x = x',
    "#quit;;",
    'let f x = x [@@deprecated] [@@@warning "+a"]',
    '[@@@ocaml.warning "@8"] let f = function 1 -> 2',
    "[@@@ocaml.ppx.context {a = 1}]\nlet f x = x",
    "[%%foo] let f x = [%bar x]",
    "let%test _ = true let f x = x",
    'let f x = [%ocaml.error "made up"]',
    "let f x = {|a|} {b|c|d}",
    "let f x = {very_long_quote|a|very_long_quot}",
    '(** doc *) (* " *) let f x = x',
    "let f x = '\\999'",
    "let f x = 0x",
    "let f x = 99999999999999999999",
    "let f x = 1n + 2l",
    'external f : int -> int = "no_such_primitive"',
    'external f : int -> int = "%identity"',
    'external f : int -> int = "%no_such"',
    "let f x = Obj.magic x",
    'let f x = Sys.command "true"',
    "let f x = Unix.getpid () + x",
    "",
    " \t\n",
    ";;;;",
    "(* only a comment *)",
    "error",
    'File "x.ml", line 1, characters 0-1:\nError: Syntax error',
    "```ocaml\nlet f x = x + 1\n```",
    "```\nlet f x = x + 1",
    "class c = object method m = self#n end let f x = x",
    "let rec f x = let rec g = h and h = g in x",
    "type t = t let f x = x",
    "type t = { a : int; a : int } let f x = x",
    "module rec M : sig val f : int -> int end = struct let f x = M.f x end include M",
    'let f (type a) (x : a) : a = raise (Failure "\\000\\027[2J")',
)
_MAKERS: tuple[Callable[[Random], str], ...] = (
    _random,
    _nested,
    _long,
    lambda rng: rng.choice(_TEXTS),
    lambda rng: rng.choice(_TEXTS) + rng.choice(("\n", " ", ";;")) + rng.choice(_TEXTS),
)

ODD_TESTS = "let () = assert (f 1 = 2); assert (f 2 = 3); assert (f 0 = 0)\n"
"""What the texts without tests of their own are checked against."""

_STARTS = (
    "let r = ref []",
    "let table = Hashtbl.create 7",
    "let id = (fun x -> x) (fun y -> y)",
    "let q = Queue.create () let r = ref None",
    "module List = struct let map = 1 end",
    "let compare = 1 let ( = ) a b = a == b",
    "let ( = ) _ _ = true",
    "let not x = x let raise _ = () let ref x = x",
    "module Stdlib = struct end",
    "type int = string type bool = A | B",
    "exception Failure of int",
    "let print_string _ = () let exit _ = ()",
    'let () = print_string "before"; flush stdout',
    "let () = print_string (String.make 3000 'x')",
    'let () = prerr_string "\\027[31mred\\255\\000"',
    'let line = try read_line () with End_of_file -> "none"',
    'let n = Scanf.scanf " %d" (fun x -> x)',
    'let () = at_exit (fun () -> print_string "bye"; exit 7)',
    "let () = Printexc.record_backtrace true",
    "let () = Random.init 7",
    "let () = Gc.compact ()",
    "let a = Array.make 1000 0 let b = Bytes.create 10",
    "let () = assert true",
    "let args = Sys.argv",
)
_BODIES = (
    "let f x = x + 1",
    "let f x = r := [x]; x + 1",
    "let f x = Hashtbl.replace table x x; Hashtbl.length table + x",
    "let f x = id x + 1",
    "let f x = print_int x; x + 1",
    "let f x = if x = 2 then exit 0 else x + 1",
    "let f x = if x = 1 then raise Not_found else x + 1",
    "let f x = failwith (string_of_int x)",
    "let f x y = x + y",
    "let f x = string_of_int x",
    "let f = 7",
    "let g x = x + 1",
    "module M = struct let f x = x + 1 end",
    "let rec f x = if x = 0 then 0 else 1 + f x",
    "let f x = assert (x > 1); x + 1",
    "let f x = Obj.repr x |> Obj.obj",
    "let f x = List.hd [] + x",
    "let f x = (x / 0) + 1",
    "let f x = [| 1 |].(x)",
    "let f : 'a. 'a -> 'a = fun x -> x",
    "let f x = Lazy.force (let rec l = lazy (Lazy.force l) in l) + x",
    'let f x = at_exit (fun () -> print_string "later"); x + 1',
    "let f ?(by = 1) x = x + by",
    "let f ~x = x + 1",
    "let f x = let open struct let y = 1 end in x + y",
)
_ENDS = (
    "",
    "",
    "",
    "let () = exit 0",
    "let () = raise Exit",
    'let _ = failwith "end"',
    "let () = exit (f 1)",
    "let x = f 1",
    "let f x = x",
    ";; f 1",
    "let r = ref []",
    'let () = print_endline (String.concat "," ["done"])',
)


def noise(rng: Random) -> str:
    """Write something that few would call a program."""
    return rng.choice(_MAKERS)(rng)


def odd(rng: Random) -> str:
    """Put together a program whose top level does something unusual."""
    starts = rng.sample(_STARTS, rng.randrange(3))
    return "\n".join((*starts, rng.choice(_BODIES), rng.choice(_ENDS)))
