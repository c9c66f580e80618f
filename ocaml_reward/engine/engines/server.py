"""A client of one warm server in its jail: sends and receives frames.  (ocaml/server/frames.ml)"""

from __future__ import annotations

import socket
import struct
import time

from ...errors import EngineFault
from ...model import Budget
from ...sandbox import Jail
from ..build.policies import session_policy
from ..build.toolchain import include_folders, locate
from ..messages.protocol import pack_bytes

# Length, kind, and number of the request.
_HEAD = struct.Struct(">IcI")
# Most replies are shorter.  For a buffer of 128 kB or more the C library maps and unmaps memory
# each time, which takes six times as long as receiving a reply.
_CHUNK_BYTES = 1 << 16
# Larger than any reply: two outputs and the events of one run.
_MOST_BYTES = 1 << 28
_SPARE_BYTES = 1024 * 1024 * 1024
# A struct timeval; and the time in which a server has to read a request.
_TIMEVAL = struct.Struct("@ll")
_SEND_S = 60.0
# As a number: an enumeration joins its flags anew at each use.
_PEEK = int(socket.MSG_PEEK | socket.MSG_DONTWAIT)
# The number of problems whose tests a checker keeps.  (ocaml/server.ml)
_REMEMBERED = 64


class CheckerDied(Exception):
    """The checker died during a request, with an exit status or a signal, in OCaml's numbering."""

    def __init__(self, report: str) -> None:
        """Parse the fork server's report: "STATUS SIGNAL".  (ocaml/server/server.ml)"""
        super().__init__(report)
        self.status, self.signal = (int(word) for word in report.split())


class Doubtful(EngineFault):
    """A server failed on some code; the cause may be the machine or the code."""


class StrayAnswer(EngineFault):
    """A reply to another request than the last one."""


class Server:
    """A running server; it handles one request at a time.

    It is marked `suspect` after its checker died; the mark is cleared once the self-test passes.
    `answered` counts its requests, and `proved` is that count at the last self-test.  A server that
    is `lost` accepts no more requests.
    """

    def __init__(
        self,
        jail: Jail,
        libraries: tuple[str, ...],
        budget: Budget,
        *,
        allow_unsafe: bool = False,
    ) -> None:
        """Start a server; with `allow_unsafe`, code may break type safety.

        Raises JailFault.
        """
        folders = dict.fromkeys((locate().stdlib, *include_folders(libraries)))
        memory = budget.memory_mb * 1024 * 1024 + _SPARE_BYTES
        command = ("/engine/server", str(memory))
        self._session = jail.open(
            session_policy(libraries, budget, allow_unsafe=allow_unsafe),
            (*command, "/engine", *(str(folder) for folder in folders)),
        )
        self._socket = self._session.socket
        # Use the kernel's timeouts: with Python's, each call would poll first and release the GIL
        # once more.
        self._socket.settimeout(None)
        self._limit(socket.SO_SNDTIMEO, _SEND_S)
        self._wall_s = 0.0
        self._received = bytearray()
        self._number = 0
        self.answered = 0
        self.suspect = False
        self.lost = False
        self.proved = 0
        self.tests: set[bytes] = set()

    @property
    def alive(self) -> bool:
        """Tell whether the server's process runs, as the host sees it."""
        return self._session.alive()

    def close(self) -> None:
        """End the server and all its children, even if it is busy."""
        self._session.close()

    def renew(self) -> None:
        """Replace the checker by one with empty caches."""
        self.tests.clear()
        if not self.lost:
            self.send(b"x")

    def note_tests(self, tests: bytes) -> None:
        """Note that the checker has compiled `tests`, and keeps them for a while."""
        if len(self.tests) >= _REMEMBERED:
            self.tests.clear()
        self.tests.add(tests)

    def send(self, kind: bytes, *items: bytes) -> int:
        """Send one request, and return its number.

        Raises StrayAnswer on an unexpected reply, EngineFault if the request cannot be sent.
        """
        body = pack_bytes(*items)
        self._number += 1
        try:
            if self._received or self._is_readable():
                raise StrayAnswer("the engine's server says what it was not asked")
            self._socket.sendall(_HEAD.pack(len(body), kind, self._number) + body)
        except OSError as error:
            raise self._fault(error) from error
        return self._number

    def receive(self, kind: bytes, *, wall_s: float) -> bytes:
        """Return the body of the next reply to the last request; it must be of `kind`.

        Raises CheckerDied; Doubtful for an exception in the checker or an endless reply;
        StrayAnswer for the reply to another request; EngineFault for an invalid reply, or none
        within `wall_s`.
        """
        try:
            # Reuse the current timeout if it is close enough: setsockopt releases the GIL each
            # time.
            if not wall_s <= self._wall_s <= 2 * wall_s:
                self._limit(socket.SO_RCVTIMEO, wall_s)
                self._wall_s = wall_s
            deadline = time.monotonic() + wall_s
            length, got, number = _HEAD.unpack(self._take(_HEAD.size, deadline))
            if number != self._number:
                raise StrayAnswer(
                    f"the engine's server answered request {number}, not {self._number}"
                )
            if length > _MOST_BYTES:
                self.lost = True
                raise Doubtful("the engine's server answers without end")
            body = self._take(length, deadline)
        except OSError as error:
            raise self._fault(error) from error
        if got == kind:
            return body
        text = body[:300].decode("utf-8", "replace")
        if got not in (b"d", b"f"):
            raise EngineFault(f"the engine's server answered {got!r}: {text}")
        # The next checker has empty caches.
        self.tests.clear()
        self.suspect = True
        if got == b"f":
            raise Doubtful(f"the checker failed: {text}")
        how, _, ends = text.rpartition(" ")
        self.lost = ends == "1"
        raise CheckerDied(how)

    def _is_readable(self) -> bool:
        """Tell whether the server has sent what was not asked for."""
        try:
            # The end of the stream is reported by the next send.
            return bool(self._socket.recv(1, _PEEK))
        except BlockingIOError:
            return False

    def _limit(self, option: int, seconds: float) -> None:
        """Set the time limit of sending or receiving."""
        whole, part = divmod(max(seconds, 0.001), 1)
        value = _TIMEVAL.pack(int(whole), int(part * 1e6))
        self._socket.setsockopt(socket.SOL_SOCKET, option, value)

    def _take(self, length: int, deadline: float) -> bytes:
        """Receive so many bytes before a deadline."""
        while len(self._received) < length:
            chunk = self._socket.recv(_CHUNK_BYTES)
            if not chunk:
                raise EngineFault(f"the engine's server ended: {self._session.describe_end()}")
            if time.monotonic() > deadline:
                raise TimeoutError
            self._received += chunk
        taken = bytes(self._received[:length])
        del self._received[:length]
        return taken

    def _fault(self, error: OSError) -> EngineFault:
        """Return the fault that an error of the socket means."""
        if isinstance(error, (TimeoutError, BlockingIOError)):
            return EngineFault("the engine's server did not answer in time")
        ending = self._session.describe_end()
        return EngineFault(f"the engine's server ended: {ending or error}")
