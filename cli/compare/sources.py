"""Where gradings are read from: a scored file, an evaluation's folder, a training's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ocaml_reward import FormatError, InputError, Verdict
from ocaml_reward.comparing import Graded, SourceCounts
from ocaml_reward.formats import open_bytes
from ocaml_reward.formats.lines import BadLine
from ocaml_reward.formats.rows import first_of, json_rows
from ocaml_reward.record import SCHEMA
from trainer_plugin.reading import rows

IDS: Final = ("id", "problem_id", "task_id", "name")
VERDICTS: Final = {each.value: each for each in Verdict}

Groups = dict[str, set[str]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """What was read of one: `part` says which of a training's completions were counted."""

    name: str
    tallies: SourceCounts
    groups: Groups = field(default_factory=dict)
    part: str = ""


def read_source(path: Path, *, by: str) -> Source:
    """Count what was graded.

    Args:
        path: Records of `score`; a folder of `evaluate`; the output folder of a training,
            whose last evaluation is taken, or all of it if there was none.
        by: The key of a record's `input` that says how difficult a problem is.

    Returns:
        The counts by problem.

    Raises:
        InputError: It cannot be read, naming the line, or nothing in it was graded.
    """
    if (path / "reward_logs").is_dir():
        source = read_training(path)
    else:
        file = path / "records.jsonl" if path.is_dir() else path
        source = Source(name=path.name, tallies=SourceCounts())
        for row in rows_of(file):
            source.tallies.add(graded(row))
            told = row.get("input")
            if isinstance(told, dict) and by in told:
                note(source.groups, str(row["problem_id"]), told[by])
    if not source.tallies.problems:
        raise InputError(f"nothing in {path} is graded")
    return source


def rows_of(file: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a file.  Of each only what is compared is looked at: that takes a
    tenth of the time of reading it whole.
    """
    with open_bytes(file) as stream:
        for number, raw in enumerate(iter(stream.readline, b""), 1):
            try:
                row = json.loads(raw)
                graded(row)
            except FormatError as error:
                raise FormatError(f"{file}:{number}: {error}") from None
            except (ValueError, LookupError, TypeError, RecursionError):
                raise FormatError(f"{file}:{number}: no record of score") from None
            yield row


def graded(row: Mapping[str, Any]) -> Graded:
    """Take what is compared out of a record; raises LookupError, TypeError or FormatError."""
    reward = row["reward"]
    if row["schema"] != SCHEMA:
        raise FormatError(f"this version reads schema {SCHEMA} only")
    if reward is not None and not 0 <= reward <= 1:
        raise FormatError(f"a reward of {reward}")
    return Graded(
        str(row["problem_id"]), reward, VERDICTS[row["verdict"]], str(row["scheme"])
    )


def read_training(folder: Path) -> Source:
    """Count the last evaluation of a training, or all that it was trained on."""
    logs = sorted((folder / "reward_logs").glob("*_breakdown.jsonl"))
    trained, evaluated, last = SourceCounts(), SourceCounts(), None
    for row in rows(logs[0]) if logs else ():
        try:
            found = graded(row)
        except (LookupError, TypeError, FormatError):
            # A line that a killed process left, or that something else wrote.
            continue
        if row.get("split") != "eval":
            trained.add(found)
            continue
        if row.get("step") != last:
            evaluated, last = SourceCounts(), row.get("step")
        evaluated.add(found)
    if evaluated.problems:
        part = f"the evaluation at step {last}"
        return Source(name=folder.name, tallies=evaluated, part=part)
    return Source(name=folder.name, tallies=trained, part="all of the training")


def difficulties(path: Path, *, by: str) -> Groups:
    """Read from a file of problems how difficult each is; raises InputError where none says."""
    groups: Groups = {}
    for row in json_rows(path):
        if isinstance(row, BadLine):
            continue
        name = first_of(row.fields, IDS)
        if name is not None and by in row.fields:
            note(groups, str(row.fields[name]), row.fields[by])
    if not groups:
        raise InputError(f"no problem in {path} has the key {by!r}")
    return groups


def note(groups: Groups, problem_id: str, told: object) -> None:
    """Put a problem into the group that it names, or the groups of a list."""
    names = told if isinstance(told, list) else [told]
    found = {str(each) for each in names if isinstance(each, str | int | float)}
    groups.setdefault(problem_id, set()).update(found)
