"""The two ladders of a scheme: shares of a credit by type errors and by compiler stage."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TypeInput(StrEnum):
    """The value that the type ladder is read at."""

    ERRORS = "errors"
    TYPED_FRACTION = "typed_fraction"


@dataclass(frozen=True, kw_only=True, slots=True)
class TypeLadder:
    """Shares of the type credit by the number of independent type errors.

    `ladder[n]` applies to n errors, its last rung to all higher numbers. Code that does not parse
    earns at most `syntax_error_share`, scaled by the share of its top-level items that parse. If
    `input` is the typed fraction, the share lies between the rung of n errors and the next: the
    larger the typed fraction, the closer to the rung of n.
    """

    ladder: tuple[float, ...]
    syntax_error_share: float
    input: TypeInput = TypeInput.ERRORS

    def place(self, errors: int | None) -> int:
        """Return the index of the rung for a number of errors; the last one if it is unknown."""
        last = len(self.ladder) - 1
        return last if errors is None else min(errors, last)

    def rung(self, errors: int | None) -> float:
        """Return the share at the rung of a number of errors."""
        return self.ladder[self.place(errors)]

    def share(self, errors: int, typed_fraction: float | None) -> float:
        """Return the share of the type credit, between 0 and 1.

        Args:
            errors: The number of independent type errors, at least 0.
            typed_fraction: Fraction of the syntax tree not covered by a type error; None if
                unknown. Used only if `input` is TYPED_FRACTION.

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
    """Shares of the compile credit by compiler stage."""

    executable: float
    link_error: float
    type_error: float
    syntax_error: float
