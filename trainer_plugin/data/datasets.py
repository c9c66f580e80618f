"""Reads the problems of a run, filters them, checks them against their references, and splits them.

Every dropped problem is recorded with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from ocaml_reward import Completion, Grader, Problem, ProblemError
from ocaml_reward.auditing import reference_failures
from ocaml_reward.formats import problem_fields

from ..config.checks import is_file_name
from ..config.value import Config, ConfigError
from ..samples import OTHERS
from .prompts import Prompt, Prompting
from .rows import Entry, read_entries
from .selection_report import Dropped, NothingToTrainOn, Problems
from .split import duplicates_in, similar_problems, split

Count = Callable[[Prompt], int]
"""Counts the tokens of a prompt."""


WORDS: Final = {
    "beginner": 0.0,
    "trivial": 0.0,
    "easy": 1.0,
    "simple": 1.0,
    "medium": 2.0,
    "intermediate": 2.0,
    "moderate": 2.0,
    "hard": 3.0,
    "difficult": 3.0,
    "advanced": 4.0,
    "expert": 4.0,
}
"""Words for difficulties, from easy to hard."""


def load_run_problems(
    config: Config,
    prompts: Prompting,
    *,
    count: Count,
    grader: Callable[[], Grader],
) -> Problems:
    """Read and filter the problems of a run.

    `count` counts tokens. `grader` creates the grader that checks references; it is closed here.
    Raises NothingToTrainOn if nothing is left, and MachineError if tests cannot be checked on this
    machine.
    """
    dataset = config.dataset
    dropped: list[Dropped] = []
    sources = [(dataset.source, dataset.split)]
    if dataset.validation is not None:
        own_file = is_file_name(dataset.validation)
        sources.append(
            (dataset.validation, "train") if own_file else (dataset.source, dataset.validation)
        )
    usable: list[list[Problem]] = []
    columns: dict[str, None] = {}
    ranks: dict[str, float] = {}
    for source, part in sources:
        entries = read_entries(source, dataset, split=part)
        if dataset.order == "easy_first" and not usable:
            ranks = difficulty_ranks(entries)
        columns |= dict.fromkeys(name for entry in entries for name in entry.columns)
        chosen = list(_by_difficulty(entries, dataset.difficulty, dropped))
        short = _by_length(chosen[: dataset.limit], config, prompts, count, dropped)
        usable.append(list(short))
    with grader() as checker:
        usable = [list(_by_tests(each, checker, dropped)) for each in usable]
        if dataset.check_references:
            usable = [list(_by_reference(each, checker, dropped)) for each in usable]
    unchecked = sum(
        one.reference is None or not dataset.check_references for each in usable for one in each
    )
    training, validation = _sides(usable, config, dropped)
    training.sort(key=lambda one: ranks.get(one.id, 0.0))
    found = Problems(
        training=tuple(training),
        validation=tuple(validation),
        dropped=tuple(dropped),
        unchecked=unchecked,
        columns=tuple(columns),
    )
    if not training:
        raise NothingToTrainOn.of(found)
    return found


def _sides(
    usable: list[list[Problem]], config: Config, dropped: list[Dropped]
) -> tuple[list[Problem], list[Problem]]:
    """Return the problems to train on and the held-out ones."""
    problems = usable[0]
    if len(usable) > 1:
        validation = usable[1]
        leaks = duplicates_in(problems, validation)
        for place in sorted(leaks):
            detail = "the validation set has the same prompt or tests"
            one = Dropped(id=problems[place].id, reason="also in validation", detail=detail)
            dropped.append(one)
        kept = [one for place, one in enumerate(problems) if place not in leaks]
        return kept, validation
    # The maximum that a small data set can spare.
    fifth = max(1, len(problems) // 5) if len(similar_problems(problems)) > 1 else 0
    held_out = min(config.dataset.validation_size, fifth)
    first, second = split(problems, held_out=held_out, seed=config.dataset.seed)
    return [problems[place] for place in first], [problems[place] for place in second]


def _by_difficulty(
    entries: Sequence[Entry], wanted: Sequence[str], dropped: list[Dropped]
) -> Iterator[Problem]:
    """Yield the problems of the wanted difficulties; add the others to `dropped`."""
    words = {word.casefold() for word in wanted}
    if words and not any(entry.difficulty for entry in entries):
        raise ConfigError("dataset.difficulty: no row names a difficulty")
    for entry in entries:
        if entry.problem is None:
            dropped.append(Dropped(id=entry.id, reason="unusable row", detail=entry.message))
        elif words and entry.difficulty not in words:
            detail = f"it is {entry.difficulty or 'not given'}"
            dropped.append(Dropped(id=entry.id, reason="difficulty", detail=detail))
        else:
            yield entry.problem


def _by_length(
    problems: Iterable[Problem],
    config: Config,
    prompts: Prompting,
    count: Count,
    dropped: list[Dropped],
) -> Iterator[Problem]:
    """Yield the problems whose texts are short enough; add the others to `dropped`."""
    for problem in problems:
        limits = [("prompt length", config.grpo.max_prompt_length, prompts.render(problem))]
        if config.dataset.max_solution is not None and problem.reference is not None:
            solution = prompts.solution(problem)
            limits.append(("solution length", config.dataset.max_solution, solution))
        for reason, limit, text in limits:
            tokens = count(text)
            if tokens > limit:
                detail = f"{tokens} tokens, more than {limit}"
                dropped.append(Dropped(id=problem.id, reason=reason, detail=detail))
                break
        else:
            yield problem


def _by_tests(
    problems: Iterable[Problem], grader: Grader, dropped: list[Dropped]
) -> Iterator[Problem]:
    """Keep the problems whose tests can be used."""
    for problem in problems:
        try:
            grader.prepare(problem)
        except ProblemError as error:
            detail = str(error)
            dropped.append(Dropped(id=problem.id, reason="tests", detail=detail))
        else:
            yield problem


def _by_reference(
    sound: Sequence[Problem], grader: Grader, dropped: list[Dropped]
) -> Iterator[Problem]:
    """Keep the problems whose reference passes the tests, or that have none."""
    checked = [one for one in sound if one.reference is not None]
    pairs = ((one, Completion(text=one.reference or "")) for one in checked)
    failed: dict[str, str] = {}
    for problem, breakdown in zip(checked, grader.grade_many(pairs), strict=True):
        for fault in reference_failures(breakdown)[:1]:
            failed[problem.id] = fault.message
    for problem in sound:
        if problem.id in failed:
            detail = failed[problem.id]
            dropped.append(Dropped(id=problem.id, reason="reference", detail=detail))
        else:
            yield problem


def dataset_rows(
    problems: Iterable[Problem], prompts: Prompting, *, part: str
) -> list[dict[str, Any]]:
    """Return the rows that the trainer passes to the reward.

    Each has all that decides its grading; `part` tells training from validation. All columns are
    text, because nested ones would lose their types.
    """
    return [
        {**_cells(one), "id": one.id, "prompt": prompts.render(one), "split": part}
        for one in problems
    ]


def _cells(problem: Problem) -> dict[str, str]:
    """Return a problem's fields as the texts of a row."""
    fields = problem_fields(problem)
    return {
        name: value if isinstance(value, str) else json.dumps(value)
        for name in ("tests", *OTHERS)
        for value in [fields.get(name, "")]
    }


def difficulty_ranks(entries: Sequence[Entry]) -> dict[str, float]:
    """Return the rank of each problem by id.

    The rank is that of its row's difficulty, a word or a number; if no row has one, the length of
    the reference. Raises ConfigError for a difficulty that cannot be compared with the others.
    """
    usable = [entry for entry in entries if entry.problem is not None]
    if any(entry.difficulty for entry in usable):
        return {entry.id: _named(entry) for entry in usable}
    if not all(entry.problem and entry.problem.reference for entry in usable):
        raise ConfigError(
            "dataset.order: easy_first needs a difficulty in each row, or else a reference"
        )
    return {
        entry.id: float(len(entry.problem.reference or ""))
        for entry in usable
        if entry.problem is not None
    }


def _named(entry: Entry) -> float:
    """Return an entry's difficulty as a number."""
    level = entry.difficulty or ""
    if level in WORDS:
        return WORDS[level]
    try:
        return float(level)
    except ValueError:
        raise ConfigError(
            f"dataset.order: problem {entry.id!r}: difficulty {level or 'not given'!r} is"
            f" neither a number nor one of {', '.join(WORDS)}"
        ) from None
