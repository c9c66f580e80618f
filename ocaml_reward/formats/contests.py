"""How the judges of contests and of other projects' sets decide, as a problem's comparison and budget.

| whose | its judge |
|---|---|
| CodeContests | words, without capitals, numbers within 1e-5 |
| APPS, TACO | words or, where that fails, numbers as numpy's `allclose` has them |
| LiveCodeBench | words, numbers by their value |
| xCodeEval | words, numbers within 1e-12; any of several outputs |

A tolerance is taken only where some expected output has a number that is not whole: without one it
could only let wrong answers pass.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..model import StdioCase

STEPS_A_SECOND: Final = 100_000_000
"""The steps that stand for a second of native code: as many turns of a loop take a second or two in
bytecode, which is five times as slow (docs/performance.md).
"""
CPU_A_SECOND: Final = 10.0
"""And the CPU seconds: five for bytecode, twice as many for a busy machine."""

COMPARISONS: Final[dict[str, dict[str, Any]]] = {
    "CodeContests": {"case_sensitive": False, "float_absolute_tolerance": 1e-5},
    "APPS": {"float_absolute_tolerance": 1e-8, "float_relative_tolerance": 1e-5},
    "LiveCodeBench": {"float_absolute_tolerance": 0},
    "xCodeEval": {"float_absolute_tolerance": 1e-12},
}

_TIMES: Final = ("time_limit", "prob_desc_time_limit", "time_limit_ms")
_MEMORIES: Final = (
    *("memory_limit", "prob_desc_memory_limit", "memory_limit_bytes"),
    *("memory_limit_mb", "memory_limit_kb"),
)
# Limits that somebody can have meant.
_SECONDS: Final = (0.05, 120.0)
_MEGABYTES: Final = (1.0, 16_384.0)
# With less the runtime and a stack as judges give it have no room.
_LEAST_MB: Final = 128
_STACK_MB: Final = 64
# No judge gives half a minute, and none counts in less than that many milliseconds.
_FEWEST_MS: Final = 50
_AMOUNT: Final = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-zA-Z]*)")
_LONG: Final = 40
_TIME_UNITS: Final = {"s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0} | {
    "ms": 1e-3, "msec": 1e-3, "millisecond": 1e-3, "milliseconds": 1e-3,
}  # fmt: skip
_MEMORY_UNITS: Final = {"b": 1e-6, "k": 1e-3, "m": 1.0, "g": 1e3}
_FRACTION: Final = re.compile(r"(?:^|\s)[+-]?\d*\.\d+(?:[eE][+-]?\d+)?(?=\s|$)")


def comparison(whose: str, cases: Sequence[StdioCase]) -> dict[str, Any]:
    """Return how a set's own judge compares outputs, as `comparison` has it.

    Args:
        whose: One of `COMPARISONS`.
        cases: What is expected.
    """
    found = COMPARISONS[whose]
    texts = (text for case in cases for text in (case.stdout, *case.alternatives))
    if any(map(_FRACTION.search, texts)):
        return found
    return {name: how for name, how in found.items() if not name.startswith("float")}


def in_words(how: Mapping[str, Any]) -> str:
    """Return in words how outputs are compared."""
    said = ["word by word"]
    if how.get("space_change_sensitive"):
        said = ["with their blanks"]
    if how.get("case_sensitive") is False:
        said.append("without capitals")
    for name, amount in how.items():
        if name.startswith("float"):
            _, kind, *_ = name.split("_")
            share = {"absolute": "", "relative": " of themselves"}.get(kind, " either way")
            said.append(f"numbers to {amount:g}{share}")
    if how.get("unordered"):
        said.append(f"{how['unordered']} in any order")
    return ", ".join(said)


def limits(time_s: float | None, memory_mb: float | None) -> dict[str, float]:
    """Return a problem's budget by what a judge of native code allows for a case.

    Args:
        time_s: Its seconds, None where nothing is said.
        memory_mb: Its megabytes, likewise.
    """
    budget: dict[str, float] = {}
    if time_s is not None and _SECONDS[0] <= time_s <= _SECONDS[1]:
        budget["check_steps"] = round(time_s * STEPS_A_SECOND)
        budget["check_cpu_s"] = round(time_s * CPU_A_SECOND, 3)
    if memory_mb is not None and _MEGABYTES[0] <= memory_mb <= _MEGABYTES[1]:
        budget["memory_mb"] = max(math.ceil(memory_mb), _LEAST_MB)
    if budget:
        budget["stack_mb"] = _STACK_MB
    return budget


def limits_of(fields: Mapping[str, Any]) -> dict[str, float]:
    """Return a row's budget by the limits that stand in it, in whatever unit."""
    time_s = memory_mb = None
    for name in _TIMES:
        if time_s is None:
            time_s = _seconds(fields.get(name), in_ms=name.endswith("_ms"))
    for name in _MEMORIES:
        if memory_mb is None:
            unit = name.rpartition("_")[2]
            memory_mb = _megabytes(fields.get(name), "" if unit == "limit" else unit)
    return limits(time_s, memory_mb)


def _seconds(value: object, *, in_ms: bool) -> float | None:
    """Return a time limit in seconds; None if it cannot be read."""
    if isinstance(value, Mapping):
        whole, _ = _amount(value.get("seconds", 0))
        parts, _ = _amount(value.get("nanos", 0))
        return None if whole is None or parts is None else whole + parts / 1e9
    amount, unit = _amount(value)
    if amount is None or (unit and unit not in _TIME_UNITS):
        return None
    if unit:
        return amount * _TIME_UNITS[unit]
    return amount / 1e3 if in_ms or amount >= _FEWEST_MS else amount


def _megabytes(value: object, unit: str) -> float | None:
    """Return a memory limit in megabytes; None if it cannot be read."""
    amount, said = _amount(value)
    unit = said or unit
    if amount is None or (unit and unit[0] not in _MEMORY_UNITS):
        return None
    if unit:
        return amount * _MEMORY_UNITS[unit[0]]
    # DMOJ counts in kilobytes, CodeContests in bytes.
    if amount > _MEGABYTES[1]:
        amount /= 1e3
    return amount / 1e3 if amount > _MEGABYTES[1] else amount


def _amount(value: object) -> tuple[float | None, str]:
    """Return the number and the unit in a limit."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None, ""
    found = _AMOUNT.match(str(value)[:_LONG])
    return (float(found[1]), found[2].lower()) if found else (None, "")
