"""Reads a run's logs: all ranks and all rotated parts of each, in the order of steps."""

from __future__ import annotations

import heapq
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ocaml_reward import Breakdown, FormatError
from ocaml_reward.formats.problems import REWARD_LOGS
from ocaml_reward.record import TRAINING_KEYS, breakdown_from_dict

from .logs.journal import Journal
from .logs.records import merge_ranks

Row = dict[str, Any]


def json_object(text: str | bytes) -> Row | None:
    """Parse a JSON object; return None for anything else."""
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def rank_path(path: Path, rank: int) -> Path:
    """Return the file that a rank writes.

    Args:
        path: The log's documented path, which is that of rank 0.
        rank: The process in a distributed run, from 0.

    Returns:
        The path itself for rank 0, else one with `.rankN` before the suffix.
    """
    if rank == 0:
        return path
    return path.with_name(f"{path.stem}.rank{rank}{path.suffix}")


def ranks(path: Path) -> list[int]:
    """Return the ranks that wrote to a log."""
    pattern = re.compile(
        rf"{re.escape(path.stem)}(?:\.rank(\d+))?{re.escape(path.suffix)}(?:\.\d)?"
    )
    names = [each.name for each in path.parent.glob(f"{path.stem}*")]
    found = [pattern.fullmatch(name) for name in names]
    return sorted({int(match[1] or 0) for match in found if match})


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a log, of all its ranks, by step; an evaluation follows its update."""
    streams = [_keyed(rank_path(path, rank)) for rank in ranks(path)]
    for _, row in heapq.merge(*streams, key=lambda pair: pair[0]):
        yield row


def completions(output_dir: Path) -> Iterator[Row]:
    """Yield the logged completions."""
    return rows(output_dir / REWARD_LOGS / "completions.jsonl")


def breakdowns(output_dir: Path, *, name: str = "syntax_aware") -> Iterator[tuple[Row, Breakdown]]:
    """Read the breakdowns that a run logged; invalid lines are skipped.

    Args:
        output_dir: The run's folder.
        name: The name in the log's file name: `{name}_breakdown.jsonl`.

    Returns:
        Pairs of the log's own keys, such as `step`, and the breakdown, in the order of steps.
    """
    for row in rows(output_dir / REWARD_LOGS / f"{name}_breakdown.jsonl"):
        beside = {key: row.get(key) for key in TRAINING_KEYS}
        try:
            yield beside, breakdown_from_dict(row)
        except FormatError:
            # A line written by another program.
            continue


def batches(output_dir: Path) -> Iterator[Row]:
    """Yield the figures of each step, and of each evaluation, over all ranks."""
    found = rows(output_dir / "batch_metrics.jsonl")
    for _, group in itertools.groupby(found, lambda row: (row["step"], row["split"])):
        yield merge_ranks(list(group))


def _keyed(path: Path) -> Iterator[tuple[tuple[int, bool], Row]]:
    """Yield each row of a journal, with its step and whether it is of an evaluation."""
    step = -1
    for line in Journal(path).lines():
        row = json_object(line)
        if row is None:
            continue
        if isinstance(row.get("step"), int):
            step = row["step"]
        yield (step, row.get("split") == "eval"), row
