"""What made a reward: engine, sandbox and compiler, and how far that can be trusted."""

from __future__ import annotations

from typing import Final

from .text import one_line

WORDS: Final = {"none": "no sandbox", "rlimits": "rlimits without a jail"}
WARNINGS: Final = {
    "none": "warning: without a sandbox the code could read and write all that you can",
    "rlimits": "warning: rlimits bounds time and memory, yet the code could read and"
    " write all that you can",
}


def provenance_line(engine: str, sandbox: str, toolchain: str) -> str:
    """Name engine, sandbox and toolchain in a line."""
    return one_line(f"{engine} engine, {WORDS.get(sandbox, sandbox)}, {toolchain}")


def sandbox_warning(sandbox: str) -> str | None:
    """Warn of a sandbox that keeps no one out."""
    return WARNINGS.get(sandbox)
