"""
Which definitions give nothing that is made of what they are given: through handlers that are
never taken, and modules further in.
"""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.model import CheckReport
from tests.engine.test_idling import defined, idle_names

IDLE = (
    'try failwith "to do" with Exit -> List.hd x',
    'try int_of_string "" with Not_found | Exit -> List.hd x',
    "match Option.get None with exception Not_found -> List.hd x | n -> n",
    "try 7 with _ -> List.hd x",
    "let module M = struct let v = 3 end in M.v",
    "let module M = struct let v _ = raise Exit end in M.v x",
    "let module F (X : sig end) = struct let v () = raise Exit end in\n"
    "  let module M = F (struct end) in M.v ()",
    "let t = Hashtbl.create 1 in Hashtbl.add t x 0; 7",
    "let b = Buffer.create 1 in Buffer.add_string b (string_of_int (List.hd x)); raise Exit",
    "let t = Hashtbl.create 1 in Hashtbl.add t [||].(0) x; List.length (Hashtbl.find t 1)",
    "List.hd (List.filter (fun _ -> false) x)",
    "List.find (fun y -> y <> y) x",
    "match List.find_opt (fun _ -> false) x with Some y -> y | None -> 7",
    "if List.exists (fun _ -> false) x then List.hd x else 7",
    "if List.for_all (fun _ -> true) x then 7 else List.hd x",
    "let found, _ = List.partition (fun _ -> false) x in List.length found",
    "List.length (List.filter_map (fun _ -> None) x)",
    "List.fold_left ( + ) 7 (List.concat_map (fun _ -> []) x)",
    "List.to_seq x |> Seq.filter (fun _ -> false) |> Seq.fold_left ( + ) 7",
    "Array.length (Array.sub (Array.of_list x) 0 0)",
    "String.length (String.concat (string_of_int (List.hd x)) [])",
    "if List.mem 1 x && false then List.hd x else 7",
    "if List.mem 1 x || true then 7 else List.hd x",
    "let n = List.length x in n lxor n",
    "min 0 (List.length x)",
    "List.length x mod 1",
    "Lazy.force (lazy (ignore x; 7))",
    "let rec even _ = odd x and odd _ = 7 in even x",
    "let ( let* ) = Option.bind in\n"
    "  match (let* () = None in Some (List.hd x)) with None -> 7 | Some n -> n",
    "let ( let* ) = Result.bind in\n"
    "  match (let* () = Error 7 in Ok (List.hd x)) with Error n -> n | Ok n -> n",
    "let open struct let k _ = 7 end in k x",
    'ignore (Printf.sprintf "%d" (List.hd x)); 7',
    'ignore (Format.asprintf "%d" (List.hd x)); raise Exit',
    'ignore (Scanf.sscanf (string_of_int (List.hd x)) "%d" (fun n -> n)); 7',
    # What never answers, whatever is given, stands beside what is made of it.
    'Lazy.force (lazy (failwith "to do")) + List.hd x',
    "let later = lazy (raise Exit) in List.length x + Lazy.force later",
    "if Lazy.force (lazy true) then 7 else List.hd x",
    'int_of_string "x" + List.hd x',
    'List.length x + int_of_float (float_of_string "")',
    'if bool_of_string "maybe" then List.hd x else List.length x',
    "Char.code (Char.chr (-1)) + List.hd x",
    "Char.code (char_of_int 256) + List.hd x",
    'Char.code "".[0] + List.hd x',
    'Char.code ("ab".[2]) + List.hd x',
    "Stack.pop (Stack.create ()) + List.hd x",
    "List.hd x + Queue.pop (Queue.create ())",
    "List.length x + Hashtbl.find (Hashtbl.create 1) (List.hd x)",
    "List.length (List.map fst (List.combine x []))",
    "List.length (List.filteri (fun _ _ -> false) x)",
    # A condition on constants is no condition.
    "if max_int < 0 then List.hd x else 7",
    "if Sys.word_size < 32 then List.hd x else 7",
    'if String.length "abc" > 3 then List.hd x else 7',
    "if List.length [ 1; 2 ] > 2 then List.hd x else 7",
    "if List.mem 1 [] then List.hd x else 7",
    "if List.exists (fun y -> y > 1) [] then List.hd x else 7",
    "if List.for_all (fun y -> y > 1) [] then 7 else List.hd x",
    'if "dra" ^ "ft" = "final" then List.hd x else 7',
    'match List.assoc_opt "final" [] with Some () -> List.hd x | None -> 7',
    "List.length (List.init (List.length []) (List.nth x))",
    "List.iter (fun _ -> raise Exit) [ 1 ]; List.hd x",
    "List.hd x + List.fold_left (fun _ _ -> raise Exit) 0 [ 1; 2 ]",
)
ATTEMPTS = (
    "let module M = struct let v = List.hd x end in M.v",
    "let module M = struct let v y = List.hd y end in M.v x",
    "let module F (X : sig val l : int list end) = struct let v () = List.hd X.l end in\n"
    "  let module M = F (struct let l = x end) in M.v ()",
    "let module M = struct let n = ref 0 let add y = n := !n + y end in\n"
    "  List.iter M.add x; !M.n",
    "try List.assoc 1 [] with Not_found -> List.hd x",
    "try List.find (fun y -> y > 9) [] with Not_found -> List.hd x",
    "try List.iter (fun y -> if y > 9 then raise Exit) x; 0 with Exit -> 1 + List.hd x",
    "let stop _ = raise Exit in try stop x with Exit -> List.hd x",
    "let t = Hashtbl.create 1 in Hashtbl.add t 0 (List.hd x); Hashtbl.find t 0",
    "match List.hd [] with exception Failure _ -> List.hd x | n -> n",
    "List.hd (List.filter (fun y -> y > 1) x)",
    "let p y = y > 1 in if List.exists p x then List.hd x else 0",
    "let on = ref false in List.iter (fun y -> if y > 1 then on := true) x;\n"
    "  List.length (List.filter (fun _ -> !on) x)",
    "let keep = ref (fun _ -> false) in keep := (fun y -> y > 1);\n"
    "  List.length (List.filter !keep x)",
    "if List.exists (fun _ -> true) x then List.hd x else 0",
    "let all, none = List.partition (fun _ -> true) x in List.length all + List.length none",
    "Array.length (Array.sub (Array.of_list x) 0 1)",
    "if List.mem 1 x && List.mem 2 x then List.hd x else 0",
    "let n = List.length x in n lxor 1",
    "min 9 (List.length x)",
    "max 0 (List.length x)",
    "Lazy.force (lazy (List.hd x))",
    "let s = lazy (let n = List.length x in n + 1) in if Lazy.is_val s then 0 else Lazy.force s",
    "let rec even = function [] -> 1 | _ :: t -> odd t and odd = function [] -> 0 | _ :: t -> even t\n"
    "  in even x",
    "let ( let* ) o f = match o with None -> None | Some y -> f y in\n"
    "  match (let* y = List.nth_opt x 0 in Some (y + 1)) with None -> 0 | Some n -> n",
    "let ( let* ) = Option.bind in\n"
    "  Option.get (let* y = List.nth_opt x 0 in let* z = List.nth_opt x 1 in Some (y + z))",
    "let ( >>= ) = Result.bind in\n"
    "  Result.get_ok (Ok x >>= fun y -> if y = [] then Error () else Ok (List.hd y))",
    "let fold = List.fold_left in fold ( + ) 0 x",
    'String.length (Printf.sprintf "%d" (List.hd x))',
    'String.concat "" (List.map (Printf.sprintf "%d") x) |> String.length',
    'Printf.ksprintf String.length "%d" (List.hd x)',
    'Printf.ksprintf print_string "%d" (List.hd x); 7',
    'Printf.printf "%d" (List.hd x); 7',
    'List.iter (Printf.printf "%d") x; 7',
    'Scanf.sscanf (string_of_int (List.hd x)) "%d" print_int; 7',
    "let open struct let k y = List.length y end in k x",
    # They never end, for want of a case.
    "let i = ref 0 in let peek () = List.nth_opt x !i in\n"
    "  let rec sum () = match peek () with Some n -> incr i; n + sum () in sum ()",
    "let open struct include List let k y = y end in length (k x)",
    'try int_of_string "x" with Failure _ -> List.hd x',
    'int_of_string "12" + List.hd x',
    'int_of_string (string_of_int (List.hd x) ^ "x")',
    'let digits = "12" in int_of_string digits + List.hd x',
    "Char.code (Char.chr 255) + List.hd x",
    'Char.code ("ab".[1]) + List.hd x',
    'Char.code "0123456789abcdef".[List.hd x]',
    "Array.length (Array.make 0 x) + List.hd x",
    "let t = Hashtbl.create 1 in let put y = Hashtbl.add t y y in\n"
    "  List.iter put x; Hashtbl.find t (List.hd x)",
    "let q = Queue.create () in List.iter (fun y -> Queue.add y q) x; Queue.pop q",
    "let s = Stack.create () in Stack.pop s + List.hd x",
    "let t = { contents = Hashtbl.create 1 } in\n"
    "  Hashtbl.add !t 0 (List.hd x); Hashtbl.find !t 0",
    "let fresh () = Queue.create () in let q = fresh () in Queue.add (List.hd x) q; Queue.pop q",
    "List.fold_left (fun t y -> Hashtbl.add t 0 y; t) (Hashtbl.create 1) x |> fun t -> Hashtbl.find t 0",
    "Hashtbl.length (List.fold_left (fun t y -> Hashtbl.add t y y; t) (Hashtbl.create 1) x)",
    "let memo = lazy (Hashtbl.create 1) in\n"
    "  Hashtbl.add (Lazy.force memo) 0 (List.hd x); Hashtbl.find (Lazy.force memo) 0",
    "let l = lazy (fun y -> y + 1) in Lazy.force l (List.hd x)",
    "let r = ref 0 in let l = lazy (!r + 1) in r := List.hd x; Lazy.force l",
    "let l = lazy (List.length x) in match l with lazy 0 -> 7 | lazy n -> n",
    'match lazy (failwith "to do") with l when x = [] -> Lazy.force l | _ -> List.hd x',
    "List.length (List.map fst (List.combine x x))",
    'if String.length "abc" > 2 then List.hd x else 7',
    "if Sys.word_size = 64 then List.hd x else 7",
    "if List.hd x < max_int then List.hd x else 7",
    "if List.mem 1 [ 1 ] then List.hd x else 7",
    'if "dra" ^ "ft" = "draft" then List.hd x else 7',
    'let t = [ ("a", 1) ] in match List.assoc_opt "a" t with Some n -> n + List.hd x | None -> 7',
    "List.iter (fun _ -> raise Exit) []; List.hd x",
    "List.hd (List.fold_left (fun _ _ -> raise Exit) (0 :: x) [])",
    "try List.iter (fun _ -> raise Exit) [ 1 ]; 7 with Exit -> List.hd x",
    # Who swaps the two has tried.
    "let best = Array.make min_int (List.length x) in best.(0) <- List.hd x; best.(0)",
    "let q = Fun.id (Queue.create ()) in Queue.add (List.hd x) q; Queue.pop q",
    "let q = ref (Queue.create ()) in q := Queue.create (); Queue.add (List.hd x) !q; Queue.pop !q",
)


