"""However the process that opened a session ends or forks: no session without its process."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ocaml_reward.sandbox import BACKENDS, Jail

from .test_choose import USER, readable_copy

Find = Callable[[str], list[int]]
Wait = Callable[[Callable[[], bool]], bool]

PARENT = """
import os, signal, sys, threading
from pathlib import Path
from ocaml_reward.sandbox import choose
from ocaml_reward.sandbox.policy import JailPolicy, Limits
limits = Limits(wall_s=None, cpu_s=None, memory_bytes=None, stack_bytes=1 << 23,
                file_bytes=0, open_files=16, processes=None, output_bytes=1000)
policy = JailPolicy(rootfs=Path(sys.argv[2]), seccomp="session", limits=limits)
jail = choose(sys.argv[1])
sessions = []
def work():
    for _ in range(2):
        sessions.append(jail.open(policy, ["/engine/attacks", "serve", sys.argv[3]]))
def ask(session):
    session.socket.sendall(b"echo here\\n")
    return session.socket.recv(100).decode().strip()
thread = threading.Thread(target=work)
thread.start()
thread.join()
print([ask(session) for session in sessions], flush=True)
"""

ENDINGS = {
    "killed": (f"{PARENT}signal.pause()", signal.SIGKILL, -signal.SIGKILL),
    "terminated": (f"{PARENT}signal.pause()", signal.SIGTERM, -signal.SIGTERM),
    "interrupted": (f"{PARENT}signal.pause()", signal.SIGINT, -signal.SIGINT),
    "returned": (PARENT, None, 0),
    "exited": (f"{PARENT}os._exit(3)", None, 3),
    "raised": (f"{PARENT}raise ValueError", None, 1),
    "replaced": (f"{PARENT}os.execv('/bin/sh', ['sh', '-c', 'exit 4'])", None, 4),
}


def parent(script: str, *words: str, **environment: str) -> subprocess.Popen[str]:
    """Start a Python that opens sessions."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *words],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", BACKENDS)
def test_nothing_outlives_the_process(
    rootfs: Path, processes: Find, eventually: Wait, name: str, ending: str
) -> None:
    """However the Python process ends, its sessions end with it."""
    token = secrets.token_hex(8)
    script, number, status = ENDINGS[ending]
    with parent(script, name, str(rootfs), token) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        if number is not None:
            process.send_signal(number)
        try:
            ended = process.wait(timeout=20)
        finally:
            process.kill()

    assert "['here', 'here']\n" == said
    assert status == ended
    assert eventually(lambda: not processes(token))


FORKING = f"""{PARENT}
def childs():
    mine = jail.open(policy, ["/engine/attacks", "serve", sys.argv[3]])
    answer = ask(mine)
    for session in sessions:
        session.close()
    return answer
pid = os.fork()
if pid == 0:
    print(childs(), flush=True)
    if sys.argv[4] == "exit":
        sys.exit(0)
    os._exit(0)
os.waitpid(pid, 0)
print([ask(session) for session in sessions], flush=True)
"""


@pytest.mark.parametrize("way", ["exit", "_exit"])
@pytest.mark.parametrize("name", BACKENDS)
def test_a_forked_child_has_its_own(
    rootfs: Path, processes: Find, eventually: Wait, name: str, way: str
) -> None:
    """A child of the process opens its own sessions and cannot end its parent's, by
    closing them or by its own end.
    """
    token = secrets.token_hex(8)
    with parent(FORKING, name, str(rootfs), token, way) as process:
        said, _ = process.communicate(timeout=60)

    assert ["['here', 'here']", "here", "['here', 'here']"] == said.splitlines()
    assert eventually(lambda: not processes(token))


BUSY = f"""{PARENT}
busy = threading.Event()
def look():
    while not busy.is_set():
        sessions[0].describe_end(), sessions[0].alive()
looking = threading.Thread(target=look)
looking.start()
for _ in range(30):
    pid = os.fork()
    if pid == 0:
        signal.alarm(2)
        alive = sessions[0].alive()
        sessions[0].describe_end()
        sessions[0].close()
        os._exit(alive)
    print(os.waitpid(pid, 0)[1])
busy.set()
looking.join()
print([ask(session) for session in sessions], flush=True)
"""


def test_a_child_forked_at_any_moment(rootfs: Path, processes: Find, eventually: Wait) -> None:
    """Locks that its parent's threads held do not stop a child from letting go."""
    token = secrets.token_hex(8)
    with parent(BUSY, "nsjail", str(rootfs), token) as process:
        said, _ = process.communicate(timeout=400)

    here = "['here', 'here']"
    assert [here, *["0"] * 30, here] == said.splitlines()
    assert eventually(lambda: not processes(token))


# Its modules and helpers are loaded before it gives up the right to read them.
UNPRIVILEGED = f"""
import os, sys
from ocaml_reward.sandbox import choose
from ocaml_reward.sandbox.native import native
native("launch"), native("probe")
os.environ["OCAML_REWARD_CACHE"] = sys.argv[4]
if os.getuid() == 0:
    os.setgroups([])
    os.setresgid({USER}, {USER}, {USER})
    os.setresuid({USER}, {USER}, {USER})
{PARENT}
for session in sessions:
    session.close()
print([session.alive() for session in sessions], os.getuid() == 0)
"""


def test_an_ordinary_user_has_sessions(
    jail: Jail, rootfs: Path, processes: Find, open_folder: Path
) -> None:
    """What root can open anybody can, in a cache of his own."""
    token = secrets.token_hex(8)
    home = open_folder / "home"
    home.mkdir()
    if os.geteuid() == 0:
        os.chown(home, USER, USER)
    own = {"TMPDIR": str(home)}
    if jail.name == "nsjail":
        own["NSJAIL"] = str(readable_copy(jail.name, open_folder))
    words = (jail.name, str(rootfs), token, str(home / "cache"))
    with parent(UNPRIVILEGED, *words, **own) as process:
        said, _ = process.communicate(timeout=60)

    assert ["['here', 'here']", "[False, False] False"] == said.splitlines()
    assert [] == processes(token)


HIDING = f"""{PARENT}
import time
stop, children = threading.Event(), []
def fork_often():
    while not stop.is_set():
        if len(children) == 30:
            os.kill(children[0], signal.SIGKILL)
            os.waitpid(children.pop(0), 0)
        if (pid := os.fork()) == 0:
            signal.pause()
        children.append(pid)
forking = threading.Thread(target=fork_often)
forking.start()
work(), work(), work(), work()
stop.set()
forking.join()
ends = []
for session in sessions:
    session.socket.settimeout(2)
    session.socket.sendall(b"exit 0\\n")
    try:
        ends.append(session.socket.recv(100))
    except TimeoutError:
        ends.append("hidden")
print(ends, flush=True)
for pid in children:
    os.kill(pid, signal.SIGKILL)
"""


def test_a_fork_does_not_hide_an_end(
    jail: Jail, rootfs: Path, processes: Find, eventually: Wait
) -> None:
    """A child that was forked while a session opened holds no end of its socket."""
    token = secrets.token_hex(8)
    with parent(HIDING, jail.name, str(rootfs), token) as process:
        said, _ = process.communicate(timeout=60)

    assert f"{[b''] * 10}" == said.splitlines()[-1]
    assert eventually(lambda: not processes(token))
