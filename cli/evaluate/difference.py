"""An evaluation held against an earlier one, problem by problem."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ocaml_reward import InputError
from ocaml_reward.comparing import Figure, Graded, SourceCounts, compare

from ..score.records import read_records


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """How much more passes, and is earned, than before, over the problems of both."""

    problems: int
    pass_at_1: Figure
    reward: Figure

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return asdict(self)


def difference(before: Path, after: Path) -> Difference:
    """Compare the records of two evaluations.

    Raises InputError for folders without records, of other problems, or scored under
    another scheme.
    """
    old, new = _tallies(before), _tallies(after)
    if len(old.schemes | new.schemes) > 1:
        raise InputError(f"{before} was scored with another scheme than {after}")
    if not old.problems.keys() & new.problems.keys():
        raise InputError(f"{before} has no problem that {after} has")
    found = compare(old, new)
    return Difference(
        problems=found.problems, pass_at_1=found.pass_at[1], reward=found.reward
    )


def _tallies(folder: Path) -> SourceCounts:
    path = folder / "records.jsonl"
    try:
        size = path.stat().st_size
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    return SourceCounts.counted(
        Graded.of(each.breakdown) for each in read_records(path, size=size)
    )
