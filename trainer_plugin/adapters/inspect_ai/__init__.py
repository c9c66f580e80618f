"""The reward for Inspect: scorers, and a task with them. Tested with inspect-ai 0.3.285.

    inspect eval ocaml_reward/ocaml -T problems=problems.jsonl --model ...

It is installed as `ocaml_reward.inspect_ai`, because Inspect names what is registered after the
top-level package that it is in. A sample that cannot be graded is unscored: metrics leave it out
and count it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState, generate

from ocaml_reward import InputError
from ocaml_reward.formats import load_problems
from trainer_plugin.adapters.grading import RewardUnavailable, figures, grading

__all__ = ["ocaml", "ocaml_passed", "ocaml_reward"]


@scorer(metrics=[mean(), stderr()])
def ocaml_reward(**given: Any) -> Scorer:
    """Return a scorer whose score is the reward.

    The target of a sample is its problem: an id, or an object as JSON.

    Args:
        **given: Settings of `grading`; others come from the environment.

    Raises:
        ValueError: A setting cannot be used.
    """
    return scoring("score", given)


@scorer(metrics=[mean(), stderr()])
def ocaml_passed(**given: Any) -> Scorer:
    """Return a scorer whose score is 1 if every check passes, so that its mean is pass@1.

    Args:
        **given: As for `ocaml_reward`; with the same settings nothing is graded twice.

    Raises:
        ValueError: A setting cannot be used.
    """
    return scoring("passed", given)


def scoring(figure: str, given: dict[str, Any]) -> Scorer:
    """Return a scorer of one of the figures."""
    graded = grading(**given)

    async def score(state: TaskState, target: Target) -> Score:
        # As after an error, in a log that is scored later: an empty answer would be a 0.
        if state.output.empty:
            return Score.unscored(reason="no_output", explanation="the model gave no output")
        reason = state.output.stop_reason
        try:
            found = await graded.breakdown_async(
                target.text,
                state.output.completion,
                truncated={"max_tokens": True, "stop": False}.get(reason),
            )
        except RewardUnavailable as error:
            return Score.unscored(reason="grader_fault", explanation=str(error))
        made = figures(found)
        return Score(
            value=made[figure],
            answer=found.code,
            explanation=found.verdict.value,
            metadata=dict(made),
        )

    return score


def samples(problems: str) -> MemoryDataset:
    """Read a file of problems as samples; raises InputError if one is bad."""
    found = load_problems(Path(problems))
    if found.bad:
        raise InputError(str(found.bad[0]))
    return MemoryDataset(
        [
            Sample(id=id_, input=problem.prompt, target=id_)
            for id_, problem in found.problems.items()
        ],
        name=Path(problems).stem,
    )


@task
def ocaml(problems: str, **given: Any) -> Task:
    """Return a task with the problems of a file.

    Args:
        problems: The file.
        **given: Further settings of `grading`.

    Returns:
        The task; a model answers each prompt once.
    """
    return Task(
        dataset=samples(problems),
        solver=generate(),
        scorer=[
            ocaml_reward(problems=problems, **given),
            ocaml_passed(problems=problems, **given),
        ],
    )
