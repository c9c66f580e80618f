"""A client that closes ends its connections, whenever they were opened."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress

from ocaml_reward.engine.remote.http_client import Client, Lost


def test_no_reader_waits_for_a_client_that_was_closed() -> None:
    """A server accepts and says nothing: connections that open while the client closes end, too."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        ended: list[str] = []

        def ask(client: Client) -> None:
            with suppress(Lost, RuntimeError):
                client.ask(url, "/post", b"{}", timeout_s=60)
            ended.append(url)

        threads = []
        for moment in range(30):
            client = Client(None)
            threads += [threading.Thread(target=ask, args=(client,), daemon=True) for _ in range(3)]
            for each in threads[-3:]:
                each.start()
            time.sleep(moment * 0.0006)
            client.close()
        for each in threads:
            each.join(20)

        assert len(threads) == len(ended)
