"""The counter of steps in the face of code that would be rid of it."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Callable
from dataclasses import replace

import pytest

from ocaml_reward.engine import CheckReport, CheckRequest, Engine
from ocaml_reward.engine.build.helpers import engine_folder
from ocaml_reward.model import Budget, Limit, Outcome, Problem

Check = Callable[..., CheckReport]

BUDGET = replace(Budget(), check_cpu_s=1.0, tests_cpu_s=2.0)
TESTS = "let () = assert (f 1 = 1)\nlet () = assert (f 2 = 2)"
GOOD = "let rec go n = if n = 0 then 0 else 1 + go (n - 1)\nlet f n = go n"
# Where a process that is not randomised has its program (policies.py).
BASE = 0x555555554000

# By what they do: code of which `f 2` comes to no end, and the limits that may end it.
HOSTILE: dict[str, tuple[str, set[Limit | None]]] = {
    "catches everything": (
        "let rec f n = if n < 2 then n else ((try while true do ignore (f 1) done with _ -> ()); f n)",
        {Limit.STEPS},
    ),
    "raises for ever": (
        "let rec f n = if n < 2 then n else try raise Exit with Exit -> f n",
        {Limit.STEPS},
    ),
    "ticks itself": (
        'external tick : unit -> unit = "ocaml_reward_tick"\n'
        "let f n = if n < 2 then n else (for _ = 1 to max_int do tick () done; n)",
        {Limit.STEPS},
    ),
    "says that a check begins": (
        'external enter : string -> unit = "ocaml_reward_enter"\n'
        'let f n = if n < 2 then n else (while true do enter "begin 1" done; n)',
        {None, Limit.STEPS, Limit.OUTPUT},
    ),
    "starts again": (
        'external start : unit -> string = "ocaml_reward_start"\n'
        "let f n = if n < 2 then n else (while true do ignore (start ()) done; n)",
        {None, Limit.STEPS},
    ),
    "serves": (
        'external serve : unit -> string = "ocaml_reward_serve"\n'
        "let f n = if n < 2 then n else (while true do ignore (serve ()) done; n)",
        {None, Limit.STEPS, Limit.WALL, Limit.CPU},
    ),
    "calls from C": (
        'external call : (unit -> unit) -> unit = "ocaml_reward_call"\n'
        "let rec f n = if n < 2 then n else (call (fun () -> ignore (f n)); n)",
        {None, Limit.STEPS, Limit.MEMORY},
    ),
    "lets the library call": (
        "let f n = if n < 2 then n else (List.iter (fun () -> ()) (let rec l = () :: l in l); n)",
        {Limit.STEPS},
    ),
    "lets the library call itself": (
        "let f n = if n < 2 then n else (List.iter (Fun.const ()) (let rec l = () :: l in l); n)",
        {Limit.CPU},
    ),
    "compares without end": (
        "let f n = if n < 2 then n else (let rec a = 1 :: a in let rec b = 1 :: b in compare a b)",
        {Limit.CPU},
    ),
    "leaves it to a finaliser": (
        "let f n = if n < 2 then n else (Gc.finalise (fun _ -> while true do () done) (ref n);"
        " while true do Gc.full_major () done; n)",
        {Limit.CPU, Limit.STEPS},
    ),
    "leaves it to a signal": (
        "let f n = if n < 2 then n else (Sys.set_signal Sys.sigalrm (Signal_handle (fun _ -> raise Exit));"
        " Sys.set_signal Sys.sigprof Signal_ignore; Sys.set_signal Sys.sigvtalrm Signal_ignore;"
        " while true do () done; n)",
        {Limit.STEPS},
    ),
    "leaves it to the end": (
        "let f n = if n < 2 then n else (at_exit (fun () -> while true do () done); exit 0)",
        {Limit.STEPS, None},
    ),
}


def resetting() -> str:
    """Return code that writes a high number where the counter is, at each turn of its loop."""
    symbols = subprocess.run(
        ["nm", engine_folder() / "run"], capture_output=True, text=True, check=True
    ).stdout
    (place,) = {int(line.split()[0], 16) for line in symbols.splitlines() if line.endswith(" left")}
    address = struct.pack("<q", BASE + place).hex(" ").split()
    text = "".join(f"\\x{byte}" for byte in address)
    return (
        'external field : string -> int -> int ref = "%obj_field"\n'
        f'let counter = field "{text}" 0\n'
        "let f n = if n < 2 then n else (while true do counter := max_int done; n)"
    )


@pytest.mark.parametrize("name", [*HOSTILE, "writes where the counter is"])
def test_what_would_be_rid_of_the_counter_ends(engine: Engine, name: str) -> None:
    """By its steps, or at the latest by the clock; and the next completion is graded as before."""
    code, limits = HOSTILE[name] if name in HOSTILE else (resetting(), {Limit.CPU})
    prepared = engine.prepare(Problem(id="p", tests=TESTS, reference="let f n = n"))
    good = CheckRequest(code=GOOD, tests=prepared, budget=BUDGET)
    before = engine.check(good)
    report = engine.check(replace(good, code=code))
    first, second = report.results

    assert Outcome.PASSED is first.outcome
    assert Outcome.PASSED is not second.outcome
    assert second.limit in limits
    assert report.cpu_s < 3 * BUDGET.tests_cpu_s
    assert before == engine.check(good)


@pytest.mark.parametrize(
    ("code", "steps"),
    [
        ("let f n = n", 1),
        ("let f = fun n -> n", 1),
        ("let g a b = a + b\nlet f n = g 0 n", 2),
        ("let g a = fun b -> a + b\nlet f n = let h = g 0 in h n", 2),
        ("let f n = for _ = 1 to 5 do () done; n", 6),
        ("let f n = let i = ref 0 in while !i < 5 do incr i done; n", 6),
        ("let f n = ignore (List.map (fun x -> x) [1; 2; 3]); n", 4),
        ("let f n = List.fold_left ( + ) n [0; 0]", 3),
        ("let f n = ignore (String.make 2560 'x'); n", 11),
        ("let f n = ignore (Array.make 320 n); n", 11),
        ("let l = lazy 1\nlet f n = Lazy.force l * n", 1),
    ],
)
def test_what_a_step_is(engine: Engine, code: str, steps: int) -> None:
    """An entry of a function, a turn of a loop, 256 bytes that the library makes."""
    prepared = engine.prepare(Problem(id="p", tests="let () = assert (f 1 = 1)"))
    report = engine.check(CheckRequest(code=code, tests=prepared))

    assert [steps] == [each.steps for each in report.results]


def test_steps_until_memory_is_full_are_not_told(engine: Engine) -> None:
    """They depend on the size of the heap before, which differs between the engines."""
    fills = "let l = ref [] in while true do l := String.make 1_000_000 ' ' :: !l done; n"
    prepared = engine.prepare(Problem(id="p", tests=TESTS))
    report = engine.check(
        CheckRequest(code=f"let f n = if n < 2 then n else ({fills})", tests=prepared)
    )

    assert [(1, None), (None, Limit.MEMORY)] == [(e.steps, e.limit) for e in report.results]
    assert report.steps is None
