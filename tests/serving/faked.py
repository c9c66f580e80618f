"""An engine without OCaml that a server takes for a sound one, and what it is asked."""

from __future__ import annotations

from typing import Any

from ocaml_reward.testing import FakeEngine, report

GOOD = "let add x y = x + y"
# The known programs that have to fail.
CANARY = {
    "let half x = if x > 0 then x / 2 else 0": report("passed", "failed"),
    "let half x = x ^ 2": report(stage="type_error"),
}
PROBLEM = {"id": "add", "tests": "let () = assert (add 1 2 = 3)"}


def engine(**answers: Any) -> FakeEngine:
    """Build an engine that knows the canaries; each keyword's value answers its name."""
    return FakeEngine({**CANARY, **answers})


def items(*codes: str) -> dict[str, Any]:
    """Build the body of /v1/score."""
    return {"items": [{"problem": PROBLEM, "completion": code} for code in codes]}
