"""Strengthens problems: adds checks that detect programs which the tests let pass."""

from .strengthen import Asked, Strengthened, strengthen

__all__ = ["Asked", "Strengthened", "strengthen"]
