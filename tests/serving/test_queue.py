"""The server's queue: its bound, who waits for room, and what leaves it unbegun."""

from __future__ import annotations

import http.client
import json
import threading
from typing import Any

from ocaml_reward.engine import CheckRequest
from ocaml_reward.model import CheckReport
from ocaml_reward.serving import Settings
from ocaml_reward.testing import FakeEngine, all_passed
from tests.serving.faked import GOOD, PROBLEM, items
from tests.serving.running import ask, served, until


def test_a_full_queue_refuses_and_loses_nothing() -> None:
    """Beyond the bound a request is refused with 429 and a time; what was taken is graded."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(request: CheckRequest) -> CheckReport:
        begun.set()
        go_on.wait(30)
        return all_passed(request)

    replies: list[int] = []
    with served(FakeEngine(slow), Settings(queue=1)) as url:
        first = threading.Thread(
            target=lambda: replies.append(ask(url, "/v1/score", items(GOOD)).status)
        )
        first.start()
        begun.wait(30)
        refused = ask(url, "/v1/score", items(GOOD))
        go_on.set()
        first.join(30)

    assert (429, "Busy") == (refused.status, refused.json["error"]["kind"])
    assert int(refused.headers["retry-after"]) >= 1
    assert [200] == replies


def test_a_dialect_is_held_while_the_queue_is_full() -> None:
    """A dialect's client waits for room, as it would give up after a few refusals."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(request: CheckRequest) -> CheckReport:
        begun.set()
        go_on.wait(30)
        return all_passed(request)

    replies: list[int] = []

    def post(path: str, body: Any) -> threading.Thread:
        thread = threading.Thread(target=lambda: replies.append(ask(url, path, body).status))
        thread.start()
        return thread

    with served(FakeEngine(slow), Settings(queue=1)) as url:
        first = post("/v1/score", items(GOOD))
        begun.wait(30)
        second = post("/reward", {"response": "let add = (+)", "label": PROBLEM})
        go_on.set()
        first.join(30)
        second.join(30)

    assert [200, 200] == replies


def test_what_nobody_waits_for_is_dropped() -> None:
    """Work whose deadline has passed is a fault of kind Deadline, and never begun; that of a
    client that hung up is not begun either.
    """
    begun, go_on = threading.Event(), threading.Event()
    seen: list[str] = []

    def slow(request: CheckRequest) -> CheckReport:
        seen.append(request.code)
        begun.set()
        go_on.wait(30)
        return all_passed(request)

    late: list[Any] = []
    with served(FakeEngine(slow), jobs=1) as url:
        # One in each lane.
        busy = [
            threading.Thread(target=ask, args=(url, "/v1/score", items(name)))
            for name in ("first", "next")
        ]
        for thread in busy:
            thread.start()
        until(lambda: len(seen) == 2)
        gone = http.client.HTTPConnection(url.removeprefix("http://"))
        gone.request("POST", "/v1/score", json.dumps(items("gone")))
        second = threading.Thread(
            target=lambda: late.append(
                ask(url, "/v1/score", items("late"), headers={"Deadline-Ms": "1"})
            )
        )
        second.start()
        until(lambda: b"ocaml_reward_waiting 2.0" in ask(url, "/metrics").text)
        gone.close()
        until(lambda: b'refused_total{why="Gone"} 1.0' in ask(url, "/metrics").text)
        go_on.set()
        for thread in busy:
            thread.join(30)
        second.join(30)
    (result,) = late[0].json["results"]

    assert {"first", "next"} == set(seen)
    assert (None, "Deadline") == (result["reward"], result["fault"]["kind"])
