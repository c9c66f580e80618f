"""The remarks of `learning.log`: columns, evaluations on held-out problems, findings, and the
summary.

    # step 100, held-out: pass@1 0.31 (0.22 to 0.40), reward 0.520
"""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NamedTuple

from ..learning import finite, step_from_logs

MARK: Final = "#"
"""The prefix of remarks; no step's line begins with it."""

EVALUATED: Final = "eval_ocaml/fault_rate"
"""A figure that an evaluation logs even if nothing could be scored."""

LEGEND: Final = (
    "# One line for each logged update. Lines with # are remarks; nan is not known.",
    "# reward, syntax_rew: mean±standard deviation over the update's completions, of all",
    "#   rewards and of this one; 1 is a solved problem. It should rise.",
    "# loss: should be near 0, on both sides of it. lr: the learning rate.",
    "# grad: the gradient before it is clipped; not above 10, not 0 again and again.",
    "# entropy: how open the choice of the next token is, in nats. It should fall slowly;",
    "#   a model of 1.5B has 0.10 to 0.20 early, a narrower start less.",
    "# frac_zero_std: share of problems whose completions all earned the same, which teach",
    "#   nothing. It should stay below 0.30; what is learnt by heart raises it, too.",
    "# held-out: problems that are not trained on; in brackets 95 %, if others of their",
    "#   kind were drawn. Findings are of recent updates together, not of one alone.",
    "# Without a line '# end' the run goes on, or was killed.",
)

_SURE: Final = 1.96
"""Standard errors around a mean that cover 95 % of a normal distribution."""
_STEP: Final = re.compile(r"# step (\d+), ")
_FINDING: Final = re.compile(r"# step \d+, finding: (\S+ \(\w+\)):")


class _Course(Enum):
    """Direction in which a figure changed, if significant."""

    ROSE = "rose"
    FELL = "fell"
    STAYED = "no change beyond chance"
    UNKNOWN = "too little to tell"


class _Change(NamedTuple):
    """The change of a figure, with its standard error."""

    by: float
    margin: float

    @property
    def course(self) -> _Course:
        """Return the direction, if the change is significant."""
        if abs(self.by) <= self.margin:
            return _Course.STAYED
        return _Course.ROSE if self.by > 0 else _Course.FELL

    def __str__(self) -> str:
        if not self.margin:
            return self.course.value
        low, high = self.by - self.margin, self.by + self.margin
        return f"{self.course.value}, {self.by:+.3f} ({low:+.3f} to {high:+.3f})"


def evaluation_text(logs: Mapping[str, Any]) -> str:
    """Format the result of an evaluation: pass@1 with its interval, the mean reward, and the share
    of impossible twins that passed, if there are any.
    """
    twins = finite(logs.get("eval_ocaml/impossible_pass_rate"))
    passed = "" if twins is None else f", twins passed {twins:.1%}"
    return f"{_pass_text(logs)}, {_reward_text(logs)}{passed}"


def finding_remark(*, step: int, rule: str, severity: str, seen: str, advice: str) -> str:
    """Format a finding as a line."""
    return f"# step {step}, finding: {rule} ({severity}): {seen}; {advice}"


def solved_remark(*, step: int, paid: float) -> str:
    """Format the share of the reward that is kept for solved problems from a step on.

    `paid_in` parses it. Without it a low reward looks the same as a scheme that pays little for
    parts.
    """
    return (
        f"# step {step}, scheme: {paid:.2f} of a reward is kept for solved problems,"
        " the rest is for parts"
    )


def is_outdated(line: str, step: int) -> bool:
    """Return whether a remark is about a later step than `step`, or about the end."""
    found = _STEP.match(line)
    return line.startswith("# end") or (found is not None and int(found[1]) > step)


