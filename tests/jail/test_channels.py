"""What goes in and out: stdin, stdout, stderr, and the socket on descriptor 3."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from ocaml_reward.sandbox import Jail, JailPolicy, JailRun
from ocaml_reward.sandbox.preflight import PROBE, probe_root

Attack = Callable[..., JailRun]
MANY = 3_000_000


@pytest.fixture
def ask(any_jail: Jail, policy: JailPolicy) -> Attack:
    """Ask the shipped probe in any backend."""

    def run(*words: str, stdin: bytes = b"", request: bytes = b"", limit: int = 100_000) -> JailRun:
        limits = replace(policy.limits, output_bytes=limit, result_bytes=MANY)
        chosen = replace(policy, rootfs=probe_root(), seccomp="run", limits=limits)
        return any_jail.run(chosen, [PROBE, *words], stdin=stdin, request=request)

    return run


def test_the_request_comes_first_and_ends(ask: Attack) -> None:
    """The program reads the whole request, then end of file, and may answer at any length."""
    request = bytes(range(256)) * (MANY // 256)

    assert request == ask("echo", request=request).result


def test_an_unread_request_is_no_fault(ask: Attack) -> None:
    """A program that ignores its request and its stdin ends as it likes."""
    run = ask("exit", "3", request=b"x" * MANY, stdin=b"y" * MANY)

    assert (3, None) == (run.exit_code, run.signal)


@pytest.mark.parametrize(("descriptor", "limit"), [("1", 100_000), ("2", 5), ("1", 0)])
def test_a_flood_is_cut_at_the_byte(ask: Attack, descriptor: str, limit: int) -> None:
    """Output is kept up to its limit exactly, and more of it ends the run at once."""
    run = ask("flood", descriptor, limit=limit)
    kept = run.stdout if descriptor == "1" else run.stderr

    assert b"x" * limit == kept
    assert (True, False) == (run.output_exceeded, run.wall_exceeded)


def test_a_flood_of_results_is_cut(ask: Attack) -> None:
    """Descriptor 3 has a limit of its own."""
    run = ask("flood", "3")

    assert (MANY, True) == (len(run.result), run.output_exceeded)


def test_stdin_arrives_whole(attack: Attack) -> None:
    """Input longer than any pipe is fed to the end, then closed."""
    run = attack("read-stdin", stdin=b"z" * MANY, seccomp="run")

    assert (0, f"done {MANY}\n".encode()) == (run.exit_code, run.result)


def test_runs_do_not_mix(jail: Jail, policy: JailPolicy) -> None:
    """Runs of several threads at once each get their own request back."""
    chosen = replace(policy, rootfs=probe_root(), seccomp="run")
    gate = threading.Barrier(8)

    def one(number: int) -> bytes:
        gate.wait()
        request = str(number).encode() * 1000
        return jail.run(chosen, [PROBE, "echo"], request=request).result

    with ThreadPoolExecutor(8) as pool:
        results = [*pool.map(one, range(32))]

    assert [str(number).encode() * 1000 for number in range(32)] == results
