"""Consoles to print on, which never fail for want of a character."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import NoReturn

from rich.console import Console


class Printer(Console):
    """A console that raises when its output is closed; rich itself would end the program."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise what the write raised."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console(*, stderr: bool = False) -> Console:
    """Return standard output, or standard error, as a console.

    A stream in an encoding without our signs shows question marks in their place.
    Text is broken between words on a terminal, and left in one line for a file or pipe.
    """
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    soft_wrap = not stream.isatty()
    return Printer(stderr=stderr, highlight=False, soft_wrap=soft_wrap)
