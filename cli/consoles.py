"""
Consoles to print on, which never fail for want of a character.
"""

from __future__ import annotations

import io
import sys

from rich.console import Console

__all__ = ["console"]


def console(*, stderr: bool = False) -> Console:
    """
    Return standard output, or standard error, as a console.

    A stream in an encoding without our signs shows question marks in their place.
    """
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    return Console(stderr=stderr, highlight=False, soft_wrap=True)
