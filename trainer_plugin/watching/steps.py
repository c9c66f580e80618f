"""Parses logged steps from lines.

Lines may be those of `learning.log`, JSON objects as in `metrics.jsonl`, or the Python dicts that
trainers of transformers print.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ..learning import (
    LearningStep,
    format_line,
    parse_line,
    parse_solved_share,
    step_from_logs,
)
from ..reading import json_object
from .log_lines import Line

_REWARD: Final = re.compile(r"rewards/(.+)/mean")
_UNKNOWN: Final = re.compile(r"(?<=: )-?(?:nan|inf)\b")
_OURS: Final = "syntax_aware_reward"


@dataclass(frozen=True, kw_only=True, slots=True)
class LoggedStep:
    """A logged step, and the line that shows it."""

    step: LearningStep
    text: str


class StepParser:
    """Parses the lines of a log in order; a remark on the scheme applies to later steps."""

    def __init__(self) -> None:
        """Start without a remark about the scheme."""
        self._paid: float | None = None

    def read(self, line: Line) -> LoggedStep | None:
        """Parse the next line; return None if it is not a step."""
        paid = parse_solved_share(line.text)
        if paid is not None:
            self._paid = paid
            return None
        found = _logged(line)
        if found is None or found.step.solved_share is not None:
            return found
        return replace(found, step=replace(found.step, solved_share=self._paid))


def _logged(line: Line) -> LoggedStep | None:
    """Return the step in a line, of ours or as a trainer prints it; None if there is none."""
    step = parse_line(line.text)
    if step is not None:
        return LoggedStep(step=replace(step, where=line.where), text=line.text.strip())
    row = json_object(line.text)
    if row is not None and not isinstance(row.get("step"), int):
        # Other JSON rows, such as completions, also have rewards.
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
    return LoggedStep(step=found, text=format_line(found))


def _printed(text: str) -> dict[str, Any] | None:
    """Parse a dict that a trainer printed, such as `{'loss': '0.0213', 'epoch': '0.1'}`.

    A progress bar may come before it. Returns None for any other text.
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
    """Return a value, as a float if it is the text of one."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def logged_row(text: str) -> dict[str, Any]:
    """Parse a line that is a JSON object or a printed dict; return an empty dict otherwise."""
    return json_object(text) or _printed(text) or {}


def _reward_in(row: Mapping[str, Any]) -> str:
    """Return the name of the reward function in a row."""
    names = [match[1] for key in row if (match := _REWARD.fullmatch(key))]
    return _OURS if _OURS in names or not names else min(names)
