"""Selects few checks that together detect what all of them detect; pure."""

from __future__ import annotations

from collections.abc import Mapping


def fewest(catches: Mapping[str, frozenset[int]], most: int | None) -> list[str]:
    """Choose checks greedily, each time the one that detects most of the remaining programs.

    Args:
        catches: The programs that each check detects, the preferred checks first.
        most: Maximum number of checks.

    Returns:
        The checks in the order of their choice; among equals the shorter, then the earlier one.
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
