"""
Which engine to use: by name, or the fastest that works here.
"""

from __future__ import annotations

from . import Engine
from .versions import warm_builds

__all__ = ["ENGINES", "engine"]

ENGINES = ("auto", "warm", "stock")


def engine(name: str = "auto", sandbox: str = "auto") -> Engine:
    """
    Return the engine of that name in the jail of that name; "auto" is warm, or stock
    where warm cannot be built.  Its own `name` says which it is.

    Raises ValueError for another name, SandboxUnavailable or ToolchainError on a machine
    that cannot score.
    """
    if name not in ENGINES:
        raise ValueError(f"no engine {name!r}; there are {', '.join(ENGINES)}")
    if name == "stock" or (name == "auto" and not warm_builds()):
        from .stock import StockEngine  # noqa: PLC0415 (one of the two is enough)

        return StockEngine(sandbox)
    from .warm import WarmEngine  # noqa: PLC0415

    return WarmEngine(sandbox)
