"""Recognises the sources of a report: scored files, folders of them, trainings and their logs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from ocaml_reward import InputError, Problem
from ocaml_reward.formats import load_problems, open_bytes, problems_beside
from ocaml_reward.formats.files import DELIMITERS, container_of
from ocaml_reward.formats.problems import REWARD_LOGS
from trainer_plugin.learning import parse_line

from ..explain.lookup import holds_records

RUN_FILES: Final = (
    REWARD_LOGS,
    "batch_metrics.jsonl",
    "metrics.jsonl",
    "learning.log",
)
MAX_LINES: Final = 1_000
"""Number of lines of a file in which the first logged step must be found."""
LINE_BYTES: Final = 10_000
MAX_TORN_LINES: Final = 10
"""Number of lines of a scored file in which the first complete record must be found."""


class Kind(StrEnum):
    """Kind of a source: records only, all logs of a training, or its learning.log only."""

    SCORED = "scored"
    RUN = "run"
    LOG = "log"


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A source of a report.

    Attributes:
        label: Its unique name in the report.
        kind: Its kind.
        path: The training's folder, or the file.
        files: The files of records in order; empty for a training.
    """

    label: str
    kind: Kind
    path: Path
    files: tuple[Path, ...] = ()


def find_sources(paths: Sequence[Path]) -> list[Source]:
    """Recognise each path; raises InputError for one that is not a source."""
    labels = _labels([path.resolve() for path in paths])
    return [_source(path, label) for path, label in zip(paths, labels, strict=True)]


def problems_of_source(source: Source) -> Mapping[str, Problem]:
    """Return the problems in `problems.jsonl` beside a source; empty without it."""
    path = problems_beside(source.path)
    if source.kind is Kind.LOG or path is None:
        return {}
    return load_problems(path).problems


def _source(path: Path, label: str) -> Source:
    if path.is_dir():
        if any((path / name).exists() for name in RUN_FILES):
            return Source(label=label, kind=Kind.RUN, path=path)
        files = _scored_in(path)
        if not files:
            raise InputError(
                f"{path} holds neither the logs of a training nor files that"
                " ocaml-reward score has written"
            )
        return Source(label=label, kind=Kind.SCORED, path=path, files=files)
    if holds_records(path, lines=MAX_TORN_LINES):
        return Source(label=label, kind=Kind.SCORED, path=path, files=(path,))
    if _is_learning_log(path):
        return Source(label=label, kind=Kind.LOG, path=path)
    if container_of(path.name) in {"parquet", *DELIMITERS}:
        raise InputError(f"{path} is a table, which lacks what a page shows: give the JSON Lines")
    raise InputError(f"{path} is neither the output of ocaml-reward score nor a learning.log")


def _scored_in(folder: Path) -> tuple[Path, ...]:
    """List the scored files of a folder; other files, such as completions, are skipped."""
    found = (*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz"))
    return tuple(
        path
        for path in sorted(found)
        if path.is_file() and holds_records(path, lines=MAX_TORN_LINES)
    )


def _is_learning_log(path: Path) -> bool:
    with open_bytes(path) as stream:
        lines = iter(lambda: stream.readline(LINE_BYTES), b"")
        return any(
            parse_line(line.decode(errors="replace")) for line in itertools.islice(lines, MAX_LINES)
        )


def _labels(paths: Sequence[Path]) -> list[str]:
    """Return the shortest end of each path that differs from the others."""
    longest = max((len(path.parts) for path in paths), default=1)
    for count in range(1, longest + 1):
        labels = [str(Path(*path.parts[-count:])) for path in paths]
        if len(set(labels)) == len(paths):
            return labels
    raise InputError("the same source is named twice")
