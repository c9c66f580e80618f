"""Runs whose health is told: lines from real runs, and runs made for one rule each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from trainer_plugin.health import apply_rules
from trainer_plugin.learning import LearningStep, parse_line

HEALTHY = """
[Epoch 0.10]  loss=-0.0311  grad=0.028  lr=2.00e-06  reward=0.207±0.006  syntax_rew=0.207±0.012  entropy=0.055  frac_zero_std=0.75
[Epoch 0.20]  loss=-0.0415  grad=0.035  lr=1.95e-06  reward=0.315±0.015  syntax_rew=0.315±0.018  entropy=0.068  frac_zero_std=0.50
[Epoch 0.30]  loss=-0.0520  grad=0.042  lr=1.90e-06  reward=0.428±0.022  syntax_rew=0.428±0.025  entropy=0.074  frac_zero_std=0.25
"""
COLLAPSED = """
[Epoch 0.50]  loss=0.0000  grad=0.000  lr=1.85e-06  reward=0.210±0.000  syntax_rew=0.210±0.000  entropy=0.044  frac_zero_std=1.00
[Epoch 0.51]  loss=0.0000  grad=0.000  lr=1.84e-06  reward=0.210±0.000  syntax_rew=0.210±0.000  entropy=0.044  frac_zero_std=1.00
"""
RUNAWAY = """
[Epoch 0.25]  loss=-0.0311  grad=0.028  lr=1.98e-06  reward=0.050±0.000  syntax_rew=0.050±0.000  entropy=0.055  frac_zero_std=1.00
"""
UNSTABLE = """
[Epoch 0.35]  loss=0.0947  grad=15.786  lr=1.90e-06  reward=0.207±0.012  entropy=0.103  frac_zero_std=0.75
[Epoch 0.36]  loss=-0.0312  grad=0.024  lr=1.89e-06  reward=0.207±0.006  entropy=0.080  frac_zero_std=0.75
"""
EARLY = """
[Epoch 0.28]  loss=-0.0469  grad=0.0838  lr=3.58e-06  reward=0.102±0.077  syntax_rew=0.102±0.078  entropy=0.155  frac_zero_std=0.00
[Epoch 0.28]  loss=-0.0333  grad=0.0362  lr=3.58e-06  reward=0.066±0.072  syntax_rew=0.066±0.069  entropy=0.090  frac_zero_std=0.00
[Epoch 0.29]  loss=0.0111   grad=0.0406  lr=3.57e-06  reward=0.115±0.065  syntax_rew=0.115±0.082  entropy=0.165  frac_zero_std=0.25
[Epoch 0.29]  loss=-0.0210  grad=0.0317  lr=3.57e-06  reward=0.084±0.063  syntax_rew=0.084±0.075  entropy=0.078  frac_zero_std=0.25
[Epoch 0.29]  loss=-0.0269  grad=0.0286  lr=3.56e-06  reward=0.073±0.044  syntax_rew=0.073±0.063  entropy=0.103  frac_zero_std=0.50
[Epoch 0.29]  loss=-0.0109  grad=0.0380  lr=3.55e-06  reward=0.113±0.066  syntax_rew=0.113±0.084  entropy=0.110  frac_zero_std=0.25
"""

USUAL = LearningStep(
    epoch=0.2,
    loss=-0.02,
    grad_norm=0.04,
    reward=0.5,
    reward_std=0.1,
    entropy=0.1,
    frac_zero_std=0.1,
)


def steps_of(text: str) -> list[LearningStep]:
    """Read lines, every one of which is a step."""
    steps = [parse_line(line) for line in text.strip().splitlines()]
    return [step for step in steps if step is not None]


def found(steps: Iterable[LearningStep]) -> set[str]:
    """Return every rule that fires at some step, with its severity."""
    return {f"{each.rule} {each.severity}" for _, each in apply_rules(steps)}


def told(steps: list[LearningStep]) -> list[tuple[int, str]]:
    """Return each finding's rule, with the line at which it is told, from 1 on."""
    numbered = [replace(step, step=line) for line, step in enumerate(steps, 1)]
    return [(step.step or 0, each.rule) for step, each in apply_rules(numbered)]


def run(count: int, **changed: float) -> list[LearningStep]:
    """Build a run of equal steps."""
    return [replace(USUAL, **changed)] * count  # type: ignore[arg-type]


def turning(name: str, *values: float) -> list[LearningStep]:
    """Build a run in which one field takes these values in turn."""
    return [replace(USUAL, **{name: value}) for value in values]  # type: ignore[arg-type]


def through(first: float, last: float, count: int, **changed: Any) -> list[LearningStep]:
    """Build a run of equal steps from one epoch to another."""
    return [
        replace(USUAL, epoch=first + (last - first) * at / (count - 1), **changed)
        for at in range(count)
    ]
