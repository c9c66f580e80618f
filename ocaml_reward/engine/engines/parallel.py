"""The number of completions to grade at a time."""

from __future__ import annotations

import os

from .. import Engine


def jobs_for(processors: int) -> int:
    """Return the number of completions to grade at a time, given the number of processors.

    Each completion is handled by Python and by an engine process in turn.  With two processors, two
    completions per processor are a tenth faster; from the fifth processor on, Python is the
    bottleneck.  (benchmarks/warm.py)
    """
    return processors + min(processors, 4)


def jobs_of(engine: Engine, processors: int) -> int:
    """Return the number of completions to grade at a time on an engine.

    Args:
        engine: The engine; its `jobs` is the result, if it has one.
        processors: The number of processors that this process may use.

    Returns:
        A number of completions, at least 1.
    """
    return getattr(engine, "jobs", None) or jobs_for(processors)


def threads_for(processes: int, jobs: int | None) -> int:
    """Return the number of completions that each process grades at a time.

    Args:
        processes: The number of processes.
        jobs: The number of completions that all of them grade at a time; the default suits the
            processors that this process may use.

    Returns:
        A number, at least 1.
    """
    if jobs:
        return -(-jobs // processes)
    return jobs_for(-(-len(os.sched_getaffinity(0)) // processes))
