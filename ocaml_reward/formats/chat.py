"""Chat messages and API answers: the assistant's text, and whether it was cut off."""

from __future__ import annotations

from typing import Final

from ..errors import FormatError

LENGTH_REASONS: Final = frozenset(
    {"length", "max_length", "max_new_tokens", "max_tokens", "model_length"}
)
END_REASONS: Final = frozenset(
    {"completed", "end_turn", "eos", "eos_token", "stop", "stop_sequence"}
)


def is_messages(value: object) -> bool:
    """Tell whether a value is one message or a list of messages."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) for item in value)
    return isinstance(value, dict) and "content" in value


def assistant_text(value: object, name: str) -> str:
    """Return a completion as text: text itself, or what the assistant said last.

    What counts is the last run of assistant messages, joined by line ends: anything the
    user or a tool said in between ended the earlier ones.  A message without a role is
    the assistant's.  Raises FormatError for any other shape, naming the field.
    """
    if isinstance(value, str):
        return value
    if not is_messages(value):
        raise FormatError(f"{name}: expected text or a list of chat messages")
    messages = value if isinstance(value, list) else [value]
    texts: list[str] = []
    for message in reversed(messages):
        if message.get("role", "assistant") in {"assistant", "model"}:
            texts.append(message_text(message.get("content"), name))
        elif texts:
            break
    if not texts:
        raise FormatError(f"{name}: no message is the assistant's")
    return "\n".join(reversed(texts))


def last_user_text(value: object) -> str:
    """Return a prompt as text: text itself, or the last thing said to the assistant; else ""."""
    if isinstance(value, str):
        return value
    asked = [
        each
        for each in (value if isinstance(value, list) else [])
        if isinstance(each, dict) and each.get("role") not in {"assistant", "model"}
    ]
    return message_text(asked[-1].get("content"), "prompt") if asked else ""


def message_text(content: object, name: str) -> str:
    """Return a message's content, given as text, as parts, or null when it said nothing."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise FormatError(f"{name}: a message's content is neither text nor parts")
    texts: list[str] = []
    for part in content:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str):
            texts.append(text)
    return "".join(texts)


def cut_off(fields: dict[str, object]) -> bool | None:
    """Tell from an answer's own fields whether it hit its length limit; None if they do not
    say.  Raises FormatError for a `truncated` that is not true or false.
    """
    for name in ("truncated", "is_truncated"):
        value = fields.get(name)
        if value is None:
            continue
        if value in (0, 1):
            return bool(value)
        raise FormatError(f"{name}: expected true or false")
    for name in ("finish_reason", "stop_reason"):
        reason = fields.get(name)
        if isinstance(reason, str):
            if reason.lower() in LENGTH_REASONS:
                return True
            if reason.lower() in END_REASONS:
                return False
    return None