def end_remarks(
    history: Iterable[Mapping[str, Any]],
    remarks: Iterable[str],
    *,
    name: str,
    step: int,
    steps: int,
    held_out: int | None = None,
) -> list[str]:
    """Summarise a run.

    Args:
        history: The trainer's log events, each with its step.
        remarks: The lines so far; their findings are counted.
        name: The reward's name.
        step: Number of updates made.
        steps: Number of updates planned.
        held_out: Number of problems in an evaluation, None if unknown.

    Returns:
        The lines; the last says whether the run learnt, and whether that generalises.
    """
    rows = list(history)
    rewards = [
        found.reward
        for row in rows
        if (found := step_from_logs(row, name=name, step=row["step"])) is not None
        and found.fresh
        and found.reward is not None
    ]
    evaluations = [row for row in rows if finite(row.get("eval_ocaml/pass_at_1")) is not None]
    summary = [f"update {step} of {steps}"]
    part = max(1, len(rewards) // 10)
    learnt = _change(*(_mean_of(each) for each in (rewards[:part], rewards[-part:])))
    if len(rewards) > 1:
        summary.append(
            f"reward {statistics.mean(rewards[:part]):.3f} in the first {part} logged"
            f" updates, {statistics.mean(rewards[-part:]):.3f} in the last {part}:"
            f" {_describe(learnt)}"
        )
    passes = earned = None
    if len(evaluations) > 1:
        ends = evaluations[0], evaluations[-1]
        passes = _change(*map(_pass_mean, ends))
        earned = _change(*(_reward_mean(each, held_out) for each in ends))
        at = [f"at step {each['step']}" for each in ends]
        for said_of, change in ((_pass_text, passes), (_reward_text, earned)):
            both = ", ".join(f"{said_of(row)} {when}" for row, when in zip(ends, at, strict=True))
            summary.append(f"held-out {both}: {_describe(change)}")
    counts = Counter(match[1] for line in remarks if (match := _FINDING.match(line)))
    seen = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    summary.append(f"findings: {seen or 'none'}")
    courses = map(_course, (learnt, passes, earned))
    return [f"# end: {each}" for each in (*summary, _verdict(*courses))]


def _verdict(learnt: _Course, passes: _Course, earned: _Course) -> str:
    """Return in words whether the model learnt."""
    match learnt, _held_out_course(passes, earned):
        case _Course.FELL, _:
            return "not well: the reward fell"
        case _, _Course.FELL:
            return "not well: held-out problems lost"
        case _, _Course.ROSE if passes is not _Course.ROSE:
            return "held-out rewards rose; that more of these problems pass is not sure"
        case _Course.ROSE, _Course.ROSE:
            return "well: the reward rose, and held-out problems gained"
        case _, _Course.ROSE:
            return "well: held-out problems gained"
        case _Course.ROSE, _Course.STAYED:
            return "the reward rose on the problems trained on; held-out ones did not surely gain"
        case _Course.ROSE, _:
            return "the reward rose; what held-out problems gained was not measured"
        case _Course.STAYED, _:
            return "nothing surely rose"
    return "too short to tell"


def _held_out_course(passes: _Course, earned: _Course) -> _Course:
    """Return how passes and rewards on held-out problems have moved together."""
    for course in (_Course.ROSE, _Course.FELL, _Course.STAYED):
        if course in (passes, earned):
            return course
    return _Course.UNKNOWN


def _change(before: tuple[float, float] | None, now: tuple[float, float] | None) -> _Change | None:
    """Return the change from one mean to another with standard errors; None if one is unknown."""
    if before is None or now is None:
        return None
    return _Change(by=now[0] - before[0], margin=_SURE * math.hypot(before[1], now[1]))


def _course(change: _Change | None) -> _Course:
    return _Course.UNKNOWN if change is None else change.course


def _describe(change: _Change | None) -> str:
    return _Course.UNKNOWN.value if change is None else str(change)


def _mean_of(values: Sequence[float]) -> tuple[float, float] | None:
    """Return mean and standard error; None for fewer than two values."""
    if len(values) < 2:
        return None
    error = statistics.stdev(values) / math.sqrt(len(values))
    return statistics.mean(values), error


def _pass_mean(row: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return pass@1 and its standard error over the choice of problems."""
    value, error = (
        finite(row.get(f"eval_ocaml/{key}")) for key in ("pass_at_1", "pass_at_1_error")
    )
    return None if value is None or error is None else (value, error)


def _reward_mean(row: Mapping[str, Any], problems: int | None) -> tuple[float, float] | None:
    """Return the mean reward and its standard error over the completions of these problems."""
    value, variance = (
        finite(row.get(f"eval_ocaml/{key}")) for key in ("final_reward", "final_reward_variance")
    )
    if value is None or variance is None or not problems:
        return None
    return value, math.sqrt(variance / problems)


def _reward_text(row: Mapping[str, Any]) -> str:
    reward = finite(row.get("eval_ocaml/final_reward"))
    return "reward unknown" if reward is None else f"reward {reward:.3f}"


def _pass_text(row: Mapping[str, Any]) -> str:
    """Return pass@1 with its margin of error, as text."""
    value = finite(row.get("eval_ocaml/pass_at_1"))
    if value is None:
        return "pass@1 unknown"
    error = finite(row.get("eval_ocaml/pass_at_1_error"))
    if not error:
        return f"pass@1 {value:.2f}"
    low, high = max(0.0, value - _SURE * error), min(1.0, value + _SURE * error)
    return f"pass@1 {value:.2f} ({low:.2f} to {high:.2f})"
