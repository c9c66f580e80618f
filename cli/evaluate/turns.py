"""Multi-turn evaluation: failed completions get feedback and the model tries again.

The folder of an evaluation has a folder for each turn, such as `turn-1`, with that turn's
completions. Its own completions are the last of each conversation, with the earlier messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from ocaml_reward import Breakdown, Completion, Grader, Problem, ProblemError
from ocaml_reward.model import public_checks
from ocaml_reward.repair import Repair
from ocaml_reward.scheme import RewardScheme

from ..terminal.options import grading
from ..terminal.progress import progress
from .folder import EvaluationFolder
from .generation import generate_missing, job_settings

Row = dict[str, Any]


def run_turns(
    ctx: click.Context,
    folder: EvaluationFolder,
    job: Mapping[str, Any],
    problems: Sequence[Problem],
    rules: Repair,
    *,
    scheme: RewardScheme,
    resume: bool,
    **how: Any,
) -> None:
    """Generate the missing completions of all turns.

    Args:
        ctx: The context of the command.
        folder: The folder of the evaluation.
        job: The job of the first turn.
        problems: The problems with their tests.
        rules: The number of turns, and the feedback after each.
        scheme: The scheme for grading.
        resume: Whether the turns' completions of an earlier run are kept.
        **how: Engine, sandbox and jobs, as for `grading`.

    Raises:
        ProblemError: Public tests that are to be shown cannot be used.
    """
    last: dict[tuple[str, int], Row] = {}
    current: Mapping[str, Any] = job
    with grading(ctx, scheme, regions=True, **how) as (grader, _):
        for public in filter(None, map(rules.public_of, problems)):
            # Errors in public tests are reported before anything is generated.
            try:
                grader.prepare(public)
            except ProblemError as error:
                raise ProblemError(f"public tests: {error}") from None
        for turn in range(1, rules.turns + 1):
            here = EvaluationFolder(folder.path / f"turn-{turn}")
            with here:
                here.begin(job_settings(current), resume=resume, overwrite=not resume)
                generate_missing(ctx, here, current)
                folder.model = here.model
                rows = here.rows()
            messages = [each.get("messages", []) for each in current["problems"]]
            for place, row in enumerate(rows):
                row |= {"turn": turn}
                if before := messages[place // current["samples"]]:
                    row["conversation"] = before
                last[row["problem_id"], row["sample"]] = row
            if turn < rules.turns:
                feedback = feedback_on_failures(ctx, rows, problems, grader, rules)
                current = next_job(job, feedback, turn)
            if not current["problems"]:
                break
    expected = [(one["id"], n) for one in job["problems"] for n in range(job["samples"])]
    kept = folder.keep_batches(expected, unit=1)
    folder.add([last[each] for each in expected[kept:]])


def feedback_on_failures(
    ctx: click.Context,
    rows: Sequence[Row],
    problems: Sequence[Problem],
    grader: Grader,
    rules: Repair,
) -> list[tuple[Row, str]]:
    """Return the completions that fail, each with its feedback."""
    feedback = []
    by_id = {each.id: each for each in problems}
    usable = {each.id for each in problems if is_usable(each, grader)}
    chosen = [row for row in rows if row["problem_id"] in usable]
    pairs = [(by_id[row["problem_id"]], completion_in(row)) for row in chosen]
    with progress(
        ctx,
        total=len(pairs),
        doing="grading",
        when_stopped=lambda: "stopped; the same command with --resume continues",
    ) as screen:
        for row, pair, found in zip(chosen, pairs, grader.grade_many(pairs), strict=True):
            screen.step(found.reward)
            # A fault says nothing about the completion, so there is no feedback.
            if found.fault is None and not rules.is_over([found]):
                feedback.append((row, feedback_text(pair, found, grader, rules)))
    return feedback


def feedback_text(
    pair: tuple[Problem, Completion], found: Breakdown, grader: Grader, rules: Repair
) -> str:
    """Return the feedback on a completion, with public tests if the rules show them."""
    public = rules.public_of(pair[0])
    if public is None:
        return rules.message(found)
    return rules.message(found, public_checks(public, grader.grade(public, pair[1])))


def is_usable(problem: Problem, grader: Grader) -> bool:
    """Return whether a problem can be graded; its errors are reported when it is scored."""
    try:
        grader.prepare(problem)
    except ProblemError:
        return False
    return True


def next_job(
    job: Mapping[str, Any], feedback: Sequence[tuple[Row, str]], turn: int
) -> dict[str, Any]:
    """Return the job of the next turn, with one completion per conversation."""
    prompts = {each["id"]: each["prompt"] for each in job["problems"]}
    problems = [
        {
            "id": row["problem_id"],
            "prompt": prompts[row["problem_id"]],
            "sample": row["sample"],
            "messages": [
                *row.get("conversation", []),
                {"role": "assistant", "content": row["completion"]},
                {"role": "user", "content": text},
            ],
        }
        for row, text in feedback
    ]
    return {
        **job,
        "problems": problems,
        "samples": 1,
        "batch": job["batch"] * job["samples"],
        # With the same seed a model would repeat itself.
        "seed": job["seed"] + turn,
    }


def completion_in(row: Row) -> Completion:
    """Return the completion in a row."""
    reason = row.get("finish_reason")
    truncated = None if reason is None else reason == "length"
    return Completion(text=row["completion"], truncated=truncated)
