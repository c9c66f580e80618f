"""Tests may look into an exception that carries a record of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

CODE = """exception Bad of { line : int; word : string }
module Inner = struct exception Deep of { mutable depth : int } end
let f line = raise (Bad { line; word = "w" })
let g depth = raise (Inner.Deep { depth })
"""
WRONG = CODE.replace("{ line; w", "{ line = line + 1; w").replace(
    "{ depth })", "{ depth = depth + 1 })"
)


@pytest.mark.parametrize(
    "tests",
    [
        "let () = assert (try f 3; false with Bad { line; _ } -> line = 3)",
        "let () = assert (try f 3; false with Bad r -> r.line = 3 && r.word <> {||})",
        "let () = assert (match f 3 with () -> false | exception Bad { line = 3; _ } -> true)",
        "let () = try f 3; assert false with Bad { line; _ } -> assert (line = 3)",
        "let () = assert (try g 3; false with Inner.Deep { depth } -> depth = 3)",
        "open Inner\nlet () = assert (try g 3; false with Deep { depth } -> depth = 3)",
        'open OUnit2\nlet () = run_test_tt_main ("s" >:: fun _ ->'
        ' assert_raises (Bad { line = 3; word = "w" }) (fun () -> f 3))',
    ],
)
@pytest.mark.parametrize("reference", [None, CODE])
def test_tests_may_match_an_exception_with_a_record_of_its_own(
    check: Check, tests: str, reference: str | None
) -> None:
    """Code passes such a check by the record in its exception, and only by that."""
    right = check(CODE, tests, reference=reference)
    wrong = check(WRONG, tests)

    assert [Outcome.PASSED] == [result.outcome for result in right.results]
    assert {Outcome.FAILED, Outcome.RAISED} >= {r.outcome for r in wrong.results}
