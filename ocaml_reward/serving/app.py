"""The server as an ASGI application: who may ask, what a request may cost, what answers are."""

from __future__ import annotations

import asyncio
import hmac
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .. import Breakdown, FormatError, InputError, MachineError
from ..codec.typed import to_plain
from ..engine.remote.messages import IDENTITY_HEADER, REQUEST_HEADER
from .bodies import body_of
from .dialects import (
    Asked,
    get_reward_answer,
    get_reward_pairs,
    slime_answer,
    slime_pair,
    verify_answer,
    verify_pair,
)
from .logs import flush, log, log_later
from .readiness import Readiness
from .refusals import Refusal
from .service import Service

DIALECTS: Final = ("/get_reward", "/reward", "/seed_session", "/verify")
"""The paths whose clients cannot all send headers, and do not wait where they are told to."""

Value = TypeVar("Value")
Answer = Callable[[Any, float], Awaitable[dict[str, Any]]]

_DEADLINE_HEADER: Final = "deadline-ms"
_LONGEST_S: Final = 3600.0
# How long a line about a request may wait for others, to be written with them.
_LOG_S: Final = 0.1


class App:
    """Answers requests with a service; `asgi` is what a web server calls."""

    def __init__(self, service: Service) -> None:
        """Lay out the paths."""
        self.service = service
        self.settings = service.settings
        self.draining = False
        self._flushing = False
        self._readiness = Readiness(service.engine, every_s=self.settings.ready_s)
        answers: dict[str, Answer] = {
            "/v1/prepare": service.prepare,
            "/v1/check": service.check,
            "/v1/score": service.score,
            "/get_reward": self._get_reward,
            "/verify": self._verify,
            "/seed_session": _seed_session,
            "/reward": self._reward,
        }
        self.asgi = Starlette(
            routes=[
                Route("/healthz", self._healthz),
                Route("/readyz", self._readyz),
                Route("/metrics", self._metrics),
                Route("/v1/about", self._about),
                *(
                    Route(path, self._posted(path, answer), methods=["POST"])
                    for path, answer in answers.items()
                ),
            ],
            lifespan=self._lifespan,
            middleware=[Middleware(_Numbered)],
        )

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Log the start; at the end close the service."""
        log("started", **to_plain(self.service.about))
        try:
            yield
        finally:
            self._readiness.close()
            # The engine ends its processes, which takes a moment.
            await asyncio.get_running_loop().run_in_executor(None, self.service.close)
            log("stopped")

    async def _healthz(self, _: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def _readyz(self, _: Request) -> Response:
        """Answer whether this server takes requests."""
        if self.draining:
            return PlainTextResponse("draining\n", status_code=503)
        why = await self._readiness.why_not()
        if why is not None:
            log("not_ready", why=why)
            return PlainTextResponse("not ready\n", status_code=503)
        return PlainTextResponse("ready\n")

    async def _metrics(self, request: Request) -> Response:
        if not self._may(request):
            return self._refused(_unauthorised())
        kind = "text/plain; version=0.0.4"
        return Response(self.service.metrics.page(), media_type=kind)

    async def _about(self, request: Request) -> Response:
        if not self._may(request):
            return self._refused(_unauthorised())
        return self._json(to_plain(self.service.about))

    def _posted(self, path: str, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of a path, which measures and logs each request."""

        async def handle(request: Request) -> Response:
            started = time.monotonic()
            response = await self._handled(request, answer)
            self.service.metrics.answered(path, response.status_code)
            spent_ms = round((time.monotonic() - started) * 1e3, 1)
            log_later("request", path=path, status=response.status_code, ms=spent_ms)
            self._flush_soon()
            return response

        return handle

    def _flush_soon(self) -> None:
        """Write the log a little later, unless that is planned."""
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_later(_LOG_S, self._flush)

    def _flush(self) -> None:
        self._flushing = False
        flush()

    async def _handled(self, request: Request, answer: Answer) -> Response:
        """Return the response to a request, or to why it is refused."""
        try:
            if not self._may(request):
                raise _unauthorised()
            data = await body_of(
                request,
                most_bytes=self.settings.body_bytes,
                most_s=self.settings.body_s,
            )
            if self.settings.log_completions:
                log("asked", body=data)
            deadline = time.monotonic() + _patience_s(request)
            return self._json(await _unless_gone(request, answer(data, deadline)))
        except Refusal as refusal:
            return self._refused(refusal)
        except InputError as error:
            return self._refused(Refusal(422, type(error).__name__, str(error)))
        except MachineError as error:
            return self._refused(_fault(type(error).__name__, str(error)))

    def _may(self, request: Request) -> bool:
        """Tell whether a request shows the token."""
        token = self.settings.token
        if token is None:
            return True
        given = request.headers.get("authorization", "")
        shown = given[7:] if given[:7].lower() == "bearer " else ""
        if not shown and request.url.path in DIALECTS:
            shown = request.query_params.get("token", "")
        expected = token.encode("utf-8", "surrogatepass")
        return hmac.compare_digest(shown.encode("utf-8", "surrogatepass"), expected)

    def _json(self, answer: Any, status: int = 200) -> Response:
        """Return a response in JSON."""
        # ASCII: what the code printed may hold half a surrogate pair.
        text = json.dumps(answer, allow_nan=False, separators=(",", ":"))
        headers = {IDENTITY_HEADER: self.service.about.identity}
        return Response(text.encode("ascii"), status, headers, media_type="application/json")

    def _refused(self, refusal: Refusal) -> Response:
        """Return the response that refuses a request."""
        self.service.metrics.refused(refusal.kind)
        error = {"kind": refusal.kind, "message": str(refusal)}
        response = self._json({"error": error}, refusal.status)
        if refusal.retry_after_s is not None:
            response.headers["Retry-After"] = str(refusal.retry_after_s)
        if refusal.status in {401, 408, 413}:
            # Whatever else comes on this connection is not read.
            response.headers["Connection"] = "close"
        return response

    async def _get_reward(self, data: Any, deadline: float) -> dict[str, Any]:
        asked = get_reward_pairs(data, self.settings.ends)
        return get_reward_answer(await self._graded(asked, deadline))

    async def _verify(self, data: Any, deadline: float) -> dict[str, Any]:
        (breakdown,) = await self._graded([verify_pair(data)], deadline)
        return verify_answer(data, breakdown)

    async def _reward(self, data: Any, deadline: float) -> dict[str, Any]:
        (breakdown,) = await self._graded([slime_pair(data)], deadline)
        return slime_answer(breakdown)

    async def _graded(self, asked: list[Asked], deadline: float) -> list[Breakdown]:
        """Grade for a client that knows no null: one fault, and there is no answer."""
        if len(asked) > self.settings.items:
            raise Refusal(413, "TooMany", f"at most {self.settings.items} completions")
        pairs = [(self.service.problem(said), each) for said, each in asked]
        hold_s = self.settings.hold_s
        results = await self.service.graded(pairs, deadline=deadline, hold_s=hold_s)
        breakdowns = []
        for result in results:
            if isinstance(result, InputError):
                raise result
            if result.fault is not None:
                raise _fault(result.fault.kind, result.fault.message)
            breakdowns.append(result)
        return breakdowns


