"""Top-level forms that the grammar of expressions has no room for, as templates.

In a template `$` is a number of its own and `<<t>>` an expression of type t.  Each comes
with the values that it adds, and their types.
"""

from __future__ import annotations

import re

from .expressions import Scope, Writer
from .types import Known, read

TEMPLATES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "let rec sum$ = function\n  | [] -> <<int>>\n  | x :: rest -> x + sum$ rest",
        ("sum$ : int list -> int",),
    ),
    (
        "let rec go$ fuel acc =\n  if fuel <= 0 || fuel > 50 then acc\n"
        "  else let r = go$ (fuel - 1) acc in <<int>> + r",
        ("go$ : int -> int -> int",),
    ),
    (
        "let rec even$ n = n <= 0 || n > 99 || odd$ (n - 1)\n"
        "and odd$ n = n > 0 && n < 99 && even$ (n - 1)",
        ("even$ : int -> bool", "odd$ : int -> bool"),
    ),
    (
        "let twice$ f x = f (f x)\nlet flip$ f x y = f y x\nlet swap$ (a, b) = (b, a)",
        (
            "twice$ : ('a -> 'a) -> 'a -> 'a",
            "flip$ : ('a -> 'b -> 'c) -> 'b -> 'a -> 'c",
            "swap$ : ('a * 'b) -> ('b * 'a)",
        ),
    ),
    (
        "module Stack$ : sig\n  type 'a t\n  val empty : 'a t\n"
        "  val push : 'a -> 'a t -> 'a t\n  val items : 'a t -> 'a list\nend = struct\n"
        "  type 'a t = 'a list\n  let empty = []\n  let push x s = x :: s\n"
        "  let items s = s\nend\nlet pushed$ x = Stack$.(items (push x empty))",
        ("pushed$ : 'a -> 'a list",),
    ),
    (
        "module type S$ = sig type t val zero : t val add : t -> t -> t end\n"
        "module Sum$ (M : S$) = struct\n"
        "  let all xs = List.fold_left M.add M.zero xs\nend\n"
        "module I$ = Sum$ (struct type t = int let zero = <<int>> let add = ( + ) end)",
        ("I$.all : int list -> int",),
    ),
    (
        "exception Odd$ of int\n"
        "let checked$ n = if n land 1 = 1 then raise (Odd$ n) else n / 2\n"
        "let caught$ n = try checked$ n with Odd$ m -> m + <<int>>",
        ("checked$ : int -> int", "caught$ : int -> int"),
    ),
    (
        "class counter$ start = object (self)\n  val mutable n = start\n"
        "  method get = n\n  method step = n <- n + 1; self#get\nend\n"
        "let stepped$ n = (new counter$ n)#step",
        ("stepped$ : int -> int",),
    ),
    (
        "type _ term$ = Int$ : int -> int term$ | Bool$ : bool -> bool term$\n"
        "  | If$ : bool term$ * 'a term$ * 'a term$ -> 'a term$\n"
        "let rec eval$ : type a. a term$ -> a = function\n  | Int$ n -> n\n"
        "  | Bool$ b -> b\n  | If$ (c, a, b) -> if eval$ c then eval$ a else eval$ b\n"
        "let chosen$ b n = eval$ (If$ (Bool$ b, Int$ n, Int$ (<<int>>)))",
        ("chosen$ : bool -> int -> int",),
    ),
    (
        "module type Shown$ = sig type t val v : t val show : t -> string end\n"
        "let shown$ (module M : Shown$) = M.show M.v\n"
        "let packed$ n = shown$ (module struct\n"
        "  type t = int let v = n let show = string_of_int end)",
        ("packed$ : int -> string",),
    ),
    (
        "let area$ ?(by = <<int>>) ~w ~h () = w * h * by",
        (
            "(fun () -> area$ ~w:2 ~h:3 ()) : unit -> int",
            "(fun x -> area$ ~by:x ~h:1 ~w:2 ()) : int -> int",
        ),
    ),
    (
        "let ( >>= ) o f = match o with None -> None | Some x -> f x"
        "\nlet chain$ o = o >>= fun x -> if x > 0 then Some (x + <<int>>) else None",
        ("chain$ : int option -> int option",),
    ),
    (
        "let seen$ : (string, int) Hashtbl.t = Hashtbl.create 8\n"
        "let count$ k =\n  let n = try Hashtbl.find seen$ k with Not_found -> 0 in\n"
        "  Hashtbl.replace seen$ k (n + 1); n + 1",
        ("count$ : string -> int",),
    ),
    (
        "let joined$ xs =\n  let b = Buffer.create 16 in\n"
        '  List.iter (fun x -> Printf.bprintf b "%03d;" x) xs; Buffer.contents b',
        ("joined$ : int list -> string",),
    ),
    (
        "let code$ = function `Red -> 1 | `Mix (a, b) -> a + b | `Other s -> "
        "String.length s\nlet mixed$ a = code$ (`Mix (a, <<int>>)) + code$ `Red",
        ("mixed$ : int -> int",),
    ),
    (
        "module M$ = Map.Make (String)\nlet counts$ ws =\n"
        "  List.fold_left (fun m w -> M$.update w (function None -> Some 1 | Some n ->"
        " Some (n + 1)) m) M$.empty ws |> M$.bindings",
        ("counts$ : string list -> (string * int) list",),
    ),
    (
        "let total$ = ref 0\nlet add$ n = total$ := !total$ + n; !total$",
        ("add$ : int -> int",),
    ),
    (
        'let slow$ = lazy (print_string "forced"; <<int>>)\nlet forced$ () = Lazy.force slow$',
        ("forced$ : unit -> int",),
    ),
    ("let () = print_endline (<<string>>)", ()),
    ('let () = if <<bool>> then prerr_endline "seen"', ()),
    ("let unused$ = let x = <<int>> in <<string>>", ("unused$ : string",)),
    (
        "let part$ = function Some x when x > 0 -> <<int>> | None -> 0",
        ("part$ : int option -> int",),
    ),
    (
        "let swap_at$ a i j = let t = a.(i) in a.(i) <- a.(j); a.(j) <- t; a\n"
        "let swapped$ xs = Array.to_list (swap_at$ (Array.of_list xs) 0 1)",
        ("swapped$ : 'a list -> 'a list",),
    ),
    (
        "let rec from$ n () = Seq.Cons (n, from$ (n + 1))\nlet rec take$ k s =\n"
        "  if k <= 0 || k > 20 then [] else match s () with\n"
        "  | Seq.Nil -> [] | Seq.Cons (x, s) -> x :: take$ (k - 1) s\n"
        "let taken$ k = take$ k (from$ (<<int>>))",
        ("taken$ : int -> int list",),
    ),
    (
        "include struct let inner$ x = [x; x] end\nopen! List",
        ("inner$ : 'a -> 'a list",),
    ),
    (
        "type 'a tree$ = Leaf$ | Branch$ of 'a tree$ * 'a * 'a tree$\n"
        "let rec depth$ = function Leaf$ -> 0 | Branch$ (l, _, r) ->\n"
        "  1 + max (depth$ l) (depth$ r)\n"
        "let grown$ x = depth$ (Branch$ (Leaf$, x, Branch$ (Leaf$, x, Leaf$)))",
        ("grown$ : 'a -> int",),
    ),
)


def filled(
    template: tuple[str, tuple[str, ...]], writer: Writer, scope: Scope, number: int
) -> tuple[str, Scope]:
    """Write a template out, and return it with the scope that follows it."""
    text, added = template

    def slot(match: re.Match[str]) -> str:
        return writer.expression(read(match[1]), scope, 2)

    written = re.sub(r"<<(.*?)>>", slot, text.replace("$", str(number)))
    known = []
    for each in added:
        name, _, type_ = each.replace("$", str(number)).rpartition(" : ")
        known.append(Known(name, read(type_)))
    return written, scope.plus(*known)
