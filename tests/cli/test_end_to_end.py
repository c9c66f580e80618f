"""The installed command with the real compiler in the real jail, as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TESTS = "let () =\n  assert (add 1 2 = 3);\n  assert (add 0 0 = 0)"
GOOD = "let add x y = x + y"
HALF = 'let add x y = if x = 0 then 0 else failwith "no"'
ILL_TYPED = 'let add x y = x + "one"'
BROKEN = "let add x y = ("
UNSAFE = "let add (x : int) (y : int) : int = Obj.magic 3"
PRINTED = "let () = print_endline (read_line ())"
ROWS: list[dict[str, object]] = [
    {"problem_id": "add", "completion": GOOD, "tests": TESTS, "model": "m"},
    {
        "problem_id": "add",
        "completion": f"Sure!\n```ocaml\n{GOOD}\n```",
        "tests": TESTS,
    },
    {"problem_id": "add", "completion": HALF, "tests": TESTS},
    {"problem_id": "add", "completion": ILL_TYPED, "tests": TESTS},
    {"problem_id": "add", "completion": BROKEN, "tests": TESTS},
    {"problem_id": "add", "completion": UNSAFE, "tests": TESTS},
    {"problem_id": "add", "completion": "let sub = 1", "tests": TESTS},
    {"problem_id": "add", "completion": "", "tests": TESTS},
    {"problem_id": "add", "completion": "\0\ud800", "tests": TESTS},
    {
        "problem_id": "../-echo",
        "completion": PRINTED,
        "tests": [{"input": "hi\n", "output": "hi\n"}],
    },
]
VERDICTS = [
    "passed",
    "passed",
    "runtime_error",
    "type_error",
    "syntax_error",
    "failed_tests",
    "interface_error",
    "no_code",
    "syntax_error",
    "passed",
]
# Waits that only a broken program reaches.
PATIENCE_S = 60


def command(*arguments: str | Path) -> list[str]:
    """Return the command line that runs the checkout's command."""
    return [sys.executable, "-m", "cli", *map(str, arguments)]


def timeless(text: str) -> list[dict[str, Any]]:
    """Read records, timings aside."""
    return [{**json.loads(line), "timings_ms": None} for line in text.splitlines()]


def children_of(pid: int) -> list[int]:
    """List the processes of a session, which is all that a run ever starts."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == pid and fields[0] != "Z":
                found.append(int(entry.name))
    return found


@pytest.fixture
def completions(tmp_path: Path) -> Path:
    """Write the completions that are scored here."""
    path = tmp_path / "c.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return path


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Write more completions than a run gets through before it is stopped."""
    path = tmp_path / "many.jsonl"
    rows = (
        {"id": f"p{n % 3}", "completion": f"{GOOD} + {n} - {n}", "tests": TESTS}
        for n in range(2000)
    )
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def started(path: Path, output: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a run in a session of its own, and wait for its first records."""
    process = subprocess.Popen(
        command("score", path, "-o", output, "--scheme", "concise", *arguments),
        cwd=ROOT,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + PATIENCE_S
    while not (output.exists() and output.stat().st_size):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def test_scoring(completions: Path, tmp_path: Path) -> None:
    """Every kind of completion gets its verdict, whatever it contains."""
    arguments = ("score", completions, "--scheme", "concise")

    one = subprocess.run(
        command(*arguments, "--jobs", "1"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    four = subprocess.run(
        command(*arguments, "--jobs", "4"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, 0) == (one.returncode, four.returncode), one.stderr
    assert VERDICTS == [record["verdict"] for record in timeless(one.stdout)]
    assert timeless(one.stdout) == timeless(four.stdout)
    assert "scored 10 completions of 2 problems with concise@" in one.stderr


def test_explaining(completions: Path) -> None:
    """A type error is shown under its line."""
    done = subprocess.run(
        command("explain", completions, "--problem", "add", "--index", "3"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    # What follows is worded anew by each compiler.
    assert (
        '  1 │ let add x y = x + "one"\n    │                   ^^^^^\n    │ error (typer): This '
    ) in done.stdout
    assert "[1: 0.80]" in done.stdout


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_being_stopped(many: Path, tmp_path: Path, number: int, code: int) -> None:
    """A signal ends a run with one line, whole records and no process left."""
    output = tmp_path / "o.jsonl"
    process = started(many, output)

    # As a terminal does it: everything in the foreground gets the signal.
    os.killpg(process.pid, number)
    _, said = process.communicate(timeout=PATIENCE_S)

    assert code == process.returncode
    done = len(timeless(output.read_text()))
    words = "1 new record is" if done == 1 else f"{done} new records are"
    assert (
        f"ocaml-reward: stopped; {words} written to {output};"
        " the same command with --resume continues\n"
    ) == said
    assert [] == children_of(process.pid)


def test_being_killed(many: Path, tmp_path: Path) -> None:
    """After `kill -9` no process is left, and `--resume` ends with the unbroken file."""
    output, unbroken = tmp_path / "o.jsonl", tmp_path / "unbroken.jsonl"
    process = started(many, output)
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    deadline = time.monotonic() + PATIENCE_S
    while children_of(process.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    left = children_of(process.pid)
    done = output.read_bytes().count(b"\n")
    limit = ("--scheme", "concise", "--limit", str(done + 20))

    for name, more in ((output, ("--resume",)), (unbroken, ())):
        subprocess.run(
            command("score", many, "-o", name, *limit, *more),
            cwd=ROOT,
            capture_output=True,
            check=True,
        )

    assert [] == left
    assert timeless(unbroken.read_text()) == timeless(output.read_text())


def test_a_pipe_that_closes(many: Path) -> None:
    """`| head` ends a run quietly."""
    reader, writer = os.pipe()
    process = subprocess.Popen(
        command("score", many),
        cwd=ROOT,
        start_new_session=True,
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    with os.fdopen(reader, encoding="utf-8") as stream:
        first = stream.readline()
    _, said = process.communicate(timeout=PATIENCE_S)

    assert "p0" == json.loads(first)["problem_id"]
    assert "" == said
    assert 141 == process.returncode
    assert [] == children_of(process.pid)
