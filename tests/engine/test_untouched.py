"""
Which definitions give a constant, what they are given as it is, or nothing, and ask for
nothing, by the parser.
"""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.model import CheckReport

UNTOUCHED = (
    "let f () = 0",
    "let n = ref 0\nlet f () = incr n; raise Exit",
    "let n = ref 0\nlet f x = incr n; !n",
    "let f x = x",
    "let f x y = y",
    "let f x = raise Exit",
    "let f x = []",
    "let f x = let y = x in let z = y in z",
    "let f x = if 1 < 0 then [] else x",
    "let f x = match x with _ -> x",
    "let f x = try x with _ -> []",
    "let f x = try x with Exit -> x",
    "let f x = (fun y -> y) x",
    "let g y = y\nlet f x = g x",
    "let f x = Fun.id x",
    "let f x = ignore (List.length x); x",
    "let f x = while false do () done; x",
    "module M = struct let g x = x end\nlet f = M.g",
    "include struct let f x = x end",
    "let f x = match x with exception Not_found -> x | y -> y",
    "let f = fun x -> x",
    "let f x = fst (x, 1)",
    "let f x = let go z = x in go 1",
    "let f x = let rec go n = if n <= 0 then x else go (n - 1) in go 10",
    "let f x : int = x",
    "let f (x : int) = (x : string)",
    "let f x = let () = ignore x in x",
    "let f x = let (y, z) = (x, 0) in y",
    "let rec f x = f x",
    "let f x = exit 0",
    'let f x = begin let _ = 1 + "a" in x end',
    "let f x = (object method m = x end)#m",
    "let f x = while x do () done; x",
    "let f x = try x with Exit -> List.nope",
    "let f x = let module M = struct let y = x end in M.y",
)
TOUCHED = (
    # Who is given nothing makes what he gives of what is kept.
    "let n = ref 9\nlet f () = n := !n + 1; !n",
    "let f = let n = ref 9 in fun () -> incr n; !n",
    "let f a = a.(0) <- 5; a",
    "let g a v = a.(0) <- v + 1\nlet f x = g x 3; x",
    "let g a = a.(0) <- 5\nlet f x = g x; x",
    "let f x = if x > 0 then 1 else 0",
    "let f x y = if x > y then x else y",
    "let f x = if x < 0 then raise Exit else x",
    "let f x = [x]",
    "let f x = Some x",
    "let f x = (x, 0)",
    "let f x = List.rev x",
    "let f x y = min x y",
    "let f x = max x 0",
    "let f = function [] -> 0 | _ -> 1",
    "let f x = match x with [] -> [] | _ -> x",
    'let f x = if x < 0 then failwith ""; x',
    "let f x = assert (x > 0); x",
    'let f x = let () = if x < 0 then failwith "" in x',
    "let f (a, b) = a",
    "let f x = x + 1",
    "let f x = -x",
    "let f x = not_known x",
    "let f x = try List.find (fun y -> y) x with Not_found -> []",
    "let g y = if y > 0 then 1 else 0\nlet f x = g x",
    "let f x = let pos = x > 0 in if pos then 1 else 2",
    "let f x = let pos = (if x > 0 then true else false) in if pos then 1 else 2",
    "let f x = match () with () when x > 1 -> 1 | () -> 2",
    "let f x g = g x",
    "let f l = List.iter print_int l; l",
    "let f r = r := 1; r",
    "let f x = let r = ref 0 in if x > 1 then r := 1; !r",
    "let f x = let rec go = function [] -> 0 | _ :: t -> go t in go x",
    "let f x = x.name",
    'let f x = x ^ ""',
    "let f x = (List.hd x : string) + 1",
    "let f x = object method m = x end",
    "let f o = o#m\nlet g x = object method m = x end",
    "let f x = while x > 0 do raise Exit done; x",
    "let f a = for i = 0 to Array.length a - 1 do a.(i) <- 0 done; a",
)


def untouched_names(report: CheckReport) -> set[str]:
    return {
        name for part in report.parts or () if part.untouched for name in part.names
    }


def test_what_is_given_back_as_it_is_is_told_apart(
    check: Callable[..., CheckReport],
) -> None:
    """
    Whether the code types or not, and however it is handed on.
    """

    def untouched(code: str) -> set[str]:
        return untouched_names(check(code, "let () = assert true"))

    assert [] == [code for code in UNTOUCHED if "f" not in untouched(code)]
    assert [] == [code for code in TOUCHED if "f" in untouched(code)]


APART = (
    "let f x = not_known",
    "let f x = not_known + 1",
    "let f x = 1 + (fun y -> y y)",
    "let f x = match ignore not_known with y when false -> y | _ -> not_known",
    "let f x = helper 1",
    'let f x = ref (try "" with _ -> List.nope)',
    "let f x = ignore x; List.nope",
    'let f x = List.map (fun y -> y + 1) [ "a" ]',
    "let f _ = Some not_known",
    "let f x = []#m",
    "let f x = new nope",
    "let f x = [%nope]",
)
NOT_APART = (
    "let f x = x#m",
    "let f x = (new nope)#m x",
    "let f x = let y = x + 1 in [%nope y]",
    "let f x = not_known x",
    'let f x = x + "a"',
    "open Base\nlet f x = List.map x ~f:succ",
    "let f x = Base.List.map x ~f:succ",
    "open Base\nlet g y = y\nlet f x = List.sum (g x)",
    "module M = struct let a = 1 end\nopen M\nlet f x = g x",
    "let f x = let open My in go x",
    "let f x = x.name",
    "let f x = if x then not_known else 1",
    "let f = List.map not_known",
    "let f = not_known",
    "let f = function [] -> not_known | _ -> 1",
    "let f x = x |> not_known",
    "let f x = not_known @@ x",
    # Slips of the pen: what is done with the argument does not get out.
    "let f x = let best = List.length x in bests",
    "let f x = List.concat (List.iter (fun y -> [ y ]) x)",
    "let f x = x |> List.iter (fun y -> (y, 1)) |> List.filter (fun _ -> true)",
    "let f x = let first = match x with [] -> 0 | y :: _ -> y in frist",
    "let f x = let n = x.name in m",
    "let f x = let n = if x then 1 else 2 in m",
    "let g x = x + 1\nlet f x = let y = g x in z",
    "let f x = not_known (fun y -> y + x)",
    "let f x = let r = ref 0 in not_known (fun y -> r := y) x; !r",
    "let f x = let r = ref 0 in x |> not_known (fun y -> r := y); !r",
)


def test_what_never_meets_what_is_given_is_told_apart(
    check: Callable[..., CheckReport],
) -> None:
    """
    Where nobody knows what a name means, it counts what it is given.
    """

    def apart(code: str) -> set[str]:
        parts = check(code, "let () = assert true").parts
        return {name for part in parts or () if part.apart for name in part.names}

    assert [] == [code for code in APART if "f" not in apart(code)]
    assert [] == [code for code in NOT_APART if "f" in apart(code)]
