"""How an answer ended, by the words of the servers that gave it: by itself, or at a length limit.

| whose | where it says so |
|---|---|
| OpenAI, vLLM, Anthropic | `finish_reason`, `stop_reason` (anthropics/anthropic-sdk-python src/anthropic/types/stop_reason.py) |
| Gemini, Bedrock | `finishReason`, `stopReason` (googleapis/python-genai google/genai/types.py) |
| Ollama | `done_reason` (ollama/ollama docs/api.md) |
| llama.cpp | `stop_type`, before it `stopped_limit` (ggml-org/llama.cpp tools/server/README.md) |
| TGI | `details.finish_reason` (huggingface/text-generation-inference docs/openapi.json) |
| SGLang | `meta_info.finish_reason.type` (sgl-project/sglang python/sglang/srt/managers/schedule_batch.py) |
| Responses | `incomplete_details.reason` (openai/openai-python src/openai/types/responses/response.py) |
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..errors import FormatError

LENGTH_REASONS: Final = frozenset(
    {
        *("length", "limit", "max_length", "max_new_tokens", "max_output_tokens", "max_tokens"),
        *("model_context_window_exceeded", "model_length"),
    }
)
END_REASONS: Final = frozenset(
    {
        *("complete", "completed", "end_turn", "eos", "eos_token", "stop", "stop_sequence"),
        "word",
    }
)
_OF_LLAMA_CPP: Final = ("stop_type", "stopped_limit")
FLAGS: Final = ("truncated", "is_truncated")
REASONS: Final = (
    *("finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason"),
    *(*_OF_LLAMA_CPP, "incomplete_details"),
)
# Objects around an answer's reason.
_HOLDERS: Final = ("details", "meta_info")
ENDINGS: Final = frozenset({*FLAGS, *REASONS})
"""The fields of a row that say how it ended."""


def cut_off(fields: Mapping[str, Any]) -> bool | None:
    """Tell from an answer's own fields whether it hit its length limit; None if they do not
    say.  Raises FormatError for a `truncated` that is not true or false.
    """
    # llama.cpp's `truncated` is about its context, and false also where the answer is cut off.
    if any(_is_length(fields.get(name)) for name in _OF_LLAMA_CPP):
        return True
    for name in FLAGS:
        value = fields.get(name)
        if value is None:
            continue
        if value in (0, 1):
            return bool(value)
        raise FormatError(f"{name}: expected true or false")
    return _by_reason(fields)


def _by_reason(fields: Mapping[str, Any]) -> bool | None:
    """Tell whether an answer hit its length limit by the first reason that says it."""
    holders = (fields.get(name) for name in _HOLDERS)
    for held in (fields, *(each for each in holders if isinstance(each, dict))):
        for name in REASONS:
            found = _is_length(held.get(name))
            if found is not None:
                return found
    return None


def _is_length(reason: object) -> bool | None:
    """Tell whether a reason is a length limit; None where it is none, or another one."""
    if isinstance(reason, dict):
        reason = reason.get("type") or reason.get("reason")
    if isinstance(reason, bool):
        return reason or None
    word = reason.casefold() if isinstance(reason, str) else ""
    if word in LENGTH_REASONS:
        return True
    return False if word in END_REASONS else None
