"""The same code gets the same record, whenever, wherever and beside whatever it runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ocaml_reward.engine import CheckReport, CheckRequest, Engine
from ocaml_reward.engine.build.toolchain import locate
from ocaml_reward.engine.engines import select
from ocaml_reward.model import Budget, Outcome, Problem

Check = Callable[..., CheckReport]

# Each line is a value that another runtime would have differ.
ASKED = """let told = Buffer.create 100
let tell what = Buffer.add_string told what; Buffer.add_char told ' '
let number n = tell (string_of_int n)
let () =
  Random.self_init (); number (Random.bits ());
  number (Random.State.bits (Random.State.make_self_init ()));
  number (Hashtbl.hash (Hashtbl.create ~random:true 1));
  tell (string_of_float (Sys.time ())); tell (string_of_float (Sys.time ()));
  let n = String.length (Sys.getenv "LC_ALL") in
  let rec even k = k = n || odd (k - 1) and odd k = k <> n && even (k - 1) in
  number (Hashtbl.hash (fun k -> k + n)); number (Hashtbl.hash [even; odd]);
  number (Hashtbl.hash (lazy (n + 1))); number (Hashtbl.hash (stdin, stdout));
  number (compare stdout stderr); number (Oo.id (object end));
  tell Sys.executable_name; Array.iter tell Sys.argv
"""
# What depends on how the program came into the process: with one engine the same.
OF_THE_ENGINE = """let () =
  let stat = Gc.quick_stat () in
  number stat.heap_words; number stat.minor_collections;
  tell (string_of_float (Gc.minor_words ())); tell (string_of_float (Gc.allocated_bytes ()));
  number (Hashtbl.hash (Printexc.get_callstack 9));
  let rec fill kept = match fill (Bytes.create 100_000 :: kept) with
    | n -> n | exception Out_of_memory -> List.length kept in number (fill [])
"""
# The detail of a result has room for 200 characters.
ANSWER = """let f n =
  let length = max 0 (min 150 (Buffer.length told - 150 * n)) in
  failwith (Buffer.sub told (min (150 * n) (Buffer.length told)) length)
"""
# One program fills its memory, which takes several times as long beside others: there is
# less of it here, and a time limit that is not near.
BUDGET = Budget(memory_mb=64)
TESTS = f"let () = {'; '.join(f'assert (f {n} = 0)' for n in range(4))}"


def told(engine: Engine, code: str, libraries: tuple[str, ...] = ()) -> str:
    problem = Problem(id="p", tests=TESTS, libraries=libraries)
    request = CheckRequest(
        code=code + ANSWER,
        tests=engine.prepare(problem),
        libraries=libraries,
        budget=BUDGET,
    )
    results = engine.check(request).results

    assert [Outcome.RAISED] * 4 == [each.outcome for each in results]
    assert 'Failure("")' == results[-1].detail
    return "".join(each.detail.removeprefix('Failure("').removesuffix('")') for each in results)


def test_a_record_is_the_same_each_time(engine: Engine) -> None:
    """Alone, beside others, several at a time and in another engine of the kind."""
    code = ASKED + OF_THE_ENGINE
    once = told(engine, code)
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
    try:
        with ThreadPoolExecutor(4) as pool:
            found = {*pool.map(lambda _: told(engine, code), range(12))}
    finally:
        for other in others:
            other.kill()
            other.wait()
    again = select.engine(engine.name)
    found.add(told(again, code))
    again.close()

    assert {once} == found


def test_both_engines_tell_the_same() -> None:
    """Clock, seed, hash and names are those of the program, and not of the engine."""
    engines = [select.engine(name) for name in ("warm", "stock")]
    first, second = (told(engine, ASKED) for engine in engines)
    for engine in engines:
        engine.close()

    assert first == second
    assert "/task/prog" in first


def test_the_clock_of_the_unix_library_is_ours_too(engine: Engine) -> None:
    """Its time, its process and what follows from them are the same each time."""
    code = ASKED.partition("let () =")[0] + (
        'let () = tell (Printf.sprintf "%.3f" (Unix.gettimeofday ()));\n'
        "  number (int_of_float (Unix.time ())); number (Unix.getpid ());\n"
        "  number (Unix.localtime (Unix.time ())).tm_hour;\n"
        "  tell (string_of_float (Unix.times ()).tms_utime)\n"
    )
    found = {told(engine, code, ("unix",)) for _ in range(3)}

    assert {"1704067200.001 1704067200 2 0 0.004 "} == found


def test_waiting_for_the_clock_ends(check: Check) -> None:
    """Time passes with the questions after it: a program that waits for an hour is done soon."""
    code = (
        "let f n = let start = Sys.time () in\n  while Sys.time () -. start < 3600. do () done; n"
    )
    results = check(code, "let () = assert (f 1 = 1)").results

    assert [Outcome.PASSED] == [each.outcome for each in results]


VALUES = """
type t = A | B of int * t | C of { mutable x : float; y : string }
let hashes = List.map string_of_int [
  Hashtbl.hash 0; Hashtbl.hash (-1); Hashtbl.hash max_int; Hashtbl.hash 'x';
  Hashtbl.hash 1.5; Hashtbl.hash nan; Hashtbl.hash (-0.); Hashtbl.hash infinity;
  Hashtbl.hash ""; Hashtbl.hash "abc"; Hashtbl.hash (String.make 1000 'x');
  Hashtbl.hash [1; 2; 3]; Hashtbl.hash (List.init 1000 string_of_int);
  Hashtbl.hash [|1.; 2.; nan|]; Hashtbl.hash (Array.make 1000 1.);
  Hashtbl.hash (A, B (3, B (4, A)), C { x = 1.; y = "y" }); Hashtbl.hash (`A, `B 1);
  Hashtbl.hash (1l, 2L, 3n); Hashtbl.hash (Lazy.from_val 3, lazy "s");
  Hashtbl.hash (let l = lazy (1. +. 2.) in ignore (Lazy.force l); l);
  Hashtbl.hash Bigarray.(Array1.of_array int c_layout [|1; 2|]);
  Hashtbl.hash_param 3 5 [1; 2; 3; 4; 5; 6]; Hashtbl.seeded_hash 42 "abc";
  Hashtbl.seeded_hash_param 100 1000 7 (List.init 500 float);
  Hashtbl.hash_param 0 0 1; Hashtbl.hash_param 1 (-1) (1, 2);
  Hashtbl.hash (let rec l = 1 :: 2 :: l in l) ]
let text = String.concat " " hashes
"""


def test_data_are_hashed_as_ever(engine: Engine, tmp_path: Path) -> None:
    """The hash of anything but code and channels is the one of the compiler's own runtime."""
    (tmp_path / "a.ml").write_text(f"{VALUES}let () = print_string text")
    ocamlc = str(locate().ocamlc)
    subprocess.run([ocamlc, "-w", "-a", "-o", "a", "a.ml"], cwd=tmp_path, check=True)
    run = subprocess.run([tmp_path / "a"], capture_output=True, check=True, text=True)
    parts = [run.stdout[at : at + 80] for at in range(0, len(run.stdout), 80)]
    problem = Problem(
        id="p",
        tests=f"let () = {'; '.join(f'assert (f {n} = {p!r})' for n, p in enumerate(parts))}".replace(
            "'", '"'
        ),
    )
    code = f"{VALUES}let f n = String.sub text (80 * n) (min 80 (String.length text - 80 * n))"
    request = CheckRequest(code=code, tests=engine.prepare(problem))

    assert {Outcome.PASSED} == {r.outcome for r in engine.check(request).results}
