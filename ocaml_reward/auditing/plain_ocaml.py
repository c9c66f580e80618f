"""Cross-check: the checks beside the tests as they were written, for a reference and its mutants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..model import CheckReport, Outcome
from .complaints import Complaint
from .trivial import mutants

MUTANTS: Final = 20
"""Maximum number of mutants that are tried."""

# Fewer mutants may all be correct, as not every change is a mistake.
_ENOUGH: Final = 4


def disagreements(code: str, graded: Callable[[str], CheckReport]) -> Iterator[Complaint]:
    """Find programs that pass all checks and do not end well with the tests as they were written,
    and tests that no mutant fails.

    The programs are the reference and its mutants.

    Args:
        code: The reference, which passes its checks.
        graded: Grades code; the last check is always that the tests end well.

    Yields:
        A complaint for each program, with the program if it is a mutant.

    Raises:
        MachineError: The machine failed.
    """
    found = graded(code)
    if said := _otherwise(found):
        yield Complaint(kind="plain OCaml", message=f"with the reference {said}")
    if not _passes(found):
        return
    kept = tried = 0
    for mutant in mutants(code, MUTANTS):
        tried += 1
        found = graded(mutant.code)
        kept += _passes(found)
        if said := _otherwise(found):
            where = f"{mutant.what} in line {mutant.line}"
            message = f"with the reference with {where} {said}\n{mutant.code}"
            yield Complaint(kind="plain OCaml", message=message)
    if kept == tried >= _ENOUGH:
        message = f"each of {tried} wrong versions of the reference passes"
        yield Complaint(kind="plain OCaml", message=message)


def _passes(report: CheckReport) -> bool:
    """Tell whether code passes every check."""
    results = report.results
    return bool(results) and all(each.outcome is Outcome.PASSED for each in results)


def _otherwise(report: CheckReport) -> str:
    """Return how the tests end if that is all that speaks against the code; "" if it is not."""
    results = report.results
    if not results or any(each.outcome is not Outcome.PASSED for each in results[:-1]):
        return ""
    return "" if results[-1].outcome is Outcome.PASSED else results[-1].detail
