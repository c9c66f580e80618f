"""Checks that references pass their own tests."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import MachineError
from ..model import Breakdown, Verdict
from .complaints import Complaint


def reference_failures(run: Breakdown) -> tuple[Complaint, ...]:
    """Return the failures of a graded reference; none if it is sound.

    Raises MachineError if the machine failed, which shows nothing about the reference.
    (ocaml/ocaml.org data/exercises/023_extract_random.md)
    """
    if run.fault is not None:
        raise MachineError(run.fault.message)
    return tuple(_faults(run))


def _faults(run: Breakdown) -> Iterator[Complaint]:
    """Yield a complaint for each reason why a reference's run did not pass."""
    if run.verdict in (Verdict.PASSED, Verdict.COMPILES):
        return
    if not run.tests.results:
        first = run.diagnostics[0] if run.diagnostics else None
        reason = first.message.split("\n")[0] if first else ", ".join(run.forbidden)
        message = f"the reference is a {run.verdict.value}" + (reason and f": {reason}")
        line = first.span.line if first and first.span else 0
        yield Complaint(kind="reference", message=message, line=line)
        return
    for result in run.tests.results:
        if result.outcome != "passed":
            detail = f" ({result.detail})" if result.detail else ""
            message = f"the reference does not pass: {result.outcome.value}{detail}"
            yield Complaint(kind="reference", message=message, line=result.line)
