"""
What a server says while it runs: one JSON object a line on standard error.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Any

from ocaml_reward.wire import dumps

__all__ = ["log"]


def log(event: str, **fields: Any) -> None:
    """
    Write a line.  No completion, no test and no token belongs in it, unless its caller
    was asked to.
    """
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    sys.stderr.write(dumps({"at": at, "event": event, **fields}) + "\n")
    sys.stderr.flush()
