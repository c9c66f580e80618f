"""
The engine that asks servers: what they report is what it reports.

A request that is lost goes to another server, and goes on until its deadline: a restart is
a pause and not a hole.  Running it twice is harmless, as a report depends on nothing but
what was asked.  What comes of no server by then is a fault, and never a report.
"""

from __future__ import annotations

import os
from typing import Any, Final

from ...errors import EngineFault, FormatError, RemoteFault
from ...model import Budget, CheckReport, Problem
from .. import BUDGET, CheckRequest, PreparedTests
from ..plain import to_json
from .calling import Caller
from .messages import (
    Order,
    check_item,
    fault_of,
    key_of,
    order_bytes,
    read_prepared,
    read_report,
)
from .urls import TOKEN_VARIABLE, read_urls, token_in

__all__ = ["RemoteEngine"]

_DEADLINE_S: Final = 300.0


class RemoteEngine:
    """
    Checks code on other machines, which run `ocaml-reward serve`.
    """

    def __init__(
        self, urls: str, *, token: str | None = None, deadline_s: float = _DEADLINE_S
    ) -> None:
        """
        Ask every server for its engine, jail and compiler.

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

    @property
    def name(self) -> str:
        """
        The servers' engine: where it runs changes nothing about a report.
        """
        return self._caller.about.engine

    @property
    def sandbox(self) -> str:
        """
        The servers' jail.
        """
        return self._caller.about.sandbox

    @property
    def toolchain(self) -> str:
        """
        The servers' compiler, "ocaml 4.13.1".
        """
        return self._caller.about.toolchain

    @property
    def jobs(self) -> int:
        """
        How many completions at a time keep all servers at work: twice what they take, as
        half of ours are on their way or at Python's here (8.1 ms a completion and not 12.8).
        """
        return 2 * self._caller.jobs

    def close(self) -> None:
        """
        End every connection; what waits for an answer fails at once.
        """
        self._caller.close()

    def prepare(self, problem: Problem, budget: Budget = BUDGET) -> PreparedTests:
        """
        Have a server rewrite a problem's tests into numbered checks.

        Args:
            problem: The problem.
            budget: What its reference may spend.

        Returns:
            The checks; their payload is what a server prepares them from, not the result.

        Raises:
            ProblemError: The tests cannot be used; the message names the line.
            MachineError: No server answered in time, or one answered nonsense.
        """
        order = order_bytes(Order(problem=problem, budget=budget))
        answer = self._caller.ask("/v1/prepare", order)
        try:
            return read_prepared(order, answer.get("tests"))
        except FormatError as error:
            raise _nonsense(error) from None

    def check(self, request: CheckRequest) -> CheckReport:
        """
        Have a server compile and run one completion.
        """
        order = request.tests.payload
        body = to_json({"items": [check_item(key_of(order), request)]})
        answer = self._caller.ask("/v1/check", body, order=order)
        result = _only(answer.get("results"))
        if "fault" in result:
            raise fault_of(result["fault"])
        try:
            return read_report(result.get("report"))
        except FormatError as error:
            raise _nonsense(error) from None


def _only(results: Any) -> dict[str, Any]:
    if isinstance(results, list) and len(results) == 1 and isinstance(results[0], dict):
        return results[0]
    raise _nonsense(FormatError("not one result"))


def _nonsense(error: FormatError) -> EngineFault:
    return EngineFault(f"a server answers what cannot be read: {error}")
