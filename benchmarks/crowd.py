"""
A server and a crowd that holds connections open and says nothing, while others ask.

The crowd opens as many connections as it is told, from several processes, and opens another for
each that the server ends.  Meanwhile one client at a time grades a new program on a connection of
its own, as often as it is answered.  Printed is what these clients saw, and what the server takes
before, with the crowd, and after it is gone.

    python -m benchmarks.crowd --connections 10000 --seconds 30
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import resource
import selectors
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import cast

from tests.serving.running import spawned

from .clients import CODES, PROBLEM, family, taken

_EACH = 2500


def crowd(port: int, count: int, seconds: float, opened: multiprocessing.Queue) -> None:
    """
    Keep so many connections open, each again when it ends.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, count + 64), most))
    selector = selectors.DefaultSelector()
    total = there = 0
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for _ in range(count - there):
            try:
                one = socket.create_connection(("127.0.0.1", port), timeout=5)
            except OSError:
                break
            one.settimeout(0)
            selector.register(one, selectors.EVENT_READ)
            total, there = total + 1, there + 1
        for key, _ in selector.select(0.2):
            one = cast("socket.socket", key.fileobj)
            with suppress(OSError):
                one.recv(1)
            selector.unregister(one)
            one.close()
            there -= 1
    opened.put((total, there))


def asking(
    port: int, seen: Counter[str], waits: list[float], stop: threading.Event
) -> None:
    """
    Grade programs that nobody has sent before, one after the other.
    """
    number = 0
    while not stop.is_set():
        number += 1
        body = json.dumps(
            {
                "items": [
                    {
                        "problem": PROBLEM,
                        "completion": f"{CODES['passed']}\n(* {number} *)",
                    }
                ]
            }
        )
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        try:
            connection.request("POST", "/v1/score", body)
            answer = connection.getresponse()
            text = answer.read()
            if answer.status == 200:
                seen[json.loads(text)["results"][0]["verdict"]] += 1
            else:
                seen[str(answer.status)] += 1
        except OSError as error:
            seen[type(error).__name__] += 1
        connection.close()
        waits.append(time.monotonic() - began)
        stop.wait(0.05)


def main() -> None:
    """
    Run a server, and print what came of the crowd and of the others.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=30)
    told = parser.parse_args()
    with spawned() as server:
        seen: Counter[str] = Counter()
        waits: list[float] = []
        stop = threading.Event()
        others = threading.Thread(target=asking, args=(server.port, seen, waits, stop))
        others.start()
        time.sleep(3)
        print(f"before: {dict(seen)}; {taken(family(server.process.pid))}")
        seen.clear()
        waits.clear()
        opened: multiprocessing.Queue[tuple[int, int]] = multiprocessing.Queue()
        shares = [
            min(_EACH, told.connections - first)
            for first in range(0, told.connections, _EACH)
        ]
        crowds = [
            multiprocessing.Process(
                target=crowd, args=(server.port, each, told.seconds, opened)
            )
            for each in shares
        ]
        for each in crowds:
            each.start()
        time.sleep(told.seconds * 0.7)
        print(f"with them: {taken({server.process.pid})} of the server itself")
        for each in crowds:
            each.join()
        totals = [opened.get() for _ in crowds]
        print(
            f"{sum(all_ for all_, _ in totals)} connections opened,"
            f" {sum(there for _, there in totals)} at the end; the others: {dict(seen)},"
            f" {1e3 * sorted(waits)[len(waits) // 2]:.0f} ms median,"
            f" {1e3 * max(waits):.0f} ms at most"
        )
        seen.clear()
        time.sleep(3)
        stop.set()
        others.join()
        print(f"after: {dict(seen)}; {taken(family(server.process.pid))}")
        print(f"exit {server.end()}")


if __name__ == "__main__":
    main()
