"""
What an evaluation found: pass@k and the mean reward, with intervals over problems.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final

from ocaml_reward import Breakdown, Verdict
from ocaml_reward.metrics import mean, unbiased_pass_at_k

__all__ = ["Figure", "Found", "figure_of", "found_in"]

CONFIDENCE: Final = 0.95
RESAMPLES: Final = 2_000
"""
Enough for the second decimal of an interval's ends: they move by about 0.002 with the seed.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """
    A mean over problems; `low` and `high` enclose 95 % of the means of as many problems
    drawn from them with putting back.  Both are None where all problems agree, as what
    others would do is not known then.
    """

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """
    The figures of an evaluation, pass@k by k.
    """

    problems: int
    completions: int
    unscored: int
    pass_at: dict[int, Figure]
    reward: Figure
    solved: float | None
    verdicts: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """
        Return them as what JSON can hold.
        """
        return asdict(self)


def found_in(breakdowns: Iterable[Breakdown], *, ks: Sequence[int]) -> Found:
    """
    Count the completions of an evaluation, those that were not scored apart.
    """
    groups: dict[str, list[Breakdown]] = {}
    verdicts: Counter[Verdict] = Counter()
    unscored = 0
    for each in breakdowns:
        verdicts[each.verdict] += 1
        if each.reward is None:
            unscored += 1
            continue
        groups.setdefault(each.problem_id, []).append(each)
    passed = [
        (len(group), sum(one.verdict is Verdict.PASSED for one in group))
        for group in groups.values()
    ]
    return Found(
        problems=len(groups),
        completions=sum(verdicts.values()),
        unscored=unscored,
        pass_at={
            k: figure_of(unbiased_pass_at_k(n, c, k) for n, c in passed) for k in ks
        },
        reward=figure_of(
            mean(one.reward for one in group) for group in groups.values()
        ),
        solved=mean(float(c > 0) for _, c in passed),
        verdicts={each.value: verdicts[each] for each in Verdict if verdicts[each]},
    )


def figure_of(values: Iterable[float | None]) -> Figure:
    """
    Average over problems, with the interval of a bootstrap (Efron, 1979) by percentiles;
    equal values give equal ends.
    """
    known = [value for value in values if value is not None]
    if not known:
        return Figure(value=None, low=None, high=None)
    value = statistics.fmean(known)
    if len(set(known)) == 1:
        return Figure(value=value, low=None, high=None)
    random = Random(0)  # noqa: S311 - no secret
    means = sorted(
        statistics.fmean(random.choices(known, k=len(known))) for _ in range(RESAMPLES)
    )
    beyond = round(RESAMPLES * (1 - CONFIDENCE) / 2)
    return Figure(value=value, low=means[beyond], high=means[-1 - beyond])
