"""The report: a table with its spread, and the curves as a picture."""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

from ocaml_reward import Verdict

from .paired import paired
from .plot import plot
from .stability import stability

GOAL = 0.5
"""The pass@1 of which the table says how many steps it took."""


FEW = 4
"""So many seeds have their values told one by one."""


def write_report(results: list[dict[str, Any]], folder: Path, *, steps: int) -> None:
    """Write `learn.txt`, the tables; an SVG for each start, the curves; `learn.json`, what
    both are made of.
    """
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for start in dict.fromkeys(each["start"] for each in results):
        runs = [each for each in results if each["start"] == start]
        told = [table(runs, steps=steps), stages(runs), paired(runs), stability(runs)]
        parts.append("\n".join(filter(None, told)))
        name = f"learn-{start}.svg"
        (folder / name).write_text(plot(runs, steps=steps), encoding="utf-8")
    (folder / "learn.txt").write_text("\n".join(parts), encoding="utf-8")
    record = json.dumps({"steps": steps, "results": results}, separators=(",", ":"))
    (folder / "learn.json").write_text(record + "\n", encoding="utf-8")


def table(results: list[dict[str, Any]], *, steps: int) -> str:
    """Write one row a variant: mean over the seeds, and in brackets every seed's value, or of
    more than a few the least and the most.
    """
    head = (
        f"| reward | held-out reward, step 0 | step {steps} | pass@1, step 0 |"
        f" step {steps} | over the run | steps to pass@1 {GOAL:.0%} | groups all alike |"
    )
    lines = [head, "|---" * 8 + "|"]
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


def stages(results: list[dict[str, Any]]) -> str:
    """Write how far the held-out completions got: before, and after with each variant."""
    variants = list(dict.fromkeys(each["variant"] for each in results))
    columns = [shares([each["points"][0] for each in results])]
    columns += [
        shares([each["points"][-1] for each in results if each["variant"] == variant])
        for variant in variants
    ]
    names = sorted({name for column in columns for name in column}, key=order)
    lines = [
        f"| verdict | before | {' | '.join(variants)} |",
        "|---" * (len(columns) + 1) + "|",
    ]
    lines += [
        f"| {name} | " + " | ".join(f"{c.get(name, 0):.1%}" for c in columns) + " |"
        for name in names
    ]
    return "\n".join(lines) + "\n"


def shares(points: list[dict[str, Any]]) -> dict[str, float]:
    """Give the share of each verdict over some measurements."""
    counts: Counter[str] = Counter()
    for point in points:
        counts.update(point["verdicts"])
    return {name: count / counts.total() for name, count in counts.items()}


def order(name: str) -> int:
    """Put verdicts from best to worst."""
    return list(Verdict).index(Verdict(name))


def summary(runs: list[dict[str, Any]]) -> list[str]:
    """Sum up the runs of one variant, a cell each."""
    cells = []
    for key in ("reward", "pass_at_1"):
        cells += [spread([run["points"][at][key] for run in runs]) for at in (0, -1)]
    courses = [[point["pass_at_1"] for point in run["points"]] for run in runs]
    cells.append(spread([statistics.fmean(course) for course in courses], digits=3))
    cells.append(sooner([first_step(run) for run in runs]))
    cells.append(spread([statistics.fmean(run["zero_std"]) for run in runs]))
    return cells


def spread(values: list[float], *, digits: int = 2) -> str:
    """Write a mean with the values it is made of, or where these lie."""
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    some = [min(values), max(values)] if len(values) > FEW else values
    told = [f"{value:.{digits}f}" for value in some]
    brackets = " to ".join(told) if len(values) > FEW else ", ".join(told)
    return f"{statistics.fmean(values):.{digits}f} ({brackets})"


def sooner(reached: list[int | None]) -> str:
    """Write at which steps runs came to the goal: each, or of more than a few the median and
    where they lie.
    """
    order = [math.inf if one is None else float(one) for one in reached]
    if len(order) > FEW:
        order = sorted(order)
        middle = statistics.median_low(order)
        low, high = _step(order[0]), _step(order[-1])
        return f"{_step(middle)} ({low} to {high})" if low != high else low
    return ", ".join(map(_step, order))


def _step(number: float) -> str:
    return "never" if math.isinf(number) else f"{number:.0f}"


def first_step(run: dict[str, Any]) -> int | None:
    """Return the step at which a run was first measured at the goal."""
    for point in run["points"]:
        if point["pass_at_1"] >= GOAL:
            return int(point["step"])
    return None
