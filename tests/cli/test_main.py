"""The command as a whole: help, version, errors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, main
from cli.terminal.consoles import console
from ocaml_reward import MachineError, SandboxUnavailable, __version__
from ocaml_reward.testing import FakeEngine

ROOT = Path(__file__).parents[2]

PROBE = """
import sys
from cli.main import main
try:
    main({arguments!r})
except SystemExit:
    print(sorted({{"rich", "ocaml_reward"}} & set(sys.modules)))
"""


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    """Each command that is listed can be called, and has a help text."""
    result = CliRunner().invoke(main, [name, "--help"], prog_name="ocaml-reward")

    assert 0 == result.exit_code
    assert result.stdout.startswith(f"Usage: ocaml-reward {name} ")


def test_help_lists_the_commands() -> None:
    result = CliRunner().invoke(main, ["--help"])

    assert 0 == result.exit_code
    for name, text in COMMANDS.items():
        assert f"  {name:<11}  {text}\n" in result.stdout


@pytest.mark.parametrize(("arguments", "loaded"), [(["--help"], []), (["-h"], [])])
def test_help_loads_little(arguments: list[str], loaded: list[str]) -> None:
    """Asking for help imports neither the library nor rich."""
    code = PROBE.format(arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert str(loaded) == done.stdout.splitlines()[-1]


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"])

    assert f"ocaml-reward {__version__}\n" == result.stdout


def test_unknown_command() -> None:
    result = CliRunner().invoke(main, ["grade"])

    assert 2 == result.exit_code
    assert "No such command 'grade'" in result.stderr


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["scoer", "c.jsonl"], "score"),
        (["evalaute"], "evaluate"),
        (["problems", "fliter"], "filter"),
        (["scheme", "shwo"], "show"),
    ],
)
def test_a_misspelt_command_is_told_what_was_meant(words: list[str], meant: str) -> None:
    """In groups below, too."""
    result = CliRunner().invoke(main, words)

    assert 2 == result.exit_code
    assert re.search(rf"[Dd]id you mean '?{meant}'?\?", result.stderr)


def test_a_machine_that_cannot_score(tmp_path: Path) -> None:
    """No sandbox is one line and exit code 3, without a traceback."""
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "completion": "x", "tests": "assert true"}\n')

    def start(*_: str) -> None:
        raise SandboxUnavailable("no sandbox works here: install bubblewrap")

    result = CliRunner().invoke(main, ["score", str(path)], obj=start)

    assert 3 == result.exit_code
    assert "ocaml-reward: no sandbox works here: install bubblewrap\n" == result.stderr


def test_errors_are_one_clean_line(tmp_path: Path) -> None:
    """An error that quotes untrusted text cannot steer the terminal or fake a line."""
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "completion": "x", "tests": "assert true"}\n')

    def start(*_: str) -> None:
        raise MachineError("died: \x1b[2J\r\nall is well")

    result = CliRunner().invoke(main, ["score", str(path)], obj=start)

    assert "ocaml-reward: died: \ufffd[2J all is well\n" == result.stderr


def test_bugs_are_not_hidden(tmp_path: Path) -> None:
    """Only errors raised on purpose become one line; a bug keeps its traceback."""
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "completion": "x", "tests": "assert true"}\n')

    def start(*_: str) -> None:
        raise ZeroDivisionError

    result = CliRunner().invoke(main, ["score", str(path)], obj=start)

    assert isinstance(result.exception, ZeroDivisionError)


PRINTING = [
    ("--help",),
    ("scheme", "show", "--toml"),
    ("scheme", "show", "--table"),
    ("diagnostics", "--table"),
    ("diagnostics", "--json"),
    ("explain", "--problem", "a", "scored.jsonl"),
    ("score", "c.jsonl", "-o", "/dev/null", "--scheme", "concise"),
]


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with completions and their records."""
    folder = tmp_path_factory.mktemp("scored")
    row = '{"id": "a", "completion": "let x = 1", "tests": "assert (x = 1)"}\n'
    (folder / "c.jsonl").write_text(row)
    arguments = ["score", str(folder / "c.jsonl"), "-o", str(folder / "scored.jsonl")]
    CliRunner().invoke(main, arguments, obj=lambda *_: FakeEngine())
    return folder


def printing(
    folder: Path, arguments: tuple[str, ...], stdout: int
) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, its output led to an open file."""
    return subprocess.run(
        [sys.executable, "-m", "cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input='File "x.ml", line 1, characters 0-1:\nError: bad\n',
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_full_standard_output(scored: Path, arguments: tuple[str, ...]) -> None:
    """Output that cannot be written is one line and exit code 3, whatever the command."""
    full = os.open("/dev/full", os.O_WRONLY)
    done = printing(scored, arguments, full)
    os.close(full)

    assert ("ocaml-reward: cannot write standard output: No space left on device\n") == done.stderr
    assert 3 == done.returncode


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_output_that_nobody_reads(scored: Path, arguments: tuple[str, ...]) -> None:
    """A reader that is gone ends every command quietly, as SIGPIPE would."""
    reader, writer = os.pipe()
    os.close(reader)
    done = printing(scored, arguments, writer)
    os.close(writer)

    assert (141, "") == (done.returncode, done.stderr)


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_closed_standard_output(scored: Path, arguments: tuple[str, ...]) -> None:
    """Without a standard output everything is done, and nothing printed."""
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "cli", *arguments],
        cwd=scored,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input="",
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)


CLOSED = [
    ("<&-", ("diagnostics",)),
    ("<&-", ("score", "c.jsonl", "-o", "new.jsonl", "--overwrite")),
    ("2>&-", ("score", "c.jsonl", "-o", "new.jsonl", "--overwrite")),
    ("<&- >&- 2>&-", ("score", "c.jsonl", "-o", "new.jsonl", "--overwrite")),
]


@pytest.mark.parametrize(("closed", "arguments"), CLOSED)
def test_closed_streams(scored: Path, closed: str, arguments: tuple[str, ...]) -> None:
    """Whichever streams are closed, all is done, and files get what belongs into them."""
    done = subprocess.run(
        [
            "sh",
            "-c",
            f'exec "$@" {closed}',
            "sh",
            sys.executable,
            "-m",
            "cli",
            *arguments,
        ],
        cwd=scored,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        check=False,
    )

    assert 0 == done.returncode
    if "new.jsonl" in arguments:
        assert 1 == len((scored / "new.jsonl").read_text().splitlines())


def test_terminals_get_whole_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A long line is broken between words on a terminal, and left whole in a pipe."""
    monkeypatch.setenv("COLUMNS", "80")
    line = " ".join(["word"] * 30)
    console().print(line)
    piped = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    console().print(line)
    shown = capsys.readouterr().out

    assert f"{line}\n" == piped
    assert [16, 14] == [len(each.split()) for each in shown.splitlines()]
    assert {"word"} == set(shown.split())