class _Numbered:
    """Repeats the number of a request in its answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = REQUEST_HEADER.lower().encode()
        said = [each for each in scope.get("headers", ()) if each[0] == name]

        async def numbered(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *said]
            await send(message)

        await self._app(scope, receive, numbered if said else send)


async def _seed_session(data: Any, deadline: float) -> dict[str, Any]:
    """Answer a client that wants to seed a session."""
    del data, deadline
    return {}


def _unauthorised() -> Refusal:
    """Return the refusal of a request without the token."""
    return Refusal(401, "Unauthorised", "this server wants its token")


def _fault(kind: str, message: str) -> Refusal:
    """Return the refusal for a fault of this machine."""
    return Refusal(503, kind, message, retry_after_s=2)


def _patience_s(request: Request) -> float:
    """Return how long the client waits, as it says; raises FormatError."""
    said = request.headers.get(_DEADLINE_HEADER)
    if said is None:
        return _LONGEST_S
    if not (said.isascii() and said.isdecimal() and len(said) < 10):
        raise FormatError("Deadline-Ms: expected a whole number")
    return min(int(said) / 1e3, _LONGEST_S)


async def _unless_gone(request: Request, answer: Awaitable[Value]) -> Value:
    """Return the answer, unless the client hangs up: then its work is dropped."""
    working = asyncio.ensure_future(answer)
    watching = asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refusal(499, "Gone", "the client hung up")
        return working.result()
    finally:
        for task in (working, watching):
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task


async def _hung_up(request: Request) -> None:
    """Wait until the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
