"""One warm server in its jail, as Python sees it: frames out, frames in.  (ocaml/server/frames.ml)"""

from __future__ import annotations

import socket
import struct
import time

from ..errors import EngineFault
from ..model import Budget
from ..sandbox import Jail
from .policies import session_policy
from .protocol import pack
from .toolchain import include_folders, locate

# Length, kind, and number of the request.
_HEAD = struct.Struct(">IcI")
# Most answers are shorter.  For more, from 128 kB on, the C library maps and unmaps memory each
# time, which takes six times as long as to receive one.
_CHUNK_BYTES = 1 << 16
# More than any answer: two outputs and the events of one run.
_MOST_BYTES = 1 << 28
_SPARE_BYTES = 1024 * 1024 * 1024
# A struct timeval; and how long a server may take to read what it is sent.
_TIMEVAL = struct.Struct("@ll")
_SEND_S = 60.0
# Problems of which a checker keeps the tests.  (ocaml/server.ml)
_REMEMBERED = 64


class CheckerDied(Exception):
    """The checker ended in mid-request, with an exit status or by a signal, which has OCaml's
    number.
    """

    def __init__(self, said: str) -> None:
        """Read how, as the zygote has said it: "STATUS SIGNAL".  (ocaml/server/server.ml)"""
        super().__init__(said)
        self.status, self.signal = (int(word) for word in said.split())


class Doubtful(EngineFault):
    """A server has failed at some code.  The machine may be at fault, or what the code is."""


class StrayAnswer(EngineFault):
    """An answer to another request than the one that was sent last."""


class Server:
    """A running server; one request at a time.

    It is `suspect` once its checker has died, until known programs are graded on it, which was
    last done when it had `proved` requests `answered`.  Nothing more can be asked of one that
    is `lost`.
    """

    def __init__(
        self,
        jail: Jail,
        libraries: tuple[str, ...],
        budget: Budget,
        *,
        free: bool = False,
    ) -> None:
        """Start one, for code that is `free` to break type safety or not.  Raises JailFault when the jail cannot be set up."""
        folders = dict.fromkeys((locate().stdlib, *include_folders(libraries)))
        memory = budget.memory_mb * 1024 * 1024 + _SPARE_BYTES
        command = ("/engine/server", str(memory))
        self._session = jail.open(
            session_policy(libraries, budget, free=free),
            (*command, "/engine", *(str(folder) for folder in folders)),
        )
        self._socket = self._session.socket
        # The kernel's own timeouts: with Python's, each call would ask first whether it
        # can go on, and hand over the interpreter's lock once more.
        self._socket.settimeout(None)
        self._limit(socket.SO_SNDTIMEO, _SEND_S)
        self._wall_s = 0.0
        self._received = b""
        self._number = 0
        self.answered = 0
        self.suspect = False
        self.lost = False
        self.proved = 0
        self.tests: set[bytes] = set()

    @property
    def alive(self) -> bool:
        """Whether its process runs, as far as the host can see without asking it."""
        return self._session.alive()

    def close(self) -> None:
        """End it and all that it started, whatever it is doing."""
        self._session.close()

    def renew(self) -> None:
        """Replace the checker by one that has cached nothing yet."""
        self.tests.clear()
        if not self.lost:
            self.send(b"x")

    def met(self, tests: bytes) -> None:
        """Note that its checker has compiled `tests`, which it remembers for a while."""
        if len(self.tests) >= _REMEMBERED:
            self.tests.clear()
        self.tests.add(tests)

    def send(self, kind: bytes, *items: str | bytes) -> int:
        """Send one request, and return its number.

        Raises StrayAnswer where more was answered than was asked, EngineFault when nobody
        takes the request.
        """
        body = pack(*items)
        self._number += 1
        try:
            if self._received or self._is_readable():
                raise StrayAnswer("the engine's server says what it was not asked")
            self._socket.sendall(_HEAD.pack(len(body), kind, self._number) + body)
        except OSError as error:
            raise self._fault(error) from error
        return self._number

    def receive(self, kind: bytes, *, wall_s: float) -> bytes:
        """Return the body of the next answer to what was sent last, which must be of `kind`.

        Raises CheckerDied, Doubtful for an exception of the checker's or an answer without
        end, StrayAnswer for the answer to another request, or EngineFault for one that does
        not come within `wall_s` or is none.
        """
        try:
            # One that is a little longer will do: each call hands the lock over.
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
        said = body[:300].decode("utf-8", "replace")
        if got not in (b"d", b"f"):
            raise EngineFault(f"the engine's server answered {got!r}: {said}")
        # The next checker knows nothing.
        self.tests.clear()
        self.suspect = True
        if got == b"f":
            raise Doubtful(f"the checker failed: {said}")
        how, _, ends = said.rpartition(" ")
        self.lost = ends == "1"
        raise CheckerDied(how)

    def _is_readable(self) -> bool:
        try:
            flags = socket.MSG_PEEK | socket.MSG_DONTWAIT
            # The end of a stream is for whoever sends to find out.
            return bool(self._socket.recv(1, flags))
        except BlockingIOError:
            return False

    def _limit(self, option: int, seconds: float) -> None:
        whole, part = divmod(max(seconds, 0.001), 1)
        value = _TIMEVAL.pack(int(whole), int(part * 1e6))
        self._socket.setsockopt(socket.SOL_SOCKET, option, value)

    def _take(self, length: int, deadline: float) -> bytes:
        parts, have = [self._received], len(self._received)
        while have < length:
            chunk = self._socket.recv(_CHUNK_BYTES)
            if not chunk:
                raise EngineFault(
                    f"the engine's server ended: {self._session.describe_end()}"
                )
            if time.monotonic() > deadline:
                raise TimeoutError
            parts.append(chunk)
            have += len(chunk)
        whole = b"".join(parts)
        self._received = whole[length:]
        return whole[:length]

    def _fault(self, error: OSError) -> EngineFault:
        if isinstance(error, (TimeoutError, BlockingIOError)):
            return EngineFault("the engine's server did not answer in time")
        said = self._session.describe_end()
        return EngineFault(f"the engine's server ended: {said or error}")
