"""Decides whose fault it is if a problem's judge dies on an output.  Pure, except for the judge.

The code chooses the output that the judge reads.  So if the judge dies on it, the case has failed.
If it counted as a machine fault, which does not use up a try, code could kill the judge depending
on hidden input, and so learn that input bit by bit.  A judge that also dies on a good output shows
nothing about the code: that raises JudgeFault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from .outputs import Died, Judged, Printed

Verdicts = Callable[[Sequence[Printed]], Iterable[Judged | Died]]
"""Judges outputs in order, within a budget for all of them."""


def settle_verdicts(judge: Verdicts, printed: Sequence[Printed]) -> list[Judged]:
    """Return the verdicts on outputs; an output on which only the judge died scores 0.

    Args:
        judge: The judge.
        printed: The outputs.

    Returns:
        The verdict on each, in order.

    Raises:
        JudgeFault: The judge dies on a good output.
    """
    verdicts: list[Judged] = []
    doubted: list[Printed] = []
    for each, word in zip(printed, judge(printed), strict=True):
        if isinstance(word, Judged):
            verdicts.append(word)
            continue
        if each.text == each.good:
            raise word.fault
        if each.good is not None:
            doubted.append(replace(each, text=each.good))
        verdicts.append(Judged(score=0.0, message=word.message))
    for word in judge(doubted) if doubted else ():
        if isinstance(word, Died):
            raise word.fault
    return verdicts
