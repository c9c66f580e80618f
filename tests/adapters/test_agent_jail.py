"""The jail of an agent: a shell and OCaml, folders that stay, and nothing of the host."""

from __future__ import annotations

import io
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ocaml_reward import InputError
from trainer_plugin.adapters.agent_jail import FOLDERS, MOST_BYTES, AgentJail


@pytest.fixture(params=["nsjail", "bubblewrap"])
def jail(request: pytest.FixtureRequest) -> Iterator[AgentJail]:
    """Make a jail of each kind."""
    made = AgentJail(request.param)
    yield made
    made.close()


def said(jail: AgentJail, command: str) -> str:
    """Return what a command printed, which has to end well."""
    done = jail.run(command, cwd="/workdir")
    assert done.exit_code == 0, done.stderr
    return done.stdout.decode()


def test_ocaml_is_there_and_files_stay(jail: AgentJail) -> None:
    """Compiled in one command, run in the next; the tools of a shell do what they do elsewhere."""
    said(jail, """echo 'let () = print_endline "hi"' > a.ml && ocamlc -o a a.ml""")
    said(jail, "mkdir -p /logs/agent && chmod 777 /logs/agent && ln -s a.ml link && cp a.ml b.ml")
    listed = said(jail, "find . -name '*.ml' | sort | xargs grep -c let 2> /dev/null")

    assert "hi\n" == said(jail, "./a")
    assert "hi\n" == said(jail, "ocaml a.ml")
    assert "./a.ml:1\n./b.ml:1\n" == listed
    assert "x\n" == said(jail, "tar -czf /tmp/t.tgz a.ml && echo x | sed s/y/z/ | tee c")


def test_nothing_of_the_host_can_be_reached(jail: AgentJail, tmp_path: Path) -> None:
    """Neither by a path, nor by a link that is read for the host, nor over a network."""
    (tmp_path / "reference.ml").write_text("let secret = 1")
    said(jail, f"ln -s {tmp_path}/reference.ml answer.ml && ln -s {tmp_path} folder")
    reached = jail.run("exec 3<> /dev/tcp/127.0.0.1/22")
    written = jail.run("echo x > /bin/sh")

    assert "" == said(jail, "ls /proc /home /etc /var 2> /dev/null || true")
    with pytest.raises(FileNotFoundError, match=r"answer\.ml"):
        jail.read("/workdir/answer.ml")
    with pytest.raises(PermissionError):
        jail.write("/workdir/folder/planted", b"")
    assert ["reference.ml"] == [each.name for each in tmp_path.iterdir()]
    assert 0 not in (reached.exit_code, written.exit_code)


def test_files_and_folders_go_in_and_out(jail: AgentJail) -> None:
    """A folder as a tar archive, with modes."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        entry = tarfile.TarInfo("sub/run.sh")
        entry.size, entry.mode = 10, 0o755
        archive.addfile(entry, io.BytesIO(b"echo done\n"))
    jail.unpack("/solution", made.getvalue())
    jail.write("/workdir/new/a b", b"\0text")
    with tarfile.open(fileobj=io.BytesIO(jail.pack("/solution"))) as archive:
        names = archive.getnames()

    assert "done\n" == said(jail, "sh /solution/sub/run.sh")
    assert b"\0text" == jail.read("/workdir/new/a b")
    assert "./sub/run.sh" in names


def test_a_command_ends_in_time_with_all_that_it_started(jail: AgentJail) -> None:
    begun = time.monotonic()
    done = jail.run("sleep 60 & sleep 60", wall_s=0.5)

    assert done.wall_exceeded
    assert time.monotonic() - begun < 20


def test_who_fills_the_disk_loses_what_is_on_it(jail: AgentJail) -> None:
    """A later command, such as one that collects the answer, still works."""
    said(jail, "echo kept > answer.ml")
    part = MOST_BYTES // 2
    command = f"for n in 1 2 3 4; do head -c {part} /dev/zero > $n; sleep 0.2; done"
    done = jail.run(command, cwd="/workdir")

    assert 0 != done.exit_code
    assert "" == said(jail, "ls")
    assert "again\n" == said(jail, "echo again > answer.ml; cat answer.ml")


def test_what_confines_nothing_is_refused() -> None:
    for name in ("rlimits", "none", "docker"):
        with pytest.raises(InputError, match="keeps no agent in"):
            AgentJail(name)
    assert "/workdir" in FOLDERS
