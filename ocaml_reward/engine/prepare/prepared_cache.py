"""Prepared tests on disk, for the next run of the same problems with the same engine.

A problem is prepared again if anything has changed that the result depends on: its tests, its
prompt, its reference, the budget, the compiler, our sources.  An entry that cannot be read or
written counts as missing.
"""

from __future__ import annotations

import base64
import hashlib
import os
import threading
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ...codec.typed import read_json, read_plain, to_json, to_plain
from ...errors import FormatError, MachineError
from ...model import Budget, Check, Outcome, Problem
from ...sandbox import cache_root
from ...sandbox.retention import hold, prune
from .. import Outside, PreparedTests, Written
from ..build.helpers import engine_path
from ..build.sources import sources_digest
from ..build.toolchain import packages
from ..judge.formulas import Formula
from ..messages.values import ReturnedValue
from .preparation import is_sound

# An entry has about 4 kB.
_SHARDS = 256
_MOST_IN_SHARD = 400
_DIGEST = 32
# The result does not depend on the problem's name, nor on what only code is asked about.
_NOT_IN_KEY = frozenset(("id", "forbidden", "required"))
_NOT_PLAIN = frozenset(("payload", "outside", "written"))


class PreparedCache:
    """At most 100,000 prepared tests of one kind of engine."""

    def __init__(self, engine: str, *, root: Path | None = None) -> None:
        """Open the cache of the engine of that name, below `root` or the default cache folder.

        Raises ToolchainError if there is no compiler, MachineError if there is no folder.
        """
        self._engine = engine
        root = root or cache_root()
        self._folder = root / "prepared" / f"{engine_path().name}-{sources_digest()}"

    def get(
        self, problem: Problem, budget: Budget, prepare: Callable[[], PreparedTests]
    ) -> PreparedTests:
        """Return the entry of a problem; if there is none, `prepare` it and keep the result."""
        path = self._path(problem, budget)
        kept = _read(path)
        if kept is not None:
            return kept
        made = prepare()
        # Do not keep a result that a temporary failure of this machine may have decided.  A full or
        # read-only disk, or a formula nested too deeply for JSON, only costs time.
        if is_sound(problem, made):
            with suppress(OSError, MachineError, RecursionError):
                self._keep(path, made)
        return made

    def _path(self, problem: Problem, budget: Budget) -> Path:
        """Return the path of a problem's entry."""
        inputs = [
            self._engine,
            to_plain(problem, leave=_NOT_IN_KEY),
            to_plain(budget),
            _library_files(problem.libraries),
        ]
        key = hashlib.sha256(to_json(inputs)).hexdigest()
        return self._folder / key[:2] / key[2:]

    def _keep(self, path: Path, tests: PreparedTests) -> None:
        """Write an entry atomically."""
        if not hold(self._folder):
            # Entries contain expected values: only this user may read them.
            self._folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            hold(self._folder)
            prune(self._folder.parent)
        path.parent.mkdir(mode=0o700, exist_ok=True)
        _thin(path.parent)
        text = to_json(_to_plain(tests))
        mine = f"{os.getpid()}-{threading.get_ident()}"
        scratch = path.with_name(f".{path.name}-{mine}")
        scratch.write_bytes(hashlib.sha256(text).digest() + zlib.compress(text, 1))
        scratch.replace(path)


@cache
def _library_files(libraries: tuple[str, ...]) -> list[Any]:
    """Return path, size and time of change of the installed libraries' files."""
    archives = (path for package in packages(libraries) for path in package.archives)
    found = [(path, path.stat()) for path in archives]
    return [[str(path), stat.st_size, stat.st_mtime_ns] for path, stat in found]


def _read(path: Path) -> PreparedTests | None:
    """Return the prepared tests in a file; None if it is missing or damaged."""
    try:
        data = path.read_bytes()
        text = zlib.decompress(data[_DIGEST:])
        if hashlib.sha256(text).digest() != data[:_DIGEST]:
            return None
        found = _from_plain(read_json(text))
        # Mark it as used: the least recently used entries are removed first.
        os.utime(path)
    except (
        OSError, zlib.error, FormatError, ValueError, TypeError, KeyError, RecursionError
    ):  # fmt: skip
        return None
    return found


def _thin(folder: Path) -> None:
    """Remove the least recently used half of a full folder."""
    paths = list(folder.iterdir())
    if len(paths) >= _MOST_IN_SHARD:
        paths.sort(key=lambda path: path.stat().st_mtime)
        for path in paths[: len(paths) // 2]:
            path.unlink(missing_ok=True)


def _to_plain(tests: PreparedTests) -> dict[str, Any]:
    """Return prepared tests as values that JSON can hold."""
    outside, written = tests.outside, tests.written
    return {
        "tests": to_plain(tests, leave=_NOT_PLAIN),
        "payload": _text(tests.payload),
        "written": written
        and {
            "program": _text(written.program),
            "check": written.check and to_plain(written.check),
            "ends": written.ends,
            "tells": written.tells,
        },
        "outside": outside
        and {
            "query_program": _text(outside.query_program),
            "oracle_program": _text(outside.oracle_program),
            "formulas": list(outside.formulas.items()),
            "expected": _values_to_plain(outside.expected),
            "reference_expected": _values_to_plain(outside.reference_expected),
            "needs_types": outside.needs_types,
        },
    }


def _from_plain(data: Any) -> PreparedTests:
    """Return the prepared tests in such values."""
    outside, written = data["outside"], data["written"]
    given = {
        "payload": _bytes(data["payload"]),
        "written": written
        and Written(
            program=_bytes(written["program"]),
            check=written["check"] and read_plain(Check, written["check"]),
            ends=(Outcome(written["ends"][0]), written["ends"][1]),
            tells=written["tells"],
        ),
        "outside": outside
        and Outside(
            query_program=_bytes(outside["query_program"]),
            oracle_program=_bytes(outside["oracle_program"]),
            formulas={at: _formula(formula) for at, formula in outside["formulas"]},
            expected=_values(outside["expected"]),
            reference_expected=_values(outside["reference_expected"]),
            needs_types=outside["needs_types"],
        ),
    }
    return read_plain(PreparedTests, data["tests"], given=given)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _formula(data: Iterable[Any]) -> Formula:
    # The nesting is bounded: the JSON reader refuses deeper values.
    return tuple(each if isinstance(each, str) else _formula(each) for each in data)


def _values_to_plain(values: Mapping[int, Mapping[int, ReturnedValue]] | None) -> Any:
    """Return returned values as values that JSON can hold."""
    if values is None:
        return None
    return [
        [at, [[n, v.form, v.outcome, v.detail, v.shape] for n, v in check.items()]]
        for at, check in values.items()
    ]


def _values(data: Any) -> dict[int, dict[int, ReturnedValue]] | None:
    """Return the returned values in such values."""
    if data is None:
        return None
    return {
        at: {
            n: ReturnedValue(form, Outcome(outcome) if outcome else None, detail, shape)
            for n, form, outcome, detail, shape in check
        }
        for at, check in data
    }