def test_branches_that_are_never_taken_give_nothing(
    check: Callable[..., CheckReport],
) -> None:
    """
    A handler is taken where what it handles may be raised, and a module is what stands in it.
    """

    def idle(bodies: tuple[str, ...]) -> list[str]:
        names = idle_names(check(defined(bodies), "let () = assert true"))
        return [body for n, body in enumerate(bodies) if f"f{n}" in names]

    assert list(IDLE) == idle(IDLE)
    assert [] == idle(ATTEMPTS)


def test_what_is_written_elsewhere_is_an_attempt(
    check: Callable[..., CheckReport],
) -> None:
    """
    What a function writes into may be there behind it, and what it prints is out.
    """

    def idle(code: str) -> set[str]:
        return idle_names(check(code, "let () = assert true"))

    assert set() == idle("let t = Hashtbl.create 1\nlet f x = Hashtbl.add t 0 x; 7")
    assert set() == idle("let f t x = Hashtbl.add t 0 x; 7")
    assert set() == idle("let f x = let c = stdout in output_string c x; 7")
    assert set() == idle("let f t x = let u = t in Hashtbl.add u 0 x; 7")


ELSEWHERE = (
    "let log x = print_int x\nlet f x = 7",
    "let seen = ref 0\nlet note x = seen := x\nlet f x = 7",
    "let f x = let note y = print_int y in 7",
    "let f x = 7\nlet () = print_string (read_line ())",
    "module M = struct let note x = print_int x let g _ = 7 end\nlet f x = M.g x",
)
HERE = (
    "let seen = ref 0\nlet note x = seen := x\nlet f x = note x; 7",
    "let seen = ref 0\nlet note x = seen := x\nlet f = note",
    "let f x = let note y = print_int y in List.iter note [ x ]; 7",
    "let rec even x = if x > 0 then odd (x - 1)\nand odd x = print_int x; f x\nand f x = even x",
    "module M = struct let note x = print_int x end\nlet f x = M.note x; 7",
)


def test_what_others_do_is_done_by_their_callers(
    check: Callable[..., CheckReport],
) -> None:
    """
    A function that prints makes no other one an attempt, unless that calls it.
    """

    def is_idle(code: str) -> bool:
        return "f" in idle_names(check(code, "let () = assert true"))

    assert [] == [code for code in ELSEWHERE if not is_idle(code)]
    assert [] == [code for code in HERE if is_idle(code)]
