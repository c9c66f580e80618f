"""scripts/setup on machines that lack something, each shown by a PATH of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# What the script itself is made of; every Debian has them.
BASE = ["bash", "cat", "cut", "dirname", "env", "flock", "mktemp", "paste", "readlink"]
BASE += ["rm", "sed", "sha256sum", "stat", "tail"]
OCAML = ["ocamlc", "ocamlopt", "ocamlfind", "gcc", "bwrap"]


class Machine:
    """A checkout on a machine that has only some programs and an unprivileged user."""

    def __init__(self, folder: Path, programs: Sequence[str]) -> None:
        self.checkout = folder / "checkout"
        self.path = folder / "bin"
        (self.checkout / "scripts").mkdir(parents=True)
        self.path.mkdir()
        shutil.copy(ROOT / "scripts" / "setup", self.checkout / "scripts")
        shutil.copy(ROOT / "pyproject.toml", self.checkout)
        self.script("id", "echo 1000")
        for program in [*BASE, *programs]:
            if found := shutil.which(program):
                (self.path / program).symlink_to(found)

    def script(self, name: str, body: str) -> None:
        """Put a program of our own on the PATH."""
        program = self.path / name
        program.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        program.chmod(0o755)

    def setup(self, *arguments: str) -> tuple[int, str]:
        """Run scripts/setup; return its exit status and what it said."""
        done = subprocess.run(
            [self.checkout / "scripts" / "setup", *arguments],
            env={"PATH": str(self.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def with_python(machine: Machine) -> Machine:
    """Add the interpreter that runs the tests, by its real place."""
    machine.script("python3", f'exec {sys.executable} "$@"')
    return machine


def test_an_unprivileged_user_is_told_the_packages(tmp_path: Path) -> None:
    """Without root, one line gives the apt-get command for what is missing, exit 2."""
    machine = with_python(Machine(tmp_path, ["ocamlc", "ocamlopt", "gcc", "apt-get"]))
    status, said = machine.setup()

    assert 2 == status
    assert (
        "setup: missing: ocamlfind, bwrap; as root, run "
        "apt-get install --yes ocaml-findlib bubblewrap\n"
    ) == said


def test_sudo_is_named_where_it_exists(tmp_path: Path) -> None:
    """The command can be pasted as it stands where sudo is installed."""
    machine = with_python(Machine(tmp_path, [*OCAML[:-1], "apt-get"]))
    machine.script("sudo", "exit 1")

    assert (
        2,
        "setup: missing: bwrap; run sudo apt-get install --yes bubblewrap\n",
    ) == machine.setup()


def test_other_systems_are_told_the_programs(tmp_path: Path) -> None:
    """Where there is no apt-get, the line names programs instead of packages."""
    machine = with_python(Machine(tmp_path, OCAML[:-1]))

    assert (
        2,
        "setup: missing: bwrap; install with this system's package manager\n",
    ) == machine.setup()


def test_tests_need_a_browser_and_a_compiler(tmp_path: Path) -> None:
    """Whoever runs the tests is told of chromium, in which reports are looked at, and of g++,
    which compiles checkers.
    """
    machine = with_python(Machine(tmp_path, [*OCAML, "apt-get"]))

    assert (
        2,
        "setup: missing: g++ for the tests, chromium for the tests; as root, run"
        " apt-get install --yes g++ chromium\n",
    ) == machine.setup("--dev")


def test_an_old_python_is_refused_before_anything_is_installed(tmp_path: Path) -> None:
    """A machine whose only Python is too old is told so first, with its version."""
    machine = Machine(tmp_path, ["apt-get"])
    machine.script("python3", '[ "$1" = --version ] && echo Python 3.10.12')
    status, said = machine.setup()

    assert 2 == status
    assert said.startswith("setup: Python 3.11 or newer is needed, and Python 3.10.12")
    assert 1 == said.count("\n")


@pytest.mark.parametrize("argument", ["--devel", "dev", "-x"])
def test_unknown_arguments_are_refused(tmp_path: Path, argument: str) -> None:
    """A mistyped option does nothing but say how the script is called."""
    machine = Machine(tmp_path, OCAML)

    assert (2, "usage: scripts/setup [--system | --engine | --dev]\n") == machine.setup(argument)
