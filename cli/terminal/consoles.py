"""Consoles that print in any encoding."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import NoReturn

from rich.console import Console


class Printer(Console):
    """A console that raises when its output is closed; rich would exit the program."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise BrokenPipeError."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def console(*, stderr: bool = False) -> Console:
    """Return standard output, or standard error, as a console.

    Characters that its encoding lacks are printed as question marks. Text is wrapped on a
    terminal only.
    """
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    soft_wrap = not stream.isatty()
    return Printer(stderr=stderr, highlight=False, soft_wrap=soft_wrap)
