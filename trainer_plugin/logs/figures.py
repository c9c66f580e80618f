"""Figures of a scored batch: for the trainer's log, its table of completions, and
`batch_metrics.jsonl`.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ocaml_reward import Breakdown, metrics
from ocaml_reward.model import is_impossible

from ..outcomes import compiled, passed, ran_away
from ..samples import Sample

_CREDITS: Final = ("structural", "type", "compile", "tests")

Group = list[tuple[float | None, bool | None]]
"""Each completion's reward and whether it passes; None if it was not scored."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """One call of the reward function with its results.

    `training` is None if the trainer does not report it; likewise `step` and `epoch`, the numbers
    of updates and epochs before it. An update takes `an_update` of an epoch. `rewards` are those
    returned to the trainer, with bonuses if there are any. `replaced` is the number of engine
    processes replaced so far.
    """

    samples: Sequence[Sample]
    breakdowns: Sequence[Breakdown]
    rewards: Sequence[float | None]
    final_rewards: Sequence[float | None]
    seconds: float
    step: int | None = None
    epoch: float | None = None
    an_update: float = 0.0
    training: bool | None = None
    replaced: int = 0

    def place(self) -> tuple[int | None, float | None]:
        """Return the step and epoch of its figures.

        In training they are those of the update that learns from the batch, as in the trainer's
        log.
        """
        if self.step is None or self.training is False:
            return self.step, self.epoch
        epoch = None if self.epoch is None else self.epoch + self.an_update
        return self.step + 1, epoch

    def without_twins(self) -> Batch:
        """Return the batch without the completions of impossible twins."""
        places = [
            place
            for place, each in enumerate(self.breakdowns)
            if not is_impossible(each.problem_id)
        ]
        if len(places) == len(self.breakdowns):
            return self
        return replace(
            self,
            samples=[self.samples[place] for place in places],
            breakdowns=[self.breakdowns[place] for place in places],
            rewards=[self.rewards[place] for place in places],
            final_rewards=[self.final_rewards[place] for place in places],
        )

    def groups(self) -> dict[str, Group]:
        """Group rewards and passes by problem."""
        found: dict[str, Group] = {}
        for each, reward in zip(self.breakdowns, self.rewards, strict=True):
            found.setdefault(each.problem_id, []).append((reward, passed(each)))
        return found

    def passes(self) -> dict[str, list[bool | None]]:
        """Group passes by problem."""
        return {name: [flag for _, flag in group] for name, group in self.groups().items()}


def metrics_of(batch: Batch) -> dict[str, float | None]:
    """Return the metrics over the scored completions for the trainer's log; None if nothing was
    scored.

    Impossible twins only count for their own figure, and for what concerns the machine.
    """
    whole, batch = batch, batch.without_twins()
    scored = [each for each in batch.breakdowns if each.reward is not None]
    runaways = [
        ran_away(sample.completion, each)
        for sample, each in zip(batch.samples, batch.breakdowns, strict=True)
        if each.reward is not None
    ]
    groups = group_figures(whole.groups())
    found: dict[str, float | None] = {
        "pass_at_1": groups["pass_at_1"],
        "pass_at_1_error": _error(batch),
        "pass_at_all": groups["pass_at_all"],
        "best_of_n": groups["best_of_n"],
        "frac_zero_std": groups["frac_zero_std"],
        "impossible_pass_rate": groups["impossible_pass_rate"],
        "final_reward": metrics.mean(batch.final_rewards),
        "final_reward_variance": _variance(batch),
        "compile_rate": _share(map(compiled, scored)),
        "type_errors_mean": metrics.mean(each.type_errors for each in scored),
        "runaway_rate": _share(runaways),
        "clock_rate": _share(each.tests.by_clock for each in scored),
        "fault_rate": _share(each.reward is None for each in whole.breakdowns),
        "engine_replaced": float(batch.replaced),
        "score_seconds": batch.seconds,
    }
    for part in _CREDITS:
        values = [getattr(each.credits, part) for each in scored]
        found[f"credits/{part}"] = metrics.mean(values)
    if any("solved" in each.credited for each in scored):
        # Only if the scheme pays for it, as in records.
        found["credits/solved"] = metrics.mean(each.credits.solved for each in scored)
        found["available/solved"] = metrics.mean(
            each.reasons.solved.available for each in scored if each.reasons and each.reasons.solved
        )
    return {f"ocaml/{name}": value for name, value in found.items()}


def columns_of(batch: Batch) -> dict[str, list[Any]]:
    """Return the columns for the trainer's table of completions, one value per completion."""
    found = batch.breakdowns
    return {
        "problem_id": [each.problem_id for each in found],
        "verdict": [each.verdict.value for each in found],
        "type_errors": [each.type_errors for each in found],
        "checks_passed": [each.tests.passed for each in found],
        "checks": [each.tests.total for each in found],
        "penalties": [" ".join(penalty.code for penalty in each.penalties) for each in found],
    }


def group_figures(groups: Mapping[str, Group]) -> dict[str, float | None]:
    """Return the figures that need all completions of a problem, by its id.

    Impossible twins only count for their own figure, which is None without them.
    """
    own = [group for name, group in groups.items() if not is_impossible(name)]
    twins = [group for name, group in groups.items() if is_impossible(name)]
    rewards = [[reward for reward, _ in group] for group in own]
    passes = [[flag for _, flag in group] for group in own]
    every = [reward for group in rewards for reward in group]
    return {
        "pass_at_1": metrics.pass_at_1(passes),
        "pass_at_all": metrics.pass_at_all(passes),
        "best_of_n": metrics.best_of_n(rewards),
        "frac_zero_std": metrics.frac_zero_std(rewards),
        "reward_mean": metrics.mean(every),
        "reward_std": metrics.std(every),
        "impossible_pass_rate": _share(
            flag for group in twins for _, flag in group if flag is not None
        ),
    }


def _variance(batch: Batch) -> float | None:
    """Return the variance of a problem's mean final reward.

    It comes from the differences within each problem, so that the difficulty of problems does not
    count.
    """
    groups: dict[str, list[float]] = {}
    for each, reward in zip(batch.breakdowns, batch.final_rewards, strict=True):
        if reward is not None:
            groups.setdefault(each.problem_id, []).append(reward)
    return metrics.mean(
        statistics.variance(group) / len(group) for group in groups.values() if len(group) > 1
    )


def _error(batch: Batch) -> float | None:
    """Return the standard error of pass@1 over the choice of problems."""
    shares = [metrics.pass_at_1([flags]) for flags in batch.passes().values()]
    known = [share for share in shares if share is not None]
    if len(known) < 2:
        return None
    return statistics.stdev(known) / math.sqrt(len(known))


def _share(flags: Iterable[bool]) -> float | None:
    """Return the share of flags that are set."""
    return metrics.mean(float(flag) for flag in flags)
