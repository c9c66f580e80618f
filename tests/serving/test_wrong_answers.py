"""Servers that answer wrongly: the question is asked again, and no report of theirs is graded."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from ocaml_reward import Problem, RemoteFault
from ocaml_reward.engine import CheckRequest, PreparedTests
from ocaml_reward.engine.remote.engine import RemoteEngine
from ocaml_reward.engine.remote.messages import REQUEST_HEADER
from ocaml_reward.model import Outcome
from tests.serving.faked import GOOD, engine
from tests.serving.running import served

PROBLEM = Problem(id="add", tests="let () = assert (add 1 2 = 3)\n" * 2)


def changed(change: Callable[[dict[str, Any]], None]) -> Callable[[bytes], bytes]:
    def apply(text: bytes) -> bytes:
        body = json.loads(text)
        change(body["results"][0]["report"])
        return json.dumps(body).encode()

    return apply


WRONG: dict[str, Callable[[bytes], bytes]] = {
    "one result too few": changed(lambda report: report["results"].pop()),
    "results of other checks": changed(lambda report: report["results"][0].update(line=9)),
    "a share of 7": changed(lambda report: report.update(typed_fraction=7.0)),
    "less than no errors": changed(lambda report: report.update(type_errors=-1)),
    "a part outside of the code": changed(lambda report: report.update(unparsed=[[0, 1_000_000]])),
    "no JSON": lambda _: b"hello",
    "another number": lambda text: text,
    "no number": lambda text: text,
    "twice": lambda text: text,
    "endless": lambda text: text,
    "drips": lambda text: text,
    "hangs up": lambda text: text,
}


@contextmanager
def relayed(url: str, actions: deque[str]) -> Iterator[str]:  # noqa: C901 (each way to be wrong)
    """Run a server that asks another, and mistreats its answers to /v1/check."""
    host = url.removeprefix("http://")

    class Relay(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.relay("GET", None)

        def do_POST(self) -> None:
            self.relay("POST", self.rfile.read(int(self.headers["Content-Length"])))

        def relay(self, method: str, body: bytes | None) -> None:
            there = http.client.HTTPConnection(host)
            headers = {"Content-Type": "application/json"}
            number = self.headers[REQUEST_HEADER]
            there.request(method, self.path, body, headers | {REQUEST_HEADER: number})
            answer = there.getresponse()
            text = answer.read()
            there.close()
            checks = self.path == "/v1/check" and b"report" in text
            action = actions.popleft() if checks and actions else ""
            text = WRONG[action](text) if action else text
            if action == "another number":
                number = str(int(number) - 1)
            self.send_response(answer.status)
            length = 1 << 40 if action == "endless" else len(text)
            for name, value in answer.getheaders():
                if name.lower().startswith("ocaml-reward-identity"):
                    self.send_header(name, value)
            if action != "no number":
                self.send_header(REQUEST_HEADER, number)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.flush_headers()
            with suppress(OSError):
                self.write(action, text)

        def write(self, action: str, text: bytes) -> None:
            if action == "drips":
                for byte in text:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.05)
            elif action == "hangs up":
                self.wfile.write(text[:10])
                self.close_connection = True
            else:
                self.wfile.write(text)
            if action == "twice":
                head = f"HTTP/1.1 200 OK\r\n{REQUEST_HEADER}: 1\r\nContent-Length: "
                self.wfile.write(head.encode() + b"%d\r\n\r\n" % len(text) + text)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Relay) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def asked() -> Iterator[tuple[RemoteEngine, PreparedTests, deque[str]]]:
    """Make a client whose one server is relayed."""
    actions: deque[str] = deque()
    with served(engine()) as url, relayed(url, actions) as relay:
        client = RemoteEngine(relay, deadline_s=5)
        try:
            yield client, client.prepare(PROBLEM), actions
        finally:
            client.close()


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("action", WRONG)
def test_it_is_asked_again(
    asked: tuple[RemoteEngine, PreparedTests, deque[str]], action: str, quick: bool
) -> None:
    """And the report is the one that its code gets, within the deadline; so is the next."""
    client, tests, actions = asked
    actions.append(action)
    started = time.monotonic()
    for code in (GOOD, f"{GOOD} (* again *)"):
        report = client.check(CheckRequest(code=code, tests=tests, quick=quick))

        assert [Outcome.PASSED] * 2 == [each.outcome for each in report.results]
    assert not actions
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("action", ["one result too few", "endless", "drips"])
def test_a_server_that_only_answers_wrongly_is_a_fault(
    asked: tuple[RemoteEngine, PreparedTests, deque[str]], action: str
) -> None:
    """It ends within the deadline, and no reward comes of it."""
    client, tests, actions = asked
    actions.extend([action] * 50)
    started = time.monotonic()
    with pytest.raises(RemoteFault):
        client.check(CheckRequest(code=GOOD, tests=tests))
    actions.clear()

    assert time.monotonic() - started < 8
