"""Metrics of a model over graded completions, in one group per problem.

None among rewards or passes stands for a completion that could not be graded; it is left out.
A metric of no completions at all is None, not 0.
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

    `unique_share` is the number of distinct texts divided by the number of texts.  `similarity`
    is the mean, over pairs of texts, of the share of three-word sequences that both have; None
    without any pair.
    """

    unique_share: float
    similarity: float | None


def mean(rewards: Iterable[float | None]) -> float | None:
    """Return the mean reward."""
    known = _known(rewards)
    return statistics.fmean(known) if known else None


def std(rewards: Iterable[float | None]) -> float | None:
    """Return the sample standard deviation (divided by n - 1), as trainers do; 0 for one reward."""
    known = _known(rewards)
    if not known:
        return None
    # Equal rewards must give exactly 0; rounding of the mean could give a little more.
    return 0.0 if len(set(known)) == 1 else statistics.stdev(known)


def cv(rewards: Iterable[float | None]) -> float | None:
    """Return the coefficient of variation, std / mean; None if the mean is 0."""
    known = _known(rewards)
    average = mean(known)
    spread = std(known)
    return spread / average if average and spread is not None else None


def pass_at_1(groups: Iterable[Sequence[bool | None]]) -> float | None:
    """Return the mean over the problems of correct / generated."""
    return mean(statistics.fmean(passes) for passes in _graded(groups))


def pass_at_all(groups: Iterable[Sequence[bool | None]]) -> float | None:
    """Return the share of problems with at least one correct completion."""
    return mean(float(any(passes)) for passes in _graded(groups))


def pass_at_k(groups: Iterable[Sequence[bool | None]], k: int) -> float | None:
    """Return the mean unbiased pass@k of the problems that have at least k completions.

    Args:
        groups: For each problem, whether each of its completions passed.
        k: The number of completions per problem, at least 1.

    Returns:
        A share between 0 and 1, None if no problem has k graded completions.

    Raises:
        ValueError: k is below 1.
    """
    return mean(unbiased_pass_at_k(len(passes), sum(passes), k) for passes in _graded(groups))


def unbiased_pass_at_k(n: int, c: int, k: int) -> float | None:
    """Return an estimate of the probability that at least one of k completions is correct.

    This is 1 - C(n - c, k) / C(n, k), the estimator of Chen et al. (2021), "Evaluating Large
    Language Models Trained on Code".

    Args:
        n: The number of graded completions.
        c: The number of correct ones among them.
        k: The number of completions drawn, without replacement.

    Returns:
        A probability between 0 and 1, None if n < k.

    Raises:
        ValueError: Unless 0 <= c <= n and k >= 1.
    """
    if k < 1 or not 0 <= c <= n:
        raise ValueError(f"no pass@{k} from {c} correct among {n}")
    if n < k:
        return None
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


def best_of_n(groups: Iterable[Sequence[float | None]]) -> float | None:
    """Return the mean over the problems of the best reward."""
    return mean(max(rewards) for rewards in map(_known, groups) if rewards)


def frac_zero_std(groups: Iterable[Sequence[float | None]]) -> float | None:
    """Return the share of problems whose completions all have the same reward.

    GRPO learns nothing from them.  Problems with fewer than two graded completions do not count.
    """
    known = [rewards for rewards in map(_known, groups) if len(rewards) > 1]
    return mean(float(len(set(rewards)) == 1) for rewards in known)


def diversity(groups: Iterable[Sequence[str]]) -> Diversity | None:
    """Return how different the texts of each problem are.

    Similarity uses at most 16 texts of a problem, evenly spaced, and the first 8192 characters of
    each, so equal input gives an equal result.
    """
    filled = [texts for texts in groups if texts]
    if not filled:
        return None
    unique = statistics.fmean(len(set(texts)) / len(texts) for texts in filled)
    return Diversity(unique_share=unique, similarity=mean(map(_similarity, filled)))


def _similarity(texts: Sequence[str]) -> float | None:
    """Return the mean share of word sequences that two of the texts have in common."""
    step = max(1, math.ceil(len(texts) / _SAMPLE_TEXTS))
    shingles = [_shingles(text[:_SAMPLE_CHARS]) for text in texts[::step]]
    return mean(
        len(one & other) / len(one | other) for one, other in itertools.combinations(shingles, 2)
    )


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Return the word sequences of a text."""
    words = text.split()
    # A short text is one shingle: it is similar to equal texts only.
    count = max(1, len(words) - _SHINGLE_WORDS + 1)
    return frozenset(tuple(words[place : place + _SHINGLE_WORDS]) for place in range(count))


def _known(rewards: Iterable[float | None]) -> list[float]:
    """Return the rewards that are known."""
    return [reward for reward in rewards if reward is not None]


def _graded(groups: Iterable[Sequence[bool | None]]) -> Iterable[list[bool]]:
    """Yield the known passes of each group that has any."""
    for passes in groups:
        known = [each for each in passes if each is not None]
        if known:
            yield known
