"""Problems whose tests let a wrong program through, one for each kind of type."""

from __future__ import annotations

from ocaml_reward import Problem


def problem(
    signature: str, reference: str, *asserts: str, prompt: str = "", head: str = ""
) -> Problem:
    block = ";\n".join(f"  assert ({each})" for each in asserts)
    tests = f"{head}let () =\n{block}\n"
    return Problem(
        id="weak",
        prompt=prompt or f"Write {signature}",
        tests=tests,
        reference=reference,
        signature=signature,
    )


CLIMB = """let climb xs =
  let rec go best now = function
    | a :: (b :: _ as rest) when b > a -> go (max best (now + 1)) (now + 1) rest
    | _ :: rest -> go best 1 rest
    | [] -> best
  in
  go (min 1 (List.length xs)) 1 xs
"""
STACK = """module Stack : sig
  type t
  exception Full
  val create : int -> t
  val push : t -> int -> unit
  val to_list : t -> int list
end = struct
  exception Full
  type t = { most : int; mutable items : int list }
  let create most = { most; items = [] }
  let push s x =
    if List.length s.items >= s.most then raise Full else s.items <- x :: s.items
  let to_list s = s.items
end
"""
EVALUATE = """type expr = Num of int | Add of expr * expr | Neg of expr
let rec eval = function
  | Num n -> n
  | Add (a, b) -> eval a + eval b
  | Neg e -> - (eval e)
"""
BAG = """module Bag (K : sig type t end) = struct
  type t = K.t list
  let empty : t = []
  let add (x : K.t) s : t = x :: s
  let size (s : t) = List.length s
end
"""
# The problem, a wrong program that its tests let through.
WEAK: dict[str, tuple[Problem, str]] = {
    "lists": (
        problem(
            "val climb : int list -> int", CLIMB,
            *("climb [] = 0", "climb [1; 2] = 2", "climb [2; 1] = 1"),
        ),
        "let climb xs = match xs with [a; b] when a < b -> 2 | [] -> 0 | _ -> 1\n",
    ),
    "variants": (
        problem(
            "type expr = Num of int | Add of expr * expr | Neg of expr\n"
            "val eval : expr -> int",
            EVALUATE,
            *("eval (Num 3) = 3", "eval (Neg (Num 0)) = 0"),
        ),
        EVALUATE.replace("eval a + eval b", "eval a"),
    ),
    "functions": (
        problem(
            "val twice : ('a -> 'a) -> 'a -> 'a", "let twice f x = f (f x)\n",
            *("twice (fun x -> x) 1 = 1",),
        ),
        "let twice f x = f x\n",
    ),
    "abstract": (
        problem(
            "module Stack : sig type t exception Full val create : int -> t\n"
            "val push : t -> int -> unit val to_list : t -> int list end",
            STACK,
            *("Stack.to_list (Stack.create 3) = []",),
            prompt="A stack of bounded size: Full is raised when it is full.",
        ),
        STACK.replace("x :: s.items", "[x]"),
    ),
    "mutable": (
        problem(
            "val bump : int array -> int -> unit",
            "let bump a i = a.(i) <- a.(i) + 1\n",
            *("bump [| 0; 1 |] 0 = ()", "bump [| 1; 2 |] 1 = ()"),
        ),
        "let bump a i = ignore a.(i)\n",
    ),
    "floats": (
        problem(
            "val third : float -> float", "let third x = x /. 3.\n",
            *("third 0. = 0.", "abs_float (third 3. -. 1.) < 0.1"),
        ),
        "let third x = if x = 0. then 0. else 1.\n",
    ),
    "optional": (
        problem(
            "val total : ?start:int -> int list -> int",
            "let total ?(start = 0) xs = List.fold_left ( + ) start xs\n",
            *("total [1; 2] = 3", "total ~start:4 [] = 4", "total [] = 0"),
        ),
        "let total ?(start = 0) = function [] -> start | xs -> List.fold_left ( + ) 0 xs\n",
    ),
    "functors": (
        problem(
            "module Bag (K : sig type t end) : sig type t val empty : t"
            " val add : K.t -> t -> t val size : t -> int end",
            BAG,
            *("Ints.size Ints.empty = 0", "Ints.size (Ints.add 3 Ints.empty) = 1"),
            head="module Ints = Bag (Int)\n",
        ),
        BAG.replace("List.length s", "min 1 (List.length s)"),
    ),
}  # fmt: skip
