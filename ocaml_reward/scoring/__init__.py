"""
One completion's reward, from what the engine found: credits, penalties, verdict.
"""

from __future__ import annotations

from .rewards import Score, score

__all__ = ["Score", "score"]
