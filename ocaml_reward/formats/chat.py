"""Chat messages: what the assistant said last, and what was said to it."""

from __future__ import annotations

from typing import Any, Final

from ..errors import FormatError

# ShareGPT has `from` and `value` (lm-sys/FastChat data/dummy_conversation.json), Gemini `parts`
# (googleapis/python-genai google/genai/types.py).
_SPEAKERS: Final = ("role", "from")
_SAID: Final = ("content", "value", "parts", "text")
_ASSISTANTS: Final = frozenset({"assistant", "model", "gpt", "chatgpt", "ai"})
# Items of the Responses API that have no role (openai/openai-python src/openai/types/responses),
# and messages of LangChain (langchain-ai/langchain libs/core/langchain_core/messages).
_TYPES: Final = {
    "ai": "assistant",
    "function_call": "assistant",
    "function_call_output": "tool",
    "human": "user",
    "reasoning": "",
    "system": "system",
    "tool": "tool",
}
# What models think, of which some parts are text
# (anthropics/anthropic-sdk-python src/anthropic/types/thinking_block.py).
_THOUGHTS: Final = frozenset({"reasoning", "reasoning_text", "redacted_thinking", "thinking"})


def is_messages(value: object) -> bool:
    """Tell whether a value is one message or a list of messages."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(item, dict) for item in value)
    return isinstance(value, dict) and any(name in value for name in (*_SAID, *_SPEAKERS))


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
    if all(map(_is_part, messages)):
        return message_text(messages, name)
    texts: list[str] = []
    for message in reversed(messages):
        speaker = _speaker(message)
        if speaker in _ASSISTANTS:
            texts.append(_said(message, name))
        elif speaker and texts:
            break
    if not texts:
        raise FormatError(f"{name}: no message is the assistant's")
    return "\n".join(text for text in reversed(texts) if text)


def last_user_text(value: object) -> str:
    """Return a prompt as text: text itself, or the last thing said to the assistant; else ""."""
    if isinstance(value, str):
        return value
    asked = [
        each
        for each in (value if isinstance(value, list) else [])
        if isinstance(each, dict) and _speaker(each, unnamed="") not in _ASSISTANTS
    ]
    return _said(asked[-1], "prompt") if asked else ""


def _speaker(message: dict[str, Any], unnamed: str = "assistant") -> str:
    """Return who speaks, in small letters, `unnamed` where nothing says it; "" for a thought."""
    for name in _SPEAKERS:
        if isinstance(message.get(name), str):
            return str(message[name]).casefold()
    return _TYPES.get(str(message.get("type")), unnamed)


def _said(message: dict[str, Any], name: str) -> str:
    """Return what a message says; raises FormatError for an object that is no message."""
    found = next((each for each in _SAID if message.get(each) is not None), None)
    if found:
        return message_text(message[found], name)
    if any(each in message for each in (*_SAID, *_SPEAKERS)) or message.get("type") in _TYPES:
        return ""
    keys = ", ".join(map(str, message))
    raise FormatError(f'{name}: a message with {keys}; it needs "role" and "content"'[:200])


def message_text(content: object, name: str) -> str:
    """Return a message's content, given as text, as parts, or null when it said nothing."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        # One part, or Gemini's list of them with a role.
        content = content.get("parts", [content])
        return message_text(content, name)
    if not isinstance(content, list):
        raise FormatError(f"{name}: a message's content is neither text nor parts")
    return "".join(map(_part_text, content))


def _is_part(value: dict[str, Any]) -> bool:
    """Tell a part of a message from a message."""
    whole = any(each in value for each in (*_SPEAKERS, "content", "value", "parts"))
    return not whole and ("text" in value or "type" in value)


def _part_text(part: object) -> str:
    """Return the text of a part; "" for a thought, a call of a tool, or a picture."""
    if not isinstance(part, dict):
        return part if isinstance(part, str) else ""
    if part.get("type") in _THOUGHTS or part.get("thought") is True:
        return ""
    text = part.get("text")
    return text if isinstance(text, str) else ""
