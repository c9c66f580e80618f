"""What a server says while it runs: one JSON object a line on standard error."""

from __future__ import annotations

import sys
import threading
from datetime import UTC, datetime
from typing import Any, Final

from ..record import dumps

_LOCK: Final = threading.Lock()
_waiting: list[str] = []


def log(event: str, **fields: Any) -> None:
    """Write a line.  No completion, no test and no token belongs in it, unless its caller
    was asked to.
    """
    log_later(event, **fields)
    flush()


def log_later(event: str, **fields: Any) -> None:
    """Keep a line for the next `flush`: what comes often costs more to write than to say."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    line = dumps({"at": at, "event": event, **fields}) + "\n"
    with _LOCK:
        _waiting.append(line)


def flush() -> None:
    """Write the lines that were kept, in their order."""
    with _LOCK:
        text = "".join(_waiting)
        _waiting.clear()
        if text:
            sys.stderr.write(text)
            sys.stderr.flush()
