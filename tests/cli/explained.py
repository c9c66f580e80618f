"""Two completions that the tests of `explain` show, and an engine that knows them."""

from __future__ import annotations

from ocaml_reward.testing import FakeEngine, diagnostic, report

TESTS = "assert (add 1 2 = 3);;\nassert (add 0 0 = 0)"

ILL_TYPED = """\
(* é comes before the error *)
let add x y =
\tlet s = "é" in x + "one" + y
let rec f = function
  | [] -> 0
  | _ :: t -> f t
"""
FAILING = """\
let add x y =
  if x > 0 then x + y
  else failwith "negative"
"""
ENGINE_ANSWERS = {
    ILL_TYPED.strip(): report(
        stage="type_error",
        type_errors=1,
        diagnostics=[
            diagnostic(
                "This expression has type string but an expression was expected of type"
                "\n         int",
                line=3,
                columns=(21, 26),
                hint="Did you mean to convert it?",
            ),
            diagnostic("unused rec flag.", line=4, columns=(8, 9), kind="warning"),
        ],
    ),
    FAILING.strip(): report("passed", "raised"),
}
ROWS = [
    {"id": "add", "completion": ILL_TYPED, "tests": TESTS},
    {
        "id": "add",
        "completion": f"```ocaml\n{FAILING}```",
        "tests": TESTS,
        "finish_reason": "length",
    },
]


def engine() -> FakeEngine:
    """Return an engine that knows the two programs."""
    return FakeEngine(ENGINE_ANSWERS)
