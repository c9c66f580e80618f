"""
What of a completion is said aloud where a model's template divides it into channels, as that
of gpt-oss does; and where a text ends that a tokenizer's word for its end stands in.
"""

from __future__ import annotations

import re

from .lexing import outside_literals
from .origins import Ranges

__all__ = ["aloud", "end_of", "has_channels"]

_CHANNEL = re.compile(
    r"<\|channel\|>\s{0,10}(\w{1,20})[^<\n]{0,200}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>"
)
_CHANNEL_ENDS = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
# The same where the tokenizer has left its special words out.
_PLAIN = re.compile(r"\s{0,20}analysis(?=[A-Z\s])")
_PLAIN_FINAL = "assistantfinal"
_TEXT_ENDS = re.compile(
    r"<\|(?:endoftext|end_of_text|im_end|eot_id|eom_id|file_separator)\|>"
    r"|<\uff5cend\u2581of\u2581sentence\uff5c>|<end_of_turn>"
)


def has_channels(text: str) -> bool:
    """
    Say whether a text may be divided into channels.
    """
    return "<|channel|>" in text or (
        _PLAIN_FINAL in text and _PLAIN.match(text) is not None
    )


def aloud(text: str) -> Ranges:
    """
    Find the parts of a text that has channels which are said to the user: the final ones, or
    where there are none those that comment, as calls of tools do.
    """
    found: dict[str, list[tuple[int, int]]] = {}
    for channel in _CHANNEL.finditer(text):
        end = _CHANNEL_ENDS.search(text, channel.end())
        stop = end.start() if end else len(text)
        found.setdefault(channel[1].lower(), []).append((channel.end(), stop))
    if found:
        return found.get("final", found.get("commentary", []))
    if _PLAIN_FINAL in text and _PLAIN.match(text):
        return [(text.rindex(_PLAIN_FINAL) + len(_PLAIN_FINAL), len(text))]
    return [(0, len(text))]


def end_of(text: str) -> int | None:
    """
    Find where a tokenizer's word ends a text that goes on: what follows is another one.  In a
    string or a comment of its line it is spoken of.
    """
    for found in outside_literals(_TEXT_ENDS, text):
        if text[: found.start()].strip():
            return found.start()
    return None
