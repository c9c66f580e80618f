"""The engine that asks servers: what they report is what it reports.

A request that is lost goes to another server, and goes on until its deadline: a restart is
a pause and not a hole.  Running it twice is harmless, as a report depends on nothing but
what was asked.  What comes of no server by then is a fault, and never a report.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ...errors import (
    FormatError,
    MachineError,
    OCamlRewardError,
    ProblemError,
    RemoteFault,
)
from ...model import Budget, CheckReport, Problem
from .. import BUDGET, CheckRequest, PreparedTests
from ..plain import to_json
from ..sizes import require_size
from .calling import Caller, TooLong
from .messages import (
    Order,
    check_item,
    fault_of,
    key_of,
    order_bytes,
    read_prepared,
    read_report,
)
from .together import Together
from .urls import TOKEN_VARIABLE, read_urls, token_in
from .validation import require_fit

_DEADLINE_S: Final = 300.0
# Glances in a request, at the most: with more, one that takes long keeps more waiting.
_TOGETHER: Final = 8
# Threads beyond twice what servers take, at the most: Python's share keeps no more busy.
_MOST_THREADS_MORE: Final = 32


class _Asked(NamedTuple):
    """A check as servers are asked for it, what its tests are prepared from, and until when."""

    request: CheckRequest
    order: bytes
    item: dict[str, Any]
    limit: float


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
        if token is None:
            token = os.environ.get(TOKEN_VARIABLE)
        try:
            shown = token_in(token)
        except ValueError as error:
            raise RemoteFault(str(error)) from None
        self._caller = Caller(read_urls(urls), token=shown, deadline_s=deadline_s)
        self._together: Together[_Asked, CheckReport | MachineError] = Together(
            self._glances, most=lambda: max(self._caller.jobs // 2, 1), size=_TOGETHER
        )

    @property
    def name(self) -> str:
        """The servers' engine: where it runs changes nothing about a report."""
        return self._caller.about.engine

    @property
    def sandbox(self) -> str:
        """The servers' jail."""
        return self._caller.about.sandbox

    @property
    def toolchain(self) -> str:
        """The servers' compiler, "ocaml 4.13.1"."""
        return self._caller.about.toolchain

    @property
    def jobs(self) -> int:
        """How many completions at a time keep all servers at work: twice what they take, as
        half of ours are on their way or at Python's here (8.1 ms a completion and not 12.8).
        Twice as many again wait to fill the requests: of at most eight glances there are
        five and a half, and not four and a half with half of them, or one without.
        """
        taken = self._caller.jobs
        return 2 * taken + min(4 * taken, _MOST_THREADS_MORE)

    def close(self) -> None:
        """End every connection; what waits for an answer fails at once."""
        self._caller.close()

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """Have a server rewrite a problem's tests into numbered checks.

        Args:
            problem: The problem.
            budget: What its reference may spend.

        Returns:
            The checks; their payload is what a server prepares them from, not the result.

        Raises:
            ProblemError: The tests cannot be used; the message names the line.
            MachineError: No server answered in time, or one answered nonsense.
        """
        require_size(problem)
        order = order_bytes(Order(problem=problem, budget=budget))
        try:
            return self._caller.ask(
                "/v1/prepare",
                order,
                lambda answer: read_prepared(order, answer.get("tests")),
                limit=self._caller.limit(),
            )
        except TooLong as long:
            raise ProblemError(f"{problem.id}: {long}") from None

    def check(self, request: CheckRequest) -> CheckReport:
        """Have a server compile and run one completion."""
        order = request.tests.payload
        item = check_item(key_of(order), request)
        asked = _Asked(request, order, item, self._caller.limit())
        # What may take long goes by itself, as all answers of a request come together.
        result = self._together.ask(asked) if request.quick else None
        result = result or self._one(asked)
        if isinstance(result, MachineError):
            raise result
        return result

    def _one(self, asked: _Asked) -> CheckReport | MachineError:
        body = to_json({"items": [asked.item]})
        return self._caller.ask(
            "/v1/check",
            body,
            lambda answer: _result(_results(answer, 1)[0], asked.request),
            order=asked.order,
            limit=asked.limit,
        )

    def _glances(
        self, asked: Sequence[_Asked]
    ) -> Sequence[CheckReport | MachineError | None]:
        """Have several glances at once.  What a request is lost of, or refused for, is found
        out by asking for each by itself; so are tests that the server does not know.
        """
        if len(asked) == 1:
            return [self._one(asked[0])]
        body = to_json({"items": [each.item for each in asked]})

        def read(answer: Any) -> list[CheckReport | MachineError | None]:
            results = _results(answer, len(asked))
            return [
                None if "unknown" in result else _result(result, each.request)
                for result, each in zip(results, asked, strict=True)
            ]

        try:
            return self._caller.ask(
                "/v1/check", body, read, limit=asked[0].limit, most_losses=1
            )
        except OCamlRewardError:
            return [None] * len(asked)


def _results(answer: Any, count: int) -> list[dict[str, Any]]:
    results = answer.get("results")
    if (
        isinstance(results, list)
        and len(results) == count
        and all(isinstance(each, dict) for each in results)
    ):
        return results
    raise FormatError(f"not {count} results")


def _result(
    result: dict[str, Any], request: CheckRequest
) -> CheckReport | MachineError:
    if "fault" in result:
        return fault_of(result["fault"])
    report = read_report(result.get("report"))
    require_fit(report, request)
    return report
