"""Records as other tools' results: tables, JUnit's, EvalPlus', MultiPL-E's and Harbor's.

Each loses something: tables have no lists, EvalPlus knows pass, fail and timeout, and
MultiPL-E a status; rewards, credits and diagnostics are in the native records alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from ..errors import FormatError
from ..metrics import pass_at_k
from .files import DELIMITERS, container_of
from .folders.harbor import rewards_of
from .grades import grade_rows, write_junit
from .lines import visible
from .parquet import write_parquet
from .writing import write_table

RESULTS: Final = (
    *("jsonl", "csv", "tsv", "parquet", "grades", "junit", "evalplus", "multipl-e", "harbor"),
)
"""What `score` can write; the first is native."""
_KS: Final = (1, 10, 100)
_PLAIN: Final = (
    *("problem_id", "index", "line", "reward", "verdict"),
    *("type_errors", "typed_fraction", "parsed_share"),
)
# With these a formula begins (OWASP, "CSV Injection").
_FORMULA: Final = ("=", "+", "-", "@", "\t")
_LAST: Final = ("engine", "sandbox", "toolchain", "scheme", "code")
_CREDITS: Final = ("structural", "type", "compile", "tests", "solved")
# MultiPL-E's words; whatever else goes wrong is its "Exception".
_STATUSES: Final = {
    "passed": "OK",
    "timed_out": "Timeout",
    "syntax_error": "SyntaxError",
    "failed_tests": "AssertionError",
}

Record = Mapping[str, Any]


def kind_by_name(file_name: str) -> str:
    """Return the one of RESULTS that a file's name stands for, the native one where none does."""
    container = container_of(file_name)
    return container if container in RESULTS else RESULTS[0]


def write_results(path: Path, records: Iterable[Record], kind: str) -> str:
    """Write records in another tool's shape.

    Args:
        path: A file; for multipl-e a folder, in which each problem gets a file.
        records: The records, as JSON objects, in order.
        kind: One of RESULTS, but for the native one.

    Returns:
        What is lost, in words.

    Raises:
        FormatError: It cannot be written.
    """
    try:
        return _WRITERS[kind](path, list(records))
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror}") from error


def _row(record: Record) -> dict[str, Any]:
    """Return a record as one row without lists."""
    tests, fault = record["tests"], record["fault"]
    credits_ = record.get("credits") or {}
    return {
        **{name: record.get(name) for name in _PLAIN[:3]},
        **({"file": record["file"]} if "file" in record else {}),
        **{name: record.get(name) for name in _PLAIN[3:]},
        **{f"credit_{name}": credits_.get(name) for name in _CREDITS},
        "tests_passed": tests["passed"],
        "tests_total": tests["total"],
        "penalties": " ".join(each["code"] for each in record.get("penalties") or ()),
        "forbidden": "; ".join(record.get("forbidden") or ()),
        "fault": fault["message"] if fault else None,
        **{name: record.get(name) for name in _LAST},
    }


def _cell(held: object) -> object:
    """Return a cell that a spreadsheet neither computes nor hides a part of."""
    if not isinstance(held, str):
        return held
    text = visible(held, "\n\t")
    return f"'{text}" if text.startswith(_FORMULA) else text


def _tabled(path: Path, records: Sequence[Record], *, delimiter: str) -> str:
    """Write records as a table; return what it leaves out."""
    _write_sheet(path, [_row(each) for each in records], delimiter)
    return _TABLE


def _grades(path: Path, records: Sequence[Record]) -> str:
    """Write rewards by file and problem as a table; return what it leaves out."""
    _write_sheet(path, grade_rows(records), ",")
    return "credits, code and diagnostics are not there; the last of several counts"


def _write_sheet(path: Path, rows: Sequence[Mapping[str, Any]], delimiter: str) -> None:
    """Write rows as a table that a spreadsheet shows as it is."""
    cells = [{str(_cell(name)): _cell(held) for name, held in row.items()} for row in rows]
    write_table(path, cells, delimiter=delimiter)


def _table(path: Path, records: Sequence[Record]) -> str:
    """Write records as a Parquet file; return what it leaves out."""
    write_parquet(path, [_row(each) for each in records])
    return _TABLE


def _evalplus(path: Path, records: Sequence[Record]) -> str:
    """Write records in EvalPlus's format; return what it leaves out."""
    tasks: dict[str, list[dict[str, Any]]] = {}
    for each in records:
        if each["fault"] is not None:
            continue
        status = {"passed": "pass", "timed_out": "timeout"}.get(each["verdict"], "fail")
        failures = [failed["check"] for failed in each["tests"]["failures"]]
        solution = {
            "task_id": each["problem_id"],
            "solution": each["code"],
            "base_status": status,
            "plus_status": None,
            "base_fail_tests": failures,
            "plus_fail_tests": [],
        }
        tasks.setdefault(each["problem_id"], []).append(solution)
    groups = [[one["base_status"] == "pass" for one in solutions] for solutions in tasks.values()]
    least = min(map(len, groups), default=0)
    rates = {f"pass@{k}": pass_at_k(groups, k) for k in _KS if k <= least}
    scheme = records[0]["scheme"] if records else ""
    whole = {"hash": scheme, "eval": tasks, "pass_at_k": {"base": rates}}
    path.write_text(json.dumps(whole), encoding="utf-8")
    return "rewards, diagnostics and faults are not there; failed tests are numbers"


def _multipl_e(path: Path, records: Sequence[Record]) -> str:
    """Write records in MultiPL-E's format; return what it leaves out."""
    problems: dict[str, list[dict[str, Any]]] = {}
    for each in records:
        if each["fault"] is not None:
            continue
        status = _STATUSES.get(each["verdict"], "Exception")
        result = {
            "program": each["code"],
            "stdout": "",
            "stderr": "\n".join(one["message"] for one in each["diagnostics"]),
            "exit_code": 0 if status == "OK" else 1,
            "status": status,
        }
        problems.setdefault(each["problem_id"], []).append(result)
    path.mkdir(parents=True, exist_ok=True)
    names: dict[str, str] = {}
    for id_, results in problems.items():
        name = re.sub(r"[^\w.-]", "_", id_).lstrip(".") or "_"
        if names.setdefault(name, id_) != id_:
            raise FormatError(f"{id_!r} and {names[name]!r} would be one file, {name}")
        whole = {"name": id_, "language": "ml", "results": results}
        file = path / f"{name}.results.json"
        file.write_text(json.dumps(whole), encoding="utf-8")
    return "rewards, checks and faults are not there; programs are without tests"


def _harbor(path: Path, records: Sequence[Record]) -> str:
    """Write the rewards of one record, as Harbor's verifiers do; return what it leaves out."""
    if len(records) != 1:
        raise FormatError(f"{path} is for one completion, and there are {len(records)}")
    if records[0]["reward"] is None:
        # Without a file nobody takes a failure for a 0.
        path.unlink(missing_ok=True)
        return "not written, as the completion was not graded"
    path.write_text(json.dumps(rewards_of(records[0])) + "\n", encoding="utf-8")
    return "code, checks and diagnostics are not there"


_TABLE: Final = "lists are not there: diagnostics, single checks, reasons, the input"
_WRITERS: Final[dict[str, Callable[[Path, Sequence[Record]], str]]] = {
    **{kind: partial(_tabled, delimiter=sign) for kind, sign in DELIMITERS.items()},
    "parquet": _table,
    "grades": _grades,
    "junit": write_junit,
    "evalplus": _evalplus,
    "multipl-e": _multipl_e,
    "harbor": _harbor,
}
