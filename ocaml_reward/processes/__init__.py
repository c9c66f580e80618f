"""Distributes work to child processes, because one Python process is too slow.

A child is a fresh interpreter: a fork would copy threads, locks and a GPU's state.  It grades the
completions it receives on its own engine.  A child that dies is replaced and its work repeated.
"""

from .child_calls import ChildCalls
from .messages import Setup
from .pool import Children

__all__ = ["ChildCalls", "Children", "Setup"]
