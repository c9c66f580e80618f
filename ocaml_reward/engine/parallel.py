"""How many completions to grade at a time."""

from __future__ import annotations

import os

from . import Engine


def jobs_for(processors: int) -> int:
    """Return how many completions to grade at a time on so many processors.

    A completion is in turn at Python's and at an engine's, and one waits for the other.
    Two for each processor are a tenth faster on two processors; from the fifth processor
    on they would wait for Python alone.  (benchmarks/warm.py)
    """
    return processors + min(processors, 4)


def jobs_of(engine: Engine, processors: int) -> int:
    """Return how many completions to grade at a time on an engine.

    Args:
        engine: The engine; one that works elsewhere says how many it takes (`jobs`).
        processors: The processors that this process may use, for any other engine.

    Returns:
        A number of completions, at least 1.
    """
    return getattr(engine, "jobs", None) or jobs_for(processors)


def threads_for(processes: int, jobs: int | None) -> int:
    """Return how many completions each process grades at a time.

    Args:
        processes: How many there are.
        jobs: Completions that all of them grade at a time; without it what suits the
            processors that this process may use.

    Returns:
        A number, at least 1.
    """
    if jobs:
        return -(-jobs // processes)
    return jobs_for(-(-len(os.sched_getaffinity(0)) // processes))
