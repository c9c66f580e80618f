"""
An evaluation held against an earlier one, problem by problem.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ocaml_reward import Breakdown, InputError, Verdict

from ..score.records import read_records
from .figures import Figure, figure_of

__all__ = ["Difference", "difference"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """
    How much more passes, and is earned, than before, over the problems of both.

    Each problem is held against itself, so that easy and hard ones widen no interval.
    """

    problems: int
    pass_at_1: Figure
    reward: Figure

    def to_dict(self) -> dict[str, Any]:
        """
        Return it as what JSON can hold.
        """
        return asdict(self)


def difference(before: Path, after: Path) -> Difference:
    """
    Compare the records of two evaluations.

    Raises InputError for folders without records, of other problems, or scored under
    another scheme.
    """
    old, new = _records(before), _records(after)
    schemes = {each.scheme for each in (*old, *new)}
    if len(schemes) > 1:
        raise InputError(f"{before} was scored with another scheme than {after}")
    was, now = _means(old), _means(new)
    shared = [name for name in now if name in was]
    if not shared:
        raise InputError(f"{before} has no problem that {after} has")
    return Difference(
        problems=len(shared),
        pass_at_1=figure_of(now[name][0] - was[name][0] for name in shared),
        reward=figure_of(now[name][1] - was[name][1] for name in shared),
    )


def _records(folder: Path) -> list[Breakdown]:
    path = folder / "records.jsonl"
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    return [each.breakdown for each in read_records(path, size=size)]


def _means(found: Iterable[Breakdown]) -> Mapping[str, tuple[float, float]]:
    groups: dict[str, list[tuple[bool, float]]] = {}
    for each in found:
        if each.reward is not None:
            told = (each.verdict is Verdict.PASSED, each.reward)
            groups.setdefault(each.problem_id, []).append(told)
    return {
        name: (
            statistics.fmean(passed for passed, _ in group),
            statistics.fmean(reward for _, reward in group),
        )
        for name, group in groups.items()
    }
