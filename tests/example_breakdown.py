"""A breakdown with something in every part, for the tests of records."""

from __future__ import annotations

from dataclasses import replace

from ocaml_reward.model import (
    Breakdown,
    CheckResult,
    Credits,
    Diagnostic,
    DiagnosticKind,
    DiagnosticSource,
    Outcome,
    Penalty,
    Region,
    Span,
    SubLocation,
    Tally,
    Verdict,
)
from ocaml_reward.reasons import Reason, Reasons, Why

EXAMPLE = Breakdown(
    problem_id="sum-list",
    reward=0.22,
    verdict=Verdict.TYPE_ERROR,
    credits=Credits(structural=0.05, type=0.16, compile=0.01),
    reasons=Reasons(
        structural=Reason(code=Why.END_MARKER, available=0.05),
        type=Reason(code=Why.ERRORS, available=0.2, errors=1, rung=1, share=0.8),
        compile=Reason(code=Why.TYPE_ERROR, available=0.1, share=0.1),
        tests=Reason(code=Why.TYPE_ERROR, available=0.65),
    ),
    penalties=(Penalty(code="runaway", factor=0.3, evidence="length limit reached"),),
    code='let f x = x ^ 1\n(* a "quote" and \u2028 *)\n',
    type_errors=1,
    typed_fraction=0.875,
    parsed_share=None,
    diagnostics=(
        Diagnostic(
            kind=DiagnosticKind.ERROR,
            source=DiagnosticSource.TYPER,
            message="This expression has type int",
            file="solution.ml",
            span=Span(line=1, end_line=1, column=14, end_column=15),
            sub=(SubLocation(file="x.mli", span=None, message="declared here"),),
        ),
    ),
    forbidden=(),
    tests=Tally(
        total=3,
        results=(
            CheckResult(index=0, line=4, outcome=Outcome.PASSED),
            CheckResult(index=1, line=5, outcome=Outcome.RAISED, detail="Not_found"),
        ),
    ),
    fault=None,
    engine="stock",
    sandbox="nsjail",
    scheme="seed@1f3a5c7e",
    toolchain="ocaml 4.13.1",
    timings_ms={"check": 1.9},
)


def replace_code(breakdown: Breakdown, code: str, regions: tuple[Region, ...]) -> Breakdown:
    """Return a breakdown of other code, with what is known of its parts."""
    return replace(breakdown, code=code, regions=regions)
