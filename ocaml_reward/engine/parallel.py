"""
How many completions to grade at a time.
"""

from __future__ import annotations

from . import Engine

__all__ = ["jobs_for", "jobs_of"]


def jobs_for(processors: int) -> int:
    """
    Return how many completions to grade at a time on so many processors.

    A completion is in turn at Python's and at an engine's, and one waits for the other.
    Two for each processor are a tenth faster on two processors; from the fifth processor
    on they would wait for Python alone.  (benchmarks/warm.py)
    """
    return processors + min(processors, 4)


def jobs_of(engine: Engine, processors: int) -> int:
    """
    Return how many completions to grade at a time on an engine.

    Args:
        engine: The engine; one that works elsewhere says how many it takes (`jobs`).
        processors: The processors that this process may use, for any other engine.

    Returns:
        A number of completions, at least 1.
    """
    return getattr(engine, "jobs", None) or jobs_for(processors)
