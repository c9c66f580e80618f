"""Questions to several servers: each is asked until one has answered, or its time is up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Generic, NamedTuple, TypeVar

from ...codec.typed import read_plain
from ...errors import EngineFault, FormatError, ProblemError, RemoteFault
from .http_client import Answer, Client, Lost, stamina
from .messages import IDENTITY_HEADER, About, difference, fault_of, is_fault
from .urls import TOKEN_VARIABLE

Value = TypeVar("Value")

MOST_LOSSES: Final = 6
"""How often a request that was begun may be lost: it may be what ends the servers."""

_PROBE_S: Final = 20.0
_POLL_S: Final = 0.25
_REST_S: Final = 0.5
# The share of the deadline that one server may take: it may hang where another would not.
_SHARE: Final = 0.4


class TooLong(RemoteFault):
    """A request that a server does not read, as it has too many bytes or items."""


class _Later(Exception):
    """No server can be asked now; one may be in `wait_s` seconds."""

    def __init__(self, why: str, wait_s: float) -> None:
        super().__init__(why)
        self.wait_s = wait_s


class Question(NamedTuple, Generic[Value]):
    """A POST, and how its answer is read: FormatError counts as a lost answer.

    `limit` is in the time of `time.monotonic`; a server that does not know the tests is
    asked to prepare `order` first.
    """

    path: str
    body: bytes
    read: Callable[[Any], Value]
    limit: float
    order: bytes | None = None
    most_losses: int = MOST_LOSSES


@dataclass(kw_only=True, slots=True, eq=False)
class Server:
    """One server as its clients see it.

    After a failure it is not `trusted`, and one request finds out whether it is back once
    `rests_until` has come.
    """

    url: str
    jobs: int = 1
    requests: int = 0
    trusted: bool = False
    rests_until: float = 0.0


class Servers:
    """Servers of one kind, asked from several threads."""

    def __init__(self, urls: tuple[str, ...], client: Client, deadline_s: float) -> None:
        """Ask every server what it is; those that do not answer are asked again later.

        Raises RemoteFault where none answers, or where they differ.
        """
        self.all = [Server(url=url) for url in urls]
        self._client, self._deadline_s = client, deadline_s
        self._lock = Lock()
        self._about: About | None = None
        self._said = "no server answers"
        # While nothing answers, one question waits until its deadline and not each.
        self._given_up = False
        unlike = [why for server in self.all if (why := self._probe(server))]
        if unlike or self._about is None:
            raise RemoteFault("; ".join(unlike) or self._said)
        self.about: About = self._about

    def ask(self, question: Question[Value]) -> Value:
        """Return what is read of a good answer; raise ProblemError or MachineError."""
        losses = 0
        left = max(question.limit - time.monotonic(), 0.1)
        try:
            for attempt in stamina.retry_context(_wait, attempts=None, timeout=left):
                with attempt:
                    server = self.choose()
                    try:
                        return self._ask(server, question)
                    except Lost as lost:
                        self._rest(server, str(lost))
                        losses += lost.sent
                        if losses >= question.most_losses:
                            raise RemoteFault(f"lost {losses} times: {lost}") from None
                        raise
                    finally:
                        with self._lock:
                            server.requests -= 1
        except (Lost, _Later) as late:
            self._given_up = True
            why = f"no answer within {self._deadline_s:g} s: {late}"
            raise RemoteFault(why) from None
        raise AssertionError("unreachable")

    def choose(self) -> Server:
        """Take the least loaded server that is there; raise RemoteFault or _Later."""
        while True:
            if self._client.closed:
                raise RemoteFault("the engine was closed")
            now = time.monotonic()
            with self._lock:
                due = [each for each in self.all if each.rests_until <= now]
                if not due and self._given_up and not any(s.trusted for s in self.all):
                    raise RemoteFault(f"no server is back: {self._said}")
                if not due:
                    raise _Later(self._said, _POLL_S)
                server = min(due, key=lambda one: (one.trusted, one.requests / one.jobs))
                if server.trusted:
                    server.requests += 1
                    return server
                # One request finds out; the others go where it is known.
                server.rests_until = now + _PROBE_S
            self._probe(server)

    def _rest(self, server: Server, why: str) -> None:
        """Ask a server nothing for a while, and then first whether it is back."""
        self._said = why
        server.trusted, server.rests_until = False, time.monotonic() + _REST_S

    def _probe(self, server: Server) -> str | None:
        """Ask whether a server is ready and what it is; return how it is unlike others."""
        unlike = None
        try:
            self._get(server, "/readyz", "not ready")
            body = self._get(server, "/v1/about", "does not say what it is")
            unlike = difference(body)
            about = read_plain(About, body) if unlike is None else None
            if about and self._about and about.identity != self._about.identity:
                unlike = f"is {about}, another is {self._about}"
        except (Lost, FormatError) as lost:
            self._rest(server, str(lost))
            return None
        if about is None or unlike:
            self._rest(server, f"{server.url}: {unlike}")
            return self._said
        with self._lock:
            self._about, self._given_up = about, False
            server.trusted, server.rests_until = True, 0.0
            server.jobs = max(about.jobs, 1)
        return None

    def _get(self, server: Server, path: str, otherwise: str) -> Any:
        """Return a server's answer to a GET request; raise Lost."""
        answer = self._answer(server, path, None, _PROBE_S)
        if answer.status != 200:
            raise Lost(f"{server.url}: {otherwise}", sent=False)
        return answer.body

    def _answer(self, server: Server, path: str, body: bytes | None, timeout_s: float) -> Answer:
        """Ask a server; raise RemoteFault if it refuses the token."""
        answer = self._client.ask(server.url, path, body, timeout_s=timeout_s)
        if answer.status == 401:
            why = f"{server.url} refuses the token; {TOKEN_VARIABLE} holds it"
            raise RemoteFault(why)
        return answer

    def _ask(self, server: Server, question: Question[Value]) -> Value:
        """Ask one server, which prepares the tests first where it does not know them."""
        most_s = max(self._deadline_s * _SHARE, 1.0)
        timeout_s = max(min(most_s, question.limit - time.monotonic()), 0.1)
        answer = self._post(server, question.path, question.body, timeout_s)
        if question.order is not None and _is_unknown(answer):
            self._post(server, "/v1/prepare", question.order, timeout_s)
            answer = self._post(server, question.path, question.body, timeout_s)
            if _is_unknown(answer):
                raise Lost(f"{server.url}: forgets what it prepares", sent=True)
        try:
            return question.read(answer)
        except FormatError as error:
            why = f"{server.url}: answers what cannot be: {error}"
            raise Lost(why, sent=True) from error

    def _post(self, server: Server, path: str, body: bytes, timeout_s: float) -> Any:
        """Return the body of a good answer; raise what any other one means."""
        answer = self._answer(server, path, body, timeout_s)
        status, url = answer.status, server.url
        if status == 200:
            if answer.headers.get(IDENTITY_HEADER) != self.about.identity:
                raise Lost(f"{url}: has become another server", sent=False)
            if not isinstance(answer.body, dict):
                raise Lost(f"{url}: answers no JSON", sent=True)
            return answer.body
        error = answer.body.get("error") if isinstance(answer.body, dict) else None
        message = error.get("message") if isinstance(error, dict) else None
        if status == 429 and error:
            self._said = f"{url}: has too much to do"
            until = time.monotonic() + (answer.retry_after_s or 1.0)
            server.rests_until = max(server.rests_until, until)
            raise _Later(self._said, 0.0)
        if status == 422 and isinstance(error, dict):
            if error.get("kind") == "ProblemError":
                raise ProblemError(str(message))
            raise EngineFault(f"{url}: {message}")
        if status == 413:
            raise TooLong(f"too long for {url}: {message}")
        if status == 503 and is_fault(error):
            raise fault_of(error)
        # A server that ends answers 503 to what it has not begun.
        raise Lost(f"{url}: answers {status}", sent=status != 503)


def _wait(error: Exception) -> bool | float:
    """Return how long stamina is to wait before another server, or False to give up."""
    if isinstance(error, Lost):
        return 0.0
    return error.wait_s if isinstance(error, _Later) else False


def _is_unknown(answer: Any) -> bool:
    """Tell whether a server does not know the tests of a check."""
    results = answer.get("results")
    found = results if isinstance(results, list) else []
    return any(isinstance(each, dict) and "unknown" in each for each in found)
