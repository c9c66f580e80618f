"""Programs of loops, recursion shallow and deep, exceptions, closures and allocation, by whose steps
engines are told apart.
"""

from __future__ import annotations

import re
from random import Random

_NUMBER = re.compile(r"\bN\b")
# Functions of an integer.  NAME and N are replaced, a name and a small number.
_PIECES = (
    "let NAME n = let s = ref n in for i = 1 to N do s := !s + i done; !s",
    "let NAME n = let s = ref n in for i = N downto 1 do for j = 1 to i do s := !s + j done done; !s",
    "let NAME n = let i = ref 0 in while !i < N + n do incr i done; !i",
    "let NAME n = let i = ref N in (try while true do decr i; if !i < 0 then raise Exit done with Exit -> ()); !i + n",
    "let rec NAME n = if n <= 0 then N else NAME (n - 1)",
    "let rec NAME n = if n <= 0 then N else 1 + NAME (n - 1)",
    "let rec NAME n = if n < 2 then n else NAME (n - 1) + NAME (n - 2)",
    "let rec NAME n = if n <= 0 then N else NAMEb (n - 1)\nand NAMEb n = if n <= 0 then 0 else NAME (n - 1)",
    "let NAME n = let rec go acc = function 0 -> acc | k -> go (acc + k) (k - 1) in go n N",
    "let NAME n = List.fold_left (+) n (List.init N Fun.id)",
    "let NAME n = List.length (List.sort compare (List.init N (fun i -> i * n mod 7)))",
    "let NAME n = List.length (List.concat_map (fun x -> [ x; x + n ]) (List.init N succ))",
    "let NAME n = Array.fold_left max n (Array.init N (fun i -> i * i))",
    "let NAME n = let t = Hashtbl.create 3 in for i = 0 to N do Hashtbl.replace t (i mod 5) i done;\n"
    "  Hashtbl.fold (fun _ x acc -> x + acc) t n",
    "let NAME n = let b = Buffer.create 9 in String.iter (fun c -> Buffer.add_char b c) (String.make N 'x');\n"
    "  n + Buffer.length b",
    "let NAME ?(by = N) n = by + n\nlet NAME n = NAME n + NAME ~by:n n",
    "let NAMEp a b c = a + b + c\nlet NAME n = let add = NAMEp 1 n in add N + add 2",
    "exception CAPS of int\nlet NAME n = List.fold_left (fun s x -> try if x mod 2 = 0 then raise (CAPS x) else s"
    " with CAPS y -> s + y) n (List.init N Fun.id)",
    "let rec NAMEd n = 1 + NAMEd (n + 1)\nlet NAME n = try NAMEd n with Stack_overflow -> n",
    "let NAMEc = ref 0\nlet rec NAMEd n = incr NAMEc; ignore (List.map NAMEd [ n; n ]); n\n"
    "let NAME n = (try ignore (NAMEd n) with Stack_overflow -> ()); n",
    "let rec NAME n = if n <= 0 then [ N ] |> List.hd else (try NAME (n - 1) with Not_found -> 0)",
    "let NAME n = let a = Array.make 300 n in Array.iteri (fun i _ -> if i < N then a.(i) <- i) a; a.(0) + n",
    "module CAPS (X : sig val k : int end) = struct let get n = X.k + n end\n"
    "let NAME n = let module M = struct let k = N end in let module I = CAPS (M) in I.get n",
    "class NAMEo start = object (self) val mutable x = start method up = x <- x + 1; if x < N then self#up else x end\n"
    "let NAME n = (new NAMEo n)#up",
    "let NAME n = let l = lazy (List.length (List.init N (fun x -> x + n))) in Lazy.force l + Lazy.force l",
    "let NAME n = Seq.fold_left (fun s x -> s + x) n (Seq.map succ (List.to_seq (List.init N Fun.id)))",
    "let NAMEr = ref []\nlet NAME n = NAMEr := string_of_int n :: !NAMEr; List.length !NAMEr mod N",
    "type NAMEt = Leaf | Node of NAMEt * int * NAMEt\n"
    "let rec NAMEi x = function Leaf -> Node (Leaf, x, Leaf) | Node (l, y, r) ->\n"
    "  if x < y then Node (NAMEi x l, y, r) else Node (l, y, NAMEi x r)\n"
    "let rec NAMEs = function Leaf -> 0 | Node (l, x, r) -> NAMEs l + x + NAMEs r\n"
    "let NAME n = NAMEs (List.fold_left (fun t x -> NAMEi (x * 37 mod 11) t) Leaf (List.init N (( + ) n)))",
    "let NAME n = if n = 2 then while true do () done; n",
    "let NAME = let k = List.length (List.init N (fun x -> x)) in fun n -> n + k",
)


def stepping(rng: Random) -> tuple[str, str]:
    """Return a program of some such functions, and tests for it that hold if they end."""
    names, code = [], []
    for number in range(rng.randint(1, 6)):
        name = f"g{number}"
        piece = rng.choice(_PIECES)
        number_for_n = str(rng.randint(1, 60))
        code.append(
            _NUMBER.sub(number_for_n, piece.replace("NAME", name).replace("CAPS", name.upper()))
        )
        names.append(name)
    calls = " + ".join(f"{name} (n mod 9)" for name in names)
    if rng.random() < 0.2:
        code.append("let open_type = ref []")
    code.append(f"let f n = ignore ({calls}); n")
    tests = "\n".join(f"let () = assert (f {n} = {n})" for n in range(rng.randint(1, 5)))
    return "\n".join(code), tests
