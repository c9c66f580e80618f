"""Problems as the rows that these readers read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from ..errors import FormatError, MachineError
from ..model import Comparison, Problem, StdioCase
from .files import container_of
from .parquet import write_parquet


def problem_fields(problem: Problem) -> dict[str, object]:
    """Return a problem as a JSON object; what it does not have is left out."""
    row: dict[str, object] = {
        "id": problem.id,
        "prompt": problem.prompt,
        "tests": _tests(problem.tests),
    }
    if problem.public_tests:
        row["public_tests"] = _tests(problem.public_tests)
    if problem.comparison is not None:
        row["comparison"] = _comparison(problem.comparison)
    others = {
        "judge": problem.judge or None,
        "checker": problem.checker or None,
        "reference": problem.reference,
        "signature": problem.signature,
        "given": problem.given or None,
        "libraries": list(problem.libraries) or None,
        "forbidden": list(problem.forbidden) or None,
        "required": list(problem.required) or None,
        "budget": dict(problem.budget) or None,
        "untested": problem.untested or None,
    }
    return row | {name: value for name, value in others.items() if value is not None}


def _tests(tests: str | tuple[StdioCase, ...]) -> object:
    """Return tests as a row has them."""
    if isinstance(tests, str):
        return tests
    return [{"input": case.stdin, "output": case.stdout} | _of_case(case) for case in tests]


def _of_case(case: StdioCase) -> dict[str, object]:
    """Return what else a case has."""
    found = {
        "alternatives": list(case.alternatives) or None,
        "group": case.group or None,
        "points": case.points,
        "needs": list(case.needs) or None,
    }
    return {name: value for name, value in found.items() if value is not None}


def _comparison(how: Comparison) -> dict[str, object]:
    """Return the fields of a comparison that differ from the defaults."""
    found = {
        "float_absolute_tolerance": how.absolute,
        "float_relative_tolerance": how.relative,
        "case_sensitive": None if how.case_sensitive else False,
        "space_change_sensitive": how.space_change_sensitive or None,
        "unordered": how.unordered,
    }
    return {name: value for name, value in found.items() if value is not None}


def problem_lines(problems: Iterable[Problem]) -> str:
    """Return problems as JSON Lines."""
    return "".join(f"{json.dumps(problem_fields(each))}\n" for each in problems)


def write_problems(
    path: Path, problems: Iterable[Problem], *, as_parquet: bool | None = None
) -> None:
    """Write problems as a file that is read again as it was.

    Args:
        path: The file; one of that name is replaced.
        problems: The problems, in order.
        as_parquet: Whether it is parquet, whose columns are all text, lists and objects as
            JSON, as those of several rows would become one type; else JSON Lines.  Without
            it the name tells.

    Raises:
        FormatError: It cannot be written, or there is no pyarrow for parquet.
        MachineError: The disk is full.
    """
    write_rows(path, map(problem_fields, problems), as_parquet=as_parquet)


def write_rows(
    path: Path, rows: Iterable[Mapping[str, object]], *, as_parquet: bool | None = None
) -> None:
    """Write rows of any keys as `write_problems` does problems."""
    if as_parquet if as_parquet is not None else container_of(path.name) == "parquet":
        write_parquet(path, [_cells(row) for row in rows])
        return
    write_whole(path, (f"{json.dumps(row)}\n" for row in rows))


def write_whole(path: Path, parts: Iterable[str]) -> None:
    """Write a file whole, or leave what was there.

    Raises:
        FormatError: The place cannot be written to.
        MachineError: The disk is full, or fails.
    """
    is_file, draft = _draft_of(path)
    stream = _opened(draft, path)
    try:
        with stream:
            stream.writelines(parts)
            stream.flush()
            if is_file:
                os.fsync(stream.fileno())
        if is_file:
            draft.replace(path)
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}") from error
    finally:
        if is_file:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def require_writable(path: Path) -> None:
    """Raise FormatError if `write_whole` cannot write there, before a long job begins."""
    is_file, draft = _draft_of(path)
    if is_file or path.is_dir():
        _opened(draft, path).close()
        draft.unlink(missing_ok=True)


def _draft_of(path: Path) -> tuple[bool, Path]:
    """Return whether a path is a file's, and where its text is written first.

    A device, such as /dev/stdout, is written in place.
    """
    is_file = path.is_file() or not path.exists()
    return is_file, path.with_name(f"{path.name}.part") if is_file else path


def _opened(draft: Path, path: Path) -> IO[str]:
    try:
        return draft.open("w", encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"cannot write {path}: {reason}") from error


def _cells(row: Mapping[str, object]) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in row.items()
    }
