"""Solutions as lines of which each has mistakes of its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from .tasks import ended


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line of a solution, and what may stand there instead: what types as well and computes
    something else, what does not type, and what is wrong in its form.  One that has nothing
    of this is never wrong.
    """

    right: str
    own: Sequence[str] = ()
    strange: Sequence[str] = ()
    slips: Sequence[str] = ()

    def mistaken(self, rng: Random, *, of_form: bool) -> str:
        """Write the line with one mistake, which computes nothing else where it is to be of
        form.
        """
        kinds = [self.strange] * 4 + [self.slips] * 2
        if not of_form:
            kinds += [self.own] * 3
        return rng.choice(rng.choice([each for each in kinds if each]))


def choice(
    form: str,
    right: str,
    *,
    own: Iterable[str] = (),
    strange: Iterable[str] = (),
    slips: Iterable[tuple[str, str]] = (),
) -> Line:
    """Make a line of a form with one gap, "{}".

    Args:
        form: The line but for its gap.
        right: What belongs there.
        own: What else fits there, which may have `right` among it.
        strange: What does not type there.
        slips: Words of the whole line, each with its misspelling.

    Returns:
        The line.
    """
    line = form.format(right)
    return Line(
        right=line,
        own=[form.format(each) for each in own if each != right],
        strange=[form.format(each) for each in strange],
        slips=[line.replace(*each, 1) for each in slips],
    )


def written(lines: Iterable[Line], rng: Random, *, share: float, of_form: bool) -> str:
    """Write a solution in which a share of the lines that may go wrong does."""
    found = [
        line.mistaken(rng, of_form=of_form) if line.slips and rng.random() < share else line.right
        for line in lines
    ]
    return ended(found, rng)
