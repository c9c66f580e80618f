"""A client that asks for much, or for what takes long, does not stop the others."""

from __future__ import annotations

import http.client
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ocaml_reward.abandoning import Abandonable, ending_by
from ocaml_reward.engine.engines.warm import WarmEngine
from ocaml_reward.errors import Abandoned
from ocaml_reward.serving import Settings
from ocaml_reward.serving.turns import Piece, Turns
from tests.serving.running import ask, served, until

ADD = {"id": "add", "tests": "let () = assert (add 1 2 = 3)"}
HOURS = {
    "check_steps": 10**12, "tests_steps": 10**12,
    "check_cpu_s": 100, "tests_cpu_s": 100, "tests_wall_s": 800,
}  # fmt: skip
LOOP = {"id": "loop", "tests": "let () = assert (f 1 = 3)", "budget": HOURS}


def loops(count: int, start: int = 0) -> dict[str, Any]:
    """Ask for completions that loop for a minute, each another one."""
    codes = [f"let rec f n = if n = {10 + start + k} then 0 else f n" for k in range(count)]
    return {"items": [{"problem": LOOP, "completion": code} for code in codes]}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(WarmEngine(), jobs=2) as url:
        yield url


def waiting(url: str) -> float:
    """Return how many completions wait, as the server counts them."""
    page = ask(url, "/metrics").text.decode()
    (count,) = re.findall(r"^ocaml_reward_waiting (\S+)$", page, re.MULTILINE)
    return float(count)


def test_quick_completions_pass_slow_ones(url: str) -> None:
    """While forty loops of two clients wait and run, others get their answers; once those clients
    have hung up, nothing of theirs runs on.
    """
    clients = []
    for number in range(12):
        client = http.client.HTTPConnection(url.removeprefix("http://"))
        body = loops(15 if number < 2 else 1, 100 * number)
        client.request("POST", "/v1/score", json.dumps(body))
        clients.append(client)
    for k in range(6):
        problem = {**ADD, "tests": f"{ADD['tests']}\nlet () = assert (add {k} 2 = {k + 2})"}
        item = {"problem": problem, "completion": f"let add x y = x + y + {k} - {k}"}
        (found,) = ask(url, "/v1/score", {"items": [item]}).json["results"]

        assert found["verdict"] == "passed"
        assert waiting(url) > 30
    for client in clients:
        client.close()

    until(lambda: waiting(url) == 0)


@pytest.mark.parametrize("field", ["tests_wall_s", "compile_wall_s", "tests_cpu_s", "check_cpu_s"])
def test_a_budget_that_the_server_does_not_grant_is_refused(url: str, field: str) -> None:
    """By whichever way it comes, with what the server grants."""
    problem = {**ADD, "budget": {field: 5e4}}
    body = {"items": [{"problem": problem, "completion": "let add = (+)"}]}
    (found,) = ask(url, "/v1/score", body).json["results"]
    replied = ask(url, "/reward", {"response": "let add = (+)", "label": problem})

    assert "grants 900 (--longest)" in found["error"]["message"]
    assert replied.status == 422


def test_the_longest_is_a_setting() -> None:
    problem = {**ADD, "budget": {"tests_wall_s": 2000}}
    body = {"items": [{"problem": problem, "completion": "let add = (+)"}]}
    with served(WarmEngine(), Settings(longest_s=5000), jobs=1) as url:
        (found,) = ask(url, "/v1/score", body).json["results"]

    assert found["verdict"] == "passed"


class Ended:
    """Work that runs until it is abandoned or told to end."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.begun = 0

    def __call__(self) -> str:
        self.begun += 1
        stopped = threading.Event()

        def stop() -> None:
            stopped.set()

        with ending_by(stop):
            while not (stopped.is_set() or self.over.is_set()):
                time.sleep(0.01)
        return "done"


def finished(turns: Turns, call: Callable[[], Any]) -> Any:
    """Return the result of a request of one piece."""
    piece = Piece(call)
    request = turns.submit([piece])
    found = piece.future.result(30)
    turns.drop(request)
    return found


def test_what_is_slow_makes_room_and_begins_again() -> None:
    """With one place in each lane: of two slow pieces one goes on, and the other begins again until
    its turn has come; nothing of a request that is dropped ends well.
    """
    turns = Turns(quick=1, slow=1)
    slow = [Ended() for _ in range(3)]
    pieces = [Piece(each) for each in slow]
    requests = [turns.submit([piece]) for piece in pieces]
    for _ in range(5):
        assert finished(turns, lambda: "quick") == "quick"
    until(lambda: all(each.begun > 1 for each in slow))
    turns.drop(requests[0])
    slow[1].over.set()
    slow[2].over.set()

    assert pieces[1].future.result(30) == pieces[2].future.result(30) == "done"
    assert pieces[0].future.cancelled()
    turns.close()


def test_a_request_that_was_slow_leaves_the_quick_lane() -> None:
    """Its other pieces begin in the slow one."""
    turns = Turns(quick=2, slow=1)
    slow = [Ended() for _ in range(6)]
    request = turns.submit([Piece(each) for each in slow])
    until(lambda: request.is_slow)
    time.sleep(1.0)
    began = sum(each.begun > 0 for each in slow)
    turns.drop(request)
    turns.close()

    assert began < 6


def test_work_that_was_abandoned_before_it_began_does_not_begin() -> None:
    work = Abandonable()
    work.abandon()

    def call() -> None:
        with ending_by(lambda: None):
            raise AssertionError

    with pytest.raises(Abandoned):
        work.run(call)
