"""The three streams that a command begins with, whatever its caller has closed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

STREAMS: Final = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def complete() -> None:
    """Put /dev/null in the place of each standard stream that the caller has closed.

    Python has None for such a stream, and the next file that is opened takes its number: a
    record's file would get what somebody writes to standard error.  The lowest free number
    is the one that is taken, so that the streams are gone through in their order.
    """
    for name, mode in STREAMS:
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
