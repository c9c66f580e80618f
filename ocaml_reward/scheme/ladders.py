"""The two ladders of a scheme: shares of a credit by how much the compiler had to say."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TypeInput(StrEnum):
    """What the type ladder is read at."""

    ERRORS = "errors"
    TYPED_FRACTION = "typed_fraction"


@dataclass(frozen=True, kw_only=True, slots=True)
class TypeLadder:
    """Shares of the type credit by the number of independent type errors: `ladder[n]` for
    n errors, its last rung for all beyond.  Code that does not parse earns at most
    `syntax_error_share`, scaled by the share of its top-level items that parse.

    With the typed fraction as `input` the share lies between the rung of n errors and
    the next one: the more of the code an error leaves typed, the nearer to its own.
    """

    ladder: tuple[float, ...]
    syntax_error_share: float
    input: TypeInput = TypeInput.ERRORS

    def place(self, errors: int | None) -> int:
        """Find the rung of a number of errors, from 0; the last of those nobody counted."""
        last = len(self.ladder) - 1
        return last if errors is None else min(errors, last)

    def rung(self, errors: int | None) -> float:
        """Read the ladder at a number of errors."""
        return self.ladder[self.place(errors)]

    def share(self, errors: int, typed_fraction: float | None) -> float:
        """Return the share of the type credit, between 0 and 1.

        Args:
            errors: The number of independent type errors, at least 0.
            typed_fraction: The share of the code that no type error takes in, between 0 and
                1; None where it is unknown.  Read only if `input` says so.

        Returns:
            The rung of `errors`, or a value between it and the next rung.
        """
        upper = self.rung(errors)
        if self.input is TypeInput.ERRORS or typed_fraction is None:
            return upper
        last = errors + 1 >= len(self.ladder)
        lower = self.syntax_error_share if last else self.ladder[errors + 1]
        return lower + (upper - lower) * typed_fraction


@dataclass(frozen=True, kw_only=True, slots=True)
class CompileLadder:
    """Shares of the compile credit by how far the compiler got."""

    executable: float
    link_error: float
    type_error: float
    syntax_error: float
