"""Tests share no state of the library's with the code, and nothing of the code's runs but
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
    """Code that sets its generator chooses nothing that the tests are made of."""
    chosen = check(CHOSEN, seed + DRAWN)
    right = check(SORTED, seed + DRAWN)

    assert [Outcome.PASSED] == [each.outcome for each in right.results]
    assert [Outcome.FAILED] == [each.outcome for each in chosen.results]


def test_tests_may_seed_the_code(check: Check) -> None:
    """Two calls behind the same seed draw the same."""
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
    """What the runtime would call while the tests allocate is never called."""
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
    """Neither where memory is taken nor where it is given back, and so not beside the tests."""
    report = check(code, "let () = assert (called () = 0)")

    assert [Outcome.PASSED] == [each.outcome for each in report.results]


ALIKE = 'let () = Printexc.register_printer (fun _ -> Some "%s")\n'
MINE = "exception Mine of int\n"
# Two texts of exceptions that the code had a hand in, by the tests that compare them; the code
# that raises the right one, and the code that raises another.
PRINTED = {
    "of the library": (
        "let () = assert (Printexc.to_string (f 1) = Printexc.to_string Exit)",
        "let f _ = Exit",
        "let f _ = Not_found",
    ),
    "by its path": (
        "let () = assert (Stdlib.Printexc.to_string (f 1) = Stdlib.Printexc.to_string Exit)",
        "let f _ = Exit",
        "let f _ = Not_found",
    ),
    "by names of the tests' own": (
        "module P = Printexc\nlet show = P.to_string\nlet right = show Exit\n"
        "let () = assert (show (f 1) = right)",
        "let f _ = Exit",
        "let f _ = Not_found",
    ),
    "of the code": (
        "let () = assert (Printexc.to_string (f 1) = Printexc.to_string (Mine 1))",
        f"{MINE}let f n = Mine n",
        f"{MINE}let f n = Mine (n + 1)",
    ),
    "in lists": (
        "let show = List.map Printexc.to_string\n"
        "let () = assert (show [f 1; f 1] = show [Exit; Exit])",
        "let f _ = Exit",
        "let f _ = Not_found",
    ),
    "that are raised": (
        "let text f = match f () with exception e -> Printexc.to_string e | _ -> String.empty\n"
        'let () = assert (text (fun () -> f 1) = text (fun () -> failwith "no"))',
        'let f _ = failwith "no"',
        'let f _ = failwith "yes"',
    ),
    "by a hook of the tests' own": (
        "let () = Printexc.register_printer (function Exit -> Some String.empty | _ -> None)\n"
        "let () = assert (Printexc.to_string (f 1) = String.empty)",
        "let f _ = Exit",
        "let f _ = Not_found",
    ),
    "written out": (
        'let () = assert (Printexc.to_string (f 1) = "Stdlib.Exit")',
        "let f _ = Exit",
        "let f _ = Not_found",
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_a_printer_of_the_code_makes_no_exception_another(
    check: Check, name: str
) -> None:
    """Wrong code does not pass by what it registers, nor does right code fail by it."""
    tests, right, wrong = PRINTED[name]
    tests = tests.replace("String.empty", '""')
    hooks = [ALIKE % "", ALIKE % "Stdlib.Exit", MINE.replace("Mine", "Other")]
    honest = check(right, tests)

    assert [Outcome.PASSED] == [each.outcome for each in honest.results]
    for hook in hooks:
        report = check(hook + wrong, tests)
        assert Outcome.PASSED not in {each.outcome for each in report.results}


def test_printers_that_are_asked_for(check: Check) -> None:
    """What the code prints its exceptions as, and those of the library, is its answer."""
    tests = (
        'let () = assert (Printexc.to_string (f 1) = "mine")\n'
        'let () = assert (Printexc.to_string (f 2) = "mine" && Printexc.to_string Exit = "x")\n'
        "let () = assert (Printexc.to_string (f 2) = Printexc.to_string (f 2))\n"
    )
    code = (
        f"{MINE}let f n = Mine n\nlet () = Printexc.register_printer"
        ' (function Mine _ -> Some "mine" | Exit -> Some "x" | _ -> None)'
    )
    report = check(code, tests)

    assert [Outcome.PASSED] * 3 == [each.outcome for each in report.results]


TURNED_AWAY = """let () =
  let out = Format.pp_get_formatter_out_functions Format.str_formatter () in
  Format.pp_set_formatter_out_functions Format.str_formatter
    { out with Format.out_string = (fun _ _ _ -> ()) }
let f n = n
"""


def test_the_buffer_of_format_is_the_tests_own(check: Check) -> None:
    """Code cannot turn away what the tests write; what it writes itself is read, too."""
    tests = (
        "let text n = Format.(fprintf str_formatter {|%d|} n; flush_str_formatter ())\n"
        "let () = assert (text (f 2) = text 4)"
    )
    wrong, right = check(TURNED_AWAY, tests), check("let f n = n * 2", tests)
    told = 'let () = print 3; assert (Format.flush_str_formatter () = "3")'
    own = check('let print n = Format.(fprintf str_formatter "%d" n)', told)

    assert [Outcome.FAILED] == [each.outcome for each in wrong.results]
    assert [Outcome.PASSED] == [each.outcome for each in right.results]
    assert [Outcome.PASSED] == [each.outcome for each in own.results]
