"""
What of a completion is said aloud where a model's template divides it into channels, as that
of gpt-oss does; and where a text ends that a tokenizer's word for its end stands in.
"""

from __future__ import annotations

import re
from itertools import islice

from .beginnings import FENCE_LINE
from .lexing import Source, outside_literals
from .origins import Ranges

__all__ = ["aloud", "end_of", "has_channels", "next_turn"]

_CHANNEL = re.compile(
    r"<\|channel\|>\s{0,10}(\w{1,20})[^<\n]{0,200}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>"
)
_CHANNEL_ENDS = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
# The same where the tokenizer has left its special words out.
_PLAIN = re.compile(r"\s{0,20}analysis(?=[A-Z\s])")
_PLAIN_FINAL = "assistantfinal"
_TEXT_ENDS = re.compile(
    r"<\|(?:user\|>|im_start\|>user\b|(?:endoftext|end_of_text|im_end|eot_id|eom_id|eot|file_separator|file_sep|repo_name|fim_[a-z]{3,6})\|>)"
    r"|<\uff5cend\u2581of\u2581sentence\uff5c>|<end_of_turn>"
    r"|</s>(?=\s{0,20}(?:<s>|\[INST\]))|<(?P<again>pad|eos|unk|/s)>\s{0,3}<(?P=again)>"
)
_LEAD = re.compile(
    r"(?:\s++|<\|(?:endoftext|end_of_text|eot_id|im_end)\|>|</?s>|<(?:pad|eos|unk|bos)>)*+"
)
# Who asks next, where a model goes on with both sides of a dialogue.
_ASKS = re.compile(
    r"^(?:\*{0,2}(?:Human|User)(?::\*{0,2}|\*{0,2}:)(?=[ \n])"
    r"|\#{2,4}[ ](?:Instruction|Human|User|Question)\b)",
    re.MULTILINE,
)
# More than are looked at for whether they stand in a string or a fence.
_MOST = 20
_DEFINITION = re.compile(r"^[ \t]*(?:let|type|module)\b[^\n]*=", re.MULTILINE)


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


def next_turn(text: str) -> int:
    """
    Find where another turn of a dialogue begins behind code, outside of fences; the text's end if
    none does.
    """
    if "User" in text or "Human" in text or "\n##" in text:
        for found in islice(_ASKS.finditer(text), _MOST):
            start = found.start()
            fences = len(FENCE_LINE.findall(text, 0, start))
            if (
                fences % 2 == 0
                and _DEFINITION.search(text, 0, start)
                and Source(text).without_literals[start] != " "
            ):
                return start
    return len(text)


def end_of(text: str) -> int | None:
    """
    Find where a tokenizer's word ends a text that goes on: what follows is another one.  In a
    string or a comment of its line it is spoken of.
    """
    # A batch is filled up on the left, too.
    lead = _LEAD.match(text)
    begins = lead.end() if lead else 0
    for found in outside_literals(_TEXT_ENDS, text):
        if found.start() >= begins:
            return found.start()
    return None
