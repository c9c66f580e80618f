"""The real jail, and somebody between its servers and Python who mistreats answers."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ocaml_reward.sandbox import Jail, JailPolicy

HEAD = struct.Struct(">IcI")


class Relay:
    """A session of the real jail, and between it and Python somebody who mistreats answers."""

    def __init__(self, session: Any, actions: list[str]) -> None:
        self._session, self._actions = session, actions
        self.socket, self._ours = socket.socketpair()
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._ask, self._answer)
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

    def alive(self) -> bool:
        return bool(self._session.alive())

    def describe_end(self) -> str:
        return "the relay ended"

    def _ask(self) -> None:
        with suppress(OSError):
            while data := self._ours.recv(1 << 16):
                self._session.socket.sendall(data)

    def _answer(self) -> None:
        with (
            suppress(OSError, ValueError, struct.error),
            self._session.socket.makefile("rb") as stream,
        ):
            while True:
                length, kind, number = HEAD.unpack(stream.read(HEAD.size))
                self._relayed(length, kind, number, stream.read(length))

    def _relayed(self, length: int, kind: bytes, number: int, body: bytes) -> None:
        frame = HEAD.pack(length, kind, number) + body
        waits = self._actions[:1] == ["lies"] and kind != b"c"
        match self._actions.pop(0) if self._actions and not waits else "pass":
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
            case "lies":
                # Two type errors where there is one.
                frame = HEAD.pack(length, kind, number) + body.replace(b"1:1,", b"1:2,", 1)
        self._ours.sendall(frame)


class RelayedJail:
    """The real jail, with a relay before each session."""

    def __init__(self, jail: Jail, actions: list[str]) -> None:
        self._jail, self._actions = jail, actions
        self.name = jail.name

    def open(self, policy: JailPolicy, argv: Sequence[str]) -> Any:
        return Relay(self._jail.open(policy, argv), self._actions)
