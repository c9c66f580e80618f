"""What code leaves open at its end is there for the tests, as if they stood behind it."""

from __future__ import annotations

from collections.abc import Callable

from ocaml_reward.engine import CheckReport
from ocaml_reward.model import Outcome

Check = Callable[..., CheckReport]

TESTS = "let () =\n  assert (f 1 = 2);\n  assert (f 2 = 3)\n"
RIGHT = "module M = struct let f x = x + 1 end\n"


def outcomes(report: CheckReport) -> set[Outcome]:
    return {result.outcome for result in report.results}


def test_names_of_names_end(check: Check) -> None:
    """Modules that are parts of others, twice in each, are not followed for ever."""
    code = "module A0 = struct module X = struct end end\n" + "".join(
        f"module A{n} = struct module X = A{n - 1}.X module Y = A{n - 1}.X end\n"
        for n in range(1, 60)
    )

    assert {Outcome.PASSED} == outcomes(
        check(code + RIGHT + "open A59.X\nopen M", TESTS)
    )
