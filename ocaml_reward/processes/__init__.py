"""Work shared out to child processes, where one Python is too slow.

A child is a fresh interpreter (a fork would take threads, locks and a GPU's state along)
that grades what it is sent on an engine of its own.  One that dies is replaced and its work
done again.
"""

from .asked import Asked
from .messages import Setup
from .pool import Children

__all__ = ["Asked", "Children", "Setup"]
