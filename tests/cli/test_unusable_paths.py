"""Every command with a path that cannot be used ends with one line, and no traceback."""

from __future__ import annotations

import contextlib
import ctypes
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from cli.main import main

CORPUS: Final = Path(__file__).parents[2] / "test_corpus"
# {} is the path; PROBLEMS, COMPLETIONS, SCORED, OUT and RUN are usable.
READING: Final = (
    "audit {}",
    "certify {}",
    "certify ONE --right {}",
    "certify ONE --wrong {}",
    "compare {} SCORED",
    "compare SCORED SCORED --problems {}",
    "diagnostics {}",
    "evaluate {} -o OUT --url http://localhost:9/v1 --model m",
    "evaluate PROBLEMS -o OUT --url http://localhost:9/v1 --model m --held-out {}",
    "evaluate PROBLEMS -o OUT --url http://localhost:9/v1 --model m --against {}",
    "evaluate PROBLEMS -o OUT --url http://localhost:9/v1 --model m --examples {}",
    "evaluate PROBLEMS -o OUT --url http://localhost:9/v1 --model m --template {}",
    "explain {}",
    "explain COMPLETIONS --problems {}",
    "explain CODE --tests {}",
    "explain CODE --tests TESTS --prompt {}",
    "health {}",
    "join {} -o OUT",
    "problems export {} -o OUT",
    "problems impossible {} -o OUT",
    "problems filter {} --scored SCORED -o OUT",
    "problems filter ONE --scored {} -o OUT",
    "problems import {} -o OUT",
    "problems strengthen {} --dry-run",
    "report {}",
    "report SCORED --problems {}",
    "rescore {} --scheme concise",
    "scheme check {}",
    "score {}",
    "score COMPLETIONS --problems {}",
    "score COMPLETIONS --scheme {}.toml",
    "validate {}",
    "serve --problems {}",
)
WRITING: Final = (
    "audit ONE -o {}",
    "certify ONE -o {}",
    "certify ONE --fix {}",
    "certify ONE --page {}",
    "compare SCORED SCORED --html {}",
    "evaluate ONE -o {} --url http://localhost:9/v1 --model m",
    "join SCORED -o {}",
    "problems export ONE -o {}",
    "problems filter ONE --scored SCORED -o {}",
    "problems generate --count 1 -o {}",
    "problems impossible ONE -o {}",
    "problems import FOREIGN -o {}",
    "problems import FOREIGN -o OUT --right {}",
    "problems import FOREIGN -o OUT --wrong {}",
    "problems strengthen ONE -o {}",
    "report SCORED -o {}",
    "rescore SCORED --scheme concise -o {}",
    "score FEW -o {}",
    "validate ONE --write-clean {}",
)
UNREADABLE: Final = (
    "missing",
    "below",
    "forbidden",
    "long",
    "loop",
    "bytes",
    "folder",
    "mem",
)
UNWRITABLE: Final = ("below", "forbidden", "long", "loop", "folder", "here", "nowhere")
_OVERRIDE, _SEARCH = 1, 2


class _Capabilities(ctypes.Structure):
    _fields_ = (
        ("effective", ctypes.c_uint32),
        ("permitted", ctypes.c_uint32),
        ("inheritable", ctypes.c_uint32),
    )


@contextmanager
def ordinary() -> Iterator[None]:
    """Let file permissions count for root, too."""
    libc = ctypes.CDLL(None, use_errno=True)
    head = (ctypes.c_uint32 * 2)(0x20080522, 0)
    sets = (_Capabilities * 2)()
    assert libc.capget(head, sets) == 0
    before = sets[0].effective
    sets[0].effective = before & ~(1 << _OVERRIDE | 1 << _SEARCH)
    assert libc.capset(head, sets) == 0
    try:
        yield
    finally:
        sets[0].effective = before
        assert libc.capset(head, sets) == 0


@pytest.fixture
def usable(tmp_path: Path) -> dict[str, str]:
    """Make the files that the commands need besides."""
    problems = (CORPUS / "problems.jsonl").read_text().splitlines(keepends=True)
    completions, *_ = (CORPUS / "completions.jsonl").read_text().splitlines()
    files = {
        "PROBLEMS": "".join(problems),
        "ONE": problems[0],
        "FOREIGN": json.dumps({"task_id": "f", "prompt": "f", "test": "let () = assert (f 1 = 1)"}),
        "COMPLETIONS": completions,
        "CODE": "let f x = x\n",
        "TESTS": "let () = assert (f 1 = 1)\n",
        "FEW": "",
        "SCORED": "",
    }
    for name, text in files.items():
        (tmp_path / f"{name}.jsonl").write_text(text)
    return {name: str(tmp_path / f"{name}.jsonl") for name in files} | {
        "OUT": str(tmp_path / "out")
    }


