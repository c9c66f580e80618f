"""The special tokens of models and chat templates, as regular expressions, in one table.

`reading` takes them away from a completion, by what they stand for; `model.feedback` lets none of
them through.  They are those that models are trained with: the tokenizers of gpt-oss, Qwen, Llama,
Mistral, Gemma, DeepSeek, Phi, GLM, Kimi, Seed and MiniMax have them.
"""

from __future__ import annotations

import re
from typing import Final

_THOUGHT = r"(?:(?:seed:)?think(?:ing)?|reasoning|thoughts?|scratchpad|reflection)"
_ANSWER = r"(?:(?:final_)?answer|code|solution|response|output|ocaml)"

THOUGHT_OPENS: Final = (
    rf"<{_THOUGHT}>",
    r"\[(?-i:THINK)\]",
    r"\u25c1think\u25b7",
    r"<\|begin_of_thought\|>",
    r"(?:<\|channel>|<unused94>)thought\b",
)
THOUGHT_CLOSES: Final = (
    rf"</{_THOUGHT}>",
    r"\[/(?-i:THINK)\]",
    r"\u25c1/think\u25b7",
    r"<\|end_of_thought\|>",
    r"<channel\|>",
    r"<unused95>",
)
ANSWER_BEGINS: Final = (
    r"<\|\w{1,40}\|>",
    r"</?s>",
    r"<(?:bos|pad|eos|unk|start_of_turn)>",
    r"\[/?INST\]",
)
"""Tokens that may precede an answer, in addition to the role's name."""

ANSWER_OPENS: Final = (rf"<{_ANSWER}>", r"<\|begin_of_solution\|>")
ANSWER_CLOSES: Final = (rf"</{_ANSWER}>",)
TEXT_ENDS: Final = (
    r"<\|(?:endoftext|end_of_text|im_end|im_start|eot_id|eom_id|eot|end|user|end_of_solution)\|>",
    r"<\uff5cend\u2581of\u2581sentence\uff5c>",
    r"<end_of_turn>",
    r"</s>",
    r"<(?:pad|eos)>",
)
# What all others look like: <|user|>, <tool_call>, </tool_call>, <<SYS>>, <0x0A>, [TOOL_CALLS],
# [gMASK], ]~b] and [e~[.
_OTHERS: Final = (
    r"<[|/\uff5c]",
    r"<<?/?\w[\w:.-]*>",
    r"\[/?[A-Z_]{2,}\]",
    r"\[g?MASK\]",
    r"\]~",
    r"\[e~\[",
    r"\u25c1",
)

SPECIAL_TOKEN: Final = re.compile(
    "(?="
    + "|".join(
        f"(?i:{each})"
        if each in {*THOUGHT_OPENS, *THOUGHT_CLOSES, *ANSWER_OPENS, *ANSWER_CLOSES}
        else each
        for each in (
            *THOUGHT_OPENS,
            *THOUGHT_CLOSES,
            *ANSWER_BEGINS,
            *ANSWER_OPENS,
            *ANSWER_CLOSES,
            *TEXT_ENDS,
            *_OTHERS,
        )
    )
    + ").",
    re.DOTALL,
)
"""The first character of each special token, also of one within another."""
