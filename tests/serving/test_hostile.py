"""Clients that mean harm: a clear answer or a closed connection, and others are served."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from ocaml_reward import Problem, ProblemError, RemoteFault
from ocaml_reward.engine.remote.engine import RemoteEngine
from ocaml_reward.serving import Settings
from tests.serving.faked import GOOD, engine, items
from tests.serving.running import ask, served

TOKEN = "a token"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
SETTINGS = Settings(token=TOKEN, head_s=0.5, body_s=0.5, body_bytes=100_000, items=8, queue=16)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Run a server with little patience; whatever a test did to it, it still grades."""
    with served(engine(), SETTINGS) as address:
        yield address
        answer = ask(address, "/v1/score", items(GOOD), headers=BEARER)

        assert 200 == answer.status


def door(url: str) -> socket.socket:
    """Open a bare connection."""
    host, _, port = url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=20)


def rest(peer: socket.socket) -> bytes:
    """Read until the server closes; a reset ends it as well."""
    parts = []
    with suppress(ConnectionResetError):
        while part := peer.recv(65536):
            parts.append(part)
    return b"".join(parts)


def test_a_problem_that_is_too_long_is_the_problems_error(url: str) -> None:
    """The error says what a request may have, and no machine is blamed."""
    remote = RemoteEngine(url, token=TOKEN)
    long = Problem(id="p", tests="let () = assert (f 1 = 2)" + " " * 100_000)
    with pytest.raises(ProblemError, match=r"p: too long for .*at most 100000 bytes"):
        remote.prepare(long)
    remote.close()


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": "Bearer \xff"},
        {"Authorization": "Bearer "},
    ],
    ids=["none", "wrong", "basic", "latin", "empty"],
)
def test_without_the_token_nothing_is_told(url: str, headers: dict[str, str]) -> None:
    """Every path but the two of health wants the token, also as a query where headers fail."""
    paths = ["/v1/prepare", "/v1/check", "/v1/score", "/reward", "/get_reward"]
    posted = {ask(url, path, {}, headers=headers).status for path in paths}
    told = {ask(url, path, headers=headers).status for path in ("/v1/about", "/metrics")}

    assert {401} == posted | told
    assert 401 == ask(url, "/v1/score?token=a%20token", items(GOOD)).status
    assert 200 == ask(url, "/healthz").status


def test_a_dialect_takes_the_token_as_a_query(url: str) -> None:
    """OpenRLHF sends no headers, so its path takes the token from the address."""
    body: dict[str, list[str]] = {"query": [], "prompts": [], "labels": []}
    answer = ask(url, "/get_reward?token=a%20token", body)

    assert 200 == answer.status


def test_the_client_shows_its_token_and_says_when_it_is_wrong(url: str) -> None:
    """A wrong token is said at once and not after the deadline; the right one works."""
    started = time.monotonic()
    with pytest.raises(RemoteFault, match="refuses the token"):
        RemoteEngine(url, token="wrong")
    spent_s = time.monotonic() - started
    right = RemoteEngine(url, token=TOKEN)
    right.close()

    assert spent_s < 10
    assert "fake" == right.name


def test_a_gigabyte_is_refused_unread(url: str) -> None:
    """A body that claims a gigabyte is refused at once, and one that streams it is cut off."""
    head = f"POST /v1/score HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {TOKEN}\r\n"
    with door(url) as claiming:
        claiming.sendall(f"{head}Content-Length: 1073741824\r\n\r\n".encode())
        claimed = rest(claiming)
    sent = 0
    with door(url) as streaming:
        streaming.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        with suppress(OSError):
            while sent < 2**30:
                streaming.sendall(chunk)
                sent += 65536

    assert claimed.startswith(b"HTTP/1.1 413 ")
    assert sent < 2**26


@pytest.mark.parametrize(
    "start",
    [b"", b"POST /v1/sc", b"GET / HTTP/1.1\r\nA: b\r\n"],
    ids=["nothing", "line", "head"],
)
def test_who_sends_a_head_slowly_is_cut_off(url: str, start: bytes) -> None:
    """A connection that sends no whole head in time is closed, byte by byte or not at all."""
    with door(url) as peer:
        started = time.monotonic()
        with suppress(OSError):
            peer.sendall(start)
            for _ in range(8):
                time.sleep(0.1)
                if start:
                    peer.sendall(b"x")
        answer = rest(peer)
        spent_s = time.monotonic() - started

    assert b"" == answer or answer.startswith(b"HTTP/1.1 400 ")
    assert spent_s < 15


