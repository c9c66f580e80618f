"""One logged step of training, and its line in `learning.log`.

[Epoch 0.28]  loss=-0.0469  grad=0.0838  lr=3.58e-06  reward=0.102±0.077  ...
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final


@dataclass(frozen=True, kw_only=True, slots=True)
class LearningStep:
    """The figures that a trainer logged at a step; None if it did not log one.

    The fields from `step` on are not in the line.

    Attributes:
        reward: The trainer's: of several reward functions, their weighted sum.
        final_reward: Ours alone, before a curriculum changes it.
        fresh: False for a step that learns again from earlier completions and has no rewards of its
            own.
        scored: False if none of its completions could be scored: what the trainer logged are other
            rewards.
        seconds: Duration of the step.
        similarity: Similarity of the completions of one problem, from 0 to 1.
        clock_rate: The share of the completions that a time has ended, and not their steps.
        taught_groups: In self-distillation, the share of problems with a teacher for some completion.
        feedback_used: The share of completions whose teacher is shown feedback.
        teacher_kl: The divergence of the student from its teacher, in nats per token.
        solved_share: The share of a reward that the scheme keeps for solved problems.
        impossible_pass_rate: The share of completions of impossible twins that pass; an evaluation
            has only this.
        where: The line that it was read from, "learning.log:17".
    """

    epoch: float
    loss: float | None = None
    grad_norm: float | None = None
    learning_rate: float | None = None
    reward: float | None = None
    reward_std: float | None = None
    syntax_reward: float | None = None
    syntax_reward_std: float | None = None
    entropy: float | None = None
    frac_zero_std: float | None = None
    step: int | None = None
    final_reward: float | None = None
    clipped_ratio: float | None = None
    pass_at_1: float | None = None
    pass_at_all: float | None = None
    best_of_n: float | None = None
    fresh: bool = True
    scored: bool = True
    seconds: float | None = None
    similarity: float | None = None
    clock_rate: float | None = None
    solved_share: float | None = None
    where: str = ""
    impossible_pass_rate: float | None = None
    taught_groups: float | None = None
    feedback_used: float | None = None
    teacher_kl: float | None = None

    @property
    def is_evaluation(self) -> bool:
        """Whether it is an evaluation, of which only the impossible twins are known."""
        return self.impossible_pass_rate is not None and self.loss is None and not self.fresh

    def with_own_reward(self) -> LearningStep:
        """Return the step with our reward in place of the trainer's, if it is known.

        Bounds and milestones are about ours; other reward functions may add anything.
        """
        if not self.scored:
            return replace(self, reward=None, reward_std=None, frac_zero_std=None)
        own = self.syntax_reward if self.final_reward is None else self.final_reward
        if own is None:
            return self
        trained, ours = self.reward or 0.0, self.syntax_reward
        is_alone = ours is None or abs(trained - ours) < _ROUNDED
        spread = self.reward_std if is_alone else self.syntax_reward_std
        return replace(self, reward=own, reward_std=spread)

    def without_group_figures(self) -> LearningStep:
        """Return a step of self-distillation without what is about the advantages of a group.

        With a teacher, equal rewards do teach, and the loss is a log ratio times a log probability.
        """
        if self.taught_groups is None:
            return self
        return replace(self, frac_zero_std=None, loss=None)


# Lines have three decimals.
_ROUNDED: Final = 0.0015
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|nan|inf)"
# In a copied log, UTF-8 that was read as Latin-1 has an additional character.
_PAIR = rf"({_NUMBER})(?:Â?±|\+/-)({_NUMBER})"
# The guide's examples leave out syntax_rew in places, and round differently.
_LINE: Final = re.compile(
    rf"\[Epoch ({_NUMBER})\]\s+loss=({_NUMBER})\s+grad=({_NUMBER})\s+lr=({_NUMBER})\s+"
    rf"reward={_PAIR}\s+(?:syntax_rew={_PAIR}\s+)?"
    rf"entropy=({_NUMBER})\s+frac_zero_std=({_NUMBER})\s*"
)
_PAID: Final = re.compile(r"# step \d+, scheme: (\d\.\d+) of a reward is kept for solved\b")
_MOST: Final = 1e100
_LARGEST: Final = 1e15
_NOTHING: Final = re.compile(r"=-(0\.0+)(?![\d])")
_IN_LINE: Final = (
    "epoch",
    "loss",
    "grad_norm",
    "learning_rate",
    "reward",
    "reward_std",
    "syntax_reward",
    "syntax_reward_std",
    "entropy",
    "frac_zero_std",
)


def step_from_logs(logs: Mapping[str, Any], *, name: str, step: int | None) -> LearningStep | None:
    """Read the figures of a step from a trainer's log event.

    Args:
        logs: The trainer's values by name. None and NaN both mean unknown.
        name: The reward's name, under which TRL logs its mean.
        step: The number of the update, where it is known.

    Returns:
        The step; of an evaluation, only its share of impossible twins; None for other events.
    """
    twins = _known(logs.get("eval_ocaml/impossible_pass_rate"))
    if twins is not None:
        epoch = _known(logs.get("epoch")) or 0.0
        return LearningStep(epoch=epoch, step=step, fresh=False, impossible_pass_rate=twins)
    if "reward" not in logs and "grad_norm" not in logs:
        return None
    keys = {
        "loss": "loss",
        "grad_norm": "grad_norm",
        "learning_rate": "learning_rate",
        "reward": "reward",
        "reward_std": "reward_std",
        "syntax_reward": f"rewards/{name}/mean",
        "syntax_reward_std": f"rewards/{name}/std",
        "entropy": "entropy",
        "frac_zero_std": "frac_reward_zero_std",
        "clipped_ratio": "completions/clipped_ratio",
        "final_reward": "ocaml/final_reward",
        "pass_at_1": "ocaml/pass_at_1",
        "pass_at_all": "ocaml/pass_at_all",
        "best_of_n": "ocaml/best_of_n",
        "clock_rate": "ocaml/clock_rate",
        "seconds": "step_time",
        "solved_share": "ocaml/available/solved",
        "impossible_pass_rate": "ocaml/impossible_pass_rate",
        "taught_groups": "self_distillation/taught_group_fraction",
        "feedback_used": "self_distillation/feedback_used_fraction",
        "teacher_kl": "self_distillation/kl",
    }
    found: dict[str, Any] = {field: _known(logs.get(key)) for field, key in keys.items()}
    if not found["frac_zero_std"]:
        # If rewards are divided by the batch's standard deviation, TRL logs that one only.
        found["frac_zero_std"] = _known(logs.get("ocaml/frac_zero_std", found["frac_zero_std"]))
    return LearningStep(
        epoch=_known(logs.get("epoch")) or 0.0,
        step=step,
        fresh="reward" in logs,
        scored=keys["syntax_reward"] not in logs or found["syntax_reward"] is not None,
        **found,
    )


def format_line(step: LearningStep) -> str:
    """Format a step as its line; unknown values are written as nan."""
    if step.is_evaluation:
        return f"[Epoch {step.epoch:.2f}]  impossible twins passed={step.impossible_pass_rate:.3f}"
    value = {name: math.nan if (got := getattr(step, name)) is None else got for name in _IN_LINE}
    line = (
        "[Epoch {epoch:.2f}]  loss={loss:.4f}  grad={grad_norm:.4f}"
        "  lr={learning_rate:.2e}  reward={reward:.3f}±{reward_std:.3f}"
        "  syntax_rew={syntax_reward:.3f}±{syntax_reward_std:.3f}"
        "  entropy={entropy:.3f}  frac_zero_std={frac_zero_std:.2f}"
    ).format(**value)
    # A value that rounds to 0 has no sign.
    return _NOTHING.sub(r"=\1", line)


def parse_line(line: str) -> LearningStep | None:
    """Parse a line, which may be shorter; None for a line that is not a step."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        return None
    values: dict[str, Any] = dict(zip(_IN_LINE, map(_known, match.groups()), strict=True))
    return LearningStep(**values | {"epoch": values["epoch"] or 0.0})


def parse_solved_share(line: str) -> float | None:
    """Parse the share of a reward kept for solved problems from a line, from 0 to 1.

    Returns None for any other line.
    """
    match = _PAID.match(line.strip())
    return float(match[1]) if match else None


def finite(value: Any) -> float | None:
    """Return a logged value as a float; None if it is not a number, not finite, or too large."""
    if not isinstance(value, int | float) or not abs(value) < _LARGEST:
        return None
    return float(value)


def _known(value: Any) -> float | None:
    """Return a value as a number; None if it is no finite one."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    # The square of a larger number would overflow; the comparison also excludes NaN.
    return number if abs(number) < _MOST else None
