"""Finding the one completion, or the one record, that `explain` is asked for."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ocaml_reward import Completion, FormatError, InputError, Problem
from ocaml_reward.formats import (
    BadLine,
    CompletionLine,
    Item,
    Joining,
    ProblemSet,
    cases_in_text,
    open_bytes,
)
from ocaml_reward.record import breakdown_from_dict

from ..score.records import Stored, parse_record

LINE_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class CompletionAddress:
    """Which completion: of the problem with this id, counted from 0.  Without an id, of the
    first problem in the file.
    """

    file: Path
    problem_id: str | None
    index: int

    def settled(self, first_id: str) -> CompletionAddress:
        """Settle for the first problem of the file, unless one was named."""
        return (
            self if self.problem_id is not None else replace(self, problem_id=first_id)
        )

    def missing(self, found: int) -> InputError:
        """Build the error that there is no such completion, but `found` of its problem."""
        if self.problem_id is None:
            return FormatError(f"{self.file} holds no completion")
        if not found:
            return FormatError(
                f"{self.file} has no completion of problem {self.problem_id!r}"
            )
        return FormatError(
            f"{self.file} has {found} of problem {self.problem_id!r}: --index goes from"
            f" 0 to {found - 1}"
        )


def is_scored(path: Path, *, lines: int = 1) -> bool:
    """Tell the output of `score` from a file of completions, by its first lines: one of them
    is a record.

    Raises FormatError for a file that cannot be read.
    """
    with open_bytes(path) as stream:
        for _ in range(lines):
            try:
                row = json.loads(stream.readline(LINE_BYTES))
            except (RecursionError, ValueError):
                continue
            except (EOFError, OSError, zlib.error):
                return False
            if isinstance(row, dict) and {"schema", "reward", "verdict"} <= row.keys():
                return True
    return False


def find_record(asked: CompletionAddress) -> Stored:
    """Find a record in the output of `score`, or in a training's log of breakdowns; raises
    FormatError if it is not there.
    """
    found = 0
    seen: Counter[str] = Counter()
    with open_bytes(asked.file) as stream:
        for number, raw in enumerate(stream, 1):
            try:
                stored = _logged(raw, number, seen) or parse_record(raw)
            except FormatError as error:
                raise FormatError(f"{asked.file}:{number}: {error}") from None
            asked = asked.settled(stored.breakdown.problem_id)
            if stored.breakdown.problem_id == asked.problem_id:
                found += 1
                if stored.index == asked.index:
                    return stored
    raise asked.missing(found)


def _logged(raw: bytes, line: int, seen: Counter[str]) -> Stored | None:
    """Read a record that a training logged, which is counted as it comes; None for another."""
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or "trained_on" not in row:
        return None
    breakdown = breakdown_from_dict(row)
    index = seen[breakdown.problem_id]
    seen[breakdown.problem_id] += 1
    return Stored(index=index, line=line, breakdown=breakdown)


def find_completion(asked: CompletionAddress, problems: ProblemSet | None) -> Item:
    """Find a completion and its problem; raises FormatError if it is not there.

    A line that names the problem and cannot be used is the better explanation.
    """
    bad: list[BadLine] = []

    def keep(line: BadLine) -> None:
        if asked.problem_id is None or repr(asked.problem_id) in line.message:
            bad.append(line)

    joining = Joining(
        source=asked.file,
        problems=problems,
        report=keep,
        note=lambda _: None,
        check=lambda _: None,
    )
    found = 0
    for item in joining:
        asked = asked.settled(item.problem.id)
        if item.problem.id == asked.problem_id:
            found += 1
            if item.index == asked.index:
                return item
    if bad and not found:
        raise FormatError(str(bad[0]))
    raise asked.missing(found)


def completion_of_file(
    code: Path, tests: Path | None, prompt: Path | None, problem: Problem | None
) -> Item:
    """Make a completion of a lone file of code, and a problem of its tests.

    Raises InputError for a file that cannot be read, or when there are no tests.
    """
    text = read_text(code)
    if tests is not None:
        source = read_text(tests)
        if not source.strip():
            raise InputError(f"{tests} is empty")
        problem = Problem(
            id=code.stem,
            tests=cases_in_text(source) or source,
            prompt=read_text(prompt) if prompt else "",
        )
    if problem is None:
        raise InputError(f"{code} needs --tests, or --problems with --problem")
    line = CompletionLine(
        file=str(code),
        line=1,
        position=0,
        problem_id=problem.id,
        completion=Completion(text=text),
    )
    return Item(line=line, problem=problem, index=0)


def read_text(path: Path) -> str:
    """Read a whole file as text; raises FormatError if that cannot be done."""
    with open_bytes(path) as stream:
        try:
            return stream.read().decode("utf-8-sig", errors="replace")
        except (EOFError, OSError, zlib.error) as error:
            raise FormatError(f"cannot read {path}: {error}") from error
