"""Prompts: one draft, said in one of several tones."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from .drafts import Draft
from .drawing import Draw
from .oracle import Answer

TONES = ("doc", "plain", "examples")
"""A comment above a definition to go on from; plain English; results and no rule."""

_NAMED = re.compile(r"`([^`]+)`")
_EIGHT_ALIKE = re.compile(r"(\w)\1{7}")
_LONGEST = 76
_LEAST = 2
# Fewer than half of the checks, so that a table of the examples is no answer.
_SHOWN = {"doc": 3, "plain": 2, "examples": 7}


def prompt(draft: Draft, tone: str, answers: Sequence[Answer], draw: Draw) -> str:
    """Say what is asked.

    Args:
        draft: What is asked.
        tone: One of `TONES`; drafts that examples cannot tell take plain English instead.
        answers: What the tests expect, the most telling first.
        draw: Chooses among wordings.

    Returns:
        The prompt.
    """
    if draft.inputs:
        return _program(draft, answers)
    if tone == "examples" and not draft.by_example:
        tone = "plain"
    # What the tests define for themselves is not told.
    shown = [] if draft.setup else _examples(answers, _SHOWN[tone])
    if tone == "doc":
        return _doc(draft, shown)
    if tone == "plain":
        return _plain(draft, shown, draw)
    return _only_examples(draft, shown, draw)


def tone_of(draft: Draft, tone: str) -> str:
    """Return the tone that a draft is really put in."""
    if draft.inputs or (tone == "examples" and not draft.by_example):
        return "plain"
    return tone


def _examples(answers: Sequence[Answer], most: int) -> list[str]:
    """Return examples with a short line each, with as many different results as there are."""
    said = [
        (each, f"{each.call} raises {each.value.removesuffix(' _')}")
        if each.raised
        else (each, f"{each.call} = {each.value}")
        for each in answers
    ]
    short = [pair for pair in said if len(pair[1]) <= _LONGEST]
    if len(short) < _LEAST:
        # One that shows something, though its line is longer.
        rest = sorted((p for p in said if p not in short), key=lambda p: len(p[1]))
        short += rest[: _LEAST - len(short)]
    # The first one, then those that show the most.
    ordered = [short[0], *sorted(short[1:], key=lambda pair: _dull(pair[1]))]
    chosen: list[str] = []
    seen: set[str] = set()
    for fresh in (True, False):
        for answer, line in ordered:
            if len(chosen) < most and line not in chosen:
                if fresh and answer.value in seen:
                    continue
                seen.add(answer.value)
                chosen.append(line)
    return [line for _, line in said if line in chosen]


def _dull(line: str) -> tuple[bool, int]:
    """Return a sort key of examples: long ones first, those that repeat a character last."""
    return _EIGHT_ALIKE.search(line) is not None, -len(line)


def _sentence(draft: Draft) -> str:
    """Return the sentence that says what is asked for."""
    if not draft.head or f"`{draft.head}`" in draft.what:
        return draft.what
    return f"`{draft.head}` is {draft.what}."


def _declared(draft: Draft) -> str:
    """Return the declarations that a prompt gives."""
    lines = [each.text for each in draft.declared]
    lines += [f"exception {n}" + (f" of {t}" if t else "") for n, t in draft.exceptions]
    return "\n\n".join(lines)


def _doc(draft: Draft, shown: Sequence[str]) -> str:
    """Return the prompt as a documentation comment with the start of the code."""
    said = _NAMED.sub(_bracketed, " ".join((_sentence(draft), *draft.also)))
    lines = textwrap.wrap(
        said,
        width=_LONGEST,
        initial_indent="(** ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    if shown:
        lines += ["", *(f"    {line}" for line in shown)]
    lines[-1] += " *)"
    given = _declared(draft)
    parts = [*([given] if given else []), "\n".join(lines)]
    return "\n\n".join(parts) + f"\n{draft.opening}\n"


def _bracketed(named: re.Match[str]) -> str:
    """Return code in a documentation comment's brackets."""
    code = named[1]
    # `[[]]` would be read as a list in a list.
    return code if code.startswith("[") else f"[{code}]"


def _plain(draft: Draft, shown: Sequence[str], draw: Draw) -> str:
    """Return the prompt as plain text."""
    given = _declared(draft)
    parts = []
    if draft.head:
        first = draw.choice(("Write", "Define", "Implement"))
        kind = draft.signature.removeprefix("val ")
        parts += [f"{first} an OCaml function `{kind}`."]
    if given:
        parts += ["Your code begins with these definitions:"]
        parts += [textwrap.indent(given, "    ")]
    parts += [" ".join((_sentence(draft), *draft.also))]
    if not draft.head and draft.opening:
        parts += [textwrap.indent(draft.opening, "    ")]
    if shown:
        parts += ["For example:" if len(shown) > 1 else "An example:"]
        parts += ["\n".join(f"    {line}" for line in shown)]
    return "\n\n".join(parts) + "\n"


def _only_examples(draft: Draft, shown: Sequence[str], draw: Draw) -> str:
    """Return the prompt that gives only examples."""
    given = _declared(draft)
    kind = draft.signature.removeprefix("val ")
    asked = f"the OCaml function `{kind}`"
    opening = draw.choice(
        (
            f"Find the rule and write {asked}:",
            f"Write {asked}, which gives these results and goes on in the same way:",
        )
    )
    parts = [opening, "\n".join(f"    {line}" for line in shown)]
    if given:
        parts.insert(0, f"With\n\n{textwrap.indent(given, '    ')}")
    return "\n\n".join(parts) + "\n"


def _program(draft: Draft, answers: Sequence[Answer]) -> str:
    """Return the prompt that asks for a program."""
    said = " ".join((draft.what, *draft.also))
    asked = f"{textwrap.fill(said, width=90)}\n"
    if not answers:
        return asked
    example = max(answers[:4], key=lambda each: len(each.value))
    return (
        f"{asked}\n"
        f"Example input:\n{example.call.rstrip()}\n\n"
        f"Example output:\n{example.value.rstrip()}\n"
    )
