"""One program that stays in its jail: spoken to, and gone when it should be."""

from __future__ import annotations

import gc
import os
import secrets
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ocaml_reward.errors import JailFault
from ocaml_reward.sandbox import Jail, JailPolicy, Mount, Session

from .serving import SERVE, ask, opened

Find = Callable[[str], list[int]]
Wait = Callable[[Callable[[], bool]], bool]


def test_it_answers_again_and_again(any_jail: Jail, lasting: JailPolicy) -> None:
    """One process answers many requests over the socket, also long ones."""
    with opened(any_jail, lasting) as session:
        answers = [ask(session, f"echo {n} {'x' * 60_000}") for n in range(20)]

        assert [f"{n} {'x' * 60_000}" for n in range(20)] == answers
        assert session.alive()
    assert not session.alive()


def test_sessions_do_not_mix(any_jail: Jail, lasting: JailPolicy) -> None:
    """Two at the same time are two, and the end of one is not the end of the other."""
    with opened(any_jail, lasting) as one, opened(any_jail, lasting) as two:
        assert ["1", "2"] == [ask(one, "echo 1"), ask(two, "echo 2")]
        assert one.pid != two.pid
        one.close()

        assert "3" == ask(two, "echo 3")


def test_it_outlives_the_thread_that_opened_it(any_jail: Jail, lasting: JailPolicy) -> None:
    """A jail dies with the thread that started it; a session's is not its user's."""
    found: list[Session] = []
    thread = threading.Thread(target=lambda: found.append(any_jail.open(lasting, SERVE)))
    thread.start()
    thread.join()
    (session,) = found
    session.socket.settimeout(20)
    time.sleep(0.1)

    assert "here" == ask(session, "echo here")
    session.close()


def test_opening_from_many_threads(any_jail: Jail, lasting: JailPolicy) -> None:
    """Each of many threads gets a session of its own, and its own answers."""
    answers: dict[int, str] = {}
    gate = threading.Barrier(6)

    def work(number: int) -> None:
        gate.wait()
        with opened(any_jail, lasting) as session:
            answers[number] = ask(session, f"echo {number}")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert {n: str(n) for n in range(6)} == answers


def test_closing_ends_a_wait(any_jail: Jail, lasting: JailPolicy) -> None:
    """A thread that waits for an answer sees the end at once when another closes."""
    with opened(any_jail, lasting) as session:
        assert "ready" == ask(session, "echo ready")
        session.socket.sendall(b"sleep\n")
        heard: list[bytes] = []
        # Its own descriptor, as this thread may come to wait after the end.
        with session.socket.dup() as ours:
            waiting = threading.Thread(target=lambda: heard.append(ours.recv(100)))
            waiting.start()
            time.sleep(0.1)
            session.close()
            # Far less than the session would sleep.
            waiting.join(timeout=30)

        assert [b""] == heard


def test_closing_twice_is_closing(any_jail: Jail, lasting: JailPolicy) -> None:
    """Every descriptor is returned, whoever closes how often."""
    with opened(any_jail, lasting) as session:
        ask(session, "echo warm")
    before = sorted(Path("/proc/self/fd").iterdir())
    with opened(any_jail, lasting) as session:
        closers = [threading.Thread(target=session.close) for _ in range(4)]
        for closer in closers:
            closer.start()
        for closer in closers:
            closer.join()

    assert before == sorted(Path("/proc/self/fd").iterdir())


@pytest.mark.parametrize("cycle", [False, True])
def test_a_forgotten_session_is_closed(
    any_jail: Jail, lasting: JailPolicy, processes: Find, cycle: bool
) -> None:
    """A session that nobody can use any more leaves neither process nor descriptor, nor a
    warning of its socket.
    """
    gc.collect()
    token = secrets.token_hex(8)
    before = len([*Path("/proc/self/fd").iterdir()])
    session = any_jail.open(lasting, [*SERVE, token])
    session.socket.settimeout(20)
    assert "here" == ask(session, "echo here")
    assert processes(token)
    held: list[object] = [session]
    held += [held] * cycle
    del session, held
    gc.collect()

    assert [] == processes(token)
    assert before == len([*Path("/proc/self/fd").iterdir()])


