"""`ocaml-reward serve` as a command: what it refuses to start with, and that it ends cleanly."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from cli.serve import child_count, is_loopback
from ocaml_reward import InputError
from ocaml_reward.engine.remote.urls import TOKEN_VARIABLE
from tests.cli.conftest import Invoke

ROOT = Path(__file__).parents[2]
WITHOUT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "{module}":
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
sys.argv = ["ocaml-reward", "serve", "--port", "0"]
from cli.main import main
main()
"""


@pytest.mark.parametrize("module", ["starlette", "uvicorn", "prometheus_client"])
def test_without_the_extra_it_names_it(module: str) -> None:
    """Where a module of the extra is missing, one line says what to install."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(module=module)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (3, "") == (done.returncode, done.stdout)
    assert 1 == len(done.stderr.splitlines())
    assert "pip install 'ocaml-reward[serve]'" in done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_without_a_token_it_is_for_this_machine_alone(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """An address that others reach is refused unless there is a token to ask for."""
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)
    done = invoke("serve", "--host", host, "--port", "0")

    assert 2 == done.exit_code
    assert "--token-file" in done.output


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("localhost.example.org", False),
        ("", False),
    ],
)
def test_loopback_addresses_are_known(host: str, expected: bool) -> None:
    """Loopback is what the address says, and of names only localhost."""
    assert expected == is_loopback(host)


@pytest.mark.parametrize("text", ["", "\n", "to\nken", "t\u00f6ken"])
def test_a_token_file_holds_a_token(invoke: Invoke, tmp_path: Path, text: str) -> None:
    path = tmp_path / "token"
    path.write_text(text, encoding="utf-8")
    done = invoke("serve", "--token-file", path, "--port", "0")

    assert 2 == done.exit_code
    assert "token" in done.output


def test_a_port_in_use_is_said_in_one_line(invoke: Invoke) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = invoke("serve", "--port", str(other.getsockname()[1]))

    assert 2 == done.exit_code
    assert "cannot listen at 127.0.0.1" in done.output


@pytest.mark.parametrize(
    "name",
    [
        "http://",
        "ftp://a:1",
        "http://a:x",
        "http://u:p@a:1",
        "http://a?token=x",
        "warmer",
    ],
)
def test_what_is_no_engine_is_refused(invoke: Invoke, name: str) -> None:
    """--engine takes the names there are and addresses, and a token in none of them."""
    done = invoke("score", "-", "--engine", name)

    assert 2 == done.exit_code
    assert "Invalid value for '--engine'" in done.output


def test_children_are_for_engines_of_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without a number there is one for every four processors, and none up to four."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(16))
    many = child_count(None, "auto")
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(4))
    few = child_count(None, "auto")
    with pytest.raises(InputError, match="--engine names others"):
        child_count(2, "http://a:8700")

    assert (4, 0, 3) == (many, few, child_count(3, "warm"))
    assert 0 == child_count(None, "http://a:8700")
