"""A question put to servers until one has answered it, or its time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from ...errors import EngineFault, FormatError, ProblemError, RemoteFault
from ..plain import read_plain
from .connection import Answer, Connections, Lost
from .fleet import Fleet, Server
from .messages import About, fault_of, is_fault, stranger
from .urls import TOKEN_VARIABLE, Url

Value = TypeVar("Value")

_PROBE_S: Final = 20.0
# What was begun so often and never answered may be what ends the servers.
_MOST_LOSSES: Final = 6
_POLL_S: Final = 0.25
# How much of the deadline one server may take: it may hang where another would not.
_SHARE: Final = 0.4


class TooLong(RemoteFault):
    """A request that a server does not read, as it has too many bytes or items."""


class Caller:
    """Puts questions to the servers at `urls`, from several threads.

    Raises RemoteFault when made where no server answers, or where they are unlike.
    """

    def __init__(
        self, urls: tuple[Url, ...], *, token: str | None, deadline_s: float
    ) -> None:
        """Ask every server for its engine, jail and compiler; those that do not answer are asked
        again later.
        """
        self._deadline_s = deadline_s
        self._connections = Connections(token, numbered=True)
        self._closed = threading.Event()
        self._fleet = Fleet(servers=tuple(Server(url=url) for url in urls))
        self._said = "no server answers"
        # While nothing answers, one question waits until its deadline and not each.
        self._given_up = False
        self._about: About | None = None
        try:
            self.about = self._introduced()
        except BaseException:
            self.close()
            raise

    @property
    def jobs(self) -> int:
        """How many questions keep all servers at work."""
        there = [each for each in self._fleet.servers if each.left_out is None]
        return sum(each.jobs for each in there)

    def close(self) -> None:
        """End every connection; what waits for an answer fails at once."""
        self._closed.set()
        self._connections.close()

    def _introduced(self) -> About:
        """Ask all servers once, and the first that answers what all have to be."""
        unlike = []
        for server in self._fleet.servers:
            self._probed(server)
            if server.left_out is not None:
                unlike.append(f"{server.url}: {server.left_out}")
        if unlike:
            raise RemoteFault("; ".join(unlike))
        if self._about is None:
            raise RemoteFault(self._said or "no server answers")
        return self._about

    def limit(self) -> float:
        """Return when what is asked now has had its time."""
        return time.monotonic() + self._deadline_s

    def ask(
        self,
        path: str,
        body: bytes,
        read: Callable[[Any], Value],
        *,
        limit: float,
        order: bytes | None = None,
        most_losses: int = _MOST_LOSSES,
    ) -> Value:
        """Return what `read` makes of a server's good answer, an object.

        Args:
            path: Which question.
            body: The question.
            read: Reads the answer; one that it refuses with FormatError is as good as lost.
            limit: Until when servers are asked, as `limit` says.
            order: What a server that does not know the tests is to prepare first.
            most_losses: How often a request may be lost that was begun.

        Returns:
            What `read` returns.

        Raises:
            ProblemError: A server says so.
            MachineError: All else that goes wrong.
        """
        losses = 0
        while True:
            server = self._turn(limit)
            started = time.monotonic()
            patience_s = max(self._deadline_s * _SHARE, 1.0)
            timeout_s = max(min(patience_s, limit - started), 0.1)
            try:
                answer = self._told(server, path, body, timeout_s)
                if order is not None and _is_unknown(answer):
                    self._told(server, "/v1/prepare", order, timeout_s)
                    answer = self._told(server, path, body, timeout_s)
                    if _is_unknown(answer):
                        raise Lost(f"{server.url}: forgets what it prepares", sent=True)
                found = _read(server, answer, read)
            except _Busy as busy:
                self._said = f"{server.url}: has too much to do"
                self._fleet.busy(server, time.monotonic(), busy.wait_s)
            except Lost as lost:
                self._said = str(lost)
                self._fleet.failed(server, time.monotonic())
                losses += lost.sent
                if losses >= most_losses:
                    raise RemoteFault(f"lost {losses} times: {lost}") from None
            except BaseException:
                self._fleet.answered(server)
                raise
            else:
                self._fleet.answered(server)
                return found

    def _turn(self, limit: float) -> Server:
        """Wait for a server that is there; raises RemoteFault past the deadline."""
        while True:
            if self._closed.is_set():
                raise RemoteFault("the engine was closed")
            now = time.monotonic()
            if now >= limit:
                self._given_up = True
                raise RemoteFault(
                    f"no answer within {self._deadline_s:g} s: {self._said}"
                )
            turn = self._fleet.turn(now)
            if turn.server is None:
                if turn.wait_s is None:
                    raise RemoteFault(f"no server is left: {self._said}")
                if self._given_up:
                    raise RemoteFault(f"no server is back: {self._said}")
                self._closed.wait(min(turn.wait_s, limit - now, _POLL_S))
            elif turn.probe:
                self._probed(turn.server)
            else:
                return turn.server

    def _probed(self, server: Server) -> None:
        """Find out whether a server is ready, and still what the others are."""
        try:
            ready = self._ask(server, "/readyz", None, _PROBE_S)
            if ready.status != 200:
                raise Lost(f"{server.url}: not ready", sent=False)
            answer = self._ask(server, "/v1/about", None, _PROBE_S)
            if answer.status == 401:
                raise RemoteFault(_refused(server))
            if answer.status != 200:
                raise Lost(f"{server.url}: answers {answer.status}", sent=False)
            about = self._known(answer.body)
        except _Unlike as unlike:
            self._said = f"{server.url}: {unlike}"
            self._fleet.leave_out(server, str(unlike))
            return
        except (Lost, FormatError) as lost:
            self._said = f"{lost}"
            self._fleet.failed(server, time.monotonic(), probing=True)
            return
        except BaseException:
            self._fleet.failed(server, time.monotonic(), probing=True)
            raise
        if self._about is None:
            self._about = about
        self._given_up = False
        self._fleet.found(server, jobs=about.jobs)

    def _known(self, body: Any) -> About:
        """Read what a server says it is; raises _Unlike where its reports may not stand beside
        those of the others, FormatError where it is no server of ours.
        """
        if why := stranger(body):
            raise _Unlike(why)
        about = read_plain(About, body)
        if self._about is not None and about.identity != self._about.identity:
            raise _Unlike(f"is {about}, another is {self._about}")
        return about

    def _told(self, server: Server, path: str, body: bytes, timeout_s: float) -> Any:
        """Return the body of a good answer; raises what any other one means."""
        answer = self._ask(server, path, body, timeout_s)
        if answer.status == 200:
            if answer.identity != self.about.identity:
                # Not who it was when it was last asked what it is.
                raise Lost(f"{server.url}: has become another server", sent=False)
            if not isinstance(answer.body, dict):
                raise Lost(f"{server.url}: answers no JSON", sent=True)
            return answer.body
        error = answer.body.get("error") if isinstance(answer.body, dict) else None
        if answer.status == 429 and error:
            raise _Busy(answer.retry_after_s)
        if answer.status == 401:
            raise RemoteFault(_refused(server))
        if answer.status == 422 and isinstance(error, dict):
            message = str(error.get("message"))
            if error.get("kind") == "ProblemError":
                raise ProblemError(message)
            raise EngineFault(f"{server.url}: {message}")
        if answer.status == 413:
            said = error.get("message") if isinstance(error, dict) else None
            raise TooLong(f"too long for {server.url}: {said}")
        if answer.status == 503 and is_fault(error):
            raise fault_of(error)
        draining = answer.status == 503
        raise Lost(f"{server.url}: answers {answer.status}", sent=not draining)

    def _ask(
        self, server: Server, path: str, body: bytes | None, timeout_s: float
    ) -> Answer:
        if self._closed.is_set():
            raise RemoteFault("the engine was closed")
        return self._connections.ask(server.url, path, body, timeout_s=timeout_s)


class _Busy(Exception):
    """A server that has too much to do, and when to come again."""

    def __init__(self, wait_s: float) -> None:
        super().__init__()
        self.wait_s = wait_s


class _Unlike(Exception):
    """A server of another build than ours, or of another kind than the first."""


def _read(server: Server, answer: Any, read: Callable[[Any], Value]) -> Value:
    try:
        return read(answer)
    except FormatError as error:
        why = f"{server.url}: answers what cannot be: {error}"
        raise Lost(why, sent=True) from error


def _refused(server: Server) -> str:
    return f"{server.url} refuses the token; {TOKEN_VARIABLE} holds it"


def _is_unknown(answer: Any) -> bool:
    results = answer.get("results")
    return isinstance(results, list) and any(
        isinstance(each, dict) and "unknown" in each for each in results
    )
