"""
The engine on other machines: the same seam, over HTTP, with the standard library alone.
"""

from .engine import RemoteEngine

__all__ = ["RemoteEngine"]
