"""Finds the completion or the record to explain."""

from __future__ import annotations

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
    open_bytes,
)
from ocaml_reward.formats.packing import BROKEN
from ocaml_reward.formats.problems import tests_of
from ocaml_reward.record import breakdown_from_dict
from trainer_plugin.reading import json_object

from ..score.records import StoredRecord, parse_record

LINE_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class CompletionAddress:
    """The address of a completion: its file, its problem, and its index from 0.

    Without an id, the problem is the first one of the file.
    """

    file: Path
    problem_id: str | None
    index: int

    def with_default(self, first_id: str) -> CompletionAddress:
        """Return an address with a problem: the first one of the file, unless one was given."""
        return self if self.problem_id is not None else replace(self, problem_id=first_id)

    def not_found(self, found: int) -> InputError:
        """Return the error for a missing completion of a problem that has `found`."""
        if self.problem_id is None:
            return FormatError(f"{self.file} holds no completion")
        if not found:
            return FormatError(f"{self.file} has no completion of problem {self.problem_id!r}")
        return FormatError(
            f"{self.file} has {found} of problem {self.problem_id!r}: --index goes from"
            f" 0 to {found - 1}"
        )


def holds_records(path: Path, *, lines: int = 1) -> bool:
    """Return whether one of the first lines is a record of `score`.

    Raises FormatError for a file that cannot be read.
    """
    with open_bytes(path) as stream:
        for _ in range(lines):
            try:
                row = json_object(stream.readline(LINE_BYTES))
            except BROKEN:
                return False
            if row is not None and {"schema", "reward", "verdict"} <= row.keys():
                return True
    return False


def find_record(address: CompletionAddress) -> StoredRecord:
    """Find a record in the output of `score`, or in a training's log of breakdowns.

    Raises FormatError if it is missing.
    """
    found = 0
    seen: Counter[str] = Counter()
    with open_bytes(address.file) as stream:
        for number, raw in enumerate(stream, 1):
            try:
                stored = _parse_logged(raw, number, seen) or parse_record(raw)
            except FormatError as error:
                raise FormatError(f"{address.file}:{number}: {error}") from None
            address = address.with_default(stored.breakdown.problem_id)
            if stored.breakdown.problem_id == address.problem_id:
                found += 1
                if stored.index == address.index:
                    return stored
    raise address.not_found(found)


def _parse_logged(raw: bytes, line: int, seen: Counter[str]) -> StoredRecord | None:
    """Parse a record that a training logged, and number it; return None for other lines."""
    row = json_object(raw)
    if row is None or "trained_on" not in row:
        return None
    breakdown = breakdown_from_dict(row)
    index = seen[breakdown.problem_id]
    seen[breakdown.problem_id] += 1
    return StoredRecord(index=index, line=line, breakdown=breakdown)


def find_completion(
    address: CompletionAddress, problems: ProblemSet | None, *, untested: bool
) -> Item:
    """Find a completion and its problem; raises FormatError if it is missing.

    If a bad line mentions the problem, the error is that of the line.
    """
    bad: list[BadLine] = []

    def keep(line: BadLine) -> None:
        if address.problem_id is None or repr(address.problem_id) in line.message:
            bad.append(line)

    joining = Joining(
        source=address.file,
        problems=problems,
        report=keep,
        note=lambda _: None,
        check=lambda _: None,
        untested=untested,
    )
    found = 0
    for item in joining:
        address = address.with_default(item.problem.id)
        if item.problem.id == address.problem_id:
            found += 1
            if item.index == address.index:
                return item
    without = joining.without_tests
    missing = address.problem_id or next(iter(without), "")
    if missing in without:
        bad.insert(0, without[missing])
    if bad and not found:
        raise FormatError(str(bad[0]))
    raise address.not_found(found)


def completion_of_file(
    code: Path,
    tests: Path | None,
    prompt: Path | None,
    problem: Problem | None,
    *,
    untested: bool,
) -> Item:
    """Return the completion in a file of code, and a problem with the given tests.

    Raises InputError for a file that cannot be read, or if there are no tests.
    """
    text = read_text(code)
    if tests is not None:
        source = read_text(tests)
        if not source.strip():
            raise InputError(f"{tests} is empty")
        problem = Problem(
            id=code.stem,
            tests=tests_of({"tests": source}, ("tests",)),
            prompt=read_text(prompt) if prompt else "",
        )
    if problem is None and untested:
        asked = read_text(prompt) if prompt else ""
        problem = Problem(id=code.stem, tests="", prompt=asked, untested=True)
    if problem is None:
        raise InputError(f"{code} needs --tests, --untested, or --problems with --problem")
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
        except BROKEN as error:
            raise FormatError(f"cannot read {path}: {error}") from error
