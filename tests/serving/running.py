"""Servers for tests: in a thread with any engine, or a process with the real one."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ocaml_reward.engine import Engine
from ocaml_reward.engine.remote.urls import TOKEN_VARIABLE
from ocaml_reward.scheme import load
from ocaml_reward.serving import Settings
from ocaml_reward.serving.app import App
from ocaml_reward.serving.running import listening, server_of, url_of
from ocaml_reward.serving.service import Service

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60


@dataclass(frozen=True, kw_only=True, slots=True)
class Reply:
    """What a server answered."""

    status: int
    headers: dict[str, str]
    text: bytes

    @property
    def json(self) -> Any:
        """Its body, read."""
        return json.loads(self.text)


@contextmanager
def served(
    engine: Engine,
    settings: Settings | None = None,
    *,
    jobs: int = 4,
    host: str = "127.0.0.1",
    port: int = 0,
    certificate: Path | None = None,
) -> Iterator[str]:
    """Serve an engine from a thread of this process, and yield the address; over TLS with a
    `certificate`.
    """
    app = App(Service(engine, load("seed"), settings or Settings(), jobs=jobs))
    with listening(host, port) as door:
        server = server_of(app)
        server.config.ssl_certfile = certificate
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        try:
            yield url_of(host, door).replace("http", "https" if certificate else "http")
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)


@dataclass(kw_only=True)
class Process:
    """A server in a process of its own."""

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.url.rpartition(":")[2])

    @property
    def children(self) -> list[int]:
        """The processes that grade for it."""
        listed = subprocess.run(
            ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(self.process.pid)],
            capture_output=True,
            text=True,
            check=False,
        )
        lines = listed.stdout.splitlines()
        return [int(each.split()[0]) for each in lines if "processes.child" in each]

    def end(self) -> int:
        """Ask it to end, wait until it has, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)

    def kill(self) -> None:
        """End it without a warning, with all that it started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE_S)


@contextmanager
def spawned(*arguments: str, token: str | None = None, port: int = 0) -> Iterator[Process]:
    """Run `ocaml-reward serve` as a user does, and yield it once it listens."""
    command = [sys.executable, "-m", "cli", "serve", "--port", str(port), *arguments]
    environment = {**os.environ}
    environment.pop(TOKEN_VARIABLE, None)
    if token is not None:
        environment[TOKEN_VARIABLE] = token
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    # Nobody reads the rest in time, and a full pipe would stop the server.
    drain = threading.Thread(target=process.stderr.read, daemon=True)
    drain.start()
    try:
        assert first.startswith("listening at "), first
        yield Process(url=first.split()[-1], process=process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE_S)
        drain.join(PATIENCE_S)
        process.stderr.close()


def ask(
    url: str,
    path: str,
    body: Any = None,
    *,
    raw: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> Reply:
    """Send one request on a connection of its own."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=PATIENCE_S)
    try:
        data = raw if raw is not None or body is None else json.dumps(body).encode()
        method = "GET" if data is None else "POST"
        connection.request(method, path, data, headers or {})
        response = connection.getresponse()
        return Reply(
            status=response.status,
            headers={name.lower(): value for name, value in response.getheaders()},
            text=response.read(),
        )
    finally:
        connection.close()


def until(seen: Any, *, within_s: float = PATIENCE_S) -> None:
    """Wait until a function returns something true."""
    limit = time.monotonic() + within_s
    while not seen():
        assert time.monotonic() < limit, "it does not come"
        time.sleep(0.02)
