"""What a set of gradings says about a model: plain functions over groups, one group of
completions for each problem.

A None among rewards or passes is a completion that could not be graded; it is left out.
Where nothing is left to speak about, a metric is None rather than 0.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_SAMPLE_TEXTS = 16
_SAMPLE_CHARS = 8_192
_SHINGLE_WORDS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Diversity:
    """How different the completions of one problem are, averaged over the problems.

    `unique_share` is distinct texts by texts; `similarity` the mean over pairs of the
    share of three-word sequences that both have, None without any pair.
    """

    unique_share: float
    similarity: float | None


def mean(rewards: Iterable[float | None]) -> float | None:
    """Average the rewards."""
    known = _known(rewards)
    return statistics.fmean(known) if known else None


def std(rewards: Iterable[float | None]) -> float | None:
    """Give the standard deviation of the rewards as a sample (dividing by n - 1), as trainers
    do; 0 for a single one.
    """
    known = _known(rewards)
    if not known:
        return None
    # All equal must be exactly 0, which the rounding of a mean can spoil.
    return 0.0 if len(set(known)) == 1 else statistics.stdev(known)


def cv(rewards: Iterable[float | None]) -> float | None:
    """Give the coefficient of variation, std / mean; None where the mean is 0."""
    known = _known(rewards)
    average = mean(known)
    spread = std(known)
    return spread / average if average and spread is not None else None


def pass_at_1(groups: Iterable[Sequence[bool | None]]) -> float | None:
    """Average correct / generated over the problems."""
    return mean(statistics.fmean(passes) for passes in _graded(groups))


def pass_at_all(groups: Iterable[Sequence[bool | None]]) -> float | None:
    """Give the share of problems with at least one correct completion."""
    return mean(float(any(passes)) for passes in _graded(groups))


def pass_at_k(groups: Iterable[Sequence[bool | None]], k: int) -> float | None:
    """Average the unbiased pass@k over the problems that have at least k completions.

    Args:
        groups: For each problem, whether each of its completions passed.
        k: How many completions a problem may be tried with, at least 1.

    Returns:
        A share between 0 and 1, None if no problem has k graded completions.

    Raises:
        ValueError: k is below 1.
    """
    return mean(
        unbiased_pass_at_k(len(passes), sum(passes), k) for passes in _graded(groups)
    )


def unbiased_pass_at_k(n: int, c: int, k: int) -> float | None:
    """Estimate the chance that at least one of k completions is correct.

    This is 1 - C(n - c, k) / C(n, k), the estimator of Chen et al. (2021), "Evaluating Large
    Language Models Trained on Code".

    Args:
        n: The number of graded completions.
        c: The number of correct ones among them.
        k: How many are drawn, without putting back.

    Returns:
        A probability between 0 and 1, None where n < k.

    Raises:
        ValueError: Unless 0 <= c <= n and k >= 1.
    """
    if k < 1 or not 0 <= c <= n:
        raise ValueError(f"no pass@{k} from {c} correct among {n}")
    if n < k:
        return None
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def best_of_n(groups: Iterable[Sequence[float | None]]) -> float | None:
    """Average the best reward of each problem."""
    return mean(max(rewards) for rewards in map(_known, groups) if rewards)


def frac_zero_std(groups: Iterable[Sequence[float | None]]) -> float | None:
    """Give the share of problems whose completions all have the same reward, which teach
    GRPO nothing.  Problems with fewer than two graded completions do not count.
    """
    known = [rewards for rewards in map(_known, groups) if len(rewards) > 1]
    return mean(float(len(set(rewards)) == 1) for rewards in known)


def diversity(groups: Iterable[Sequence[str]]) -> Diversity | None:
    """Measure how different the texts of each problem are.

    Similarity looks at no more than 16 texts of a problem, evenly spaced, and at the
    first 8192 characters of each; equal input gives an equal answer.
    """
    filled = [texts for texts in groups if texts]
    if not filled:
        return None
    unique = statistics.fmean(len(set(texts)) / len(texts) for texts in filled)
    return Diversity(unique_share=unique, similarity=mean(map(_similarity, filled)))


def _similarity(texts: Sequence[str]) -> float | None:
    step = max(1, math.ceil(len(texts) / _SAMPLE_TEXTS))
    shingles = [_shingles(text[:_SAMPLE_CHARS]) for text in texts[::step]]
    return mean(
        len(one & other) / len(one | other)
        for one, other in itertools.combinations(shingles, 2)
    )


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    words = text.split()
    # A short text is one shingle, and so like its equals only.
    count = max(1, len(words) - _SHINGLE_WORDS + 1)
    return frozenset(
        tuple(words[place : place + _SHINGLE_WORDS]) for place in range(count)
    )


def _known(rewards: Iterable[float | None]) -> list[float]:
    return [reward for reward in rewards if reward is not None]


def _graded(groups: Iterable[Sequence[bool | None]]) -> Iterable[list[bool]]:
    for passes in groups:
        known = [each for each in passes if each is not None]
        if known:
            yield known
