"""Problems as other people bring them, each with a reference and a wrong answer."""

from __future__ import annotations

_ARITHMETIC = "let add a b = a + b\nlet sub a b = a - b\nlet twice n = 2 * n\n"
_WRONG = "let add a b = a - b\nlet sub a b = b - a\nlet twice n = n + 1\n"
_CASES = (
    'let eq a b = if a <> b then failwith "differs"\n'
    'let () = run "add" (fun () -> eq (add 2 3) 5)\n'
    'let () = run "sub" (fun () -> eq (sub 3 2) 1)\n'
    'let () = run "twice" (fun () -> eq (twice 3) 6)\n'
)
_SUM = 'let () = Scanf.scanf "%d %d\\n" (fun a b -> Printf.printf "%d\\n" (a + b))'

WORLD: dict[str, tuple[dict[str, object], str]] = {
    "a runner that catches and prints": (
        {
            "tests": "let run name f = try f () with Failure m -> print_endline (name ^ m)\n"
            + _CASES,
            "reference": _ARITHMETIC,
        },
        _WRONG,
    ),
    "an end by Stdlib.exit": (
        {
            "tests": "let () = Stdlib.exit (if add 2 2 = 4 then 0 else 1)",
            "reference": _ARITHMETIC,
        },
        _WRONG,
    ),
    "an end inside of a module": (
        {
            "tests": "let () = let module L = List in assert (L.length [add 2 2] = 1);"
            " assert (twice 4 = 8); exit 0",
            "reference": _ARITHMETIC,
        },
        _WRONG,
    ),
    "an assertion that the tests expect to fail": (
        {
            "tests": "let fails f = try f (); false with Assert_failure _ -> true\n"
            "let () = assert (fails (fun () -> assert (add 2 2 = 5)))\n"
            "let () = assert (twice 4 = 8)",
            "reference": _ARITHMETIC,
        },
        _WRONG,
    ),
    "a pattern": (
        {"tests": "let 4 = add 2 2\nlet 8 = twice 4", "reference": _ARITHMETIC},
        _WRONG,
    ),
    "types that an interface shows": (
        {
            "prompt": "```ocaml\ntype t = A | B\nval flip : t -> t\n```",
            "tests": "open OUnit2\nopen Flip\nlet shown = function A -> 1 | B -> 2\n"
            "let () = run_test_tt_main ({|flip|} >:: fun _ ->"
            " assert_equal 2 (shown (flip A)))",
            "reference": "type t = A | B\ntype u = A | B | C\n"
            "let flip : t -> t = function A -> B | B -> A",
        },
        "type t = A | B\ntype u = A | B | C\nlet flip (t : t) = t",
    ),
    "unit again": (
        {
            "tests": "let _ = if add 2 3 <> 5 then failwith {|no|}",
            "reference": "type unit = ()\n" + _ARITHMETIC,
        },
        _WRONG,
    ),
    "two opens": (
        {
            "tests": "open OUnit2\nopen A\nopen B\nlet () = run_test_tt_main ({|s|} >::: [\n"
            "  {|f|} >:: (fun _ -> assert_equal 3 (f 2));\n"
            "  {|g|} >:: (fun _ -> assert_equal 4 (g 2))])",
            "reference": "module A = struct let f x = x + 1 end\n"
            "module B = struct let g x = x * 2 end",
            "libraries": ["ounit2"],
        },
        "module A = struct let f x = x end\nmodule B = struct let g x = x * 2 end",
    ),
    "a module over flat code": (
        {
            "tests": "open Sums\nlet () = assert (Sums.add 2 3 = 5)\nlet () = assert (twice 2 = 4)",
            "reference": _ARITHMETIC,
        },
        "module Sums = struct\n" + _WRONG + "end",
    ),
    "input without a last newline": (
        {"tests": [{"input": "3 4", "output": "7"}], "reference": _SUM},
        _SUM.replace("+", "-"),
    ),
    "input with CRLF": (
        {
            "tests": [{"input": "3 4\r\n", "output": "7\r\n"}],
            "reference": "let () = let a = read_line () in"
            ' print_int (Scanf.sscanf a "%d %d%!" (+))',
        },
        _SUM.replace("+", "-"),
    ),
    "blanks in the output": (
        {
            "tests": [{"input": "3", "output": "1 2 3"}],
            "reference": 'let () = for i = 1 to read_int () do Printf.printf " %d " i done',
        },
        _SUM,
    ),
}
"""What is brought, by its kind."""