@pytest.mark.parametrize("attack", ["daemon", "daemon-and-sleep", "fork-bomb"])
def test_closing_takes_all_along(
    any_jail: Jail, lasting: JailPolicy, processes: Find, eventually: Wait, attack: str
) -> None:
    """What the program started, its daemons too, is gone when `close` returns."""
    token = secrets.token_hex(8)
    roomy = replace(lasting, seccomp="unfiltered")
    with opened(any_jail, roomy, token) as session:
        assert "ready" == ask(session, "echo ready")
        alone = len(processes(token))
        session.socket.sendall(f"{attack}\n".encode())
        assert eventually(lambda: len(processes(token)) > alone)

    assert [] == processes(token)


class TestItsEnd:
    """A program that ends, or never starts, is seen to."""

    def test_a_program_that_exits(self, any_jail: Jail, lasting: JailPolicy) -> None:
        """The socket ends, and its last words are kept."""
        with opened(any_jail, lasting) as session:
            ask(session, "echo ready")
            assert "" == session.describe_end()
            session.socket.sendall(b"say so long\nexit 3\n")

            assert b"" == session.socket.recv(100)
            assert "exit status 3: so long" == session.describe_end()
            assert not session.alive()
        assert "exit status 3: so long" == session.describe_end()

    def test_a_program_that_is_killed(self, any_jail: Jail, lasting: JailPolicy) -> None:
        """The signal is told; what we kill ourselves is no news."""
        with opened(any_jail, lasting) as session:
            session.socket.sendall(b"trap\n")

            assert b"" == session.socket.recv(100)
            assert f"signal {signal.SIGILL:d}" == session.describe_end()
        with opened(any_jail, lasting) as session:
            ask(session, "echo ready")
        assert "" == session.describe_end()

    def test_a_program_that_is_not_there(self, any_jail: Jail, lasting: JailPolicy) -> None:
        """The session opens, ends at once, and tells what was wrong."""
        session = any_jail.open(lasting, ["/engine/missing"])
        session.socket.settimeout(20)

        assert b"" == session.socket.recv(100)
        assert session.describe_end().endswith(": No such file or directory")
        assert "/engine/missing" in session.describe_end()
        assert not session.alive()
        session.close()

    def test_a_killed_supervisor(
        self, jail: Jail, lasting: JailPolicy, processes: Find, eventually: Wait
    ) -> None:
        """When our launcher is killed, the jail goes with it."""
        token = secrets.token_hex(8)
        with opened(jail, lasting, token) as session:
            ask(session, "echo ready")
            os.kill(session.pid, signal.SIGKILL)

            assert b"" == session.socket.recv(100)
            assert "no record" in session.describe_end()
            assert not session.alive()
            assert eventually(lambda: not processes(token))

    def test_a_flood_does_not_block(self, any_jail: Jail, lasting: JailPolicy) -> None:
        """What nobody reads is refused to the writer, and a bounded rest is kept."""
        with opened(any_jail, lasting) as session:
            assert ask(session, "flood").startswith("flooded ")
            assert "here" == ask(session, "echo here")
            assert 1_000 < len(session.describe_end()) < 10_000

            session.socket.sendall(b"say and on\n")
            assert "here" == ask(session, "echo here")
            assert session.describe_end().endswith("and on")

    def test_a_jail_that_cannot_start(self, any_jail: Jail, lasting: JailPolicy) -> None:
        """A word that no command line can hold is an error at once, and costs nothing."""
        before = len([*Path("/proc/self/fd").iterdir()])
        with pytest.raises(ValueError, match="null"):
            any_jail.open(lasting, [*SERVE, "a\0b"])
        with opened(any_jail, lasting) as session:
            assert "here" == ask(session, "echo here")

        assert before == len([*Path("/proc/self/fd").iterdir()])

    def test_no_descriptor_left(
        self, any_jail: Jail, lasting: JailPolicy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A process that has no descriptor to spare gets a fault and loses none."""
        before = len([*Path("/proc/self/fd").iterdir()])

        def refuse(pid: int, flags: int = 0) -> int:
            raise OSError(24, "Too many open files")

        monkeypatch.setattr(os, "pidfd_open", refuse)
        with pytest.raises(JailFault, match="Too many"):
            any_jail.open(lasting, SERVE)

        assert before == len([*Path("/proc/self/fd").iterdir()])


def test_what_needs_watching_is_refused(
    any_jail: Jail, lasting: JailPolicy, tmp_path: Path
) -> None:
    """Nobody looks at a session's clock and disk: it has neither limit nor work folder."""
    clocked = replace(lasting, limits=replace(lasting.limits, wall_s=1.0))
    writing = replace(lasting, mounts=(Mount(source=tmp_path, target="/task", writable=True),))

    for policy in (clocked, writing):
        with pytest.raises(ValueError, match="session"):
            any_jail.open(policy, SERVE)
