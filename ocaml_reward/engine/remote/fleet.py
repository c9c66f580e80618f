"""Which server gets the next request: the least loaded of those that answer.  Pure but for
its lock: whoever asks says what time it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from .urls import Url

_REST_S: Final = 0.5
_LONGEST_REST_S: Final = 30.0


@dataclass(kw_only=True, slots=True, eq=False)
class Server:
    """One server as its clients see it.

    It is `trusted` while its answers come; one that failed rests `rest_s` seconds, and
    then one request finds out whether it is back.  `left_out` says why it never is.
    """

    url: Url
    jobs: int = 1
    requests: int = 0
    trusted: bool = False
    asked: bool = False
    rests_until: float = 0.0
    rest_s: float = 0.0
    left_out: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """What to do now: send to `server`, find out whether it is back (`probe`), or wait
    `wait_s` seconds; None where no server will ever answer.
    """

    server: Server | None = None
    probe: bool = False
    wait_s: float | None = None


@dataclass(kw_only=True)
class Fleet:
    """All servers of a client, for its threads."""

    servers: tuple[Server, ...]
    _lock: Lock = field(default_factory=Lock)

    def turn(self, now: float) -> Turn:
        """Say what to do next.  A server in the answer is taken, and has to be given back."""
        with self._lock:
            there = [each for each in self.servers if each.left_out is None]
            due = [
                each
                for each in there
                if not each.trusted and not each.asked and each.rests_until <= now
            ]
            if due:
                # One request finds out; the others go where it is known.
                chosen = min(due, key=lambda each: each.rests_until)
                chosen.asked = True
                return Turn(server=chosen, probe=True)
            ready = [each for each in there if each.trusted and each.rests_until <= now]
            if ready:
                chosen = min(ready, key=lambda each: each.requests / each.jobs)
                chosen.requests += 1
                return Turn(server=chosen)
            if not there:
                return Turn()
            soonest = min(each.rests_until for each in there)
            return Turn(wait_s=max(soonest - now, 0.02))

    def found(self, server: Server, *, jobs: int) -> None:
        """Trust a server that was found to be back."""
        with self._lock:
            server.asked = False
            server.trusted = True
            server.jobs = max(jobs, 1)

    def answered(self, server: Server) -> None:
        """Give a server back that did as it should; its next rest is a short one again."""
        with self._lock:
            server.requests -= 1
            if server.trusted:
                server.rest_s = 0.0

    def busy(self, server: Server, now: float, wait_s: float) -> None:
        """Give a server back that has too much to do, for so long."""
        with self._lock:
            server.requests -= 1
            server.rests_until = max(server.rests_until, now + wait_s)

    def failed(self, server: Server, now: float, *, probing: bool = False) -> None:
        """Let a server rest, twice as long each time that it fails again."""
        with self._lock:
            if probing:
                server.asked = False
            else:
                server.requests -= 1
            if not probing and not server.trusted:
                # Several requests that were lost together are one failure.
                return
            server.trusted = False
            longer = min(max(2 * server.rest_s, _REST_S), _LONGEST_REST_S)
            server.rest_s = longer
            server.rests_until = now + longer

    def leave_out(self, server: Server, why: str) -> None:
        """Send nothing more to a server that is of another kind than the rest."""
        with self._lock:
            server.asked = False
            server.trusted = False
            server.left_out = why
