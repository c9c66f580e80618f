"""
Servers that die, hang, answer twice, late, never or for another request: every reward is the
right one or none, never another completion's.
"""

from __future__ import annotations

import itertools
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocaml_reward import Completion, Grader, Problem
from ocaml_reward.engine import exchange, warm
from ocaml_reward.engine.warm import WarmEngine
from ocaml_reward.sandbox import Jail, JailPolicy, choose

HEAD = struct.Struct(">IcI")
PROBLEM = Problem(
    id="next",
    tests="let () = assert (f 1 = 2)\nlet () = assert (f 5 = 6)",
    budget=(("compile_wall_s", 0.5), ("tests_wall_s", 0.5)),
)
# What each is worth under `concise`.
PROGRAMS = {
    "let f x = x + 1": 1.0,
    "let f x = x * 2": 0.65,
    "let f x = x ^ 1": 0.17,
    "let f x = (": 0.0,
}
ACTIONS = (
    "pass", "twice", "late", "never", "renumbered", "dies", "half", "unasked", "other",
)  # fmt: skip


class Relay:
    """
    A session of the real jail, and between it and Python somebody who mistreats answers.
    """

    def __init__(self, session: Any, actions: deque[str]) -> None:
        self._session, self._actions = session, actions
        self.socket, self._ours = socket.socketpair()
        self._threads = [
            threading.Thread(target=work, daemon=True)
            for work in (self._ask, self._answer)
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._session.close()
        self._hang_up()
        self.socket.close()
        for thread in self._threads:
            thread.join()
        self._ours.close()

    def _hang_up(self) -> None:
        with suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)

    def describe_end(self) -> str:
        return "the relay ended"

    def _ask(self) -> None:
        with suppress(OSError):
            while data := self._ours.recv(1 << 16):
                self._session.socket.sendall(data)

    def _answer(self) -> None:
        with suppress(OSError, ValueError, struct.error):
            with self._session.socket.makefile("rb") as stream:
                while True:
                    length, kind, number = HEAD.unpack(stream.read(HEAD.size))
                    self._relayed(length, kind, number, stream.read(length))

    def _relayed(self, length: int, kind: bytes, number: int, body: bytes) -> None:
        frame = HEAD.pack(length, kind, number) + body
        match self._actions.popleft() if self._actions else "pass":
            case "twice":
                frame *= 2
            case "late":
                time.sleep(0.2)
            case "never":
                frame = b""
            case "renumbered":
                frame = HEAD.pack(length, kind, number - 1) + body
            case "dies":
                self._hang_up()
            case "half":
                self._ours.sendall(frame[: len(frame) // 2])
                self._hang_up()
            case "unasked":
                frame += HEAD.pack(3, b"k", number) + b"0:,"
            case "other":
                frame = HEAD.pack(length, b"z", number) + body
        self._ours.sendall(frame)


class RelayedJail:
    """
    The real jail, with a relay before each session.
    """

    def __init__(self, jail: Jail, actions: deque[str]) -> None:
        self._jail, self._actions = jail, actions
        self.name = jail.name

    def open(self, policy: JailPolicy, argv: Sequence[str]) -> Any:
        return Relay(self._jail.open(policy, argv), self._actions)


@pytest.fixture(scope="module")
def relayed() -> Iterator[tuple[Grader, deque[str]]]:
    """
    Make a grader whose servers are relayed, and what is to be done to their next answers.
    """
    actions: deque[str] = deque()
    with pytest.MonkeyPatch.context() as patch:
        real = choose("auto")
        patch.setattr(warm, "choose", lambda _: RelayedJail(real, actions))
        patch.setattr(warm, "GRACE_S", 0.5)
        patch.setattr(exchange, "GRACE_S", 0.5)
        with Grader("concise", engine=WarmEngine(), jobs=1) as grader:
            grader.prepare(PROBLEM)
            yield grader, actions


numbers = itertools.count()


@settings(max_examples=30, deadline=None)
@given(
    work=st.lists(
        st.tuples(st.sampled_from(list(PROGRAMS)), st.sampled_from(ACTIONS)),
        min_size=1,
        max_size=6,
    )
)
def test_a_reward_is_right_or_none(
    relayed: tuple[Grader, deque[str]], work: list[tuple[str, str]]
) -> None:
    """
    Whatever becomes of answers, and of the servers that they come from.
    """
    grader, actions = relayed
    actions.extend(action for _, action in work)
    found = []
    for code, _ in work:
        text = f"{code}\n(* {next(numbers)} *)\n"
        breakdown = grader.grade(PROBLEM, Completion(text=text))
        found.append((code, breakdown.reward))
    actions.clear()

    assert [] == [
        (code, reward)
        for code, reward in found
        if reward is not None and reward != pytest.approx(PROGRAMS[code])
    ]
    # Once nobody meddles all is well again.
    for code, worth in PROGRAMS.items():
        text = f"{code}\n(* {next(numbers)} *)\n"
        reward = grader.grade(PROBLEM, Completion(text=text)).reward
        assert pytest.approx(worth) == reward


def test_each_action_is_noticed(relayed: tuple[Grader, deque[str]]) -> None:
    """
    A server whose answer is not as it has to be is replaced, and the reward is right: the
    question was asked again.
    """
    grader, actions = relayed
    for action in set(ACTIONS) - {"pass", "late"}:
        before = sum(grader.replaced.values())
        actions.append(action)
        for code in ("let f x = x + 1", "let f x = 1 + x"):
            text = f"{code}\n(* {next(numbers)} *)\n"
            assert 1.0 == grader.grade(PROBLEM, Completion(text=text)).reward
        assert before + 1 == sum(grader.replaced.values()), action
    assert {"stray answer", "fault"} == set(grader.replaced)
