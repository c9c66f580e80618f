"""Top-level pieces of OCaml that meet the less travelled paths of its compiler."""

from __future__ import annotations

from pathlib import Path

_WHOLE = Path(__file__).with_name("fragments.ml").read_text(encoding="utf-8")
FRAGMENTS, HOSTILE = (
    tuple(piece for piece in part.split("\n\n") if not piece.startswith(("(*", ":")))
    for part in _WHOLE.removesuffix("\n").split("\n\n(* Hostile")
)
