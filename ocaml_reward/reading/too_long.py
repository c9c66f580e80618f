"""
The one bound on the length of a completion, and what is said of those beyond it.
"""

from __future__ import annotations

from ..model import CheckReport, Diagnostic, DiagnosticKind, DiagnosticSource, Stage

__all__ = ["MOST_CHARACTERS", "TOO_LONG"]

MOST_CHARACTERS = 2_000_000
"""
What is read of a completion.

Four times what models write at most, 128,000 tokens; ocamlc itself gives up on a megabyte
of definitions.  All that reads a completion takes time linear in it, but a batch would
wait for tens of megabytes.  (docs/performance.md)
"""

TOO_LONG = CheckReport(
    stage=Stage.COMPILER_LIMIT,
    type_errors=None,
    diagnostics=(
        Diagnostic(
            kind=DiagnosticKind.ERROR,
            source=DiagnosticSource.ENVIRONMENT,
            message=f"The completion has more than {MOST_CHARACTERS:,} characters.",
        ),
    ),
)
"""
The report of code in a completion beyond the bound, which no engine is asked for.
"""
