"""One completion's reward, from what the engine found: credits, penalties, verdict; and where
in its code that is.
"""

from __future__ import annotations

from .regions import located
from .rewards import Score, score

__all__ = ["Score", "located", "score"]
