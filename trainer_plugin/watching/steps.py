"""The logged steps of a log's lines: of `learning.log`, whoever wrote it, of JSON as in
`metrics.jsonl`, and of the Python dicts that trainers of transformers print.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ..learning import (
    LearningStep,
    format_line,
    paid_in,
    parse_line,
    step_from_logs,
)
from .log_lines import Line

_REWARD: Final = re.compile(r"rewards/(.+)/mean")
_UNKNOWN: Final = re.compile(r"(?<=: )-?(?:nan|inf)\b")
_MOST: Final = 1e15
_OURS: Final = "syntax_aware_reward"


@dataclass(frozen=True, kw_only=True, slots=True)
class Logged:
    """A step as it was logged, and the line to show."""

    step: LearningStep
    text: str


class Steps:
    """The steps of a log, read line by line: what a line says of the scheme holds from there on."""

    def __init__(self) -> None:
        """Know nothing of the scheme."""
        self._paid: float | None = None

    def read(self, line: Line) -> Logged | None:
        """Read the next line; None for one that is no step."""
        paid = paid_in(line.text)
        if paid is not None:
            self._paid = paid
            return None
        found = _logged(line)
        if found is None or found.step.paid_for_solved is not None:
            return found
        return replace(found, step=replace(found.step, paid_for_solved=self._paid))


def _logged(line: Line) -> Logged | None:
    step = parse_line(line.text)
    if step is not None:
        return Logged(step=replace(step, where=line.where), text=line.text.strip())
    row = object_of(line.text)
    if row is not None and not isinstance(row.get("step"), int):
        # Other rows of JSON, such as completions, have rewards too.
        return None
    row = row or _printed(line.text)
    if row is None:
        return None
    number = row.get("step")
    step = step_from_logs(
        row, name=_reward_in(row), step=number if isinstance(number, int) else None
    )
    if step is None:
        return None
    found = replace(step, where=line.where)
    return Logged(step=found, text=format_line(found))


def _printed(text: str) -> dict[str, Any] | None:
    """Read a dict that a trainer printed, `{'loss': '0.0213', 'epoch': '0.1'}`; None for
    anything else.  A progress bar may stand before it.
    """
    start, end = text.rfind("{'"), text.rfind("}")
    if start < 0 or "'epoch'" not in text:
        return None
    try:
        row = ast.literal_eval(_UNKNOWN.sub("None", text[start : end + 1]))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    if not isinstance(row, dict):
        return None
    return {str(key): _number(each) for key, each in row.items()}


def _number(value: Any) -> Any:
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def row_of(text: str) -> dict[str, Any]:
    """Read the object or printed dict in a line; an empty one for a line without."""
    return object_of(text) or _printed(text) or {}


def figure(told: Any) -> float | None:
    """Read a figure of a log; None for what is no number, or none that can be reckoned with."""
    if not isinstance(told, int | float) or abs(told) > _MOST:
        return None
    return float(told) if math.isfinite(told) else None


def object_of(text: str) -> dict[str, Any] | None:
    """Read a JSON object; None for anything else."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _reward_in(row: Mapping[str, Any]) -> str:
    names = [match[1] for key in row if (match := _REWARD.fullmatch(key))]
    return _OURS if _OURS in names or not names else min(names)
