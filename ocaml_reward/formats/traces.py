"""Episodes of verifiers, as `vf-eval` and trainers write them to `traces.jsonl`.

A line is an episode with `traces`, one for each agent; a trace has the task, the messages as
`nodes` and the model's `calls`.  What counts is what the model said last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from .endings import cut_off
from .lines import BadLine
from .rows import Row

FILE: Final = "traces.jsonl"
"""What verifiers names it, in the folder of a run."""

# Ways in which verifiers itself ends a reply; a length that the model met is in its call.
_LIMITS: Final = frozenset(
    {
        "max_turns",
        "max_input_tokens",
        "max_output_tokens",
        "max_total_tokens",
        "compaction_failed",
    }
)
_IDS: Final = ("problem_id", "task_id", "question_id", "id", "name", "idx")
_KEPT: Final = ("rewards", "metrics", "stop_condition", "info")


def is_episode(fields: dict[str, object]) -> bool:
    """Tell an episode, or one of its traces by itself."""
    traces = fields.get("traces")
    if isinstance(traces, list):
        return bool(traces) and all(_is_trace(each) for each in traces)
    return _is_trace(fields)


def traced(row: Row) -> Iterator[Row | BadLine]:
    """Yield a row for each reply of an episode; judges and others that no run would train, if
    there is an agent besides, say nothing here.
    """
    found = row.fields.get("traces")
    traces: list[dict[str, Any]] = found if isinstance(found, list) else [row.fields]
    trained = [each for each in traces if _object(each, "agent").get("trainable", True)]
    for each in trained or traces:
        reply = _reply(each)
        if reply is None:
            yield BadLine(file=row.file, line=row.line, message=_why_none(each))
        else:
            yield replace(row, fields=_fields(each, reply))


def _is_trace(value: object) -> bool:
    """Tell whether a JSON value is a trace of verifiers."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("task"), dict)
        and isinstance(value.get("nodes"), list)
    )


def _fields(trace: dict[str, Any], reply: str) -> dict[str, object]:
    """Return the fields of a completion row for a trace with this reply."""
    task = _object(trace, "task")
    data = _object(task, "data")
    # An environment's own id, else what verifiers knows the task by.
    ids = (*(data.get(name) for name in _IDS), task.get("key"), task.get("hash"))
    fields: dict[str, object] = {
        "problem_id": next((each for each in ids if each is not None), None),
        "prompt": data.get("prompt"),
        "completion": reply,
        "truncated": _truncated(trace),
    }
    return fields | {name: trace[name] for name in _KEPT if trace.get(name)}


def _reply(trace: dict[str, Any]) -> str | None:
    """Return the model's last reply; None if there is none."""
    if isinstance(said := trace.get("root_reply"), str):
        return said
    for node in reversed(trace["nodes"]):
        if not isinstance(node, dict) or not node.get("sampled"):
            continue
        message = _object(node, "message")
        if message.get("role") == "assistant":
            content = message.get("content")
            return content if isinstance(content, str) else ""
    return None


def _truncated(trace: dict[str, Any]) -> bool | None:
    """Tell whether the reply was cut off; None if the trace does not say."""
    if str(trace.get("stop_condition")) in _LIMITS:
        return True
    calls = trace.get("calls")
    for call in reversed(calls if isinstance(calls, list) else []):
        if isinstance(call, dict) and not call.get("error"):
            return cut_off({"finish_reason": call.get("finish_reason")})
    return None


def _why_none(trace: dict[str, Any]) -> str:
    """Return the message for a trace without a reply."""
    errors = trace.get("errors")
    last = errors[-1] if isinstance(errors, list) and errors else None
    if isinstance(last, dict):
        said = f"{last.get('type')}: {last.get('message')}"
        return f"the trace has no reply: {' '.join(said.split())}"[:200]
    return "the trace has no reply"


def _object(value: dict[str, Any], name: str) -> dict[str, Any]:
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}
