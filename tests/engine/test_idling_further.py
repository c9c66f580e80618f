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
