"""One entry of the mutation table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """A defence, the text that makes it, what is there without it, and a test that fails."""

    defence: str
    file: str
    old: str
    new: str
    test: str
    cases: str = ""
