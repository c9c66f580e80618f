"""Chooses an engine: by name, the fastest that works here, or servers on other machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import SandboxUnavailable
from .. import Engine
from ..build.choice import choice
from ..remote.urls import is_address, read_urls

if TYPE_CHECKING:
    from ..prepare.prepared_cache import PreparedCache

ENGINES = ("auto", "warm", "stock")


def engine(name: str = "auto", sandbox: str = "auto", *, cached: bool = False) -> Engine:
    """Return the engine of that name in the jail of that name.

    "auto" is warm, or stock where warm is not used (choice.py); the result's `name` is one of the two.
    Addresses of servers, separated by commas, give a remote engine.  With `cached` the engine keeps
    prepared tests on disk.

    Raises ValueError for an unknown name; SandboxUnavailable, ToolchainError or RemoteFault if
    nothing can be graded here.
    """
    check_name(name)
    if is_address(name):
        return _remote(name, sandbox)
    if name == "stock" or (name == "auto" and not choice().warm):
        from .stock import StockEngine  # noqa: PLC0415 (one of the two is enough)

        return StockEngine(sandbox, cache=_cache("stock", cached=cached))
    from .warm import WarmEngine  # noqa: PLC0415

    return WarmEngine(sandbox, cache=_cache("warm", cached=cached))


def _cache(engine: str, *, cached: bool) -> PreparedCache | None:
    """Return the cache of prepared tests; None if none is wanted."""
    if not cached:
        return None
    from ..prepare.prepared_cache import PreparedCache  # noqa: PLC0415 (reads our sources)

    return PreparedCache(engine)


def check_name(name: str) -> None:
    """Raise ValueError for an unknown name, without starting an engine."""
    if is_address(name):
        read_urls(name)
    elif name not in ENGINES:
        known = ", ".join(ENGINES)
        raise ValueError(
            f"no engine {name!r}; there are {known}, and addresses of servers such as"
            " http://host:8700"
        )


def _remote(urls: str, sandbox: str) -> Engine:
    """Return the engine on these servers, if it confines as wanted."""
    from ..remote.engine import RemoteEngine  # noqa: PLC0415

    remote = RemoteEngine(urls)
    if sandbox not in {"auto", remote.sandbox}:
        remote.close()
        raise SandboxUnavailable(f"{urls} confines by {remote.sandbox}, not {sandbox}")
    return remote
