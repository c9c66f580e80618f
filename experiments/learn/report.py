"""
The report: a table with its spread, and the curves as a picture.
"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

from .plot import plot

__all__ = ["GOAL", "summary", "write_report"]

GOAL = 0.5
"""
The pass@1 of which the table says how many steps it took.
"""


def write_report(results: list[dict[str, Any]], folder: Path, *, steps: int) -> None:
    """
    Write `learn.md` and `learn.svg`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "learn.md").write_text(table(results, steps=steps), encoding="utf-8")
    (folder / "learn.svg").write_text(plot(results, steps=steps), encoding="utf-8")


def table(results: list[dict[str, Any]], *, steps: int) -> str:
    """
    Write one row a variant: mean over the seeds, and in brackets every seed's value.
    """
    head = (
        f"| reward | held-out reward, step 0 | step {steps} | pass@1, step 0 |"
        f" step {steps} | steps to pass@1 {GOAL:.0%} | groups all alike |"
    )
    lines = [head, "|---|---|---|---|---|---|---|"]
    for variant in dict.fromkeys(each["variant"] for each in results):
        told = summary([each for each in results if each["variant"] == variant])
        lines.append(f"| {variant} | " + " | ".join(told) + " |")
    shares = [each["score_share"] for each in results]
    step = statistics.median(each["step_seconds"] for each in results)
    scoring = statistics.median(each["score_seconds"] for each in results)
    timing = (
        f"Median step {step:.2f} s; median scoring of a batch of 64 completions"
        f" {1000 * scoring:.0f} ms, {min(shares):.0%} to {max(shares):.0%} of the time."
    )
    return "\n".join([*lines, "", timing]) + "\n"


def summary(runs: list[dict[str, Any]]) -> list[str]:
    """
    Sum up the runs of one variant, a cell each.
    """
    cells = []
    for key in ("reward", "pass_at_1"):
        cells += [spread([run["points"][at][key] for run in runs]) for at in (0, -1)]
    reached = [first_step(run) for run in runs]
    cells.append(", ".join("never" if one is None else str(one) for one in reached))
    cells.append(spread([statistics.fmean(run["zero_std"]) for run in runs]))
    return cells


def spread(values: list[float]) -> str:
    """
    Write a mean with the values it is made of.
    """
    if len(values) == 1:
        return f"{values[0]:.2f}"
    each = ", ".join(f"{value:.2f}" for value in values)
    return f"{statistics.fmean(values):.2f} ({each})"


def first_step(run: dict[str, Any]) -> int | None:
    """
    Return the step at which a run was first measured at the goal.
    """
    for point in run["points"]:
        if point["pass_at_1"] >= GOAL:
            return int(point["step"])
    return None
