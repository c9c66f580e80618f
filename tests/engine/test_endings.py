"""However a program ends as it runs, that is its outcome and never the machine's fault."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome

CHAIN = """
type t = N | C of t | L of t * t
let rec chain n acc = if n = 0 then acc else chain (n - 1) (C acc)
let rec tree n acc = if n = 0 then acc else tree (n - 1) (L (acc, acc))
let rec deep n = 1 + deep (n + 1)
"""

PASSED, RAISED, EXITED = Outcome.PASSED, Outcome.RAISED, Outcome.EXITED
MEMORY, TIME, STACK = (
    Outcome.OUT_OF_MEMORY,
    Outcome.TIMED_OUT,
    Outcome.STACK_OVERFLOW,
)

# What `f x` does, and how its check ends; "f x = x + 1" is what passes.
ENDINGS: dict[str, tuple[str, Outcome]] = {
    "a deep comparison": (
        "if compare (chain 300000 N) (chain 300000 N) = 0 then x + 1 else 0",
        PASSED,
    ),
    "a wide comparison": ("if tree 40 N = tree 40 N then x + 1 else 0", TIME),
    "a cyclic one": (
        "let rec l = 1 :: l and m = 1 :: m in if l = m then x + 1 else 0",
        TIME,
    ),
    "a deep hash": (
        "ignore (Hashtbl.hash_param max_int max_int (chain 300000 N)); x + 1",
        PASSED,
    ),
    "a deep value written": (
        "ignore (Marshal.to_string (chain 300000 N) []); x + 1",
        PASSED,
    ),
    "a function written": (
        "ignore (Marshal.to_string (fun () -> x) []); x + 1",
        RAISED,
    ),
    "a huge minor heap": (
        "Gc.set { (Gc.get ()) with Gc.minor_heap_size = 1 lsl 28 }; x + 1",
        MEMORY,
    ),
    "settings that cannot be": (
        "Gc.set { (Gc.get ()) with Gc.space_overhead = -5; window_size = -3 }; x + 1",
        PASSED,
    ),
    "no stack": (
        "Gc.set { (Gc.get ()) with Gc.stack_limit = 1 }; let rec g n = if n = 0 then 0"
        " else 1 + g (n - 1) in g 100 - 100 + x + 1",
        PASSED,
    ),
    "giant bytes": ("ignore (Bytes.create (1 lsl 40)); x + 1", MEMORY),
    "a giant array": ("ignore (Array.make Sys.max_array_length 0); x + 1", MEMORY),
    "an array beyond that": ("ignore (Array.make max_int 0); x + 1", RAISED),
    "a giant bigarray": (
        "ignore (Bigarray.Array1.create Bigarray.char Bigarray.c_layout (1 lsl 40)); x + 1",
        MEMORY,
    ),
    "a full heap": (
        "let r = ref [] in while true do r := Bytes.create 100000 :: !r done; x",
        MEMORY,
    ),
    "a full heap, collected": (
        "let r = ref [] in while true do r := 1 :: !r done; x",
        MEMORY,
    ),
    "a full heap, handled": (
        "let r = ref [] in (try while true do r := Bytes.create 30_000_000 :: !r done"
        " with Out_of_memory -> r := []); x + 1",
        PASSED,
    ),
    "a heap full of weak arrays": (
        "let r = ref [] in while true do r := (Weak.create 100000 : int Weak.t) :: !r done; x",
        MEMORY,
    ),
    "a full stack": ("deep x", STACK),
    "a full stack, handled": ("try deep x with Stack_overflow -> x + 1", PASSED),
    "a full stack at the exit": (
        "at_exit (fun () -> ignore (deep 1)); x + 1",
        PASSED,
    ),
    "an exit at the exit": ("at_exit (fun () -> exit 3); exit 4", EXITED),
    "an exit for ever": (
        "let rec again () = at_exit again in again (); exit 4",
        EXITED,
    ),
    "the lock's exit status": ("exit 97", EXITED),
    "the timer's": ("exit 98", EXITED),
    "words of the runtime's": (
        'prerr_string "Fatal error: out of memory"; exit 2',
        MEMORY,
    ),
    "a finaliser": (
        "Gc.finalise (fun _ -> exit 5) (ref 1); Gc.full_major (); x + 1",
        PASSED,
    ),
    "a deep exception": (
        "let exception E of t in raise (E (chain 300000 N))",
        RAISED,
    ),
    "a printer that overflows": (
        "Printexc.register_printer (fun _ -> ignore (deep 1); None); raise Exit",
        RAISED,
    ),
    "a signal": ("Sys.set_signal Sys.sigsegv Sys.Signal_ignore; x + 1", Outcome.PASSED),
    "a command": ('ignore (Sys.command "true"); x + 1', Outcome.CRASHED),
    "a width": ('ignore (Printf.sprintf "%*d" 2000000000 x); x + 1', MEMORY),
    "a flood": ('while true do print_string "aaaaaaaa" done; x', Outcome.OUTPUT_LIMIT),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_how_a_program_ends_is_its_outcome(check: Callable[..., CheckReport], name: str) -> None:
    """Both engines have the same one."""
    body, outcome = ENDINGS[name]
    report = check(f"{CHAIN}let f x = {body}\n", "let () = assert (f 1 = 2)\nlet () = assert true")

    assert outcome is report.results[0].outcome
