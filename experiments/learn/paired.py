"""How much better one variant is than another, problem by problem: variants of one seed begin
with the same base and are measured on the same problems.

The intervals are of a bootstrap: seeds are drawn with replacement, and in each of them the
held-out problems.  A few seeds say little of others, and no interval tells how little.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

from .held_out import SAMPLES

DRAWN: Final = 2000
LEVEL: Final = 0.95

Differences = Sequence[Sequence[float]]


def paired(results: list[dict[str, Any]]) -> str:
    """Write one row a variant, against the first: the difference in pass@1 over the whole run,
    which says how early it rises, in how many seeds it is ahead there, and the difference at
    its end; nothing where there is nothing to pair.
    """
    against, *others = dict.fromkeys(each["variant"] for each in results)
    lines = []
    for variant in others:
        runs = list(_pairs(results, against, variant))
        if not runs:
            continue
        course, end = (
            [_differences(one, other, last=last) for other, one in runs] for last in (False, True)
        )
        ahead = sum(statistics.fmean(each) > 0 for each in course)
        cells = [_told(course), f"{ahead} of {len(runs)}", _told(end)]
        lines.append(f"| {variant} | {len(runs)} | {' | '.join(cells)} |")
    if not lines:
        return ""
    head = f"| pass@1 less that of {against} | seeds | over the run | ahead | at the end |"
    return "\n".join([head, "|---|---|---|---|---|", *lines]) + "\n"


def _told(found: Differences) -> str:
    low, high = interval(found)
    return f"{_mean(found):+.3f} ({low:+.3f} to {high:+.3f})"


def interval(found: Differences) -> tuple[float, float]:
    """Return the bounds between which the mean of most draws lies, the same each time."""
    rng = Random(0)
    means = sorted(
        _mean(
            [
                rng.choices(problems, k=len(problems))
                for problems in rng.choices(found, k=len(found))
            ]
        )
        for _ in range(DRAWN)
    )
    cut = round(DRAWN * (1 - LEVEL) / 2)
    return means[cut], means[-cut - 1]


def _pairs(
    results: Iterable[dict[str, Any]], against: str, variant: str
) -> Iterable[tuple[dict[str, Any], dict[str, Any]]]:
    """Pair the runs of a seed, where each told its problems apart."""
    runs = {
        (each["variant"], each["seed"]): each
        for each in results
        if all("passed" in point for point in each["points"])
    }
    for (name, seed), run in runs.items():
        if name == variant and (against, seed) in runs:
            yield runs[against, seed], run


def _differences(one: dict[str, Any], other: dict[str, Any], *, last: bool) -> list[float]:
    """Give each problem's difference in pass@1, as the mean of the measurements; of the problems
    that both were measured on, which are the first ones of whoever has more.
    """
    shares = []
    for run in (one, other):
        points = run["points"][-1:] if last else run["points"]
        columns = zip(*(point["passed"] for point in points), strict=True)
        shares.append([statistics.fmean(column) / SAMPLES for column in columns])
    return [mine - theirs for mine, theirs in zip(*shares, strict=False)]


def _mean(found: Differences) -> float:
    return statistics.fmean(value for problems in found for value in problems)
