"""Completions graded on many machines: who gets what, and what becomes of it if one is lost.

`schedule` decides and is pure; `driving` tells the time and waits; `on_ray` is what carries
work to the machines.  `grader` is the whole as a Grader.
"""

from .schedule import Schedule

__all__ = ["Schedule"]
