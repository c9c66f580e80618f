"""Folders of tasks as Harbor has them: ours are read again as they were written.

```text
half/instruction.md          what the agent is asked
half/task.toml               the verifier runs in a container of its own
half/environment/Dockerfile  the agent's container: OCaml alone
half/solution/solve.sh       writes the reference as the answer
half/tests/test.sh           writes /logs/verifier/reward.json
half/tests/problem.jsonl     the problem
half/tests/scheme.toml       the scheme
```
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ...errors import FormatError, MachineError, ProblemError
from ...model import Problem
from ..lines import BadLine
from ..rows import json_rows
from ..writing import problem_lines
from .kinds import Kind, Taken

PROBLEM: Final = Path("tests", "problem.jsonl")
"""The file of a task that holds the problem."""
SCHEME: Final = Path("tests", "scheme.toml")
"""The file of a task that holds the scheme that it is graded with."""
ANSWERS: Final = ("answer.ml", "answer.txt")
"""What an answer may be called: code, or a whole completion; the first there is counts."""
_ASKED: Final = (
    "Write your answer, OCaml code, to the file `/workdir/answer.ml`. It is graded by hidden tests."
)
# Docker and Harbor's registry take these in a name, and lower and upper case for the same.
_STRANGE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME: Final = 80


def _is_task(folder: Path) -> bool:
    """Tell a task (zjysteven/terminal-bench-env environments_harbor/
    sanitizer_address_use_after_free_hard/task.toml) from another use of that file's name.
    """
    return (folder / "tests" / "test.sh").exists() or (folder / "instruction.md").exists()


def _task(folder: Path) -> Taken:
    """Return the fields of the problem in a task."""
    path = folder / PROBLEM
    if not path.is_file():
        message = "its test.sh grades with programs of its own: only tasks of `problems export"
        raise ProblemError(f"{message} --harbor` hold a problem")
    try:
        rows = list(json_rows(path))
    except FormatError as error:
        raise ProblemError(str(error)) from None
    if len(rows) != 1 or isinstance(rows[0], BadLine):
        raise ProblemError(f"{PROBLEM}: expected one problem")
    return rows[0].fields, []


HARBOR: Final = Kind(name="Harbor", mark="task.toml", tells=_is_task, take=_task)
"""Tasks as Harbor has them."""


def folder_names(ids: Sequence[str]) -> list[str]:
    """Return a name of a folder for each id, all of them different."""
    plain = [_STRANGE.sub("-", each).strip("-._")[:_LONGEST_NAME] or "problem" for each in ids]
    count = Counter(each.casefold() for each in plain)
    return [
        name if count[name.casefold()] == 1 else f"{name}-{_digest(each)}"
        for name, each in zip(plain, ids, strict=True)
    ]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def write_tasks(target: Path, problems: Sequence[Problem], scheme: str) -> None:
    """Write problems as tasks of Harbor, each whole or not at all.

    Args:
        target: The folder that gets one for each problem; those of the same names are replaced.
        problems: The problems; one without a reference becomes a task without a solution.
        scheme: The scheme that grades them, as TOML.

    Raises:
        FormatError: The folder cannot be made, or has something else of such a name.
        MachineError: The disk is full, or fails.
    """
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot write {target}: {error.strerror}") from error
    names = folder_names([each.id for each in problems])
    for name in names:
        if (target / name).exists() and not (target / name / HARBOR.mark).is_file():
            raise FormatError(
                f"{target / name} is no task, and is not replaced: name another folder"
            )
    for name, problem in zip(names, problems, strict=True):
        try:
            with TemporaryDirectory(prefix=".part-", dir=target) as draft:
                _write_task(Path(draft, name), problem, scheme)
                if (target / name).exists():
                    (target / name).replace(Path(draft, "old"))
                Path(draft, name).replace(target / name)
        except OSError as error:
            raise MachineError(f"cannot write {target / name}: {error.strerror}") from error


def _write_task(folder: Path, problem: Problem, scheme: str) -> None:
    """Write one task."""
    _copy(resources.files(__package__) / "harbor_task", folder)
    texts = {
        Path("instruction.md"): f"{problem.prompt.rstrip()}\n\n{_ASKED}\n".lstrip("\n"),
        PROBLEM: problem_lines([problem]),
        SCHEME: scheme,
    }
    if problem.reference is None:
        (folder / "solution" / "solve.sh").unlink()
        (folder / "solution").rmdir()
    else:
        texts[Path("solution", ANSWERS[0])] = problem.reference
    for path, text in texts.items():
        (folder / path).write_bytes(text.encode())


def _copy(source: Traversable, target: Path) -> None:
    """Copy the files that all tasks have; scripts can be executed."""
    target.mkdir(parents=True, exist_ok=True)
    for each in source.iterdir():
        if each.is_dir():
            _copy(each, target / each.name)
        else:
            (target / each.name).write_bytes(each.read_bytes())
            (target / each.name).chmod(0o755 if each.name.endswith(".sh") else 0o644)


def rewards_of(record: Mapping[str, Any]) -> dict[str, float]:
    """Return what Harbor calls the rewards of a record: the reward, and the credits it is made of.

    Raises MachineError for a record without a reward.
    """
    if record["reward"] is None:
        fault = record["fault"]
        raise MachineError(f"not graded: {fault['message'] if fault else 'no reward'}")
    credits_ = record["credits"]
    parts = {name: float(credits_.get(name, 0.0)) for name in ("tests", "type", "compile")}
    return {"reward": float(record["reward"]), **parts}
