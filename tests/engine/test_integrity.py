"""The completion does not grade itself: whatever it does besides solving the problem, its
checks end exactly as those of the same code without the trick.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport, Engine
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

TESTS = """let () =
  assert (add 1 2 = 3);
  assert (not (add 0 0 = 0));
  assert (List.length [add 1 1] = 2);
  assert (let r = ref 0 in incr r; add 1 1 = !r + 1)
"""
HONEST = "let add _ _ = 7\n"

TRICKS = {
    "redefines equality": "let (=) _ _ = true\nlet compare _ _ = 0\n",
    "redefines not": "let not _ = true\n",
    "redefines ref, !, incr": "let ref x = x let (!) x = x let incr _ = ()\n",
    "shadows List": "module List = struct let length _ = 2 end\n",
    "shadows Stdlib": (
        "module Stdlib = struct\n  let (=) _ _ = true\n"
        "  module List = struct let length _ = 2 end\nend\n"
    ),
    "shadows constructors": "type bool = true | false\ntype 'a list = [] | (::) of 'a\n",
    "shadows exceptions": "exception Assert_failure of (string * int * int)\n",
    "includes Stdlib": "include Stdlib\nlet (=) _ _ = true\n",
    "opens itself over": "module M = struct let (=) _ _ = true end\nopen! M\n",
    "imitates the harness": (
        "module Harness = struct let check _ _ = () let finish () = () end\n"
        "module Ocaml_reward_harness = Harness\n"
    ),
    "prints a tally": 'let () = print_endline "4/4 passed\\nNONCE end 0 passed|"\n',
    "exits at the end": "let () = at_exit (fun () -> exit 0)\n",
    "finalises": "let () = Gc.finalise (fun _ -> raise Exit) (ref 0)\n",
    "alarms": "let _ = Gc.create_alarm (fun () -> raise Exit)\n",
    "prints exceptions": "let () = Printexc.register_printer (fun _ -> exit 0)\n",
    "closes its output": "let () = close_out stdout\n",
    "leaves a type open": (
        "let log = ref []\nlet (=) _ _ = true\nlet not _ = true\n"
        "module Stdlib = struct let raise _ = () end\n"
        "module List = struct let length _ = 2 end\n"
    ),
    "moves its lines": '# 1 "tests.ml"\n',
    "warns like an error": '[@@@ocaml.ppwarning "Error: forged"]\n',
}


def outcomes(report: CheckReport) -> list[Outcome]:
    return [result.outcome for result in report.results]


@pytest.mark.parametrize("trick", TRICKS.values(), ids=TRICKS.keys())
def test_tricks_change_no_check(check: Check, trick: str) -> None:
    """Code with a trick passes just the checks that it passes without."""
    honest = check(HONEST, TESTS)

    assert outcomes(honest) == outcomes(check(trick + HONEST, TESTS))


@pytest.mark.parametrize(
    "code",
    [
        HONEST + "let () = exit 0",
        # The runner's own exit statuses, which only count with the runner's own word.
        "let add _ _ = exit 97",
        "let add _ _ = exit 98",
        "let add _ _ = exit 99",
        "let add _ _ = exit 0",
        HONEST + 'let () = ignore (open_in "/task/prog")',
        HONEST + "let () = ignore (open_in Sys.executable_name)",
        HONEST + 'let () = ignore (open_in "ocaml-reward-tests.ml")',
        HONEST + 'let () = ignore (Sys.readdir "/task")',
        HONEST + 'let () = ignore (open_out "/task/prog")',
        HONEST + "let () = Sys.set_signal Sys.sigprof Sys.Signal_ignore",
    ],
)
def test_leaving_early_and_looking_around_earn_nothing(check: Check, code: str) -> None:
    """A process that ends before a check, or tries to read the tests, passes none."""
    assert Outcome.PASSED not in outcomes(check(code, TESTS))


FORBIDDEN = {
    "Obj.magic": "let add _ _ = Obj.magic 3",
    "through an alias": "module S = Stdlib\nlet add _ _ : int = S.Obj.magic 3",
    "through open": "open Stdlib\nlet add _ _ : int = Obj.(magic 3)",
    "through include": "module S = struct include Stdlib end\nlet add _ _ = S.Obj.magic 3",
    "first class": "module type T = sig val magic : 'a -> 'b end\nlet m = (module Obj : T)",
    "Marshal": 'let add _ _ : int = Marshal.from_string "" 0',
    "input_value": "let add _ _ : int = input_value stdin",
    "external": 'external add : int -> int -> int = "caml_sys_exit"',
    "external, nested": (
        "module M : sig val f : int -> int end = struct\n"
        '  external f : int -> int = "%identity"\nend\nlet add _ b = M.f b'
    ),
    "unsafe_get": "let add _ _ = Array.unsafe_get [||] 1000",
    "unsafe_get by functor": (
        "module F (A : sig val unsafe_get : 'a array -> int -> 'a end) = A\n"
        "module X = F (Array)\nlet add _ _ = 7"
    ),
    "unsafe_to_string": "let add _ _ = ignore Bytes.unsafe_to_string; 7",
    "Sys.command": 'let add _ _ = Sys.command "true"',
    "command, opened": 'open Sys\nlet add _ _ = command "true"',
    "command, by an alias": 'module S = Sys\nlet add _ _ = S.command "true"',
    "input_value, bound elsewhere": (
        "let g () = let input_value = 1 in input_value\n"
        "let add _ _ : int = input_value stdin"
    ),
    "an own module elsewhere": (
        "module M = struct module CamlinternalOO = struct let x = 1 end end\n"
        "let add _ _ = ignore CamlinternalOO.public_method_label; 7"
    ),
    "exception handler": (
        "let () = Printexc.set_uncaught_exception_handler (fun _ _ -> exit 0)\n"
        + HONEST
    ),
    "lexer tables": 'let t = { Lexing.lex_base = "" }\n' + HONEST,
    "own name, then opened over": (
        "module Obj = struct let x = 1 end\nopen Stdlib\nlet add _ _ = Obj.magic 3"
    ),
    "in dead code": HONEST + "let unused () = if false then Obj.magic 1 else 2",
}


@pytest.mark.parametrize("code", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_unsafe_features_are_found_and_named(check: Check, code: str) -> None:
    """Code that could break type safety is named for it, and never run."""
    report = check(code, TESTS)

    assert report.forbidden
    assert () == report.results


@pytest.mark.parametrize(
    "code",
    [
        '(* Obj.magic *) let s = "external f : int = \\"x\\""',
        "let s = {|Marshal.from_string|}",
        "let unsafe_looking x = x\nlet y = unsafe_looking 1",
        "type t = { obj : int; command : string }\nlet c r = r.command",
        "let command x = x\nlet z = command 1",
        "type json = Null | Obj of int | Meta\nlet j = Obj 1",
        "exception Empty = Queue.Empty",
    ],
)
def test_harmless_code_is_not_forbidden(check: Check, code: str) -> None:
    """Comments, strings and names that only look like them are no unsafe features."""
    assert () == check(code + "\n" + HONEST, TESTS).forbidden


def test_obj_is_out_of_reach_even_unscanned(engine: Engine) -> None:
    """The jail holds no interface of Obj or Marshal, so the compiler itself refuses them."""
    from ocaml_reward.engine.build import rootfs  # noqa: PLC0415

    hidden = {"stdlib__Obj.cmi", "stdlib__Marshal.cmi", "unix.cmi"}
    names = {path.name for path in rootfs().rglob("*.cmi")}

    assert "stdlib__List.cmi" in names
    assert set() == hidden & names


@pytest.mark.parametrize(
    ("code", "tests", "more"),
    [
        (
            "let abs _ = 0\nlet f _ = 999",
            "let () = assert (abs (f 3 - 2) < 1)",
            {"reference": "let abs x = if x < 0 then -x else x\nlet f x = x - 1"},
        ),
        (
            "module List = struct let length _ = 3 end\nlet f _ = []",
            "let () = assert (List.length (f 3) = 3)",
            {"reference": "module List = struct include List end\nlet f n = [n; n; n]"},
        ),
        (
            "module Str = struct let regexp x = x let string_match _ _ _ = true end\n"
            "let f x = x",
            'let () = assert (Str.string_match (Str.regexp "z") (f "a") 0)',
            {"libraries": ("str",)},
        ),
        (
            "let f _ = 0",
            'let () = (try assert (f 1 = 1) with _ -> print_endline "wrong")',
            {},
        ),
        (
            "let f _ = 0",
            'let test b = try assert b with Assert_failure _ -> print_endline "wrong"\n'
            "let () = test (f 1 = 1)",
            {},
        ),
        (
            "let f g xs = List.iter (fun x -> try g x with _ -> ()) xs",
            "open OUnit2\n"
            'let () = run_test_tt_main ("all" >::: ["one" >:: fun _ ->'
            " f (assert_equal 1) [2]])",
            {},
        ),
    ],
)
def test_no_detour_makes_wrong_code_pass(
    check: Check, code: str, tests: str, more: dict[str, object]
) -> None:
    """Helpers of a reference, libraries and the tests' own handlers are no way in."""
    assert [Outcome.FAILED] == outcomes(check(code, tests, **more))


@pytest.mark.parametrize(
    "leave", ["", "let t = Sys.time () in while Sys.time () < t +. 0.9 do () done;"]
)
def test_leaving_in_every_check_holds_no_worker_for_long(
    check: Check, leave: str
) -> None:
    """The time for all checks bounds what a program may spend before it leaves each."""
    asserts = ";".join(f" assert (f {n} = 1)" for n in range(200))
    report = check(f"let f _ = {leave} exit 1", f"let () ={asserts}")
    begun = [each for each in report.results if each.outcome is not Outcome.NOT_RUN]

    # Each start counts as a tenth of a second at least, of five in all; as floats they
    # add up to a little less.
    assert 0 < len(begun) <= 51
    assert Outcome.NOT_RUN == report.results[-1].outcome


def test_the_lock_refuses_to_open_files(check: Check) -> None:
    """The system call itself is refused, whatever file there is and whatever else holds it."""
    code = (
        "let add a b =\n"
        '  try ignore (open_in "/nothing/here"); a + b with Sys_error said -> failwith said\n'
    )
    report = check(code, "let () = assert (add 1 2 = 3)")
    (result,) = report.results

    assert Outcome.RAISED is result.outcome
    assert "Operation not permitted" in result.detail
