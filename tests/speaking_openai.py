"""A server that speaks as much of OpenAI's protocol as completions take."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], tuple[str, str]]
"""Makes a request's body a completion, and why it ends."""


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    served: Served

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._send(200, {"data": [{"id": "tiny-coder"}]})

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        told = {"path": self.path, "key": self.headers["Authorization"]}
        self.served.asked.append(told | body)
        if self.served.refusals:
            self._send(*self.served.refusals.pop(0))
            return
        text, reason = self.served.answer(body)
        choice: dict[str, Any] = {"index": 0, "finish_reason": reason}
        if "messages" in body:
            choice["message"] = {"role": "assistant", "content": text}
        else:
            choice["text"] = text
        # Some clients want all that the protocol has.
        kind = "chat.completion" if "messages" in body else "text_completion"
        head = {"id": "one", "object": kind, "created": 1, "model": "tiny-coder"}
        self._send(200, {**head, "choices": [choice]})

    def _send(self, status: int, body: dict[str, Any] | str) -> None:
        sent = (body if isinstance(body, str) else json.dumps(body)).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(sent)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(sent)


class Served:
    """A running server: its address, what it was asked, and what it will refuse."""

    def __init__(self, answer: Answer) -> None:
        """Take a free port."""
        self.answer = answer
        self.asked: list[dict[str, Any]] = []
        self.refusals: list[tuple[int, dict[str, Any] | str]] = []
        kind = type("Kind", (Handler,), {"served": self})
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), kind)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"


@contextmanager
def serving(answer: Answer) -> Iterator[Served]:
    """Run a server for a while."""
    made = Served(answer)
    thread = threading.Thread(target=made.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.http.shutdown()
        made.http.server_close()
        thread.join()
