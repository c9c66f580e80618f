"""What a problem forbids and requires, as a helper found it in code.

The compiler's own stages are as they were: code that lacks what is required is an interface error of
ours.  (ocaml/safety/problem_rules.ml)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from ...model import CODE_FILE, CheckReport, Diagnostic, DiagnosticKind, DiagnosticSource, Stage
from .reports import MOST

RULED: Final = frozenset((Stage.EXECUTABLE, Stage.LINK_ERROR, Stage.INTERFACE_ERROR))
"""The stages of code that types, whose names can be resolved."""


class Broken(NamedTuple):
    """Constructs that are forbidden, each with its line, and names that are missing."""

    uses: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def read_broken(fields: Sequence[bytes]) -> Broken:
    """Read pairs of a line and a construct, or of nothing and a missing name.

    Raises ValueError for anything else.
    """
    uses: list[str] = []
    missing: list[str] = []
    for line, what in zip(fields[::2], fields[1::2], strict=True):
        text = what.decode("utf-8", "replace")
        if line:
            uses.append(f"{text} (line {int(line)})")
        else:
            missing.append(text)
    return Broken(tuple(uses), tuple(missing))


def lacking(report: CheckReport, missing: Sequence[str]) -> CheckReport:
    """Return a report on code that types, with an error for each required name that it lacks; what
    a missing module has to hold follows from that.
    """
    missing = [each for each in missing if not any(each.startswith(f"{m}.") for m in missing)]
    if not missing:
        return report
    errors = tuple(map(_error, missing))
    report = report.but(diagnostics=(*errors, *report.diagnostics)[:MOST])
    if report.stage is Stage.INTERFACE_ERROR:
        return report
    return report.but(
        stage=Stage.INTERFACE_ERROR, type_errors=len(missing), typed_fraction=None, results=()
    )


def _error(name: str) -> Diagnostic:
    what = f"the module {name}" if name.rpartition(".")[2][:1].isupper() else name
    return Diagnostic(
        kind=DiagnosticKind.ERROR,
        source=DiagnosticSource.UNKNOWN,
        file=CODE_FILE,
        message=f"The code does not define {what}, which the problem requires",
    )
