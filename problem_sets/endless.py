"""Problems without end: those of one seed, then those of the next."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from ocaml_reward.errors import InputError

from .making import Made, Order, Reviewer, Tally, make
from .oracle import Oracle


def endless(order: Order, oracle: Oracle, reviewer: Reviewer | None) -> Iterator[Made]:
    """Make problems as long as they are asked for.

    A family comes to its end when its combinations of choices do. The next seed has them again,
    with other constants, inputs and wordings; no problem comes twice.

    Args:
        order: What is asked for; its count does not matter.
        oracle: Tells expected results.
        reviewer: Says which are good enough; None keeps all.

    Returns:
        The problems: with the same order the same ones.

    Raises:
        InputError: A seed brought no other problem than those before.
        MachineError: The machine failed.
    """
    seen: set[str] = set()
    for seed in count(order.seed):
        known = len(seen)
        all_of_it = replace(order, seed=seed, count=sys.maxsize)
        for made in make(all_of_it, oracle, reviewer, Tally()):
            if made.problem.id not in seen:
                seen.add(made.problem.id)
                yield made
        if len(seen) == known:
            families = ", ".join(order.families) or "all families"
            raise InputError(
                f"{families}: no more {' or '.join(order.levels)} problems after seed {seed};"
                " ask for other families or levels"
            )
