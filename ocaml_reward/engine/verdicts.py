"""What becomes of a case on which a problem's own judge dies.  Pure but for the judge.

Whoever writes a program chooses what the judge reads.  So a death on an output is that output's
failure, in a try that counts: were it a fault, whose tries do not count, code could kill the judge
or not by what it finds in hidden input, and be told which as often as it likes.  A judge that dies
on a good output, too, says nothing about a program: that is a JudgeFault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from .outputs import Died, Judged, Printed

Verdicts = Callable[[Sequence[Printed]], Iterable[Judged | Died]]
"""Judges outputs in order, within a budget for all of them."""


def settled(judge: Verdicts, printed: Sequence[Printed]) -> list[Judged]:
    """Have outputs judged; one on which the judge dies, and not on a good one, is worth nothing.

    Args:
        judge: The judge.
        printed: The outputs.

    Returns:
        What is said of each, in order.

    Raises:
        JudgeFault: The judge dies on a good output.
    """
    said: list[Judged] = []
    doubted: list[Printed] = []
    for each, word in zip(printed, judge(printed), strict=True):
        if isinstance(word, Judged):
            said.append(word)
            continue
        if each.text == each.good:
            raise word.fault
        if each.good is not None:
            doubted.append(replace(each, text=each.good))
        said.append(Judged(score=0.0, message=word.message))
    for word in judge(doubted) if doubted else ():
        if isinstance(word, Died):
            raise word.fault
    return said
