"""Sources of reports: a training's folder with its real logs, and scored files."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ocaml_reward.model import IMPOSSIBLE, Breakdown, Ground, Outcome, Region, Verdict
from ocaml_reward.model.report import CheckResult
from ocaml_reward.record import breakdown_to_dict, dumps
from tests.example_breakdown import EXAMPLE
from tests.trainer.faked import BAD, GOOD, TESTS, batch, reward

HOSTILE = "</script><img src=x onerror=\"document.title='pwned'\"><b>&amp;"
WRONG = "let add x y = x ^ y\n(* END *)"
LEARNING = (
    "[Epoch {epoch:.2f}]  loss=0.0100  grad={grad:.4f}  lr=1.00e-06  reward=0.500±0.100"
    "  syntax_rew=0.500±0.100  entropy=0.100  frac_zero_std=0.00"
)


def training(folder: Path, *, steps: int = 4) -> Path:
    """Let a reward write the logs of so many steps and an evaluation; the last gradient is out
    of proportion.
    """
    made = reward(log_dir=folder)
    for number in range(1, steps + 1):
        batch(
            made,
            *(GOOD, BAD, WRONG, GOOD),
            id=["add", "add", "<i>other</i>", "<i>other</i>"],
            tests=[TESTS] * 4,
            split=["train"] * 4,
            trainer_state=SimpleNamespace(global_step=number - 1, epoch=number / 10),
        )
    state = SimpleNamespace(global_step=steps, epoch=steps / 10)
    batch(made, GOOD, BAD, split=["eval"] * 2, trainer_state=state)
    lines = [
        LEARNING.format(epoch=number / 10, grad=50.0 if number == steps else 0.1)
        for number in range(1, steps + 1)
    ]
    text = "".join(f"{line}\n" for line in lines)
    (folder / "learning.log").write_text(text, encoding="utf-8")
    return folder


def twin_training(folder: Path) -> Path:
    """Let a reward write the logs of two steps, each with an evaluation in which twins are; in
    the second one a twin is passed.
    """
    made = reward(log_dir=folder)
    twin = f"add{IMPOSSIBLE}"
    metrics = []
    for step, answers in enumerate([(GOOD, BAD, BAD), (GOOD, BAD, GOOD)], 1):
        state = SimpleNamespace(global_step=step - 1, epoch=step / 10)
        batch(made, GOOD, BAD, split=["train"] * 2, trainer_state=state)
        state = SimpleNamespace(global_step=step, epoch=step / 10)
        ids, split = ["add", twin, twin], ["eval"] * 3
        batch(made, *answers, id=ids, tests=[TESTS] * 3, split=split, trainer_state=state)
        passed = (step - 1) / 2
        metrics += [
            {"step": step, "epoch": step / 10, "reward": 0.8, "grad_norm": 0.1},
            {"step": step, "epoch": step / 10, "eval_ocaml/impossible_pass_rate": passed},
        ]
    text = "".join(f"{json.dumps(row)}\n" for row in metrics)
    (folder / "metrics.jsonl").write_text(text, encoding="utf-8")
    return folder


def example(**changes: Any) -> Breakdown:
    """Return a breakdown with a type error, regions and checks through holes."""
    whole = replace(
        EXAMPLE,
        code="let bad x = x ^ 1\nlet good x = x + 1\n",
        regions=(
            Region(start=0, stop=17, line=1, end_line=1, ground=Ground.HOLDS_ERROR),
            Region(start=18, stop=36, line=2, end_line=2, ground=Ground.PASSING),
        ),
        through_holes=(CheckResult(index=1, line=1, outcome=Outcome.MET_HOLE),),
    )
    return replace(whole, **changes)


def passing(**changes: Any) -> Breakdown:
    """Return a breakdown of code that passes, of the same problem."""
    return example(
        verdict=Verdict.PASSED,
        reward=1.0,
        code="let bad x = x + 1\nlet good x = x + 1\n",
        diagnostics=(),
        regions=None,
        through_holes=None,
        penalties=(),
        **changes,
    )


def scored(path: Path, breakdowns: Iterable[Breakdown] | None = None) -> Path:
    """Write records as `score` does: a problem's first, then its second completion."""
    seen: dict[str, int] = {}
    lines = []
    for number, each in enumerate(breakdowns or (example(), passing()), 1):
        index = seen[each.problem_id] = seen.get(each.problem_id, -1) + 1
        record = breakdown_to_dict(each) | {"index": index, "line": number, "input": {}}
        lines.append(dumps(record))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def many(path: Path, count: int) -> Path:
    """Write so many records of eight completions a problem, quickly."""
    lines = []
    for number in range(count):
        record = breakdown_to_dict(example(problem_id=f"p{number // 8:05}"))
        lines.append(record | {"index": number % 8, "line": number + 1, "input": {}})
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path
