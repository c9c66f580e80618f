"""What the runs came to, from the logs that every training writes."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from experiments.learn.held_out import SAMPLES
from experiments.learn.paired import paired
from experiments.learn.stability import stability
from ocaml_reward.comparing.certificate import Rate
from trainer_plugin import reading

from .arm import SAMPLING
from .model import ADAPTER, MEASURED
from .problems import EASY, HELD_OUT, family_of

KINDS: Final = {
    "New problems of the families that are trained on": EASY,
    "Problems of other families": HELD_OUT,
}
SHOWN: Final = 3
"""Problems of either kind whose completions are shown, the first by name."""

Result = dict[str, Any]


class _Run(Protocol):
    """What is asked of a run."""

    @property
    def arm(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def folder(self) -> Path: ...


def write_report(out: Path, runs: Sequence[_Run]) -> None:
    """Write what the runs have come to by now: `results.json` and `report.md`."""
    results = [
        result_of(each.folder, kind=kind, families=families, arm=each.arm, seed=each.seed)
        for kind, families in KINDS.items()
        for each in runs
    ]
    parts = [base(ADAPTER), report(results), samples(runs)]
    text = "\n".join(each for each in parts if each)
    (out / "report.md").write_text(text, encoding="utf-8")
    record = json.dumps(results, indent=1)
    (out / "results.json").write_text(record, encoding="utf-8")


def result_of(folder: Path, *, kind: str, families: Sequence[str], arm: str, seed: int) -> Result:
    """Read a run: at each measured step the reward, pass@1 and how many completions of each
    problem of these families passed; and seconds of a step by part, medians.
    """
    points: dict[int, Result] = {}
    # A problem's line of a step that was taken again, after a stop, replaces the first.
    passed: dict[int, dict[str, list[bool]]] = {}
    rewards: dict[int, dict[str, list[float]]] = {}
    for line in reading.rows(folder / "batch_metrics.jsonl"):
        if line["split"] == "eval":
            for name, group in line["groups"].items():
                if family_of(name) in families:
                    passed.setdefault(line["step"], {})[name] = group["passed"]
                    rewards.setdefault(line["step"], {})[name] = group["rewards"]
    # One that is under way has not come to all problems yet.
    whole = max(map(len, passed.values()), default=0)
    for step in sorted(each for each in passed if len(passed[each]) == whole):
        by_problem = [passed[step][name] for name in sorted(passed[step])]
        known = [one for each in rewards[step].values() for one in each if one is not None]
        points[step] = {
            "step": step,
            "reward": statistics.fmean(known) if known else None,
            "pass_at_1": statistics.fmean(map(statistics.fmean, by_problem)),
            "passed": [sum(each) for each in by_problem],
        }
    return {
        "start": kind,
        "variant": arm,
        "seed": seed,
        "points": list(points.values()),
        "seconds": _parts(folder),
    }


def _parts(folder: Path) -> dict[str, float]:
    sampled: dict[int, float] = {}
    for line in reading.rows(folder / SAMPLING):
        if line["train"]:
            # Of the step that is under way.
            sampled[line["step"] + 1] = line["seconds"]
    steps = {
        line["step"]: (line["step_time"], line["ocaml/score_seconds"])
        for line in reading.rows(folder / "metrics.jsonl")
        if "step_time" in line and "ocaml/score_seconds" in line
    }
    told = [(*steps[step], sampled[step]) for step in steps if step in sampled]
    if not told:
        return {}
    whole, grading, sampling = (statistics.median(column) for column in zip(*told, strict=True))
    return {
        "step": round(whole, 2),
        "sampling": round(sampling, 2),
        "grading": round(grading, 3),
        "training": round(whole - sampling - grading, 2),
    }


def base(folder: Path) -> str:
    """Write how the base came about, a line a measurement."""
    head = "## The base\n\n| supervised steps | alpha | samples | pass |\n|---|---|---|---|"
    rows = [
        f"| {line['step']} | {line['alpha']} | {line['samples']} | {line['pass_at_1']:.3f} |"
        for line in reading.rows(folder / MEASURED)
    ]
    return "\n".join([head, *rows]) + "\n" if rows else ""


def report(results: Sequence[Result]) -> str:
    """Write for each kind of problem a table of the arms, their differences in pass@1 with intervals,
    and whether seeds agree.
    """
    parts = []
    for kind in dict.fromkeys(each["start"] for each in results):
        runs = _as_far([each for each in results if each["start"] == kind and each["points"]])
        if not runs:
            continue
        rows = [
            _row(arm, [each for each in runs if each["variant"] == arm])
            for arm in dict.fromkeys(each["variant"] for each in runs)
        ]
        head = (
            "| arm | seeds | steps | pass@1 before | at the end (Wilson) | over the run | reward at the end"
            " | seconds a step: sampling, grading, training |"
        )
        table = "\n".join([head, "|---" * 8 + "|", *rows])
        both = [f"## {kind}", table]
        both += [each.rstrip() for each in (paired(runs), stability(runs)) if each]
        parts.append("\n\n".join(both))
    return "\n\n".join(parts) + "\n" if parts else ""


def _as_far(runs: Sequence[Result]) -> list[Result]:
    """Cut all runs where the shortest ends: a cut one is compared with as much of the others."""
    last = min((each["points"][-1]["step"] for each in runs), default=0)
    return [
        {**each, "points": [point for point in each["points"] if point["step"] <= last]}
        for each in runs
    ]


def samples(runs: Sequence[_Run]) -> str:
    """Show what the runs of the first seed wrote for three problems of either kind: the first
    completion of the first problems, before and at the end, whatever it is.
    """
    found: dict[str, dict[str, str]] = {}
    for run in [each for each in runs if each.seed == 0]:
        lines = [line for line in reading.completions(run.folder) if line["split"] == "eval"]
        last = max((line["step"] for line in lines), default=0)
        names = sorted({line["problem_id"] for line in lines})
        chosen = {
            name
            for families in KINDS.values()
            for name in [each for each in names if family_of(each) in families][:SHOWN]
        }
        for line in reversed(lines):
            if line["step"] in (0, last) and line["problem_id"] in chosen:
                when = f"{run.arm}, after {last} steps" if line["step"] else "before"
                told = f"{line['verdict']}, {line['reward']}"
                problem = found.setdefault(line["problem_id"], {"": line["prompt"]})
                problem[when] = f"{when}: {told}\n\n{_fenced(line['completion'])}"
    parts = [
        "\n\n".join([f"### {name}", _fenced(each.pop("")), *each.values()])
        for name, each in sorted(found.items())
    ]
    return "\n\n".join(["## Samples", *parts]) + "\n" if parts else ""


def _fenced(text: str) -> str:
    return f"```ocaml\n{text.rstrip()}\n```"


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
        _wilson(last),
        f"{statistics.fmean(over):.3f}",
        f"{statistics.fmean(p['reward'] or 0.0 for p in last):.3f}",
        seconds,
    ]
    return f"| {' | '.join(cells)} |"


def _wilson(points: Sequence[Result]) -> str:
    """Write the share that passes with its interval, which takes all samples for independent."""
    passed = [one for point in points for one in point["passed"]]
    rate = Rate(passed=sum(passed), tried=SAMPLES * len(passed))
    low, high = rate.interval
    return f"{rate.share:.3f} ({low:.3f} to {high:.3f})"
