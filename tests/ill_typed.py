"""Ill-typed programs with the number of mistakes in each, by what is wrong.

Each is written so that a person would count the same: one mistake however much follows
from it, and each that would still be there with the others put right.
"""

from __future__ import annotations

PROGRAMS: dict[str, tuple[int, str]] = {
    # ---- in several top-level items, in one function -----------------------------
    "one operand": (1, 'let f x = x + "a"'),
    "two items": (2, 'let a = 1 + "x"\nlet b = 2 ^ "y"'),
    "three items among good ones": (
        3,
        'let ok = 1\nlet a = ok + "x"\nlet f x = x\nlet b = not 3\nlet c = f 1 ^ "z"',
    ),
    "five in one tuple": (
        5,
        'let f x = (1 + "x", 2 + "y", not 3, undefined, [1; "a"])\nlet g = 1',
    ),
    "three in one function": (
        3,
        """let f x =
  let a = x + "one" in
  let b = String.length 2 in
  let c = if 3 then a else b in
  a + b + c
""",
    ),
    "two branches of a match": (
        2,
        """let f = function
  | 0 -> 1 + "x"
  | 1 -> List.length 5
  | n -> n
""",
    ),
    "the then and the else": (
        2,
        'let f b = if b then 1 + "x" else 2 * "y"',
    ),
    "ten items": (10, "".join(f'let v{n} = {n} + "x"\n' for n in range(10))),
    "a condition and both branches": (
        3,
        'let f x = if x + 1 then 1 + "a" else 2 + "b"',
    ),
    "statements in sequence": (
        2,
        'let () = print_int "a"; print_string 1; print_newline ()',
    ),
    # ---- what follows from one mistake counts once --------------------------------
    "a bad definition used thrice": (
        1,
        'let f x = x + "a"\nlet a = f 1\nlet b = f 2\nlet c = f 3',
    ),
    "a wrong result used by all": (
        1,
        """let area r = 3.14 *. r *. (r ^ r)
let twice r = area r +. area r
let total rs = List.fold_left (fun sum r -> sum +. area r) 0. rs
""",
    ),
    "a dropped type used by all": (
        1,
        "type t = A of missing | B\nlet f = function A x -> B | B -> B\nlet g = f B",
    ),
    "one name that is missing everywhere": (
        1,
        "let g x = foo x + foo 1\nlet h = foo 2",
    ),
    "a module that is missing": (
        1,
        "open Base\nlet g x = Int.to_string x ^ foo ^ Bar.baz",
    ),
    "a dropped module used by all": (
        1,
        "module M = Missing.Make (String)\nlet e = M.empty\nlet f x = M.add x 1 e",
    ),
    "a dropped exception": (
        1,
        "exception Bad of missing\nlet f () = raise (Bad 1)\nlet g () = raise (Bad 2)",
    ),
    "a recursive function with a bad base": (
        1,
        """let rec length = function
  | [] -> "0" + 0
  | _ :: rest -> 1 + length rest
let two = length [1; 2]
""",
    ),
    "a local bad definition": (
        1,
        "let f x =\n  let y = x + true in\n  let z = y + 1 in\n  y + z",
    ),
    # ---- names, constructors, fields, labels --------------------------------------
    "an unbound value": (1, "let f x = x + y"),
    "two unbound values": (2, "let f x = x + y\nlet g x = x + z"),
    "an unbound value in a module": (1, "let f x = List.foldr x"),
    "two unbound members": (2, "let f x = List.foldr x\nlet g x = String.size x"),
    "an unbound constructor": (1, "let f = function Nothing -> 0 | _ -> 1"),
    "two unbound constructors": (2, "let f = Nothing\nlet g x = Just x"),
    "an unbound type": (1, "let f (x : number) = x"),
    "two unbound types": (2, "type a = number list\ntype b = text list"),
    "an unbound field": (
        1,
        "type p = { x : int }\nlet f p = p.x\nlet g (p : p) = p.z",
    ),
    "a field that is missing": (
        1,
        "type p = { x : int; y : int }\nlet origin = { x = 0 }",
    ),
    "two fields of the wrong type": (
        2,
        'type p = { x : int; y : int }\nlet origin = { x = "0"; y = 0. }',
    ),
    "a field that cannot change": (
        1,
        "type p = { x : int }\nlet f p = p.x <- 1",
    ),
    "a label that is not there": (
        1,
        "let f ~width ~height = width * height\nlet a = f ~width:1 ~depth:2",
    ),
    "two labelled arguments, or the function": (
        1,
        'let f ~width ~height = width * height\nlet a = f ~width:"1" ~height:2.',
    ),
    "an unbound module": (1, "let f x = Lst.map x"),
    "an unbound exception": (1, "let f () = raise Missing"),
    "an unbound class": (1, "let f = new missing"),
    "an unbound instance variable": (
        1,
        "class c = object method m = x <- 1 end",
    ),
    "a method that is not there": (
        1,
        "let o = object method m = 1 end\nlet f = o#n",
    ),
    # ---- arity ---------------------------------------------------------------------
    "too many arguments": (1, "let f x = x + 1\nlet a = f 1 2"),
    "too few arguments": (1, "let f x y = x + y\nlet a = 1 + f 1"),
    "a constructor with too many": (
        1,
        "type t = A of int\nlet f = A (1, 2)",
    ),
    "a constructor with too few": (
        2,
        "type t = A of int * int\nlet f = A 1\nlet g = function A x -> x",
    ),
    "a constructor with none": (1, "type t = A\nlet f = A 1"),
    "a type with too many parameters": (1, "let f (x : (int, int) list) = x"),
    "a pair for a triple": (1, "let a, b, c = (1, 2)"),
    # ---- patterns ------------------------------------------------------------------
    "a pattern of another type": (
        1,
        'let f x = match x + 1 with "a" -> 1 | _ -> 2',
    ),
    "two patterns of another type": (
        2,
        'let f x = match x + 1 with "a" -> 1 | true -> 2 | _ -> 3',
    ),
    "a name bound twice": (1, "let f (x, x) = x"),
    "sides that bind other names": (
        1,
        "let f = function Some x | None -> 1 | _ -> 2",
    ),
    "patterns of two types": (
        1,
        'let f = function 0 -> "a" | "b" -> "c" | _ -> "d"',
    ),
    "constructors without arguments": (
        2,
        """type t = A | B | C of t * t
let rec f (e, x, y) = match e with
  | A x -> x
  | B y -> y
  | C (x, y) -> f (x, 1., 2.) +. f (y, 1., 2.)
""",
    ),
    "a pattern that binds what is used": (
        1,
        'let f n = match n + 1 with [a; b] -> (a + b, a ^ b) | _ -> (1, "")',
    ),
    "a list's pattern": (1, "let f n = match n + 1 with 0 -> [] | h :: t -> t"),
    "a list's pattern and its use": (
        2,
        "let f n = match n with 0 -> 1 | h :: t -> 2 | true -> 3",
    ),
    "a list's tail": (1, "let f x = x :: x + 1"),
    "a guard": (1, "let f = function x when x + 1 -> x | y -> y"),
    "branches of two types": (
        1,
        'let f = function 0 -> "zero" | n -> n',
    ),
    # ---- annotations, signatures, functors -----------------------------------------
    "an annotation": (1, "let f (x : int) : string = x"),
    "two annotations": (2, 'let a : int = "x"\nlet b : string = 1'),
    "a signature with one value wrong": (
        1,
        'module M : sig val a : int end = struct let a = "x" end\nlet b = M.a + 1',
    ),
    "a signature with a value missing": (
        1,
        "module M : sig val a : int val b : int end = struct let a = 1 end\nlet c = M.b + M.a",
    ),
    "a signature and a mistake inside": (
        2,
        'module M : sig val z : int end = struct let a = 1 + "x" end',
    ),
    "two mistakes inside a module": (
        2,
        'module M = struct let a = 1 + "x" let b = 2 + "y" end\nlet c = M.a',
    ),
    "mistakes inside and beside a nested module": (
        3,
        'module M = struct module N = struct let a = 1 + "x" end let b = not 3, 1 ^ "b" end',
    ),
    "a functor's argument": (
        1,
        "module M = Map.Make (struct type t = int end)\nlet e = M.empty",
    ),
    "a functor's argument twice": (
        2,
        """module M = Map.Make (struct type t = int end)
module S = Set.Make (struct let compare = compare end)
""",
    ),
    "a functor's body": (
        2,
        'module F (X : sig val x : int end) = struct let a = X.x ^ "a" let b = X.y end',
    ),
    "an abstract type": (
        1,
        """module M : sig type t val make : int -> t end = struct
  type t = int
  let make x = x
end
let f = M.make 1 + 1
""",
    ),
    "a missing module type": (1, "module M : S = struct let a = 1 end\nlet b = M.a"),
    # ---- other kinds ----------------------------------------------------------------
    "a type that holds itself": (1, "let f x = x x"),
    "a recursive value": (1, "let rec x = x + 1"),
    "a type defined twice": (1, "type t = A\ntype t = B\nlet a = 1"),
    "a type defined twice, and used": (
        1,
        """type t = A | B
let a = A
type t = A | B | C
let f = function A -> a | B -> B | C -> A
let g = f C
""",
    ),
    "a module defined twice": (
        1,
        "module M = struct let a = 1 end\nmodule M = struct let b = 2 end\n"
        "let c = M.a + M.b",
    ),
    "types that are cyclic": (1, "type t = t"),
    "a float for an int": (2, "let f x = x + 1.5\nlet g y = y *. 2"),
    "a string for a char": (1, 'let f s = s.[0] = "a"'),
    "a list of two types": (1, 'let l = [1; "two"; 3]'),
    "a unit expected": (1, "let f x = if x then 1"),
    "a reference without its value": (
        1,
        "let f () = let r = ref 0 in r + 1",
    ),
    "a loop over a string": (
        2,
        'let f () = for i = "a" to 3 do 1 + "b" |> ignore done',
    ),
    "a polymorphic annotation": (1, "let f : 'a. 'a -> 'a = fun x -> x + 1"),
    "a type variable that is unbound": (1, "type t = A of 'a"),
    "a private type": (
        1,
        "module M : sig type t = private int end = struct type t = int end\n"
        "let f = (1 : M.t)",
    ),
    "an object of another type": (
        1,
        "let f (o : < m : int >) = o#m\nlet a = f (object method n = 1 end)",
    ),
    "a class body": (
        2,
        'class c = object method a = 1 + "x" method b = not 3 end',
    ),
    "a local module": (
        2,
        'let f x = let module M = struct let a = 1 + "x" end in M.a + not x',
    ),
    "a try": (2, 'let f () = try 1 + "x" with Not_found -> "y" + 2'),
    "a lazy and an assert": (2, 'let a = lazy (1 + "x")\nlet () = assert 1'),
    "an extension that nobody knows": (1, "let a = [%missing 1]"),
}
