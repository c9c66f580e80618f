"""Reward of one completion from the engine's report, and the regions of its code that are right or
wrong.
"""

from __future__ import annotations

from .regions import located
from .rewards import Score, score

__all__ = ["Score", "located", "score"]
