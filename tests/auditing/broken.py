"""Problems that are broken on purpose, each in one way, and what is to be said of it."""

from __future__ import annotations

from typing import Any

DOUBLE = "let double x = 2 * x\n"
TESTS = "let () =\n  assert (double 2 = 4);\n  assert (double 0 = 0)\n"
SOUND: dict[str, Any] = {
    "prompt": "(* [double x] is twice [x].\n   double 21 = 42 *)\n",
    "tests": TESTS,
    "reference": DOUBLE,
}


def but(**changed: Any) -> dict[str, Any]:
    return {**SOUND, **changed}


# By id: the problem, the kind of complaint, and the line it names.
BROKEN: dict[str, tuple[dict[str, Any], str, int]] = {
    "public-failed": (but(public_tests="assert (double 2 = 5)"), "public tests", 1),
    "public-syntax": (but(public_tests="assert (double"), "public tests", 0),
    "syntax": (but(tests="let () =\n  assert (double 2 = = 4)\n"), "tests", 2),
    "reference-forbidden": (but(forbidden=["*"]), "reference", 0),
    "reference-lacks": (but(required={"module": "Doubles"}), "reference", 0),
    "open-string": (but(tests='let () = assert (double "2 = 4)\n'), "tests", 1),
    "bad-literal": (
        but(tests="let () =\n  assert (double 2 = 0x4G)\n"),
        "tests",
        2,
    ),
    "huge-literal": (
        but(tests="let () =\n  assert (double 1 = 99999999999999999999)\n"),
        "tests",
        2,
    ),
    "no-assertion": (but(tests="let () = ignore (double 2)\n"), "tests", 1),
    "empty-tests": (but(tests="(* later *)\n"), "tests", 1),
    "wrong-type": (but(tests='let () = assert (double 2 = "4")\n'), "tests", 1),
    "unknown-name": (but(tests="let () = assert (triple 2 = 6)\n"), "tests", 1),
    "wrong-value": (
        but(tests=TESTS + "let () = assert (double 3 = 7)\n"),
        "reference",
        4,
    ),
    "cannot-pass": (but(tests=TESTS + "let () = assert (1 = 2)\n"), "reference", 4),
    "reference-syntax": (but(reference="let double x = 2 *\n"), "reference", 2),
    "reference-type": (but(reference='let double x = 2 * "x" + x\n'), "reference", 1),
    "reference-raises": (
        but(reference='let double x = if x = 0 then failwith "zero" else 2 * x\n'),
        "reference",
        3,
    ),
    "reference-loops": (
        but(
            reference="let rec double x = if x = 0 then double x else 2 * x\n",
            budget={"check_steps": 1000},
        ),
        "reference",
        3,
    ),
    "random": (
        but(
            reference="let () = Random.self_init ()\nlet double x = 2 * x + Random.bits ()\n",
        ),
        "reference",
        2,
    ),
    "needs-no-answer": (
        but(tests="let () =\n  assert (1 + 1 = 2)\n"),
        "tests",
        2,
    ),
    "false-example": (
        but(prompt="(* [double x] is twice [x].\n\n   double 21 = 43 *)\n"),
        "example",
        3,
    ),
    "false-toplevel-example": (but(prompt="Twice.\n>>> double 2\n5\n"), "example", 2),
}
REMARKED: dict[str, tuple[dict[str, Any], str]] = {
    "without-reference": (
        {"prompt": "p", "tests": "let () = assert (double 9 = 18)\n"},
        "no reference",
    ),
    "silent-case": (
        {
            "prompt": "Print the input.",
            "tests": [{"input": "a", "output": "a"}, {"input": "", "output": ""}],
            "reference": "let () = try print_string (input_line stdin) with _ -> ()\n",
        },
        "empty answer",
    ),
    "costly": (
        but(
            reference="let double x =\n"
            "  if x = 2 then for _ = 1 to 2_000_000 do () done;\n  2 * x\n"
        ),
        "costly tests",
    ),
}
