"""Prepared tests on disk, for the next run of the same problems with the same engine.

A problem is prepared again where anything has changed that decides about it: its tests, its
prompt, its reference, what that may spend, the compiler, our sources.  What cannot be read
or written is prepared as if it had never been kept.
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

from ..codec.typed import read_json, read_plain, to_json, to_plain
from ..errors import FormatError, MachineError
from ..model import Budget, Outcome, Problem
from ..sandbox import cache_root
from ..sandbox.retention import hold, prune
from . import Outside, PreparedTests
from .build import engine_path
from .judgements import Handed, Judgement
from .preparation import is_sound
from .toolchain import packages

# Prepared tests take some 4 kB.
_SHARDS = 256
_MOST_IN_SHARD = 400
_DIGEST = 32
# Nothing is decided by what a problem is called.
_NOT_IN_KEY = frozenset(("id",))
_NOT_PLAIN = frozenset(("payload", "outside"))
_SOURCES = ("codec", "model", "engine", "reading", "diagnostics", "sandbox")


class PreparedCache:
    """The prepared tests that one kind of engine has kept, at most 100,000."""

    def __init__(self, engine: str, *, root: Path | None = None) -> None:
        """Open the cache of the engine of that name, below `root` or where built things are.

        Raises ToolchainError or MachineError where there is no compiler, or no folder.
        """
        self._engine = engine
        root = root or cache_root()
        self._folder = root / "prepared" / f"{engine_path().name}-{_ours()}"

    def get(
        self, problem: Problem, budget: Budget, prepare: Callable[[], PreparedTests]
    ) -> PreparedTests:
        """Return what was kept of a problem, or `prepare` it and keep that."""
        path = self._path(problem, budget)
        kept = _read(path)
        if kept is not None:
            return kept
        made = prepare()
        # What a bad moment of this machine may have decided is not for the next run.  And a
        # full or read-only disk, or a check of a thousand operators, costs time alone.
        if is_sound(problem, made):
            with suppress(OSError, MachineError, RecursionError):
                self._keep(path, made)
        return made

    def _path(self, problem: Problem, budget: Budget) -> Path:
        decides = [
            self._engine,
            to_plain(problem, leave=_NOT_IN_KEY),
            to_plain(budget),
            _library_files(problem.libraries),
        ]
        key = hashlib.sha256(to_json(decides)).hexdigest()
        return self._folder / key[:2] / key[2:]

    def _keep(self, path: Path, tests: PreparedTests) -> None:
        """Write prepared tests whole or not at all."""
        if not hold(self._folder):
            # They hold answers: nobody else may look into them.
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
def _ours() -> str:
    """Return a digest of our own sources that prepare tests."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for name in _SOURCES:
        for source in sorted((root / name).rglob("*.py")):
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _library_files(libraries: tuple[str, ...]) -> list[Any]:
    """Tell the libraries that are there from others of the same names."""
    archives = (path for package in packages(libraries) for path in package.archives)
    found = [(path, path.stat()) for path in archives]
    return [[str(path), stat.st_size, stat.st_mtime_ns] for path, stat in found]


def _read(path: Path) -> PreparedTests | None:
    try:
        data = path.read_bytes()
        text = zlib.decompress(data[_DIGEST:])
        if hashlib.sha256(text).digest() != data[:_DIGEST]:
            return None
        found = _from_plain(read_json(text))
        # It was of use now: what is not goes first.
        os.utime(path)
    except (
        OSError, zlib.error, FormatError, ValueError, TypeError, KeyError, RecursionError
    ):  # fmt: skip
        return None
    return found


def _thin(folder: Path) -> None:
    """Remove the half of a full folder that was of no use for longest."""
    paths = list(folder.iterdir())
    if len(paths) >= _MOST_IN_SHARD:
        paths.sort(key=lambda path: path.stat().st_mtime)
        for path in paths[: len(paths) // 2]:
            path.unlink(missing_ok=True)


def _to_plain(tests: PreparedTests) -> dict[str, Any]:
    outside = tests.outside
    return {
        "tests": to_plain(tests, leave=_NOT_PLAIN),
        "payload": _text(tests.payload),
        "outside": outside
        and {
            "payload": _text(outside.payload),
            "answers": _text(outside.answers),
            "judgements": list(outside.judgements.items()),
            "told": _told_to_plain(outside.told),
            "reference_told": _told_to_plain(outside.reference_told),
            "typed": outside.typed,
        },
    }


def _from_plain(data: Any) -> PreparedTests:
    outside = data["outside"]
    given = {
        "payload": _bytes(data["payload"]),
        "outside": outside
        and Outside(
            payload=_bytes(outside["payload"]),
            answers=_bytes(outside["answers"]),
            judgements={at: _judgement(says) for at, says in outside["judgements"]},
            told=_told(outside["told"]),
            reference_told=_told(outside["reference_told"]),
            typed=outside["typed"],
        ),
    }
    return read_plain(PreparedTests, data["tests"], given=given)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def _judgement(data: Iterable[Any]) -> Judgement:
    # As deep as a check has operators: JSON is read no deeper.
    return tuple(each if isinstance(each, str) else _judgement(each) for each in data)


def _told_to_plain(told: Mapping[int, Mapping[int, Handed]] | None) -> Any:
    if told is None:
        return None
    return [
        [at, [[n, v.form, v.outcome, v.detail, v.shape] for n, v in said.items()]]
        for at, said in told.items()
    ]


def _told(data: Any) -> dict[int, dict[int, Handed]] | None:
    if data is None:
        return None
    return {
        at: {
            n: Handed(form, Outcome(outcome) if outcome else None, detail, shape)
            for n, form, outcome, detail, shape in said
        }
        for at, said in data
    }
