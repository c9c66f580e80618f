"""What an evaluation found: pass@k and the mean reward, with intervals over problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ocaml_reward import Breakdown, Verdict
from ocaml_reward.comparing import Figure, figure_of
from ocaml_reward.metrics import mean, unbiased_pass_at_k


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """The figures of an evaluation, pass@k by k.  `cut_off` counts what hit its length limit, of
    the completions that were scored.
    """

    problems: int
    completions: int
    unscored: int
    cut_off: int
    pass_at: dict[int, Figure]
    reward: Figure
    solved: float | None
    verdicts: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return them as what JSON can hold."""
        return asdict(self)


def found_in(breakdowns: Iterable[Breakdown], *, ks: Sequence[int]) -> Found:
    """Count the completions of an evaluation, those that were not scored apart."""
    groups: dict[str, list[Breakdown]] = {}
    verdicts: Counter[Verdict] = Counter()
    unscored = cut_off = 0
    for each in breakdowns:
        verdicts[each.verdict] += 1
        if each.reward is None:
            unscored += 1
            continue
        cut_off += each.truncated is True
        groups.setdefault(each.problem_id, []).append(each)
    passed = [
        (len(group), sum(one.verdict is Verdict.PASSED for one in group))
        for group in groups.values()
    ]
    return Found(
        problems=len(groups),
        completions=sum(verdicts.values()),
        unscored=unscored,
        cut_off=cut_off,
        pass_at={
            k: figure_of(unbiased_pass_at_k(n, c, k) for n, c in passed) for k in ks
        },
        reward=figure_of(
            mean(one.reward for one in group) for group in groups.values()
        ),
        solved=mean(float(c > 0) for _, c in passed),
        verdicts={each.value: verdicts[each] for each in Verdict if verdicts[each]},
    )


def pass_by_turn(
    breakdowns: Iterable[Breakdown], turns: Iterable[int], *, most: int
) -> list[Figure]:
    """Count what passes after the first turn, after the second, and so on.

    Args:
        breakdowns: The last try of each conversation.
        turns: The turn that each of them came in, from 1.
        most: How many turns there were.

    Returns:
        pass@1 after each turn, over problems.
    """
    groups: dict[str, list[int]] = {}
    for each, turn in zip(breakdowns, turns, strict=True):
        if each.reward is not None:
            came = turn if each.verdict is Verdict.PASSED else most + 1
            groups.setdefault(each.problem_id, []).append(came)
    return [
        figure_of(
            mean(float(came <= turn) for came in group) for group in groups.values()
        )
        for turn in range(1, most + 1)
    ]
