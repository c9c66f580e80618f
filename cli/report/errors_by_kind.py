"""Type errors by kind, as the compiler words them."""

from __future__ import annotations

import re
from typing import Final

from ocaml_reward.model import Diagnostic, DiagnosticKind, DiagnosticSource

# The first that matches; the wording of 4.08 to 5.5 is the same as far as it is looked at.
KINDS: Final = (
    (
        r"Unbound (value|module|constructor|record field|type constructor)",
        r"unbound \1",
    ),
    (r"Unbound (type variable|type parameter)", "unbound type variable"),
    (r"Unbound ", "unbound name"),
    (r"This expression has type", "expression of another type"),
    (r"This pattern matches values", "pattern of another type"),
    (r"This function has type .*|This expression is not a function", "not a function"),
    (r"The function applied to this argument", "wrong label or argument"),
    (r"This variant (?:expression|pattern)", "constructor of another type"),
    (r"The constructor \S+ expects", "constructor's arguments"),
    (r"This constant|Integer literal exceeds", "constant of another type"),
    (r"Signature mismatch|The implementation", "signature mismatch"),
    (r"Some record fields? (?:are|is) undefined", "record fields missing"),
    (r"The record (?:field|type)|This record expression", "record of another type"),
    (r"The value .* is not mutable|The record field .* is not mutable", "not mutable"),
    (r"Some type parameters|The type constructor \S+ expects", "type's parameters"),
)
_PATTERNS: Final = tuple((re.compile(pattern), kind) for pattern, kind in KINDS)


def kind_of(diagnostic: Diagnostic) -> str | None:
    """Return the kind of a type error in a few words; None for what is none."""
    if diagnostic.kind is not DiagnosticKind.ERROR:
        return None
    if diagnostic.source is not DiagnosticSource.TYPER:
        return None
    for pattern, kind in _PATTERNS:
        if match := pattern.match(diagnostic.message):
            return match.expand(kind)
    return "other"
