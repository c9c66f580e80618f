"""Strengthens problems: adds checks that detect programs which the tests let pass."""

from .strengthen import Question, Strengthened, strengthen

__all__ = ["Question", "Strengthened", "strengthen"]
