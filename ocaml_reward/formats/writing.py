"""Problems as the rows that these readers read."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from ..errors import FormatError, MachineError
from ..model import Comparison, Problem, StdioCase
from .files import DELIMITERS, container_of
from .packing import packed, require_packable
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
            JSON, as those of several rows would become one type; else JSON Lines, or a table
            of such cells.  Without it the name tells.

    Raises:
        FormatError: It cannot be written, or there is no pyarrow for parquet.
        MachineError: The disk is full.
    """
    write_rows(path, map(problem_fields, problems), as_parquet=as_parquet)


def write_rows(
    path: Path, rows: Iterable[Mapping[str, object]], *, as_parquet: bool | None = None
) -> None:
    """Write rows of any keys as `write_problems` does problems."""
    kind = container_of(path.name)
    if as_parquet if as_parquet is not None else kind == "parquet":
        write_parquet(path, [_cells(row) for row in rows])
        return
    if kind in DELIMITERS:
        write_table(path, [_cells(row) for row in rows], delimiter=DELIMITERS[kind])
        return
    write_whole(path, (f"{json.dumps(row)}\n" for row in rows))


def write_table(path: Path, rows: Sequence[Mapping[str, object]], *, delimiter: str) -> None:
    """Write rows of plain cells as a table, under the names of all columns; raises as
    `write_whole` does.
    """
    out = io.StringIO(newline="")
    names = dict.fromkeys(name for row in rows for name in row)
    writer = csv.DictWriter(out, list(names), delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_whole(path, [out.getvalue()])


def write_whole(path: Path, parts: Iterable[str]) -> None:
    """Write a file whole, packed where its name says so, or leave what was there.

    Raises:
        FormatError: The place cannot be written to.
        MachineError: The disk is full, or fails.
    """
    is_file, draft = _draft_of(path)
    stream = _opened(draft, path)
    try:
        with stream:
            out = packed(stream, path.name)
            out.writelines(part.encode() for part in parts)
            if out is not stream:
                out.close()
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


def _opened(draft: Path, path: Path) -> IO[bytes]:
    require_packable(path.name)
    try:
        return draft.open("wb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"cannot write {path}: {reason}") from error


def _cells(row: Mapping[str, object]) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in row.items()
    }
