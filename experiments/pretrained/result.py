"""
What the runs came to, from the logs that every training writes.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from experiments.learn.paired import paired

from .arm import SAMPLING

__all__ = ["report", "result_of"]

Result = dict[str, Any]


def result_of(folder: Path, *, start: str, arm: str, seed: int) -> Result:
    """
    Read a run: at each measured step the reward, pass@1 and how many completions of each
    held-out problem passed; and seconds of a step by part, medians.
    """
    points: dict[int, Result] = {}
    # A problem's line of a step that was taken again, after a stop, replaces the first.
    passed: dict[int, dict[str, list[bool]]] = {}
    rewards: dict[int, dict[str, list[float]]] = {}
    for line in _lines(folder / "batch_metrics.jsonl"):
        if line["split"] == "eval":
            for name, group in line["groups"].items():
                passed.setdefault(line["step"], {})[name] = group["passed"]
                rewards.setdefault(line["step"], {})[name] = group["rewards"]
    for step in sorted(passed):
        by_problem = [passed[step][name] for name in sorted(passed[step])]
        known = [
            one for each in rewards[step].values() for one in each if one is not None
        ]
        points[step] = {
            "step": step,
            "reward": statistics.fmean(known) if known else None,
            "pass_at_1": statistics.fmean(map(statistics.fmean, by_problem)),
            "passed": [sum(each) for each in by_problem],
        }
    return {
        "start": start,
        "variant": arm,
        "seed": seed,
        "points": list(points.values()),
        "seconds": _parts(folder),
    }


def _parts(folder: Path) -> dict[str, float]:
    sampled: dict[int, float] = {}
    for line in _lines(folder / SAMPLING):
        if line["train"]:
            # Of the step that is under way.
            sampled[line["step"] + 1] = line["seconds"]
    steps = {
        line["step"]: (line["step_time"], line["ocaml/score_seconds"])
        for line in _lines(folder / "metrics.jsonl")
        if "step_time" in line and "ocaml/score_seconds" in line
    }
    told = [(*steps[step], sampled[step]) for step in steps if step in sampled]
    if not told:
        return {}
    whole, grading, sampling = (
        statistics.median(column) for column in zip(*told, strict=True)
    )
    return {
        "step": round(whole, 2),
        "sampling": round(sampling, 2),
        "grading": round(grading, 3),
        "training": round(whole - sampling - grading, 2),
    }


def report(results: Sequence[Result]) -> str:
    """
    Write for each start a table of the arms, and their differences in pass@1 with intervals.
    """
    parts = []
    for start in dict.fromkeys(each["start"] for each in results):
        runs = [each for each in results if each["start"] == start and each["points"]]
        rows = [
            _row(arm, [each for each in runs if each["variant"] == arm])
            for arm in dict.fromkeys(each["variant"] for each in runs)
        ]
        head = (
            "| arm | seeds | steps | pass@1 before | at the end | over the run | reward at the end"
            " | seconds a step: sampling, grading, training |"
        )
        table = "\n".join([head, "|---" * 8 + "|", *rows])
        both = [f"## From a base with {start}", table]
        if runs and (differences := paired(runs)):
            both.append(differences.rstrip())
        parts.append("\n\n".join(both))
    return "\n\n".join(parts) + "\n"


def _row(arm: str, runs: Sequence[Result]) -> str:
    first, last = ([run["points"][place] for run in runs] for place in (0, -1))
    over = [statistics.fmean(p["pass_at_1"] for p in run["points"]) for run in runs]
    parts = [run["seconds"] for run in runs if run["seconds"]]
    seconds = "-"
    if parts:
        seconds = ", ".join(
            f"{statistics.median(each[name] for each in parts):.1f}"
            for name in ("sampling", "grading", "training")
        )
    cells = [
        arm,
        str(len(runs)),
        str(max(point["step"] for point in last)),
        f"{statistics.fmean(p['pass_at_1'] for p in first):.3f}",
        f"{statistics.fmean(p['pass_at_1'] for p in last):.3f}",
        f"{statistics.fmean(over):.3f}",
        f"{statistics.fmean(p['reward'] or 0.0 for p in last):.3f}",
        seconds,
    ]
    return f"| {' | '.join(cells)} |"


def _lines(path: Path) -> Iterable[Result]:
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.endswith("}")]
