"""Names the engine, sandbox and compiler of a reward, and warns of insecure sandboxes."""

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
    """Return engine, sandbox and toolchain in one line."""
    return one_line(f"{engine} engine, {WORDS.get(sandbox, sandbox)}, {toolchain}")


def sandbox_warning(sandbox: str) -> str | None:
    """Return a warning for a sandbox that does not confine code, else None."""
    return WARNINGS.get(sandbox)
