"""How likely the mistake of a program that does not type is in each of the places that
`errors/blame.ml` ranks.

Each place has half the weight of the one before it.  On 2,712 programs of students the first
place is one that the student changed in 61.4 %, one of the first two in 78.2 % and of the first
three in 85.9 % (`python -m benchmarks.blame`); halving says 50, 75 and 87.5 %.
(ucsd-progsys/nate sp14)
"""

from __future__ import annotations

from typing import Final, NamedTuple

MOST: Final = 10
"""So many places of a program are told at most."""

LATER: Final = 3
"""An error's first place stands behind so many of the error before it: students seldom change what
only shows once another error is out of the way.
"""


class Suspicion(NamedTuple):
    """A place in bytes, and how likely the mistake is there: for each error these sum to 1."""

    start: int
    stop: int
    weight: float


def weighed(text: str) -> tuple[Suspicion, ...]:
    """Weigh the places that the engine ranked, the most likely first, at most ten of them and of
    each error as many.  Raises ValueError for another text.
    """
    errors = [block.split("\n") for block in text.split("\n\n") if block][:MOST]
    most = MOST // max(1, len(errors))
    found = []
    for number, lines in enumerate(errors):
        places = [tuple(map(int, line.split(" "))) for line in lines[:most]]
        total = sum(0.5**rank for rank in range(len(places)))
        for rank, (start, stop) in enumerate(places):
            weight = round(0.5**rank / total, 4)
            found.append((rank + LATER * number, Suspicion(start, stop, weight)))
    found.sort(key=lambda each: each[0])
    return tuple(each for _, each in found)
