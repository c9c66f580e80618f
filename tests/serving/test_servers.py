"""Which server gets the next request, with a client that answers as the test says."""

from __future__ import annotations

import time
from typing import Any

import pytest

from ocaml_reward import RemoteFault
from ocaml_reward.codec.typed import to_plain
from ocaml_reward.engine.remote.http_client import Answer, Lost
from ocaml_reward.engine.remote.messages import IDENTITY_HEADER, PROTOCOL, About, shapes
from ocaml_reward.engine.remote.servers import Question, Servers
from ocaml_reward.version import __version__


class Client:
    """Answers for servers "http://JOBS/..." until they are `down`."""

    closed = False

    def __init__(self) -> None:
        self.down: set[str] = set()
        self.busy: set[str] = set()
        self.asked: list[tuple[str, str]] = []

    def ask(self, url: str, path: str, body: bytes | None, *, timeout_s: float) -> Any:
        assert timeout_s > 0
        self.asked.append((url, path))
        if url in self.down:
            raise Lost(f"{url}: down", sent=body is not None)
        about = About(
            protocol=PROTOCOL,
            version=__version__,
            shapes=shapes(),
            engine="fake",
            sandbox="none",
            toolchain="ocaml",
            jobs=int(url[7]),
        )
        return Answer(
            status=429 if body is not None and url in self.busy else 200,
            headers={IDENTITY_HEADER: about.identity, "Retry-After": "0.3"},
            body={"error": 1, "url": url} if body else to_plain(about),
        )

    def posts(self) -> list[str]:
        """Return who was asked questions since the last call."""
        asked, self.asked = self.asked, []
        return [url for url, path in asked if path == "/post"]


def question(within_s: float = 5.0) -> Question[Any]:
    return Question("/post", b"x", lambda body: body["url"], time.monotonic() + within_s)


def made(*urls: str, deadline_s: float = 5.0) -> tuple[Servers, Client]:
    client: Any = Client()
    return Servers(urls, client, deadline_s), client


def test_the_least_loaded_goes_first() -> None:
    """Requests spread evenly, by what each server can do at a time."""
    servers, _ = made("http://1/a", "http://3/b")
    chosen = [servers.choose().url for _ in range(8)]

    assert (2, 6) == (chosen.count("http://1/a"), chosen.count("http://3/b"))


def test_one_that_failed_is_asked_first_whether_it_is_back() -> None:
    """Its work goes to the other one; it has none before it is ready again."""
    servers, client = made("http://9/a", "http://1/b")
    client.down = {"http://9/a"}
    first = servers.ask(question())
    time.sleep(0.6)
    second = servers.ask(question())
    failing = client.posts()
    client.down = set()
    time.sleep(0.6)
    third = servers.ask(question())

    assert ["http://1/b", "http://1/b", "http://9/a"] == [first, second, third]
    assert ["http://9/a", "http://1/b", "http://1/b"] == failing
    assert [0, 0] == [each.requests for each in servers.all]


def test_a_busy_one_is_left_alone_and_not_distrusted() -> None:
    """Work goes elsewhere while a server is busy, and back without a question after."""
    servers, client = made("http://9/a", "http://1/b")
    client.busy = {"http://9/a"}
    found = [servers.ask(question()) for _ in range(2)]
    client.busy = set()
    time.sleep(0.35)
    client.asked = []

    assert ["http://1/b"] * 2 == found
    assert "http://9/a" == servers.ask(question())
    assert [("http://9/a", "/post")] == client.asked


def test_only_one_question_waits_for_servers_that_are_gone() -> None:
    """Its deadline is the last that is waited for, until a server is back."""
    servers, client = made("http://1/a", deadline_s=0.4)
    client.down = {"http://1/a"}
    with pytest.raises(RemoteFault, match=r"no answer within 0\.4 s: .*a: down"):
        servers.ask(question(0.4))
    servers.all[0].rests_until = time.monotonic() + 9
    started = time.monotonic()
    with pytest.raises(RemoteFault, match="no server is back"):
        servers.ask(question())
    spent_s = time.monotonic() - started
    client.down = set()
    servers.all[0].rests_until = 0.0

    assert spent_s < 0.2
    assert "http://1/a" == servers.ask(question())


def test_what_ends_every_server_is_given_up() -> None:
    """A request that was begun and lost six times is a fault."""
    servers, client = made("http://9/a")

    def lost(url: str, path: str, body: bytes | None, *, timeout_s: float) -> Any:
        if body is not None:
            raise Lost(f"{url}: died", sent=True)
        return Client.ask(client, url, path, body, timeout_s=timeout_s)

    client.ask = lost  # type: ignore[method-assign]
    with pytest.raises(RemoteFault, match="lost 6 times"):
        servers.ask(question(9.0))
