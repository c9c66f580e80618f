"""Exit codes, each with one meaning whatever the command."""

from __future__ import annotations

import signal
from typing import Final

BAD_LINES: Final = 1
"""Some lines could not be used, the rest is scored."""

BAD_INPUT: Final = 2
"""An option or a file cannot be used; Click's own code for a wrong option too."""

BAD_MACHINE: Final = 3
"""This machine could not do it, which says nothing about any completion."""

WARNING: Final = 4
"""A training was looked at, and its findings are warnings."""

CRITICAL: Final = 5
"""A training was looked at, and a finding is critical: it had better stop."""

STOPPED: Final = 128
"""A signal stopped us; its number is added, as a shell does."""

BROKEN_PIPE: Final = STOPPED + signal.SIGPIPE
"""Nobody reads our output any more."""
