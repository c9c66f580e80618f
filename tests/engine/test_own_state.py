"""
Tests share no state of the library's with the code, and nothing of the code's runs but
where they call it.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

DRAWN = """let drawn () = List.init (Random.int 20) (fun _ -> Random.int 100)
let () = for _ = 1 to 50 do let l = drawn () in assert (srt l = List.sort compare l) done
"""
# With a state in which the tests would only draw the empty list, or a single number.
CHOSEN = """let good = let rec go s = Random.init s; if Random.int 20 < 2 then s else go (s + 1) in go 0
let srt l = Random.init good; l
let () = Random.init good
"""
SORTED = "let srt l = List.sort compare l"
LOOKED_AT = """let is_sorted a =
  let ok = ref true in
  for i = 0 to Array.length a - 2 do if a.(i) > a.(i + 1) then ok := false done; !ok
let same a b = List.sort compare (Array.to_list a) = List.sort compare (Array.to_list b)
let () = let a = [| 3; 1; 2 |] in let b = Array.copy a in srt b; assert (is_sorted b && same a b)
"""
TRACKED = """let srt b =
  let old = Array.copy b and n = ref 0 in
  Array.fill b 0 (Array.length b) 0;
  Gc.Memprof.start ~sampling_rate:1.0 ~callstack_size:0 { Gc.Memprof.null_tracker with
    alloc_minor = (fun _ -> incr n; if !n > 6 then Array.blit old 0 b 0 (Array.length b); None) }
"""
FINALISED = """let srt b =
  let old = Array.copy b in
  Array.fill b 0 (Array.length b) 0;
  let rec again () =
    let v = ref 0 in
    Gc.finalise (fun _ -> Array.blit old 0 b 0 (Array.length b); again ()) v in
  for _ = 1 to 1000 do again () done;
  ignore (Gc.create_alarm (fun () -> Array.blit old 0 b 0 (Array.length b)))
"""


@pytest.mark.parametrize(
    "seed", ["", "let () = Random.init 42\n", "let () = Random.self_init ()\n"]
)
def test_the_tests_draw_their_own_numbers(check: Check, seed: str) -> None:
    """
    Code that sets its generator chooses nothing that the tests are made of.
    """
    chosen = check(CHOSEN, seed + DRAWN)
    right = check(SORTED, seed + DRAWN)

    assert [Outcome.PASSED] == [each.outcome for each in right.results]
    assert [Outcome.FAILED] == [each.outcome for each in chosen.results]


def test_tests_may_seed_the_code(check: Check) -> None:
    """
    Two calls behind the same seed draw the same.
    """
    tests = (
        "let () = Random.init 7; let a = roll () in Random.init 7; assert (roll () = a);"
        " Random.full_init [| 1; 2 |]; let s = Random.get_state () in"
        " let b = (Random.int 9, Random.float 1., Random.bool (), Random.bits ()) in"
        " Random.set_state s;"
        " assert (b = (Random.int 9, Random.float 1., Random.bool (), Random.bits ()))"
    )
    report = check("let roll () = Random.int 1_000_000", tests)

    assert [Outcome.PASSED] * 2 == [each.outcome for each in report.results]


@pytest.mark.parametrize("code", [TRACKED, FINALISED])
def test_nothing_runs_between_two_looks(check: Check, code: str) -> None:
    """
    What the runtime would call while the tests allocate is never called.
    """
    report = check(code, LOOKED_AT)

    assert Outcome.PASSED not in {each.outcome for each in report.results}


PROFILED = """let called () =
  let n = ref 0 in
  ignore (Gc.Memprof.start ~sampling_rate:1.0 ~callstack_size:0 { Gc.Memprof.null_tracker with
    alloc_minor = (fun _ -> incr n; None) });
  ignore (Sys.opaque_identity (List.init 1000 Fun.id));
  Gc.Memprof.stop ();
  !n
"""
COLLECTED = """let called () =
  let n = ref 0 in
  Gc.finalise (fun _ -> incr n) (ref 0);
  Gc.finalise_last (fun _ -> incr n) (ref 0);
  Gc.full_major ();
  !n
"""


@pytest.mark.parametrize("code", [PROFILED, COLLECTED])
def test_the_runtime_calls_nothing(check: Check, code: str) -> None:
    """
    Neither where memory is taken nor where it is given back, and so not beside the tests.
    """
    report = check(code, "let () = assert (called () = 0)")

    assert [Outcome.PASSED] == [each.outcome for each in report.results]