def unusable(way: str, folder: Path) -> str:
    """Return a path that cannot be used in that way."""
    if way == "here":
        return "."
    if way == "missing":
        return str(folder / "missing.jsonl")
    if way == "below":
        (folder / "file").write_text("text\n")
        return str(folder / "file" / "x.jsonl")
    if way == "forbidden":
        (folder / "closed").mkdir()
        (folder / "closed" / "x.jsonl").write_text("{}\n")
        (folder / "closed").chmod(0)
        return str(folder / "closed" / "x.jsonl")
    if way == "long":
        return str(folder / ("x" * 300))
    if way == "loop":
        (folder / "loop.jsonl").symlink_to(folder / "loop.jsonl")
        return str(folder / "loop.jsonl")
    if way == "bytes":
        (folder / "bytes.jsonl").write_bytes(bytes(range(256)))
        return str(folder / "bytes.jsonl")
    if way == "folder":
        (folder / "folder").mkdir()
        return str(folder / "folder")
    if way == "nowhere":
        return str(folder / "no" / "such" / "folder" / "x.jsonl")
    return "/proc/self/mem"


@pytest.mark.parametrize("way", UNREADABLE)
@pytest.mark.parametrize("command", READING)
def test_what_cannot_be_read(
    command: str,
    way: str,
    tmp_path: Path,
    usable: dict[str, str],
    capfd: pytest.CaptureFixture[str],
) -> None:
    check(command, way, tmp_path, usable, capfd)


@pytest.mark.parametrize("way", UNWRITABLE)
@pytest.mark.parametrize("command", WRITING)
def test_what_cannot_be_written(
    command: str,
    way: str,
    tmp_path: Path,
    usable: dict[str, str],
    capfd: pytest.CaptureFixture[str],
) -> None:
    check(command, way, tmp_path, usable, capfd)


@pytest.mark.parametrize("command", ["generate --count 1", "strengthen ONE"])
def test_nothing_is_made_for_a_place_that_cannot_be_written(
    command: str, tmp_path: Path, usable: dict[str, str]
) -> None:
    """The place is tried before the work, and not left with a file."""
    words = [usable.get(word, word) for word in command.split()]
    missing, folder = tmp_path / "no" / "x.jsonl", tmp_path
    for target, why in ((missing, "No such file or directory"), (folder, "Is a directory")):
        done = CliRunner().invoke(main, ["problems", *words, "-o", str(target)])

        assert 2 == done.exit_code
        assert f"ocaml-reward: cannot write {target}: {why}\n" == done.output


def test_a_device_is_written_in_place() -> None:
    command = [sys.executable, "-m", "cli", "problems", "generate", "--count", "1", "--unchecked"]
    done = subprocess.run([*command, "-o", "/dev/stdout"], capture_output=True, check=True)

    assert "id" in json.loads(done.stdout)


def check(
    command: str,
    way: str,
    folder: Path,
    usable: dict[str, str],
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Run a command, which has to end with a short message or to have found a way."""
    path = unusable(way, folder)
    words = [usable.get(word, word).replace("{}", path) for word in command.split()]
    # What can write into the folder where it stands is not to leave that in the checkout.
    with ordinary(), contextlib.chdir(folder):
        done = CliRunner().invoke(main, words)
    shutil.rmtree(folder / "closed", ignore_errors=True)

    # Of a command's own process, too.
    said = done.output.strip() + capfd.readouterr().err.strip()
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output
    if done.exit_code:
        assert done.exit_code in (1, 2, 3)
        assert said
        assert len(said.splitlines()) <= 8, said


def test_every_path_is_tried() -> None:
    """A new command, or a new option that takes a path, has a line above."""
    words = " ".join((*READING, *WRITING))
    missed = [
        f"{name} {parameter.opts[-1]}"
        for name, command in commands(main, "")
        for parameter in command.params
        if isinstance(parameter.type, click.Path)
        and isinstance(parameter, click.Option)
        and not any(
            line.startswith(name) and set(parameter.opts) & set(line.split())
            for line in (*READING, *WRITING)
        )
    ]

    assert [] == missed
    assert [] == [
        name
        for name, _ in commands(main, "")
        if name not in words
        and name
        not in (
            "baseline",
            "doctor",
            "engine build",
            "engine show",
            "scheme show",
            "train",
        )
    ]


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield each command with the words that call it."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    context = click.Context(command)
    for each in command.list_commands(context):
        below = command.get_command(context, each)
        if below is not None:
            yield from commands(below, f"{name} {each}".strip())
