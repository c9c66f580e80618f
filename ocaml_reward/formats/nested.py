"""Rows that hold the completions of many problems, or of one with their verdicts.

EvalPlus' `eval_results.json` has all solutions by task; MultiPL-E's `ID.results.json` has
programs, each of them prompt, completion and tests; an episode of verifiers has traces; a
sample of lm-eval (`--log_samples`) has its problem inside, a rollout of verl its label, one of
NeMo Gym its request.  What others found is left behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from .lines import BadLine
from .problems import IDS
from .rows import Row, first_of, json_in_text
from .traces import is_episode, traced

# An id, as labels have it, and nothing that a test could be.
_WORD: Final = re.compile(r"[\w./:@+-]{1,200}")


def unnested(row: Row) -> Iterator[Row | BadLine]:
    """Yield the rows that a row holds, or itself."""
    fields = row.fields
    tasks, results = fields.get("eval"), fields.get("results")
    if isinstance(tasks, dict) and tasks and "hash" in fields:
        for name, solutions in tasks.items():
            yield from _solutions(row, str(name), solutions)
    elif isinstance(results, list) and "name" in fields and _has_programs(results):
        for result in results:
            yield replace(row, fields=_without_frame(fields, result))
    elif is_episode(fields):
        yield from traced(row)
    elif isinstance(fields.get("doc"), dict) and "doc_id" in fields:
        yield replace(row, fields=_sample(fields))
    elif "output" in fields and "gts" in fields:
        yield replace(row, fields=_rollout(fields))
    elif isinstance(request := fields.get("responses_create_params"), dict):
        # (NVIDIA-NeMo/Gym environments/code_gen/data/example_rollouts.jsonl)
        yield replace(row, fields={"prompt": request.get("input")} | fields)
    else:
        yield row


def _rollout(fields: dict[str, Any]) -> dict[str, object]:
    """Return a rollout of verl as a completion with its prompt and what its label says: the
    problem, or its id.

    (volcengine/verl verl/trainer/ppo/ray_trainer.py, _dump_generations)
    """
    own = {name: value for name, value in fields.items() if name not in {"input", "gts"}}
    label = fields["gts"]
    if isinstance(label, str):
        label = json_in_text(label) or label
    if isinstance(label, str) and _WORD.fullmatch(label):
        label = {"problem_id": label}
    return {"prompt": fields.get("input")} | (label if isinstance(label, dict) else {}) | own


def _sample(fields: dict[str, Any]) -> dict[str, object]:
    """Return a sample of lm-eval as a completion with its problem's id and prompt."""
    doc: dict[str, Any] = fields["doc"]
    own = {name: doc[name] for name in ("prompt", *IDS) if doc.get(name) is not None}
    number = {} if first_of(doc, IDS) else {"problem_id": fields["doc_id"]}
    answers = first_of(fields, ("filtered_resps", "resps"))
    return own | number | ({answers: fields[answers]} if answers else {})


def _solutions(row: Row, name: str, solutions: object) -> Iterator[Row | BadLine]:
    """Yield a row for each of a problem's solutions."""
    given = solutions if isinstance(solutions, list) and solutions else [solutions]
    for each in given:
        text = each.get("solution") if isinstance(each, dict) else None
        if isinstance(text, str):
            yield replace(row, fields={"task_id": name, "solution": text})
        else:
            message = f"eval: {name}: no solution"
            yield BadLine(file=row.file, line=row.line, message=message)


def _has_programs(results: list[object]) -> bool:
    """Tell whether these are results of programs, as MultiPL-E has them."""
    return bool(results) and all(
        isinstance(each, dict) and isinstance(each.get("program"), str) for each in results
    )


def _without_frame(fields: dict[str, object], result: dict[str, object]) -> dict[str, object]:
    """Return the fields of a program without prompt and tests around it."""
    program = str(result["program"])
    prompt, tests = fields.get("prompt"), fields.get("tests")
    if isinstance(prompt, str):
        program = program.removeprefix(prompt)
    if isinstance(tests, str) and tests.strip():
        program = program.removesuffix(tests).removesuffix("\n")
    kept = {name: value for name, value in fields.items() if name != "results"}
    return kept | {"completion": program}