def test_who_sends_a_second_head_slowly_is_cut_off(url: str) -> None:
    """A kept connection that served one request has no more patience for the next."""
    with door(url) as peer:
        peer.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        first = peer.recv(65536)
        peer.sendall(b"GET /heal")
        answer = rest(peer)

    assert first.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 200" not in answer


def test_who_sends_a_body_slowly_is_told(url: str) -> None:
    """A body that does not come is answered with 408 and the connection closed."""
    with door(url) as peer:
        peer.sendall(
            b"POST /v1/score HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a token\r\n"
            b'Content-Length: 50\r\n\r\n{"items'
        )
        answer = rest(peer)

    assert answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff\xfe", 400),
        (b"[" * 90_000, 400),
        (b'{"items": NaN}', 400),
        (b'{"items": 1e999}', 400),
        (b"9" * 90_000, 400),
        (b"null", 422),
        (b"[]", 422),
        (b'{"items": 1}', 422),
        (b'{"items": [], "more": 1}', 422),
        (b'{"items": [1,1,1,1,1,1,1,1,1]}', 413),
    ],
    ids=lambda each: repr(each)[:20],
)
def test_bad_bodies_are_said_to_be_bad(url: str, raw: bytes, status: int) -> None:
    """What is no JSON, or none of what was asked for, gets its status and never a 500."""
    for path in ("/v1/score", "/v1/check"):
        answer = ask(url, path, raw=raw, headers=BEARER)

        assert status == answer.status, answer.text
        assert {"kind", "message"} == answer.json["error"].keys()


@pytest.mark.parametrize("path", ["/get_reward", "/verify", "/reward", "/v1/prepare"])
@pytest.mark.parametrize("body", [None, [], {}, {"response": 1}, {"label": "\ud800"}])
def test_bad_questions_are_said_to_be_bad(url: str, path: str, body: object) -> None:
    """A dialect's request without what it needs gets 422."""
    raw = json.dumps(body).encode()
    answer = ask(url, path, raw=raw, headers=BEARER)

    assert 422 == answer.status, answer.text


def test_half_surrogates_come_back_as_they_went(url: str) -> None:
    """Text that UTF-8 cannot hold is graded, and the answer is ASCII."""
    answer = ask(url, "/v1/score", items('let s = "\ud800"'), headers=BEARER)

    assert 200 == answer.status
    assert "\ud800" in answer.json["results"][0]["code"]
    assert answer.text.isascii()


@pytest.mark.parametrize("key", ["sha256:" + "0" * 64, "", "../..", "\ud800", 7, None])
def test_a_forged_digest_names_nothing(url: str, key: object) -> None:
    """A digest that nothing was prepared under is unknown; nothing that a client sends is
    taken for prepared tests.
    """
    item = {"key": key, "code": "", "libraries": [], "budget": {}, "payload": "gASV"}
    answer = ask(url, "/v1/check", {"items": [item]}, headers=BEARER)
    expected = (200, {"results": [{"unknown": key}]})

    assert (answer.status, answer.json) == expected or 422 == answer.status
    assert isinstance(key, str) == (200 == answer.status)


def test_idle_connections_keep_nobody_out(url: str) -> None:
    """Connections that say nothing cost nobody else an answer."""
    idle = [door(url) for _ in range(300)]
    try:
        answer = ask(url, "/v1/score", items(GOOD), headers=BEARER)
    finally:
        for peer in idle:
            peer.close()

    assert 200 == answer.status


def test_a_crowd_that_says_nothing_makes_room_for_who_asks() -> None:
    """Beyond a number of connections without a request the oldest is closed; one that was
    served before is no better.
    """
    with served(engine(), Settings(connections=64)) as url:
        first = door(url)
        first.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        greeted = first.recv(65536)
        while not greeted.endswith(b"ok\n"):
            greeted += first.recv(65536)
        crowd = [door(url) for _ in range(200)]
        try:
            answers = [ask(url, "/v1/score", items(GOOD)).status for _ in range(3)]
            closed = rest(first)
        finally:
            for peer in (first, *crowd):
                peer.close()

    assert greeted.startswith(b"HTTP/1.1 200 ")
    assert [200, 200, 200] == answers
    assert b"" == closed
