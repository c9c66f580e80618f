"""What the tests of the command line share: a folder, a fake engine, a way to call."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from ocaml_reward.testing import FakeEngine

CODE = "let add x y = x + y"
TESTS = "let () =\n  assert (add 1 2 = 3);\n  assert (add 0 0 = 0)"


def row(completion: object = CODE, **fields: object) -> dict[str, object]:
    """Build an input line with its own tests."""
    return {
        "problem_id": "add",
        "completion": completion,
        "tests": TESTS,
        # The fake engine does not know what tests use.
        "signature": "val add : int -> int -> int",
        **fields,
    }


def records(output: str) -> list[dict[str, Any]]:
    """Read records, timings aside."""
    found = [json.loads(line) for line in output.splitlines()]
    for record in found:
        del record["timings_ms"]
    return found


class Invoke(Protocol):
    """Calls the command with a fake engine."""

    def __call__(
        self,
        *arguments: str | Path,
        engine: FakeEngine | None = None,
        stdin: bytes | None = None,
    ) -> Result:
        """Return what the command printed, and its exit code."""
        ...


@pytest.fixture
def invoke(monkeypatch: pytest.MonkeyPatch) -> Invoke:
    """Call the command in this process, with a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(
        *arguments: str | Path,
        engine: FakeEngine | None = None,
        stdin: bytes | None = None,
    ) -> Result:
        running = engine or FakeEngine()
        return CliRunner().invoke(
            main,
            [str(argument) for argument in arguments],
            obj=lambda *_: running,
            input=stdin,
            catch_exceptions=False,
        )

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Iterable[object]], Path]:
    """Write JSON Lines into the test's folder; text among the rows is written as it is."""

    def call(name: str, rows: Iterable[object]) -> Path:
        path = tmp_path / name
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return call
