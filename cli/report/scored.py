"""Reads the records of a source, with their steps in a training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ocaml_reward import Breakdown, FormatError
from ocaml_reward.formats import open_bytes
from ocaml_reward.formats.packing import BROKEN
from ocaml_reward.formats.problems import REWARD_LOGS
from ocaml_reward.record import breakdown_from_dict, loads
from trainer_plugin.reading import breakdowns

from .raw import RawText, RawTexts
from .sources import Kind, Source

BREAKDOWN_LOG: Final = "_breakdown.jsonl"


@dataclass(frozen=True, kw_only=True, slots=True)
class ScoredCompletion:
    """A scored completion.

    Attributes:
        breakdown: Its breakdown.
        index: Its index among the completions of its problem, and of its step, from 0.
        step: The update that learned from it; None outside a training.
        split: "train", "eval", or None if unknown.
        conversation: The messages before it, each with its role: earlier tries and feedback.
        raw: Its whole text with its prompt; None if no file has it.
    """

    breakdown: Breakdown
    index: int
    step: int | None = None
    split: str | None = None
    conversation: tuple[tuple[str, str], ...] = ()
    raw: RawText | None = None


def scored_completions(source: Source, report: Callable[[str], None]) -> Iterator[ScoredCompletion]:
    """Yield the completions of a source, in the order of its files.

    Args:
        source: The source.
        report: Called with a message for each line that is not a record.
    """
    seen: Counter[tuple[Any, ...]] = Counter()
    found = _read_training(source) if source.kind is Kind.RUN else _read_files(source, report)
    last: object = None
    texts = RawTexts(source)
    for fields, breakdown in found:
        step, split = _step(fields), _split(fields)
        if (step, split) != last:
            # A new step begins new groups.
            seen.clear()
            last = (step, split)
        name = (breakdown.problem_id,)
        index = fields.get("index")
        yield ScoredCompletion(
            breakdown=breakdown,
            index=index if isinstance(index, int) else seen[name],
            step=step,
            split=split,
            conversation=tuple(_conversation(fields)),
            raw=texts.of(fields, breakdown),
        )
        seen[name] += 1


def _read_training(source: Source) -> Iterator[tuple[Mapping[str, Any], Breakdown]]:
    """Yield the breakdowns that a training logged."""
    for path in sorted((source.path / REWARD_LOGS).glob(f"*{BREAKDOWN_LOG}")):
        # Logs of other ranks, and those set aside by a later run, have a dot in the name.
        name = path.name.removesuffix(BREAKDOWN_LOG)
        if "." not in name:
            yield from breakdowns(source.path, name=name)


def _read_files(
    source: Source, report: Callable[[str], None]
) -> Iterator[tuple[Mapping[str, Any], Breakdown]]:
    for path in source.files:
        yield from _records(path, report)


def _records(
    path: Path, report: Callable[[str], None]
) -> Iterator[tuple[Mapping[str, Any], Breakdown]]:
    """Yield the records of a file, each as its row and its breakdown."""
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
        except BROKEN as error:
            report(f"{path}:{number + 1}: the rest cannot be read: {error}")


def _step(fields: Mapping[str, Any]) -> int | None:
    step = fields.get("step")
    return step if isinstance(step, int) else None


def _split(fields: Mapping[str, Any]) -> str | None:
    split = fields.get("split")
    return split if isinstance(split, str) else None


def _conversation(fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the messages of a conversation, as `evaluate --turns` writes them."""
    extra = fields.get("input")
    messages = extra.get("conversation") if isinstance(extra, dict) else None
    for each in messages if isinstance(messages, list) else ():
        if isinstance(each, dict) and isinstance(each.get("content"), str):
            yield str(each.get("role")), each["content"]
