"""Reduces a completion to its answer.

Removes the model's thoughts, the marks of its chat template, and text after its end. The tags are
those of `special_tokens`; `docs/scoring.md` says what counts as a thought.
"""

from __future__ import annotations

import re
from itertools import islice

from ..special_tokens import (
    ANSWER_BEGINS,
    ANSWER_CLOSES,
    ANSWER_OPENS,
    TEXT_ENDS,
    THOUGHT_CLOSES,
    THOUGHT_OPENS,
)
from .lexing import Source, outside_literals
from .prose import between_prose, is_prose
from .source_map import Edit, Ranges, keeping

FENCE_LINE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
"""The beginning of a line that looks like a fence."""

_LAYOUT = re.compile(r"\r(?=\n)|^\ufeff", re.MULTILINE)
# An opening tag counts at the start of a line only, because it could be inside a string.
_THINK = re.compile(rf"^[ \t]*(?:{'|'.join(THOUGHT_OPENS)})", re.MULTILINE | re.IGNORECASE)
_THOUGHT = re.compile("|".join(THOUGHT_CLOSES), re.IGNORECASE)
# The channels of gpt-oss, also without the special tokens that a tokenizer may have dropped.
# (kekzl/imp pull 768)
_CHANNEL = re.compile(
    r"<\|channel\|>\s{0,10}(\w{1,20})[^<\n]{0,200}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>"
)
_CHANNEL_ENDS = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_ANALYSIS, _FINAL = re.compile(r"\s{0,20}analysis(?=[A-Z\s])"), "assistantfinal"
# Special tokens that were not removed: before an answer, and at its end.  Not possessive: Python
# before 3.11.5 then takes a character of what does not match.
_FIRST = re.compile(
    rf"\s{{0,20}}(?:(?:{'|'.join(ANSWER_BEGINS)})\s{{0,10}}"
    r"(?:(?:assistant|model)\b\s{0,10})?)+"
)
# (the-crypt-keeper/can-ai-code topk1_TheBloke-Orca-2-13B-AWQ:3)
_LAST = re.compile("|".join(TEXT_ENDS))
# Tags that mark the answer, at the start or end of lines. (StarsfieldAI/R1-V issue 21)
_ANSWER = re.compile(
    rf"^[ \t]*(?:{'|'.join(ANSWER_OPENS)})|(?:{'|'.join(ANSWER_CLOSES)})[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
# The common prefixes of all these tags; hardly any code contains them.
_TAG = re.compile(r"<[/|\uff5c]|<[a-z_\d]+[:>]|\[/?(?:think|inst)|\u25c1", re.IGNORECASE)
# Names of the next speaker, if a model writes both sides of a dialogue.
# (the-crypt-keeper/can-ai-code precise_The-Face-Of-Goonery-Huginn-13b-v1.2:5)
_ASKS = re.compile(
    r"^(?:\*{0,2}(?:Human|User)(?::\*{0,2}|\*{0,2}:)(?=[ \n])"
    r"|\#{2,4}[ ](?:Instruction|Human|User)\b)",
    re.MULTILINE,
)
_DEFINITION = re.compile(r"^[ \t]*(?:let|type|module)\b[^\n]*=", re.MULTILINE)
_MOST_ASKS = 20
# Each is a search of the text behind it.
_MOST_STRAY = 8


def layout_edits(text: str) -> list[Edit]:
    """Normalise line ends to newlines, and drop byte order marks.
    (the-crypt-keeper/can-ai-code precise_michaelfeil-ct2fast-WizardCoder-15B-V1.0:3)
    """
    if "\r" not in text and "\ufeff" not in text:
        return []
    return [Edit(*found.span()) for found in _LAYOUT.finditer(text)]


def thought_edits(text: str) -> list[Edit]:
    """Drop thoughts.

    A closing tag alone ends thoughts that the prompt's template opened, if anything but prose
    follows it; otherwise the answer stands before it, and only the tag is dropped. Unclosed
    thoughts contain no answer: the model was cut off before it gave one.

    (the-crypt-keeper/can-ai-code agentica-org-DeepCoder-1.5B-Preview:1)
    """
    if not _TAG.search(text) and _FINAL not in text:
        return []
    if aloud := _user_channel(text):
        return keeping(text, [aloud])
    spans: list[Edit] = []
    place = 0
    while opened := _THINK.search(text, place):
        closed = _THOUGHT.search(text, opened.end())
        place = closed.end() if closed else len(text)
        spans.append(Edit(opened.start(), place))
    # A tag inside a literal or a single-line comment is only mentioned.
    lone = [
        Edit(*each.span()) for each in outside_literals(_THOUGHT, text) if each.start() >= place
    ]
    stray: list[Edit] = []
    while lone and len(stray) < _MOST_STRAY and _is_stray(text, place, lone[-1]):
        stray.append(lone.pop())
    return [*([Edit(0, lone[-1].stop)] if lone else spans), *reversed(stray)]


def turn_edits(text: str) -> list[Edit]:
    """Drop the text that a chat template or tokenizer put around the answer, and what follows its
    end.
    """
    if not _TAG.search(text):
        return []
    first = _FIRST.match(text)
    begin = first.end() if first else 0
    end = next(
        (found.start() for found in outside_literals(_LAST, text) if found.start() >= begin),
        len(text),
    )
    marks = [Edit(*found.span()) for found in _ANSWER.finditer(text, begin, end)]
    around = [Edit(0, begin), *marks, Edit(end, len(text))]
    return [edit for edit in around if edit.start < edit.stop]


def next_turn(text: str) -> int:
    """Return the offset of another turn of a dialogue after code, outside of fences, or the text's
    end.

    (the-crypt-keeper/can-ai-code topk1_TheBloke-falcon-40b-instruct-GPTQ:7)
    """
    if "User" in text or "Human" in text or "\n##" in text:
        for found in islice(_ASKS.finditer(text), _MOST_ASKS):
            start = found.start()
            fences = len(FENCE_LINE.findall(text, 0, start))
            if fences % 2 == 0 and _DEFINITION.search(text, 0, start):
                return start
    return len(text)


def _is_stray(text: str, place: int, tag: Edit) -> bool:
    """Return whether an answer stands before a closing tag, and only prose and comments behind it.

    Models write one at the end of an answer, too (deepseek-ai/DeepSeek-LLM issue 100), or speak of
    it there. (`place`: where the text outside thoughts begins)
    """
    start, stop, _ = tag
    if not (FENCE_LINE.search(text, place, start) or _DEFINITION.search(text, place, start)):
        return False
    end = _LAST.search(text, stop)
    rest = Source(text[stop : end.start() if end else len(text)]).without_comments
    line, _, after = rest.partition("\n")
    if is_prose(text[text.rfind("\n", 0, start) + 1 : stop] + line, ""):
        rest = after
    return not between_prose(rest).content.strip()


def _user_channel(text: str) -> Ranges:
    """Return the text for the user in a text with channels: the final channels, or else
    commentary.
    """
    if "<|channel|>" not in text:
        final = text.rfind(_FINAL) if _ANALYSIS.match(text) else -1
        return [(final + len(_FINAL), len(text))] if final >= 0 else []
    found: dict[str, list[tuple[int, int]]] = {}
    for channel in _CHANNEL.finditer(text):
        end = _CHANNEL_ENDS.search(text, channel.end())
        stop = end.start() if end else len(text)
        found.setdefault(channel[1].lower(), []).append((channel.end(), stop))
    nothing = [(0, 0)] if found else []
    return found.get("final") or found.get("commentary") or nothing
