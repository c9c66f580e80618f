"""Converts the arguments of a reward function to problems and completions.

A trainer passes one list per column of the dataset, one item per completion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from ocaml_reward import Completion, InputError, Problem, ProblemError
from ocaml_reward.formats.chat import assistant_text, last_user_text
from ocaml_reward.formats.problems import TESTS, problem_of
from ocaml_reward.formats.rows import Row

IDS: Final = ("id", "problem_id", "task_id")
OTHERS: Final = (
    *("public_tests", "comparison", "judge", "checker"),
    *("signature", "given", "libraries", "forbidden", "required", "budget", "reference"),
)
"""The columns, besides those of tests, that affect grading."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """A completion and its problem; `problem` is an error if its row is invalid."""

    problem_id: str
    prompt: str
    completion: Completion
    problem: Problem | InputError


def samples_of(
    prompts: Sequence[Any] | None,
    completions: Sequence[Any],
    cut_off: Sequence[bool | None],
    columns: Mapping[str, Any],
) -> list[Sample]:
    """Read a batch.

    Raises ProblemError if the dataset has no column of tests.
    """
    count = len(completions)
    used = {
        name: columns[name]
        for name in (*TESTS, *OTHERS)
        if isinstance(columns.get(name), list | tuple)
    }
    if not used.keys() & set(TESTS):
        there = ", ".join(sorted(columns)) or "none"
        raise ProblemError(
            f"the dataset has no column `tests` (or {', '.join(TESTS[1:])});"
            f" its columns beside the prompt: {there}"
        )
    named = next((columns[name] for name in IDS if columns.get(name)), None)
    samples: list[Sample] = []
    for place in range(count):
        fields = {name: values[place] for name, values in used.items()}
        prompt = last_user_text(prompts[place]) if prompts is not None else ""
        problem_id = str(named[place]) if named is not None else ""
        if not problem_id:
            problem_id = _made_up(prompt, fields)
        samples.append(_sample(problem_id, prompt, fields, completions[place], cut_off[place]))
    return samples


def _sample(
    problem_id: str,
    prompt: str,
    fields: dict[str, object],
    answer: Any,
    cut_off: bool | None,
) -> Sample:
    """Return the sample of a row and its completion, also if they cannot be read."""
    text = ""
    problem: Problem | InputError
    try:
        text = assistant_text(answer, "completion")
        row = Row(
            file="dataset",
            line=0,
            fields={**fields, "prompt": prompt},
            repaired=False,
        )
        problem = problem_of(row, id_=problem_id, taken=frozenset())
    except InputError as error:
        problem = error
    return Sample(
        problem_id=problem_id,
        prompt=prompt,
        completion=Completion(text=text, truncated=cut_off),
        problem=problem,
    )


def _made_up(prompt: str, fields: Mapping[str, object]) -> str:
    """Return an id made from a problem's content, for a dataset without ids."""
    content = repr((prompt, sorted(fields.items())))
    return f"p{sha256(content.encode(errors='replace')).hexdigest()[:10]}"
