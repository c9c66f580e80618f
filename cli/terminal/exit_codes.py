"""Exit codes, which mean the same for every command."""

from __future__ import annotations

import signal
from typing import Final

BAD_LINES: Final = 1
"""Some lines could not be used; the rest is scored."""

BAD_INPUT: Final = 2
"""An option or a file cannot be used; Click uses it for a wrong option, too."""

BAD_MACHINE: Final = 3
"""This machine failed, which says nothing about any completion."""

WARNING: Final = 4
"""The findings of a training are warnings only."""

CRITICAL: Final = 5
"""A finding of a training is critical."""

STOPPED: Final = 128
"""A signal stopped the command; its number is added, as shells do."""

BROKEN_PIPE: Final = STOPPED + signal.SIGPIPE
"""The reader of standard output is gone."""
