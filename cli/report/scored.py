"""The records of a source, one after the other, with their places in a training."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ocaml_reward import Breakdown, FormatError
from ocaml_reward.formats import open_bytes
from ocaml_reward.record import breakdown_from_dict, loads
from trainer_plugin.reading import breakdowns

from .sources import Kind, Source

BREAKDOWN_LOG: Final = "_breakdown.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """One completion that was scored.

    Attributes:
        breakdown: The account of its reward.
        index: Which of its group it is, from 0: of the problem, or of the problem at a step.
        step: The update that learned from it; None outside of a training.
        split: "train", "eval", or None where that is not known.
        said: What was said before it, each with who said it: earlier tries, and what the
            model was told.
    """

    breakdown: Breakdown
    index: int
    step: int | None = None
    split: str | None = None
    said: tuple[tuple[str, str], ...] = ()


def scored_of(source: Source, report: Callable[[str], None]) -> Iterator[Scored]:
    """Yield the completions of a source in the order in which they were scored.

    Args:
        source: Where they are.
        report: Told of each line that is no record, in one line with its place.
    """
    seen: Counter[tuple[Any, ...]] = Counter()
    found = _logged(source) if source.kind is Kind.RUN else _listed(source, report)
    last: object = None
    for beside, breakdown in found:
        step, split = _step(beside), _split(beside)
        if (step, split) != last:
            # Groups do not go on at another step.
            seen.clear()
            last = (step, split)
        name = (breakdown.problem_id,)
        index = beside.get("index")
        yield Scored(
            breakdown=breakdown,
            index=index if isinstance(index, int) else seen[name],
            step=step,
            split=split,
            said=tuple(_said(beside)),
        )
        seen[name] += 1


def _logged(source: Source) -> Iterator[tuple[Mapping[str, Any], Breakdown]]:
    """Yield what a training logged, by the plugin's reader."""
    for path in sorted((source.path / "reward_logs").glob(f"*{BREAKDOWN_LOG}")):
        # Only what an earlier run left in the folder, or another process, has a dot there.
        name = path.name.removesuffix(BREAKDOWN_LOG)
        if "." not in name:
            yield from breakdowns(source.path, name=name)


def _listed(
    source: Source, report: Callable[[str], None]
) -> Iterator[tuple[Mapping[str, Any], Breakdown]]:
    for path in source.files:
        yield from _records(path, report)


def _records(
    path: Path, report: Callable[[str], None]
) -> Iterator[tuple[Mapping[str, Any], Breakdown]]:
    """Yield the records of a file with what stands beside them."""
    with open_bytes(path) as stream:
        number = 0
        try:
            for number, raw in enumerate(stream, 1):
                try:
                    row = loads(raw)
                    breakdown = breakdown_from_dict(row)
                except FormatError as error:
                    report(f"{path}:{number}: {error}")
                    continue
                yield row, breakdown
        except (EOFError, OSError, zlib.error) as error:
            report(f"{path}:{number + 1}: the rest cannot be read: {error}")


def _step(beside: Mapping[str, Any]) -> int | None:
    step = beside.get("step")
    return step if isinstance(step, int) else None


def _split(beside: Mapping[str, Any]) -> str | None:
    split = beside.get("split")
    return split if isinstance(split, str) else None


def _said(beside: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a conversation as `evaluate --turns` keeps it."""
    kept = beside.get("input")
    told = kept.get("conversation") if isinstance(kept, dict) else None
    for each in told if isinstance(told, list) else ():
        if isinstance(each, dict) and isinstance(each.get("content"), str):
            yield str(each.get("role")), each["content"]
