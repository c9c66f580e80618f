"""A draft and its answers made into a problem."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from ocaml_reward.auditing.trivial import split_arguments
from ocaml_reward.model import Problem, StdioCase

from .drafts import Draft
from .drawing import Draw
from .oracle import Answer
from .prompts import prompt

# What a test may be in characters, so that a person can read it.
_LONGEST: Final = 300


def chosen(answers: Sequence[Answer], most: int, wanted: Collection[str] = ()) -> list[Answer]:
    """Choose answers for the tests: of equal ones at most a third of what may be taken and half
    of what is taken, so that code which always answers the same earns little; and no more
    that give an argument back than others.

    Args:
        answers: What there is, what matters most first.
        most: How many to take.
        wanted: Calls that come before all others.

    Returns:
        The chosen ones, in the order they came in.
    """
    readable = [each for each in answers if len(each.call + each.value) <= _LONGEST]
    ordered = sorted(readable, key=lambda each: each.call not in wanted)
    taken: list[Answer] = []
    counts: Counter[tuple[bool, str]] = Counter()
    for limit in (1, 2, max(most // 3, 2)):
        for each in ordered:
            key = each.raised, each.value
            if len(taken) < most and each not in taken and counts[key] < limit:
                counts[key] += 1
                taken.append(each)
    (common, number), *_ = counts.most_common(1) or [((False, ""), 0)]
    while number > max(2, len(taken) - number):
        last = [each for each in taken if (each.raised, each.value) == common][-1]
        taken.remove(last)
        number -= 1
    same = [each for each in taken if _gives_back(each)]
    for each in same[max(2, len(taken) - len(same)) :]:
        taken.remove(each)
    return [each for each in readable if each in taken]


def _gives_back(answer: Answer) -> bool:
    """Tell whether a call comes to one of its arguments."""
    arguments = split_arguments(answer.call)[1:]
    bare = answer.value.strip("()")
    return any(each.strip("()") == bare for each in arguments)


def assemble(
    draft: Draft, answers: Sequence[Answer], *, family: str, tone: str, wording: Draw
) -> Problem:
    """Put a problem together.

    Args:
        draft: What is asked.
        answers: What the tests check.
        family: The family's name, of which the id is made.
        tone: The tone of the prompt.
        wording: Chooses among wordings.

    Returns:
        The problem; its id has a digest of the prompt.
    """
    asked = prompt(draft, tone, answers, wording)
    digest = hashlib.sha256(f"{asked}\n{draft.reference}".encode()).hexdigest()[:8]
    tests: str | tuple[StdioCase, ...]
    if draft.inputs:
        tests = tuple(StdioCase(stdin=each.call, stdout=each.value) for each in answers)
    else:
        checks = ";\n".join(f"  {each.assertion}" for each in answers)
        setup = f"{draft.setup}\n\n" if draft.setup else ""
        tests = f"{setup}let () =\n{checks}\n"
    return Problem(
        id=f"{family}-{digest}",
        prompt=asked,
        tests=tests,
        reference=draft.reference,
        signature=draft.signature or None,
        judge=draft.judge,
    )
