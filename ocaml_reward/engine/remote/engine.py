"""The engine that asks servers: their reports are its reports.

A lost request goes to another server until its deadline, as running it twice is harmless.
A request that no server has answered by then is a fault, and never a report.
"""

from __future__ import annotations

import os
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

from ...codec.typed import read_plain, to_json
from ...errors import FormatError, MachineError, OCamlRewardError, ProblemError, RemoteFault
from ...model import Budget, CheckReport, Problem
from .. import BUDGET, CheckRequest, PreparedTests
from ..prepare.prepared_by_request import Order, key_of, order_bytes
from ..prepare.sizes import require_size
from .http_client import Client
from .messages import REQUEST_HEADER, check_item, fault_of, read_prepared
from .servers import MOST_LOSSES, Question, Servers, TooLong
from .urls import TOKEN_VARIABLE, read_urls, token_in
from .validation import require_fit

_DEADLINE_S: Final = 300.0
# Quick checks in a request: with more, one that takes long keeps more waiting.
_TOGETHER: Final = 8
# Threads beyond twice what servers take: Python's share keeps no more busy.
_MOST_THREADS_MORE: Final = 32

Result: TypeAlias = CheckReport | MachineError | None
"""A report, a fault, or None for a check that is to be asked for alone."""


class _Check(NamedTuple):
    """A check as servers are asked for it, until when, and the result that comes of it."""

    request: CheckRequest
    item: dict[str, Any]
    limit: float
    result: Future[Result]


class RemoteEngine:
    """Checks code on other machines, which run `ocaml-reward serve`."""

    def __init__(
        self, urls: str, *, token: str | None = None, deadline_s: float = _DEADLINE_S
    ) -> None:
        """Ask every server for its engine, jail and compiler.

        Args:
            urls: Addresses with commas between them, as `http://host:8700`.
            token: The secret that servers ask for; that of the environment if not given.
            deadline_s: Seconds after which a request that no server answered is a fault.

        Raises:
            ValueError: One of `urls` is no address.
            RemoteFault: No server answers, or they differ in engine, jail or compiler.
        """
        try:
            shown = token_in(os.environ.get(TOKEN_VARIABLE) if token is None else token)
        except ValueError as error:
            raise RemoteFault(str(error)) from None
        addresses = read_urls(urls)
        self._deadline_s = deadline_s
        self._client = Client(shown, number_header=REQUEST_HEADER)
        try:
            self._servers = Servers(addresses, self._client, deadline_s)
        except BaseException:
            self._client.close()
            raise
        about = self._servers.about
        self.name, self.sandbox = about.engine, about.sandbox
        self.toolchain = about.toolchain
        taken = sum(each.jobs for each in self._servers.all)
        # Half of the completions at a time are on their way, or at Python's on this
        # machine, and the rest fills the requests.
        self.jobs = 2 * taken + min(4 * taken, _MOST_THREADS_MORE)
        self._senders = ThreadPoolExecutor(max(taken // 2, 1), "send")
        self._waiting: deque[_Check] = deque()

    def close(self) -> None:
        """End every connection; what waits for an answer fails at once."""
        self._client.close()
        self._senders.shutdown(wait=False)

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Have a server rewrite a problem's tests into numbered checks.

        Returns the checks; their payload is what a server prepares them from.  Raises
        ProblemError for tests that cannot be used, MachineError where no server answered.
        """
        require_size(problem)
        order = order_bytes(Order(problem=problem, budget=budget))
        limit = time.monotonic() + self._deadline_s
        try:
            return self._servers.ask(
                Question(
                    "/v1/prepare",
                    order,
                    lambda answer: read_prepared(order, answer.get("tests")),
                    limit,
                )
            )
        except TooLong as long:
            raise ProblemError(f"{problem.id}: {long}") from None

    def check(self, request: CheckRequest) -> CheckReport:
        """Have a server compile and run one completion; raise MachineError."""
        item = check_item(key_of(request.tests.payload), request)
        limit = time.monotonic() + self._deadline_s
        check = _Check(request, item, limit, Future())
        result: Result = None
        # What may take long goes alone, as all answers of a request come together.
        if request.quick:
            self._waiting.append(check)
            try:
                self._senders.submit(self._send)
            except RuntimeError:
                raise RemoteFault("the engine was closed") from None
            result = check.result.result()
        result = result or self._results([check])[0]
        if isinstance(result, MachineError):
            raise result
        assert result is not None  # noqa: S101 (a check that is sent alone has a result)
        return result

    def _send(self) -> None:
        """Send what waits as one request, which costs both sides more than what is in it.

        Checks that were sent along with earlier ones leave their own turn empty.
        """
        checks: list[_Check] = []
        with suppress(IndexError):
            while len(checks) < _TOGETHER:
                checks.append(self._waiting.popleft())
        results: list[Result] = [None] * len(checks)
        try:
            # After a fault each is sent alone, to find out which of them it is.
            with suppress(OCamlRewardError):
                results = self._results(checks) if checks else []
        finally:
            for check, result in zip(checks, results, strict=True):
                check.result.set_result(result)

    def _results(self, checks: list[_Check]) -> list[Result]:
        """Ask a server for the results of these checks."""
        question = Question(
            "/v1/check",
            to_json({"items": [each.item for each in checks]}),
            lambda answer: _read(answer, checks),
            checks[0].limit,
            most_losses=1,
        )
        if len(checks) == 1:
            order = checks[0].request.tests.payload
            question = question._replace(order=order, most_losses=MOST_LOSSES)
        return self._servers.ask(question)


def _read(answer: Any, checks: list[_Check]) -> list[Result]:
    """Return the results in an answer; raise FormatError if they are not those asked for."""
    results = answer.get("results")
    if not isinstance(results, list) or len(results) != len(checks):
        raise FormatError(f"not {len(checks)} results")
    pairs = zip(results, checks, strict=True)
    return [_result(result, check.request) for result, check in pairs]


def _result(result: Any, request: CheckRequest) -> Result:
    """Return one result; None if the server does not know the tests."""
    if not isinstance(result, dict):
        raise FormatError("a result that is no object")
    if "unknown" in result:
        return None
    if "fault" in result:
        return fault_of(result["fault"])
    report = read_plain(CheckReport, result.get("report"))
    require_fit(report, request)
    return report
