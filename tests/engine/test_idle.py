"""A check that cannot fail earns nothing, and runners of the tests' own are told by what they print."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward import ProblemError
from ocaml_reward.engine import CheckReport, Engine
from ocaml_reward.model import Problem

Check = Callable[..., CheckReport]

RIGHT = "let add a b = a + b\nlet sub a b = a - b\nlet show n = string_of_int n\n"
WRONG = "let add a b = a * b + 7\nlet sub a b = b - a\nlet show n = string_of_int (n + 1)\n"
PART = "let add a b = a + b\nlet sub a b = b - a\nlet show n = string_of_int n\n"
EQ = 'let eq a b = if a <> b then failwith "differs"\n'
CASES = (
    'let () = run "add" (fun () -> eq (add 2 3) 5)\n'
    'let () = run "sub" (fun () -> eq (sub 3 2) 1)\n'
    'let () = run "show" (fun () -> eq (show 3) "3")\n'
)
COUNTED = (
    "let passed = ref 0 and failed = ref 0\n"
    'let run name f = try f (); incr passed; Printf.printf "ok %s\\n%!" name\n'
    '  with e -> incr failed; Printf.printf "FAIL %s %s\\n" name (Printexc.to_string e)\n'
)  # fmt: skip
CALMLY = (
    "let failed = ref 0\n"
    'let check name holds = if holds then print_endline (name ^ " ok")\n'
    '  else (incr failed; prerr_endline (name ^ " FAIL"))\n'
    'let () = check "add" (add 2 3 = 5); check "sub" (sub 3 2 = 1)\n'
    'let () = check "show" (show 3 = "3")\n'
)  # fmt: skip
END = "let () = if !failed > 0 then exit 1\n"
SILENT = "let run _ f = try f () with Failure _ -> ()\n" + EQ + CASES
MINE = 'exception Mine of string\nlet eq a b = if a <> b then raise (Mine "no")\n'
OWN = MINE + "let run _ f = try f () with Mine _ -> ()\n" + CASES


def letters(report: CheckReport) -> str:
    return "".join(each.outcome.value[0] for each in report.results)


@pytest.mark.parametrize(
    "tests",
    [
        SILENT,
        OWN,
        "let run _ f = match f () with _ -> () | exception _ -> ()\n" + EQ + CASES,
        "let () = assert (List.nth [1; 2] 1 = 2)\nlet () = ignore (add 1 2)",
        "let t = add 1 1\n" + SILENT,
        "open OUnit2\nlet () = run_test_tt_main ({|a|} >:: fun _ -> "
        "try assert_equal 3 (add 1 2) with _ -> ())",
        CALMLY,
    ],
)
def test_tests_that_no_wrong_answer_fails_are_refused(engine: Engine, tests: str) -> None:
    """A problem is not graded whose tests catch all that fails, whatever their shape."""
    with pytest.raises(ProblemError, match=r"line [\d, ]+: (no wrong answer|unsup)"):
        engine.prepare(Problem(id="p", tests=tests))


@pytest.mark.parametrize(
    ("tests", "code", "ends"),
    [
        (COUNTED + EQ + CASES + END, RIGHT, "pppp"),
        (COUNTED + EQ + CASES + END, PART, "pfpe"),
        (CALMLY + END, PART, "e"),
        # What wants an exception, any at all, can fail; and what asks for no one value.
        ("let () = match sub 0 with _ -> assert false | exception _ -> ()", RIGHT, "f"),
        (
            "let raises f = try ignore (f ()); false with _ -> true\n"
            "let () = assert (raises (fun () -> show 0))",
            "let show n = if n = 0 then raise Exit else {||}",
            "p",
        ),
        ("let () = assert (add 1 2 <> 5)", RIGHT, "p"),
        # What the tests catch is what they make of it.
        ("let () = (try assert (add 1 2 = 5) with Assert_failure _ -> ())\n"
         "let () = assert (add 1 2 = 3)", RIGHT, "pp"),
        ("let fails f = match f () with () -> false | exception Assert_failure _ -> true\n"
         "let () = assert (fails (fun () -> assert (add 1 2 = 5)))", RIGHT, "p"),
        ("let each f = List.iter f [1; 2]\n"
         "let () = each (fun n -> assert (keep (fun () -> n) = n)); iter (fun n -> assert (n > 1)) [1]",
         "let keep f = f () let iter f l = List.iter (fun x -> try f x with _ -> ()) l", "pf"),
        # Wrong answers may crash the tests, in each of many cases.
        ("let bad = ref 0\nlet test b = if not b then incr bad\n"
         "let () = test (fst (pair 1) = 2)\nlet () = assert (fst (pair 2) = 2)\n"
         "let () = if !bad > 0 then exit 1",
         "let pair x = (x, x)", "pe"),
        (COUNTED + EQ + 70 * "let () = run {|a|} (fun () -> eq (fst (pair 1)) 1)\n" + END,
         "let pair x = (x, x)", 71 * "p"),
        # Ends of the tests' own, by whatever path; patterns; types that the code has again.
        ("let () = Stdlib.exit (if add 1 2 = 3 then 0 else 1)", RIGHT, "p"),
        ("let () = Stdlib.exit (if add 1 2 = 3 then 0 else 1)", WRONG, "e"),
        ("module T = struct let () = assert (add 1 2 = 3); exit 0 end", RIGHT, "p"),
        ("let () = let module S = String in assert (S.length (show 3) = 1); exit 0", RIGHT, "p"),
        ("let 3 = add 1 2\nlet () = let 4 = add 2 2 in ()", RIGHT, "pp"),
        ("let 3 = add 1 2", WRONG, "r"),
        ("let _ = if add 1 2 <> 3 then failwith {|no|}", "type unit = ()\n" + RIGHT, "p"),
        ("let () = assert (true); assert (add 1 2 = 3)", RIGHT, "p"),
        # Code may change what it is handed.
        (
            "let a = [|1|]\nlet () = assert (sum a = 1)\nlet () = assert (a = [|1|])",
            "let sum a = let s = a.(0) in a.(0) <- 2; s",
            "pf",
        ),
    ],
)  # fmt: skip
def test_what_can_fail_decides_alone(check: Check, tests: str, code: str, ends: str) -> None:
    """Without a reference what such a runner catches and notes is what fails."""
    assert ends == letters(check(code, tests))


@pytest.mark.parametrize(
    ("tests", "code", "ends", "partial"),
    [
        (COUNTED + EQ + CASES + END, RIGHT, "pppp", 0),
        (COUNTED + EQ + CASES + END, PART, "pfpe", 0),
        (COUNTED + EQ + CASES + END, WRONG, "fffe", 0),
        (COUNTED + EQ + CASES, PART, "pfp", 0),
        (COUNTED + EQ + CASES, 'let () = print_string "ok sub\\n"\n' + PART, "pfp", 0),
        (CALMLY + END, PART, "fpe", 0.5),
        (CALMLY, PART, "fp", 0.5),
        (CALMLY, "let sub a b = close_out stdout; b - a let add = (+) "
         "let show = string_of_int", "fp", 0.5),
        ('let () = Format.printf "%d@.%s@." (add 1 2) (show 3)', PART, "p", 0),
        ('let () = Printf.printf "%a" (fun _ () -> print_int (sub 1 2)) ()', PART, "f", 0),
        ("let () = List.iter (fun n -> print_string (show n)) [1; 2]", WRONG, "f", 0),
        # What is asked before it is printed, or after.
        ("let () = let n = sub 1 2 in print_int n; assert (add 1 2 = 3)", WRONG, "ff", 0),
        # Lines count in their order, and one value may not print all that might be expected.
        ("let () = List.iter (fun n -> print_endline (show n)) [1; 2; 3]",
         "let show n = string_of_int (4 - n)", "f", 1 / 3),
        ("let () = List.iter (fun n -> print_endline (show n)) [1; 2; 3]",
         'let show _ = "1\\n2\\n3"', "f", 1 / 3),
        ("let () = List.iter (fun n -> print_endline (show n)) [1; 2; 3]",
         "let show n = string_of_int (n mod 3)", "f", 2 / 3),
        # All that can fail passes: so does the whole.
        ("let () = print_endline (show 3); assert (add 1 2 = 3)",
         'let add a b = a + b let show n = "<" ^ string_of_int n ^ ">"', "pp", 0),
    ],
)  # fmt: skip
def test_with_a_reference_what_is_printed_tells(
    check: Check, tests: str, code: str, ends: str, partial: float
) -> None:
    """Cases of a runner and printed lines count one by one, and the code cannot print them."""
    report = check(code, tests, reference=RIGHT)

    assert ends == letters(report)
    assert partial == sum(each.partial for each in report.results)
