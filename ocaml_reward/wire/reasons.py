"""Why each part earned what it did, to and from a record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..reasons import FIGURES, Reason, Reasons, Why
from ..strict import Fields, integer, number, optional, table, word_of

PAID_BY_SOME: Final = frozenset(("solved",))
"""The parts that a record has only where its scheme pays for them."""

# The figures of a reason that are whole numbers; the others are shares.
_COUNTS = frozenset(("errors", "rung", "passed", "total"))
_COUNT = integer(low=0)
_SHARE = number(low=0, high=1)
_WHY = word_of(Why)


def reasons_to_dict(reasons: Reasons) -> dict[str, dict[str, Any]]:
    """Turn the reasons of a breakdown into their record, part by part."""
    return {
        part: _reason_to_dict(reason, figures)
        for part, figures in FIGURES.items()
        if (reason := getattr(reasons, part)) is not None
    }


def _reason_to_dict(
    reason: Reason, figures: Mapping[Why, tuple[str, ...]]
) -> dict[str, Any]:
    return {
        "code": reason.code.value,
        "available": reason.available,
        **{name: getattr(reason, name) for name in figures[reason.code]},
    }


def read_reasons(fields: Fields) -> Reasons | None:
    """Read the reasons of a record, if it has any.  Raises FormatError."""
    # Records written before there were any lack the key.
    if not fields.has("reasons"):
        return None
    parts = fields.read("reasons", optional(table))
    if parts is None:
        return None
    reasons = Reasons(
        **{
            part: _read_reason(parts.read(part, table), figures)
            for part, figures in FIGURES.items()
            if part not in PAID_BY_SOME or parts.has(part)
        }
    )
    parts.close()
    return reasons


def _read_reason(fields: Fields, figures: Mapping[Why, tuple[str, ...]]) -> Reason:
    code = fields.read("code", _WHY)
    if code not in figures:
        words = ", ".join(figures)
        fields.fail("code", f"{code.value!r} is not one of {words}")
    read: dict[str, Any] = {
        name: fields.read(name, _COUNT if name in _COUNTS else _SHARE)
        for name in ("available", *figures[code])
    }
    fields.close()
    return Reason(code=code, **read)
