"""Report of which problems a run uses and why others were dropped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ocaml_reward import Problem
from ocaml_reward.formats import problem_fields
from ocaml_reward.formats.problems import IDS, LEFT_OUT, PROMPTS, REFERENCES, TESTS

from ..config.value import ConfigError

KEEP: Final[Mapping[str, str]] = {
    "difficulty": "dataset.difficulty names those that are kept",
    "prompt length": "a larger grpo.max_prompt_length keeps them",
    "solution length": "a larger dataset.max_solution keeps them",
    "tests": "nobody can grade them; ocaml-reward validate shows what to mend",
    "reference": "dataset.check_references=false keeps them",
    "also in validation": "dataset.validation=none holds others out instead",
}
"""How to keep problems that were dropped for a reason."""

SHOWN: Final = 10
"""Maximum number of rows shown of a data set without usable problems."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dropped:
    """A problem that is not used: the filter that dropped it, and the reason."""

    id: str
    reason: str
    detail: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Problems:
    """The problems for training and validation, and those dropped; `columns` are those of invalid
    rows.
    """

    training: tuple[Problem, ...]
    validation: tuple[Problem, ...]
    dropped: tuple[Dropped, ...]
    unchecked: int
    columns: tuple[str, ...] = ()

    def report_lines(self) -> list[str]:
        """Return lines about which problems are used and which are not."""
        sizes = f"{len(self.training)} to train on, {len(self.validation)} to validate on"
        lines = [f"problems: {sizes}"]
        for reason, count in Counter(one.reason for one in self.dropped).most_common():
            first = next(one for one in self.dropped if one.reason == reason)
            keep = f"; {KEEP[reason]}" if reason in KEEP else ""
            lines.append(f"left out: {count} ({reason}), first {first.id}: {first.detail}{keep}")
        if self.unchecked:
            lines.append(f"not checked against a reference: {self.unchecked}")
        return lines

    def refusals(self) -> list[str]:
        """Return lines about why nothing can be used: row by row, and by columns."""
        lines = [
            f"  {one.id} ({one.reason}): {' '.join(one.detail.split())}"
            for one in self.dropped[:SHOWN]
        ]
        more = len(self.dropped) - SHOWN
        if more > 0:
            lines.append(f"  and {more} more")
        return [*self.report_lines(), *lines, *self._columns()]

    def _columns(self) -> Iterator[str]:
        """Yield the lines about the columns that were found and those looked for."""
        if self.columns:
            yield f"columns found: {', '.join(self.columns)}"
            looked: tuple[Sequence[str], ...] = (PROMPTS, TESTS, IDS, REFERENCES)
            prompts, tests, ids, references = (" or ".join(each) for each in looked)
            yield (
                f"columns looked for: {prompts}; {tests}; where there are any {ids}; {references}"
            )


class NothingToTrainOn(ConfigError):
    """A data set has no usable problem; `problems` has the reason of each row."""

    problems: Problems | None = None

    @classmethod
    def of(cls, problems: Problems) -> NothingToTrainOn:
        """Return the error for a report."""
        reasons = Counter(one.reason for one in problems.dropped).most_common(1)
        why = f"; {reasons[0][1]} left out ({reasons[0][0]})" if reasons else ""
        made = cls(f"dataset.source: nothing to train on{why}")
        made.problems = problems
        return made


def write_selection_report(problems: Problems, folder: Path) -> None:
    """Write `problems.jsonl`: each problem that is used with its part, others with the reason."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, object]] = []
    rows += [problem_fields(one) | {"part": "training"} for one in problems.training]
    rows += [problem_fields(one) | {"part": "validation"} for one in problems.validation]
    rows += [
        {"id": one.id, "part": LEFT_OUT, "reason": one.reason, "detail": one.detail}
        for one in problems.dropped
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "problems.jsonl").write_text(text, encoding="utf-8")
