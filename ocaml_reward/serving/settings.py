"""What a server is told when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .. import Problem


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """A server's settings; those without an option are there for its tests.

    `longest_s` bounds what one completion may take by its budget, in seconds of a clock.
    `queue` bounds the completions that wait or run, `items` those of one request, and
    `remembered` the problems whose prepared tests are kept.  A dialect's request that
    finds the queue full is held for `hold_s`, because those clients give up soon; so is
    nobody else's.  Who sends slower than `head_s` and `body_s` allow is cut off.
    """

    token: str | None = field(default=None, repr=False)
    problems: Mapping[str, Problem] = field(default_factory=dict)
    ends: tuple[str, ...] = ()
    longest_s: float = 900.0
    queue: int = 4096
    items: int = 256
    remembered: int = 16384
    body_bytes: int = 32 * 1024 * 1024
    head_s: float = 10.0
    body_s: float = 60.0
    idle_s: float = 75.0
    hold_s: float = 150.0
    drain_s: float = 30.0
    drain_delay_s: float = 0.0
    ready_s: float = 30.0
    connections: int = 4096
    log_completions: bool = False
