"""Hints for what a compiler's message does not say: libraries, a toplevel's directives, no program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ocaml_reward import Breakdown, Verdict
from ocaml_reward.model import Diagnostic, DiagnosticSource, Outcome
from ocaml_reward.reading.definitions import defined_names, definitions
from ocaml_reward.reading.lexing import Source

from .sources import CheckSources

# "Module `Str' is unavailable", since 5.2 "following modules:\n  "Str" referenced".
UNLINKED: Final = re.compile(r"[Mm]odules?:?\s+[`\"']?([A-Z][\w']*?)[`\"']?\s")
UNBOUND_MODULE: Final = re.compile(r'Unbound module "?([A-Z][\w\x27]*)')
# These come with OCaml, and the compiler thinks of others: "Did you mean Unit?"
OWN_LIBRARIES: Final = frozenset(("Str", "Unix"))
# (ocaml/merlin issue 1708)
DIRECTIVE: Final = re.compile(
    r"^[ \t]*(#(?:use|require|load|directory|thread|mod_use))\b", re.MULTILINE
)
UNTYPED: Final = (Verdict.SYNTAX_ERROR, Verdict.TYPE_ERROR, Verdict.INTERFACE_ERROR)
NOTHING: Final = "got nothing more"
NAMES: Final = 5


def hint_of(diagnostic: Diagnostic) -> str | None:
    """Return the hint of a diagnostic; for a missing library one of our own."""
    found = UNBOUND_MODULE.match(diagnostic.message)
    if found and (found[1] in OWN_LIBRARIES or not diagnostic.hint):
        # (realworldocaml/book issue 2284, biocaml/biocaml issue 2, ocsigen/lwt issue 598)
        return not_listed(found[1])
    if diagnostic.hint or diagnostic.source is not DiagnosticSource.LINKER:
        return diagnostic.hint
    missing = UNLINKED.search(f"{diagnostic.message} ")
    return not_listed(missing[1]) if missing else None


def not_listed(module: str) -> str:
    """Return the hint for a module of a library that the problem does not list."""
    return f"{module} is not among the problem's libraries"


def directives(text: str) -> str:
    """Return the directives of a toplevel in a text, each once, as "#use, #require"."""
    return ", ".join(dict.fromkeys(found[1] for found in DIRECTIVE.finditer(text)))


def hints(breakdown: Breakdown, sources: CheckSources) -> Iterator[str]:
    """Yield a hint for each mistake about what a program is."""
    if breakdown.verdict in UNTYPED:
        named = directives(Source(breakdown.code).without_literals)
        if named:
            yield (
                f"hint: {named}: a directive of the toplevel is no part of a program;"
                " libraries are listed in the problem"
            )
    if sources.are_cases and prints_nothing(breakdown):
        names = sorted(defined_names(breakdown.code))
        shown = ", ".join(names[:NAMES]) + (", …" if names[NAMES:] else "")
        yield (
            f"hint: it printed nothing: it defines {shown or 'nothing'} and runs nothing;"
            " these tests want a program that reads and prints"
        )


def prints_nothing(breakdown: Breakdown) -> bool:
    """Return whether every case failed for want of output, and the code only defines."""
    results = breakdown.tests.results
    program = definitions(Source(breakdown.code))
    return (
        bool(results)
        and all(each.outcome is Outcome.FAILED and NOTHING in each.detail for each in results)
        and all(item.names for item in program.items)
    )
