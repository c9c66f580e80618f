"""The folder of an evaluation: settings, completions, records and report."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self

from ocaml_reward import InputError, MachineError
from trainer_plugin.reading import json_object

SETTINGS: Final = "evaluation.json"


class EvaluationFolder:
    """The folder of an evaluation, locked against other runs; a context manager."""

    def __init__(self, path: Path) -> None:
        """Set the paths; nothing is created."""
        self.path = path
        self.completions = path / "completions.jsonl"
        self.records = path / "records.jsonl"
        self.report = path / "report.json"
        self.model = ""
        """The name of the model that made the completions."""
        self._file: int | None = None

    def __enter__(self) -> Self:
        """Return the folder; `begin` locks it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Unlock the folder."""
        if self._file is not None:
            os.close(self._file)

    def begin(self, settings: Mapping[str, Any], *, resume: bool, overwrite: bool) -> None:
        """Create or open the folder for completions with these settings, and lock it.

        Raises InputError if it has an evaluation that would be lost, or that has other settings.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.completions, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"cannot write {self.path}: {reason}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{self.path} is being written by another run") from None
        path = self.path / SETTINGS
        # A run that ended before its first completion leaves nothing that could be lost.
        is_begun = os.fstat(self._file).st_size > 0
        if is_begun and path.exists() and not overwrite:
            if not resume:
                raise InputError(
                    f"{self.path} holds an evaluation; continue it with --resume, or"
                    " replace it with --overwrite"
                )
            self._check_settings(_read_settings(path), json.loads(json.dumps(settings)))
            return
        for each in (self.records, self.report):
            each.unlink(missing_ok=True)
        os.ftruncate(self._file, 0)
        path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")

    def keep_batches(self, expected: Sequence[tuple[str, int]], *, unit: int) -> int:
        """Keep the complete batches of an earlier run, and remove the rest of the file.

        Args:
            expected: The problem and the sample of each completion.
            unit: The number of completions per batch.

        Returns:
            The number of completions kept.

        Raises:
            InputError: The file has completions of other problems.
        """
        keep_batches = whole = size = count = 0
        with self.completions.open("rb") as stream:
            for line in stream:
                if not line.endswith(b"\n"):
                    break
                row = json_object(line) or {}
                here = (row.get("problem_id"), row.get("sample"))
                if count >= len(expected) or here != expected[count]:
                    raise InputError(
                        f"{self.completions} does not belong to these problems: line"
                        f" {count + 1} is of problem {here[0]!r}"
                    )
                self._check_model(row)
                count += 1
                size += len(line)
                if count % unit == 0 or count == len(expected):
                    keep_batches, whole = count, size
        os.ftruncate(self._open, whole)
        os.lseek(self._open, whole, os.SEEK_SET)
        return keep_batches

    def add(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append a batch.

        Raises MachineError for a full disk; the incomplete line is removed by the next run.
        Raises InputError for completions of another model.
        """
        for row in rows:
            self._check_model(row)
        rest = memoryview("".join(f"{json.dumps(row)}\n" for row in rows).encode())
        try:
            while rest:
                rest = rest[os.write(self._open, rest) :]
        except OSError as error:
            raise MachineError(f"cannot write {self.completions}: {error.strerror}") from error

    def rows(self) -> list[dict[str, Any]]:
        """Read all completions."""
        with self.completions.open("rb") as stream:
            return [json_object(line) or {} for line in stream]

    @property
    def _open(self) -> int:
        """Return the descriptor of the open file."""
        if self._file is None:
            raise RuntimeError("begin() comes first")
        return self._file

    def _check_model(self, row: Mapping[str, Any]) -> None:
        model = str(row.get("model"))
        if self.model and self.model != model:
            raise InputError(f"{self.completions} was made by {self.model}, and now it is {model}")
        self.model = model

    def _check_settings(self, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
        """Raise InputError if this run's settings are not those of the folder."""
        for key in now:
            if before.get(key) != now[key]:
                raise InputError(
                    f"{self.path} was made with {key} {before.get(key)!r}, this run has"
                    f" {now[key]!r}"
                )


def _read_settings(path: Path) -> dict[str, Any]:
    """Return the settings in an evaluation's file."""
    with suppress(OSError):
        settings = json_object(path.read_bytes())
        if settings is not None:
            return settings
    raise InputError(f"{path} is not of an evaluation")
