"""
Which definitions give nothing that is made of what they are given, by the parser.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.model import CheckReport, StdioCase

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
    "let times _ = raise Exit in List.length (List.map times x) / 0",
    "List.hd (List.map (fun _ -> raise Exit) x)",
    "if List.length x < 0 then List.hd x else raise Exit",
    "if List.length x + 1 >= 0 then raise Exit else List.hd x",
    "assert (List.length x = -1); List.hd x",
    "match Some x with None -> List.length x | Some _ -> raise Exit",
    "match [] with y :: _ -> y + List.hd x | [] -> raise Exit",
    "match (0, 1) with 1, 0 -> List.hd x | _ -> raise Exit",
    'let mode = "stub" in if mode = "real" then List.hd x else failwith mode',
    "let mode = `Stub in match mode with `Real -> List.hd x | `Stub -> raise Exit",
    "let on = not true in if on then List.hd x else raise Exit",
    "let r = ref None in for i = 1 to 0 do r := Some (i + List.hd x) done; Option.get !r",
    "let r = ref None in List.iter (fun () -> r := Some (List.hd x)) []; Option.get !r",
    "let found = None in List.nth x (Option.get found)",
    "match Option.map (fun n -> n + List.length x) None with Some n -> n | None -> raise Exit",
    "let check _ = Error 1 in match check x with Ok n -> List.nth x n | Error _ -> raise Exit",
    "let stop _ = raise Exit in let go k = k (List.length x) in go stop",
    "let steps = [ (fun _ -> raise Exit); (fun _ -> 0 / 0) ] in (List.hd steps) x",
    "let rec go y = match y with n :: _ when n <> n -> n | y -> go y in go x",
    "let o = object method middle (_ : int list) : int = raise Exit end in o#middle x",
    "let o = object method f y = List.length y / (1 - 1) method n = 0 end in o#f x + o#n",
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
    "if List.length x <= 0 then raise Exit else List.hd x",
    # It never ends for want of an [incr].
    "let i = ref 0 in while !i <= List.length x do ignore !i done; List.length x",
    "let _ :: rest = x in List.length rest",
    "let on = ref false in if x <> [] then on := true; if !on then List.hd x else 0",
    "let on = ref false in let get () = on in get () := true; if !on then List.hd x else 0",
    "let flip r = r := true in let on = ref false in flip on; if !on then List.hd x else 0",
    "let rec go n = if n = 2 then List.hd x else go (n + 1) in go 0",
    "let rec go n = match n with 3 -> List.hd x | n -> go (succ n) in go 0",
    "let rec go s y = match s, y with `A, _ :: t -> go `B t | `B, n :: _ -> n | _ -> 0 in go `A x",
    "let rec last so_far = function [] -> so_far | y :: t -> last (Some y) t in\n"
    "  match last None x with None -> 0 | Some y -> y",
    "match List.fold_left (fun _ y -> Some y) None x with None -> 0 | Some y -> y",
    "let q = Queue.create () in List.iter (fun y -> Queue.add y q) x; Queue.pop q",
    "let found = List.filter (fun y -> y > 0) x in match found with [] -> 0 | y :: _ -> y",
    "let k c = c 1 in k (fun n -> List.nth x n)",
    "let get = Fun.flip List.nth in get 0 x",
    "let first = function y :: _ -> y | [] -> 0 in let fs = [ first; List.length ] in\n"
    "  List.fold_left (fun n f -> n + f x) 0 fs",
    "let by ?(from = 0) y = if from = 0 then List.hd y else 0 in by ~from:1 x + by x",
    "let pick ?k y = match k with None -> raise Exit | Some k -> List.nth y k in pick ~k:0 x",
    "let r = ref [] in let push y = r := y :: !r in List.iter push x; List.hd !r",
    'let s = "b" in if s = {|b|} then List.hd x else 0',
    'let s = "\\065" in match s with "A" -> List.hd x | _ -> 0',
    "let c = object (me) method twice y = me#once y * 2 method once y = List.hd y end in c#twice x",
    "let c n = object method n = n end in (c (List.hd x))#n",
    "let c = object val mutable on = false method set = on <- true\n"
    "  method get = if on then List.hd x else 0 end in c#set; c#get",
    "let rec len y = let _ :: t = y in 1 + len t in len x",
    "(Option.fold ~none:List.length ~some:(fun _ _ -> 0) None) x",
    "let compose f g y = f (g y) in let h = compose (fun f -> f x) (fun () -> List.hd) in h ()",
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


STUBS = (
    'module F (X : sig end) = struct let g _ = failwith "no" end\n'
    "module M = F (struct end)\nlet f x = M.g x",
    "module F (X : sig val why : string end) = struct let g x = ignore x; failwith X.why end\n"
    'module N = F (struct let why = "no" end)\ninclude N\nlet f x = g x',
    "include struct let g _ = raise Exit end\nlet f x = g x",
    "open struct let g _ = raise Exit end\nlet f x = g x",
    "class c = object method g (_ : int) : int = raise Exit end\nlet f x = (new c)#g x",
    "class c (n : int) = object method g : int = n / 0 end\nlet f x = let o = new c 1 in o#g + x / 0",
    "type r = { run : int -> int }\nlet r = { run = (fun _ -> raise Exit) }\nlet f x = r.run x",
    "type mode = Off | On\nlet mode = Off\nlet f x = match mode with On -> x | Off -> raise Exit",
    "let ready = ref false\nlet f x = if !ready then x else raise Exit",
)
BUSY = (
    "module F (X : sig val by : int end) = struct let g y = y + X.by end\n"
    "module M = F (struct let by = 1 end)\nlet f x = M.g x",
    "module F (X : sig val g : int -> int end) = struct let h y = X.g y end\n"
    "module M = F (struct let g y = y + 1 end)\nlet f x = M.h x",
    "module F (X : sig end) = struct let n = ref 0 let add y = n := !n + y let get () = !n end\n"
    "module M = F (struct end)\nlet f x = M.add x; M.get ()",
    "include struct let g x = x + 1 end\nlet f x = g x",
    "class c = object method g y = y + 1 end\nlet f x = (new c)#g x",
    "class c n = object method n = n + 1 end\nlet f x = (new c x)#n",
    "class a = object method g y = y + 1 end\nclass c = object (s) inherit a method h y = s#g y end\n"
    "let f x = (new c)#h x",
    "class c = object val mutable n = 0 method tick = n <- n + 1 method n = n end\n"
    "let f () = new c",
    "type r = { mutable run : int -> int }\nlet r = { run = (fun _ -> raise Exit) }\n"
    "let set g = r.run <- g\nlet () = set succ\nlet f x = r.run x",
    "let ready = ref false\nlet start () = ready := true\nlet f x = if !ready then x else 0",
    "let f o = o#size + 1",
)


def test_modules_and_objects_are_looked_into(idle: Callable[[str], set[str]]) -> None:
    """
    What a functor, a class, a record's function gives is what its body does.
    """
    assert [] == [code for code in STUBS if "f" not in idle(code)]
    assert [] == [code for code in BUSY if "f" in idle(code)]


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
        whole, *_ = check(code, (StdioCase(stdin="", stdout=""),)).parts or ()
        return whole.idle

    loop = "(try while true do {} done with End_of_file -> ()); {}"

    assert is_idle('let () = ignore (read_line ()); print_string "0"')
    assert is_idle('let n = Scanf.scanf "%d" Fun.id\nlet () = failwith "later"')
    assert is_idle(
        f"let () = {loop.format('ignore (input_line stdin)', 'print_int 1')}"
    )
    assert not is_idle("let () = print_string (read_line ())")
    assert not is_idle("let () = let line = read_line () in show_all line")
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

    made = "".join(
        f"module F{n} (X : sig end) : sig end =\n"
        f"  struct module A = F{n - 1} (X) module B = F{n - 1} (X) end\n"
        for n in range(1, 31)
    )

    assert set() == idle(
        f"module F0 (X : sig end) : sig end = struct end\n{made}let f x = raise Exit"
    )
    assert {"f"} == idle(f"let f x = List.hd ({nested})") | {"f"}
    assert set() == idle(f"let g0 x = x + 1\n{chain}")
