"""
The command as a whole: help, version, errors.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, main
from ocaml_reward import MachineError, SandboxUnavailable, __version__

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
    """
    Each command that is listed can be called, and has a help text.
    """
    result = CliRunner().invoke(main, [name, "--help"], prog_name="ocaml-reward")

    assert 0 == result.exit_code
    assert result.stdout.startswith(f"Usage: ocaml-reward {name} ")


def test_help_lists_the_commands() -> None:
    """
    The commands stand in the help with one line each.
    """
    result = CliRunner().invoke(main, ["--help"])

    assert 0 == result.exit_code
    for name, text in COMMANDS.items():
        assert f"  {name:<11}  {text}\n" in result.stdout


@pytest.mark.parametrize(("arguments", "loaded"), [(["--help"], []), (["-h"], [])])
def test_help_loads_little(arguments: list[str], loaded: list[str]) -> None:
    """
    Asking for help imports neither the library nor rich.
    """
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
    """
    `--version` is that of the package.
    """
    result = CliRunner().invoke(main, ["--version"])

    assert f"ocaml-reward {__version__}\n" == result.stdout


def test_unknown_command() -> None:
    """
    A command that is not there is a usage error.
    """
    result = CliRunner().invoke(main, ["grade"])

    assert 2 == result.exit_code
    assert "No such command 'grade'" in result.stderr


def test_a_machine_that_cannot_score(tmp_path: Path) -> None:
    """
    No sandbox is one line and exit code 3, without a traceback.
    """
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "completion": "x", "tests": "assert true"}\n')

    def start(*_: str) -> None:
        raise SandboxUnavailable("no sandbox works here: install bubblewrap")

    result = CliRunner().invoke(main, ["score", str(path)], obj=start)

    assert 3 == result.exit_code
    assert "ocaml-reward: no sandbox works here: install bubblewrap\n" == result.stderr


def test_errors_are_one_clean_line(tmp_path: Path) -> None:
    """
    An error that quotes untrusted text cannot steer the terminal or fake a line.
    """
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "completion": "x", "tests": "assert true"}\n')

    def start(*_: str) -> None:
        raise MachineError("died: \x1b[2J\r\nall is well")

    result = CliRunner().invoke(main, ["score", str(path)], obj=start)

    assert "ocaml-reward: died: \ufffd[2J all is well\n" == result.stderr


def test_bugs_are_not_hidden(tmp_path: Path) -> None:
    """
    Only errors raised on purpose become one line; a bug keeps its traceback.
    """
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a", "completion": "x", "tests": "assert true"}\n')

    def start(*_: str) -> None:
        raise ZeroDivisionError

    result = CliRunner().invoke(main, ["score", str(path)], obj=start)

    assert isinstance(result.exception, ZeroDivisionError)
