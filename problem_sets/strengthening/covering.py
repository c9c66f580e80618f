"""Few checks that together catch what all of them catch; pure."""

from __future__ import annotations

from collections.abc import Mapping


def fewest(catches: Mapping[str, frozenset[int]], most: int | None) -> list[str]:
    """Choose checks, each time the one that catches most of what is left.

    Args:
        catches: The programs that each check catches, the preferred checks first.
        most: How many are chosen at most.

    Returns:
        The checks in the order of their choice; of equal ones the shorter, then the
        earlier one.
    """
    chosen: list[str] = []
    left = frozenset().union(*catches.values())
    order = {check: place for place, check in enumerate(catches)}
    while left and (most is None or len(chosen) < most):
        best = max(
            catches,
            key=lambda check: (
                len(catches[check] & left),
                -len(check),
                -order[check],
            ),
        )
        chosen.append(best)
        left -= catches[best]
    return chosen
