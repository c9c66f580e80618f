"""
Names of the code's own are told from the library's by where they are bound: textbook code is
not forbidden for a name that it uses.
"""

from __future__ import annotations

import pytest

from ocaml_reward.engine import Engine
from ocaml_reward.model import Stage
from tests.cheats.test_soundness import checked, forbidden

EXPR = "type _ expr = Int : int -> int expr | Bool : bool -> bool expr\n"
EXPR += "  | If : bool expr * 'a expr * 'a expr -> 'a expr\n"
EXPR += (
    "  | Pair : 'a expr * 'b expr -> ('a * 'b) expr | Fst : ('a * 'b) expr -> 'a expr\n"
)
EVAL = "let rec eval : type a. a expr -> a = fun e -> match e with\n"
EVAL += (
    "  | Int n -> n | Bool b -> b | If (c, a, b) -> if eval c then eval a else eval b\n"
)
EVAL += "  | Pair (a, b) -> (eval a, eval b) | Fst p -> fst (eval p)\n"
# In [Fst] a type is hidden.
EXAMPLE = "let e = If (Bool true, Int 1, Int 2)\n"

HONEST = {
    "an evaluator, and an example named as its argument": EXPR + EXAMPLE + EVAL,
    "an evaluator, then an example": EXPR + EVAL + EXAMPLE + "let one = eval e",
    "an evaluator with a local of its argument's name": EXPR
    + EVAL
    + "let rec double : type a. a expr -> a expr = fun e -> match e with\n"
    "  | Fst p -> let e = double p in Fst e | Int n -> Int (2 * n) | e -> e",
    "an optimiser in a module that is opened": EXPR
    + EXAMPLE
    + "module Opt = struct let rec simple : type a. a expr -> a expr = fun e -> match e with\n"
    "  | If (Bool true, a, _) -> simple a | Fst (Pair (a, _)) -> simple a | e -> e end\n"
    "open Opt\nlet run e = match e with Fst _ -> simple e | e -> e",
    "an argument of a function with cases": EXPR
    + EXAMPLE
    + "let size (type a) (e : a expr) ?(deep = true) () =\n"
    "  match e, deep with Fst _, true -> 2 | _ -> 1",
    "a field of a record": EXPR + "type 'a task = { expr : 'a expr; name : string }\n"
    "let expr = Int 1\nlet is_fst t = match t.expr with Fst _ -> true | _ -> false",
    "what an argument is named": EXPR
    + "let rec depth : type a. a expr -> int = fun x -> let e = x in\n"
    "  match e with Fst p -> 1 + depth p | _ -> 0",
    "a state machine in a class": EXPR + "let e = Int 1\nclass ['a] runner = object\n"
    "  method run (e : 'a expr) = match e with Fst _ -> 1 | _ -> 0 end",
    "a typed format": (
        "type (_, _) fmt = End : ('r, 'r) fmt | D : ('k, 'r) fmt -> (int -> 'k, 'r) fmt\n"
        "  | S : string * ('k, 'r) fmt -> ('k, 'r) fmt\n"
        'let fmt = D (S ("!", End))\n'
        "let rec go : type k r. (string -> r) -> string -> (k, r) fmt -> k =\n"
        "  fun k acc fmt -> match fmt with End -> k acc | S (s, rest) -> go k (acc ^ s) rest\n"
        "  | D rest -> fun n -> go k (acc ^ string_of_int n) rest\n"
        'let sprintf fmt = go (fun s -> s) "" fmt'
    ),
    "existential shapes": (
        "module type SHAPE = sig type t val area : t -> float end\n"
        "type shape = Shape : (module SHAPE with type t = 'a) * 'a -> shape\n"
        "let area s = match s with Shape ((module S), x) -> S.area x\n"
        "let s = Shape ((module struct type t = float let area r = r *. r end), 2.0)"
    ),
    "a hidden state, and one of its name": (
        "type 'a stream = Stream : 's * ('s -> ('a * 's) option) -> 'a stream\n"
        "let nats = Stream (0, fun n -> Some (n, n + 1))\nlet s = nats\n"
        "let map f s = match s with Stream (x, next) -> Stream (x, fun x ->\n"
        "  Option.map (fun (a, x) -> (f a, x)) (next x))"
    ),
    "phantom units": (
        "type meters\ntype feet\nmodule Length : sig type 'u t val meters : float -> meters t\n"
        "  val add : 'u t -> 'u t -> 'u t end = struct\n"
        "  type 'u t = float let meters x = x let add = ( +. ) end"
    ),
    "an exception beside a phantom type": (
        "type 'a t = int\nexception Bad of string\n"
        "include (struct let x = 1 end : sig val x : int end)"
    ),
    "an extensible message": (
        "type _ message = ..\ntype _ message += Ping : int -> string message\n"
        "  | Sum : int list -> int message\nexception Unknown of string\n"
        "let m = Ping 1\nlet handle : type a. a message -> a = fun m -> match m with\n"
        "  | Ping n -> string_of_int n | Sum l -> List.fold_left ( + ) 0 l\n"
        '  | _ -> raise (Unknown "message")'
    ),
    "universal values": (
        "type univ = ..\nlet embed (type a) () =\n"
        "  let module M = struct type univ += E of a end in\n"
        "  (fun x -> M.E x), (function M.E x -> Some x | _ -> None)"
    ),
    "a stack that is typed": (
        "type _ stack = Empty : unit stack | Push : 'a * 's stack -> ('a * 's) stack\n"
        "type (_, _) op = Const : 'a -> ('s, 'a * 's) op\n"
        "  | Add : (int * (int * 's), int * 's) op\n"
        "  | Seq : ('a, 'b) op * ('b, 'c) op -> ('a, 'c) op\n"
        "let op = Seq (Const 1, Seq (Const 2, Add))\n"
        "let rec run : type a b. (a, b) op -> a stack -> b stack = fun op s -> match op, s with\n"
        "  | Const x, s -> Push (x, s) | Add, Push (a, Push (b, s)) -> Push (a + b, s)\n"
        "  | Seq (f, g), s -> run g (run f s)"
    ),
    "a registry of modules": (
        "module type PLUGIN = sig val name : string val run : int -> int end\n"
        "let all : (string, (module PLUGIN)) Hashtbl.t = Hashtbl.create 8\n"
        "let register (module P : PLUGIN) = Hashtbl.replace all P.name (module P : PLUGIN)\n"
        "let run name n = let (module P : PLUGIN) = Hashtbl.find all name in P.run n"
    ),
    "witnesses of the library's types": (
        "type _ ty = Int : int ty | List : 'a ty -> 'a list ty | Lazy : 'a ty -> 'a Lazy.t ty\n"
        "  | Seq : 'a ty -> 'a Seq.t ty | Result : 'a ty * 'b ty -> ('a, 'b) result ty\n"
        "  | Table : 'a ty * 'b ty -> ('a, 'b) Hashtbl.t ty | Queue : 'a ty -> 'a Queue.t ty\n"
        "  | Option : 'a ty -> 'a Stdlib.Option.t ty"
    ),
    "witnesses beside what is open": (
        "open Printf\nmodule M = struct let x = 1 end\nopen M\n"
        "type _ ty = Int : int ty | Seq : 'a ty -> 'a Seq.t ty | R : 'a ty -> ('a, int) result ty"
    ),
    "a second name for an exception": (
        "exception EOF = End_of_file\nexception Missing = Not_found\n"
        "let read () = raise EOF"
    ),
    "modules named as those of the compiler": (
        'open Printf\nmodule Symtable = struct let find x = sprintf "%d" x end\n'
        "module Meta = struct module Key = struct let x = 1 end end\n"
        "let y = Symtable.find Meta.Key.x\nlet z = let open Meta in Key.x"
    ),
    "modules in a functor": (
        "module Make (X : sig val x : int end) = struct\n"
        "  module Meta = struct let x = X.x end let y = Meta.x end\n"
        "module A = Make (struct let x = 1 end)\nlet z = A.Meta.x"
    ),
    "a vector with an access of its own": (
        "module V = struct\n  type t = { data : int array; size : int }\n"
        "  let unsafe_get v i = v.data.(i)\n"
        '  let get v i = if i < v.size then unsafe_get v i else invalid_arg "get" end\n'
        "let first v = V.unsafe_get v 0\nlet second v = V.(unsafe_get v 1)\n"
        "module W = V\nlet third v = let open W in unsafe_get v 2"
    ),
    "a vector with a signature": (
        "module V : sig type 'a t val of_list : 'a list -> 'a t val unsafe_get : 'a t -> int -> 'a\n"
        "end = struct type 'a t = 'a array let of_list = Array.of_list\n"
        "  let unsafe_get v i = v.(i) end\nlet x = V.unsafe_get (V.of_list [1]) 0"
    ),
    "a graph with unsafe edges": (
        "module G = struct let unsafe_add_edge g a b = (a, b) :: g end\n"
        "let add g a b = if a = b then g else G.unsafe_add_edge g a b"
    ),
    "a command of a module": (
        "let argv = Sys.argv module S = Sys\n"
        'module Shell = struct let command s = s ^ "!" end\nlet x = Shell.command "a"'
    ),
    "a local that reads a value": "let f read = let input_value = read () in input_value + 1",
    "a module that an open brings, opened in turn": "module P = struct module S = struct "
    "let f x = x end end\nlet r = P.(S.(f 3))\nlet s = let open P in let open S in f r",
}


@pytest.mark.parametrize("code", HONEST.values(), ids=HONEST.keys())
def test_textbook_code_is_not_forbidden(engine: Engine, code: str) -> None:
    """
    What is bound where it is used is the code's own, whatever else has its name.
    """
    assert () == forbidden(engine, code)


@pytest.mark.parametrize("code", HONEST.values(), ids=HONEST.keys())
def test_textbook_code_compiles(engine: Engine, code: str) -> None:
    """
    The code that is told apart from casts is code that runs.
    """
    assert Stage.EXECUTABLE is checked(engine, code).stage
